/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void layer_timeline_create(struct layer_timeline *timeline, const char *name)
{
    *timeline = (struct layer_timeline){.file = NULL};
    if (name == NULL)
        return;
    timeline->file = fopen(name, "w");
    if (timeline->file == NULL) {
        fprintf(stderr, "--timeline %s: %s\n", name, strerror(errno));
        exit(BENCH_CONFIGURATION);
    }
    fputs("{\"traceEvents\": [", timeline->file);
}

void layer_timeline_begin(struct layer_timeline *timeline, uint64_t cycle)
{
    memset(timeline->up, 0, sizeof timeline->up);
    memset(timeline->down, 0, sizeof timeline->down);
    timeline->since = cycle;
}

static void begin_event(struct layer_timeline *timeline, const char *name, char kind, unsigned gpu, uint64_t cycle)
{
    fprintf(timeline->file, "%s\n{\"name\": \"%s\", \"ph\": \"%c\", \"pid\": %u, \"tid\": 0, \"ts\": %" PRIu64,
            timeline->more ? "," : "", name, kind, gpu, cycle);
    timeline->more = true;
}

void layer_timeline_sample(struct layer_timeline *timeline, const struct system_plane *planes, unsigned links)
{
    const uint64_t now = planes->bench->cycle, slots = now - timeline->since;
    if (timeline->file == NULL || slots == 0)
        return;
    for (unsigned i = 0; i < planes->ports * links; i++) {
        const unsigned gpu = i / links, link = i % links;
        const uint64_t up = planes[link].up[gpu].sent.flits, down = planes[link].down[gpu].sent.flits;
        uint64_t *before_up = &timeline->up[link][gpu], *before_down = &timeline->down[link][gpu];
        char name[32];
        snprintf(name, sizeof name, "link %u", link);
        begin_event(timeline, name, 'C', gpu, timeline->since);
        fprintf(timeline->file, ", \"args\": {\"up\": %.4f, \"down\": %.4f}}", (double)(up - *before_up) / (double)slots,
                (double)(down - *before_down) / (double)slots);
        *before_up = up;
        *before_down = down;
    }
    timeline->since = now;
}

static void write_span(struct layer_timeline *timeline, const char *name, unsigned gpu, uint64_t from, uint64_t to)
{
    begin_event(timeline, name, 'X', gpu, from);
    fprintf(timeline->file, ", \"dur\": %" PRIu64 "}", to > from ? to - from : 0);
}

static void write_instant(struct layer_timeline *timeline, const char *name, unsigned gpu, uint64_t cycle)
{
    begin_event(timeline, name, 'i', gpu, cycle);
    fputs(", \"s\": \"p\"}", timeline->file);
}

static void write_round(struct layer_timeline *timeline, const struct gpu *gpu, const struct layer_phases *phases)
{
    const unsigned number = gpu->layout->gpu;
    write_span(timeline, "context", number, phases->begun, phases->ended);
    write_span(timeline, "dispatch", number, phases->begun, gpu->last_arrived);
    write_span(timeline, "combine", number, phases->asked, gpu->last_reduced);
    write_instant(timeline, "all arrived", number, gpu->last_arrived);
    for (uint32_t tile = 0; tile < gpu->layout->tiles; tile++)
        if (gpu->tile_ready[tile] != 0)
            write_instant(timeline, "tile ready", number, gpu->tile_ready[tile]);
    for (uint32_t token = 0; token < gpu_layout_tokens(gpu->layout); token++)
        if (gpu->tokens[token].told)
            write_instant(timeline, "token ready", number, gpu->tokens[token].ready);
}

static void write_gpu(struct layer_timeline *timeline, const struct system_hub *hub, const struct layer_phases *phases)
{
    begin_event(timeline, "process_name", 'M', hub->number, 0);
    fprintf(timeline->file, ", \"args\": {\"name\": \"GPU %u\"}}", hub->number);
    for (unsigned round = 0; round < hub->rounds.count; round++)
        write_round(timeline, &hub->rounds.gpus[round], phases);
}

bool layer_timeline_destroy(struct layer_timeline *timeline, const struct system_plane *planes, const struct system_hub *hubs,
                            const struct layer_phases *phases)
{
    if (timeline->file == NULL)
        return true;
    for (unsigned gpu = 0; gpu < planes->ports; gpu++)
        write_gpu(timeline, &hubs[gpu], phases);
    fputs("\n], \"displayTimeUnit\": \"ns\"}\n", timeline->file);
    const bool written = ferror(timeline->file) == 0;
    return fclose(timeline->file) == 0 && written;
}
