/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_outputs.h"

#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An item of the scoreboard: the number of flits, the flits. */
enum { COPY_FLITS, COPY_DATA, COPY_WORDS = COPY_DATA + 2 * MOEHUB_CROSSBAR_FLITS_MAX };
enum { STARVED_MAX = 2000, STARVED_ONCE_IN = 4000 };

static void create_scoreboard(struct crossbar_outputs *outputs)
{
    static char names[MOEHUB_CROSSBAR_FLITS_MAX][8];
    struct field fields[1 + MOEHUB_CROSSBAR_FLITS_MAX] = {{"flits", 8}};
    for (unsigned i = 0; i < MOEHUB_CROSSBAR_FLITS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "flit %u", i);
        fields[1 + i] = (struct field){names[i], 128};
    }
    scoreboard_create(&outputs->copies, outputs->bench, "copies", fields, 1 + MOEHUB_CROSSBAR_FLITS_MAX, outputs->count, 1);
}

void crossbar_outputs_create(struct crossbar_outputs *outputs, struct bench *bench, const struct crossbar_config *config,
                             struct moehub_crossbar *model, struct crossbar_waits *waits)
{
    *outputs = (struct crossbar_outputs){.bench = bench, .model = model, .waits = waits, .count = config->ports};
    outputs->ports = allocate(config->ports, sizeof *outputs->ports);
    outputs->rows = config->with_ids == 0;
    if (outputs->rows)
        crossbar_rows_create(outputs);
    else
        crossbar_streams_create(outputs);
    bus_create(&outputs->granted, bench, "granted", outputs->count);
    create_scoreboard(outputs);
    bench_random(bench, &outputs->random, "starvation");
    for (unsigned port = 0; port < config->ports; port++) {
        char name[32];
        snprintf(name, sizeof name, "output %u", port);
        stall_init(&outputs->ports[port].stall, STALL_NONE, bench->options.seed, name);
    }
}

void crossbar_outputs_destroy(struct crossbar_outputs *outputs)
{
    scoreboard_destroy(&outputs->copies);
    free(outputs->ports);
    *outputs = (struct crossbar_outputs){0};
}

void crossbar_outputs_stall(struct crossbar_outputs *outputs, enum stall_kind stall, bool starving)
{
    outputs->starving = starving;
    for (unsigned port = 0; port < outputs->count; port++) {
        outputs->ports[port].stall.kind = outputs->ports[port].stall.now = stall;
        outputs->ports[port].starved_until = 0;
    }
}

void crossbar_outputs_hold(struct crossbar_outputs *outputs, uint64_t held)
{
    for (unsigned port = 0; port < outputs->count; port++)
        outputs->ports[port].held = (held >> port & 1) != 0;
}

void crossbar_outputs_forget(struct crossbar_outputs *outputs)
{
    for (unsigned port = 0; port < outputs->count; port++) {
        outputs->ports[port].copy.count = 0;
        outputs->ports[port].waiting = false;
        outputs->ports[port].had_room = false;
        outputs->ports[port].granted = 0;
    }
}

void crossbar_outputs_mark(struct crossbar_outputs *outputs)
{
    for (unsigned port = 0; port < outputs->count; port++) {
        struct crossbar_output *output = &outputs->ports[port];
        output->flits = output->copies = 0;
        output->first_flit = output->last_flit = output->first_grant = output->offered = UINT64_MAX;
    }
}

/* ---- who takes ----------------------------------------------------------------------------------------- */

static bool is_ready(struct crossbar_outputs *outputs, struct crossbar_output *output)
{
    const uint64_t now = outputs->bench->cycle;
    if (outputs->starving && now >= output->starved_until && random_chance(&outputs->random, 1, STARVED_ONCE_IN))
        output->starved_until = now + random_range(&outputs->random, 1, STARVED_MAX);
    const bool stalled = stall_next(&output->stall);
    if (output->held || (now < output->starved_until && output->copy.count == 0))
        return false;
    return !stalled;
}

void crossbar_outputs_drive(struct crossbar_outputs *outputs)
{
    for (unsigned port = 0; port < outputs->count; port++)
        bus_set(&outputs->ready, port, is_ready(outputs, &outputs->ports[port]));
    bus_drive(&outputs->ready);
}

/* ---- flits ------------------------------------------------------------------------------------------- */

static void pack(uint64_t *item, const struct moehub_crossbar_copy *copy)
{
    memset(item, 0, COPY_WORDS * sizeof *item);
    item[COPY_FLITS] = copy->count;
    for (unsigned i = 0; i < copy->count; i++)
        memcpy(item + COPY_DATA + 2 * i, copy->flits[i].half, sizeof copy->flits[i].half);
}

/* The copy is whole: the model says what it had to be. */
static void compare(struct crossbar_outputs *outputs, unsigned port)
{
    struct crossbar_output *output = &outputs->ports[port];
    const unsigned input = moehub_header_unpack(output->copy.flits[0]).source;
    struct moehub_crossbar_copy expected;
    uint64_t item[COPY_WORDS];
    if (input < outputs->count && moehub_crossbar_next(outputs->model, input, port, &expected) == 0) {
        pack(item, &expected);
        scoreboard_expect(&outputs->copies, port, item);
        moehub_crossbar_leave(outputs->model, input, port);
        crossbar_waits_leave(outputs->waits, input, port, outputs->bench->cycle);
    }
    pack(item, &output->copy);
    scoreboard_check(&outputs->copies, port, item);
    output->copies++;
    output->copy.count = 0;
}

void crossbar_outputs_take(struct crossbar_outputs *outputs, unsigned port, const uint64_t data[2], bool last)
{
    struct crossbar_output *output = &outputs->ports[port];
    struct bench *bench = outputs->bench;
    if (output->copy.count == MOEHUB_CROSSBAR_FLITS_MAX)
        bench_fail(bench, BENCH_MISMATCH, "output %u: a copy of more than %d flits", port, MOEHUB_CROSSBAR_FLITS_MAX);
    memcpy(output->copy.flits[output->copy.count++].half, data, 2 * sizeof *data);
    output->flits++;
    outputs->moved = bench->cycle;
    if (output->first_flit == UINT64_MAX)
        output->first_flit = bench->cycle;
    output->last_flit = bench->cycle;
    if (last)
        compare(outputs, port);
}

static void note_grants(struct crossbar_outputs *outputs)
{
    bus_sample(&outputs->granted);
    for (unsigned port = 0; port < outputs->count; port++)
        if (bus_get(&outputs->granted, port) != 0 && outputs->ports[port].first_grant == UINT64_MAX)
            outputs->ports[port].first_grant = outputs->bench->cycle;
}

void crossbar_outputs_sample(struct crossbar_outputs *outputs)
{
    note_grants(outputs);
    if (outputs->rows)
        crossbar_rows_sample(outputs);
    else
        crossbar_streams_sample(outputs);
}
