/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of a run by tile flows as Chrome trace JSON. A process is one GPU of a class; a stage of a unit lasts from its
 * first task to its last. Units overlap, so that they are asynchronous slices. */
#include "system_question.h"

#include <stdio.h>
#include <stdlib.h>

enum { STAGES = MOEHUB_SYSTEM_STAGES };

static const char *const lanes[] = {"dispatch", "GEMM-1", "GEMM-2", "weight gradients", "combine"};

struct slice {
    double begin, end;
    unsigned tasks;
};

struct timeline {
    FILE *file;
    unsigned units;         /* of the class that has most */
    struct slice *slices;   /* [class][stage][unit] */
    bool any;
};

static void separate(struct timeline *timeline)
{
    fprintf(timeline->file, timeline->any ? ",\n" : "\n");
    timeline->any = true;
}

static struct slice *slice_of(const struct timeline *timeline, unsigned class_number, unsigned stage, unsigned unit)
{
    return &timeline->slices[((size_t)class_number * STAGES + stage) * timeline->units + unit];
}

static void take_span(void *context, unsigned class_number, enum moehub_system_lane lane, unsigned unit, unsigned count,
                      double begin, double end)
{
    struct timeline *timeline = context;
    if (lane == MOEHUB_SYSTEM_LANE_DISPATCH || lane == MOEHUB_SYSTEM_LANE_COMBINE) {
        separate(timeline);
        fprintf(timeline->file, "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f}", lanes[lane],
                class_number, (unsigned)lane, 1e6 * begin, 1e6 * (end - begin));
        return;
    }
    struct slice *slice = slice_of(timeline, class_number, (unsigned)lane - MOEHUB_SYSTEM_LANE_GEMM_1, unit);
    if (slice->tasks == 0)
        slice->begin = begin;
    slice->tasks += count;
    slice->end = end > slice->end ? end : slice->end;
}

static void take_links(void *context, unsigned class_number, double time, double up, double down)
{
    struct timeline *timeline = context;
    separate(timeline);
    fprintf(timeline->file,
            "{\"ph\":\"C\",\"name\":\"links in use\",\"pid\":%u,\"ts\":%.3f,\"args\":{\"up\":%.4f,\"down\":%.4f}}",
            class_number, 1e6 * time, up, down);
}

static void write_slices(struct timeline *timeline, unsigned class_number)
{
    for (unsigned stage = 0; stage < STAGES; stage++)
        for (unsigned unit = 0; unit < timeline->units; unit++) {
            const struct slice *slice = slice_of(timeline, class_number, stage, unit);
            if (slice->tasks == 0)
                continue;
            const unsigned long id = ((unsigned long)class_number * STAGES + stage) * timeline->units + unit;
            const char *lane = lanes[MOEHUB_SYSTEM_LANE_GEMM_1 + stage];
            separate(timeline);
            fprintf(timeline->file,
                    "{\"ph\":\"b\",\"cat\":\"%s\",\"name\":\"%s, unit %u\",\"id\":%lu,\"pid\":%u,\"tid\":%u,\"ts\":%.3f,"
                    "\"args\":{\"tasks\":%u}},\n"
                    "{\"ph\":\"e\",\"cat\":\"%s\",\"name\":\"%s, unit %u\",\"id\":%lu,\"pid\":%u,\"tid\":%u,\"ts\":%.3f}",
                    lane, lane, unit, id, class_number, 1 + stage, 1e6 * slice->begin, slice->tasks, lane, lane, unit, id,
                    class_number, 1 + stage, 1e6 * slice->end);
        }
}

static void write_names(struct timeline *timeline, const struct moehub_system_plan *plan, const char *title)
{
    for (unsigned i = 0; i < plan->load.count; i++) {
        separate(timeline);
        fprintf(timeline->file, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":\"%s: 1 of %u GPUs, %.0f "
                                "expert rows\"}}",
                i, title, plan->load.classes[i].gpus, plan->load.classes[i].rows);
        for (unsigned lane = 0; lane < sizeof lanes / sizeof lanes[0]; lane++)
            fprintf(timeline->file,
                    ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}", i,
                    lane, lanes[lane]);
    }
}

/* Units of the class that has most; an expert has at most as many as its rows have tiles. */
static unsigned most_units(const struct moehub_system_plan *plan)
{
    double most = 1;
    for (unsigned i = 0; i < plan->load.count; i++) {
        const struct moehub_system_class *one = &plan->load.classes[i];
        const double units = one->rows / (plan->group * (double)MOEHUB_SYSTEM_TILE_ROWS) + 2.0 * one->experts;
        most = units > most ? units : most;
    }
    return (unsigned)most + 1;
}

int timeline_write(const char *path, const struct moehub_system_plan *plan, const char *title, struct moehub_message *message)
{
    struct timeline timeline = {.units = most_units(plan)};
    timeline.slices = calloc((size_t)plan->load.count * STAGES * timeline.units, sizeof timeline.slices[0]);
    if (timeline.slices == NULL)
        return MOEHUB_E_MEMORY;
    timeline.file = fopen(path, "w");
    if (timeline.file == NULL) {
        free(timeline.slices);
        moehub_message_set(message, path, 0, "cannot be written");
        return MOEHUB_E_FILE;
    }
    fprintf(timeline.file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    write_names(&timeline, plan, title);
    const struct moehub_system_observer observer = {&timeline, take_span, take_links};
    struct moehub_system_flow_result result;
    int error = moehub_system_flow_run(plan, &observer, &result);
    for (unsigned i = 0; i < plan->load.count; i++)
        write_slices(&timeline, i);
    fprintf(timeline.file, "\n]}\n");
    const bool failed = ferror(timeline.file) != 0;
    if ((fclose(timeline.file) != 0 || failed) && error == 0) {
        moehub_message_set(message, path, 0, "cannot be written");
        error = MOEHUB_E_FILE;
    }
    free(timeline.slices);
    return error;
}
