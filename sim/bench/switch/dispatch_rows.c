/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/dispatch_rows.h"

#include "kit/allocate.h"
#include "kit/options.h"
#include "moehub/layer.h"
#include "moehub/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void refuse(const char *sentence)
{
    fprintf(stderr, "dispatch: %s\n", sentence);
    exit(BENCH_CONFIGURATION);
}

/* The ids of a row's experts that are not on its own GPU, ascending. */
static void place_targets(const struct dispatch_rows *rows, const struct moehub_layer *layer, unsigned source, uint32_t row,
                          struct crossbar_targets *targets)
{
    const struct moehub_target *chosen = moehub_layer_targets(layer, row);
    targets->count = 0;
    for (unsigned i = 0; i < layer->topk; i++)
        if (chosen[i].gpu != source)
            targets->ids[targets->count++] = (uint16_t)(chosen[i].gpu << rows->layer.local_expert_bits | chosen[i].local);
}

/* Flits of a line's packet and of its copies. Every line of a row has the same. */
static void measure_row(struct dispatch_rows *rows, unsigned source, struct dispatch_row *row)
{
    const struct moehub_crossbar_config config = {.ports = rows->layer.ports,
                                                  .local_expert_bits = rows->layer.local_expert_bits};
    struct random_source random;
    struct crossbar_packet packet;
    struct moehub_crossbar_copy copy;
    random_init(&random, 0, "flits");
    const struct moehub_header header = crossbar_line_header(source, row->number, 0, row->targets.count);
    crossbar_build_packet(&header, &row->targets, &random, &packet);
    row->up = (uint8_t)packet.packet.count;
    rows->up[source] += (uint64_t)row->up * rows->layer.lines;
    const uint64_t outputs = moehub_crossbar_outputs(&config, packet.packet.flits);
    for (unsigned output = 0; output < config.ports; output++) {
        if ((outputs >> output & 1) == 0)
            continue;
        moehub_crossbar_make_copy(&config, packet.packet.flits, output, &copy);
        row->down[output] = (uint8_t)copy.count;
        rows->down[output] += (uint64_t)copy.count * rows->layer.lines;
        rows->copies += rows->layer.lines;
    }
}

static void add_row(struct dispatch_rows *rows, const struct moehub_layer *layer, unsigned source, uint32_t number)
{
    struct dispatch_row row = {.number = number};
    place_targets(rows, layer, source, number, &row.targets);
    if (row.targets.count == 0)
        return;
    measure_row(rows, source, &row);
    rows->rows[(size_t)source * rows->layer.tokens + rows->counts[source]++] = row;
}

static void create_layer(const struct dispatch_layer *wanted, struct moehub_layer *layer)
{
    const struct moehub_layer_options options = {.gpus = wanted->ports, .tokens = wanted->tokens, .experts = wanted->experts,
                                                 .topk = wanted->topk, .hidden = 1, .seed = wanted->seed,
                                                 .routing = wanted->routing, .trace_layer = MOEHUB_TRACE_ANY_LAYER,
                                                 .placement = wanted->placement, .turned = wanted->turned};
    struct moehub_message message = {.text = ""};
    int error = moehub_layer_options_check(&options, &message);
    if (error == 0)
        error = moehub_layer_create(layer, &options, &message);
    if (error != 0)
        refuse(message.text[0] != '\0' ? message.text : moehub_strerror(error));
    for (unsigned port = 0; port < wanted->ports; port++)
        if (layer->placement.local_counts[port] > 1u << wanted->local_expert_bits)
            refuse("a GPU has more experts than LOCAL_EXPERT_BITS has room for");
}

void dispatch_rows_create(struct dispatch_rows *rows, const struct dispatch_layer *wanted)
{
    struct moehub_layer layer;
    create_layer(wanted, &layer);
    *rows = (struct dispatch_rows){.layer = *wanted,
                                   .rows = allocate((size_t)wanted->ports * wanted->tokens, sizeof *rows->rows)};
    for (unsigned source = 0; source < wanted->ports; source++)
        for (uint32_t token = 0; token < wanted->tokens; token++)
            add_row(rows, &layer, source, moehub_layer_row(&layer, source, token));
    moehub_layer_destroy(&layer);
}

void dispatch_rows_destroy(struct dispatch_rows *rows)
{
    free(rows->rows);
    *rows = (struct dispatch_rows){0};
}

struct dispatch_turn dispatch_turn(uint64_t rows, uint64_t parts, uint64_t in_turn, uint64_t number)
{
    const uint64_t together = in_turn * parts, first = number / together * in_turn;
    const uint64_t left = rows - first, turns = left < in_turn ? left : in_turn;
    assert(turns > 0); /* `number` is a packet of these rows */
    return (struct dispatch_turn){.row = first + number % together % turns, .part = (uint32_t)(number % together / turns)};
}

static struct dispatch_turn line_of(const struct dispatch_rows *rows, unsigned source, uint64_t packet)
{
    const uint64_t in_turn = rows->layer.rows_in_turn > 1 ? rows->layer.rows_in_turn : 1;
    return dispatch_turn(rows->counts[source], rows->layer.lines, in_turn, packet);
}

static const struct dispatch_row *row_of(const struct dispatch_rows *rows, unsigned source, struct dispatch_turn line)
{
    return &rows->rows[(size_t)source * rows->layer.tokens + line.row];
}

const struct dispatch_row *dispatch_rows_of(const struct dispatch_rows *rows, unsigned source, uint64_t packet)
{
    return row_of(rows, source, line_of(rows, source, packet));
}

void dispatch_rows_packet(const struct dispatch_rows *rows, unsigned source, uint64_t packet, struct random_source *random,
                          struct crossbar_packet *built)
{
    const struct dispatch_turn line = line_of(rows, source, packet);
    const struct dispatch_row *row = row_of(rows, source, line);
    const struct moehub_header header = crossbar_line_header(source, row->number, line.part, row->targets.count);
    crossbar_build_packet(&header, &row->targets, random, built);
}

/* The most of any port in either direction. */
static uint64_t busiest(const uint64_t *up, const uint64_t *down, unsigned ports)
{
    uint64_t most = 0;
    for (unsigned port = 0; port < ports; port++) {
        most = up[port] > most ? up[port] : most;
        most = down[port] > most ? down[port] : most;
    }
    return most;
}

uint64_t dispatch_rows_ideal(const struct dispatch_rows *rows)
{
    return busiest(rows->up, rows->down, rows->layer.ports);
}

uint64_t dispatch_rows_pairs(const struct dispatch_rows *rows)
{
    uint64_t up[MOEHUB_CROSSBAR_PORTS_MAX] = {0}, down[MOEHUB_CROSSBAR_PORTS_MAX] = {0};
    for (unsigned source = 0; source < rows->layer.ports; source++)
        for (uint32_t number = 0; number < rows->counts[source]; number++)
            for (unsigned port = 0; port < rows->layer.ports; port++) {
                const unsigned named = rows->rows[(size_t)source * rows->layer.tokens + number].down[port] > 0;
                up[source] += named;
                down[port] += named;
            }
    return busiest(up, down, rows->layer.ports);
}
