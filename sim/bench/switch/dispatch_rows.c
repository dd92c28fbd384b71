/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/dispatch_rows.h"

#include "kit/allocate.h"
#include "kit/options.h"
#include "moehub/placement.h"
#include "moehub/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void refuse(const char *what, int error, const struct moehub_message *message)
{
    fprintf(stderr, "dispatch: %s: %s %s\n", what, moehub_strerror(error), message != NULL ? message->text : "");
    exit(BENCH_CONFIGURATION);
}

static int by_number(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* The ids of a token's experts that are not on its own GPU, ascending. */
static void place_targets(const struct dispatch_layer *layer, const struct moehub_placement *placement, unsigned source,
                          const uint16_t *experts, struct crossbar_targets *targets)
{
    targets->count = 0;
    for (unsigned i = 0; i < layer->topk; i++) {
        const struct moehub_place place = placement->places[experts[i]];
        if (place.gpu != source)
            targets->ids[targets->count++] = (uint16_t)(place.gpu << layer->local_expert_bits | place.local);
    }
    qsort(targets->ids, targets->count, sizeof *targets->ids, by_number);
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

static void add_row(struct dispatch_rows *rows, const struct moehub_placement *placement, unsigned source, uint32_t number,
                    const uint16_t *experts)
{
    struct dispatch_row row = {.number = number};
    place_targets(&rows->layer, placement, source, experts, &row.targets);
    if (row.targets.count == 0)
        return;
    measure_row(rows, source, &row);
    rows->rows[(size_t)source * rows->layer.tokens + rows->counts[source]++] = row;
}

/* The first rows of a recorded trace. */
static void read_experts(const struct dispatch_layer *layer, size_t tokens, uint16_t *experts)
{
    const struct moehub_trace_options options = {.layer = MOEHUB_TRACE_ANY_LAYER, .experts = layer->experts};
    struct moehub_message message = {.text = ""};
    struct moehub_trace trace;
    const int error = moehub_trace_open(&trace, layer->routing.trace, &options, &message);
    if (error != 0)
        refuse("trace", error, &message);
    if (trace.topk != layer->topk)
        refuse("trace: rows have another number of experts (--topk)", MOEHUB_E_ARGUMENT, NULL);
    if (trace.tokens < tokens)
        refuse("trace: too short for so many tokens a GPU", MOEHUB_E_ARGUMENT, NULL);
    memcpy(experts, trace.rows, tokens * layer->topk * sizeof *experts);
    moehub_trace_destroy(&trace);
}

static void draw_experts(const struct dispatch_layer *layer, size_t tokens, uint16_t *experts)
{
    struct moehub_message message = {.text = ""};
    int error = moehub_routing_check(&layer->routing, layer->experts, layer->topk, &message);
    if (error == 0)
        error = moehub_routing_draw(&layer->routing, layer->experts, layer->topk, tokens, layer->seed, experts, &message);
    if (error != 0)
        refuse("routing", error, &message);
}

/* The layer's choices, tokens in order; GPU by GPU, or those of GPU 0 alone. */
static uint16_t *get_experts(const struct dispatch_layer *layer)
{
    const size_t tokens = (size_t)(layer->turned ? 1 : layer->ports) * layer->tokens;
    uint16_t *experts = allocate(tokens * layer->topk, sizeof *experts);
    if (layer->routing.kind == MOEHUB_ROUTING_TRACE)
        read_experts(layer, tokens, experts);
    else
        draw_experts(layer, tokens, experts);
    return experts;
}

static void place_experts(const struct dispatch_layer *layer, struct moehub_placement *placement)
{
    struct moehub_message message = {.text = ""};
    const int error =
        layer->placement == NULL
            ? moehub_placement_create_block(placement, layer->ports, layer->experts)
            : moehub_placement_create_file(placement, layer->ports, layer->experts, layer->placement, &message);
    if (error != 0)
        refuse("placement", error, &message);
    for (unsigned port = 0; port < layer->ports; port++) {
        if (placement->local_counts[port] > 1u << layer->local_expert_bits)
            refuse("placement: a GPU has more experts than LOCAL_EXPERT_BITS has room for", MOEHUB_E_LIMIT, NULL);
        if (layer->turned && placement->local_counts[port] * layer->ports != layer->experts)
            refuse("placement: GPUs of equal work need as many experts each", MOEHUB_E_ARGUMENT, NULL);
    }
}

/* The experts of token `number` of a source. */
static void choose_experts(const struct dispatch_layer *layer, const uint16_t *drawn, unsigned source, uint32_t number,
                           uint16_t *experts)
{
    const size_t token = layer->turned ? number : (size_t)source * layer->tokens + number;
    const unsigned turn = layer->turned ? source * (layer->experts / layer->ports) : 0;
    for (unsigned i = 0; i < layer->topk; i++)
        experts[i] = (uint16_t)((drawn[token * layer->topk + i] + turn) % layer->experts);
}

void dispatch_rows_create(struct dispatch_rows *rows, const struct dispatch_layer *layer)
{
    struct moehub_placement placement;
    uint16_t experts[MOEHUB_TARGETS_MAX];
    *rows = (struct dispatch_rows){.layer = *layer,
                                   .rows = allocate((size_t)layer->ports * layer->tokens, sizeof *rows->rows)};
    uint16_t *drawn = get_experts(layer);
    place_experts(layer, &placement);
    for (unsigned source = 0; source < layer->ports; source++)
        for (uint32_t number = 0; number < layer->tokens; number++) {
            choose_experts(layer, drawn, source, number, experts);
            add_row(rows, &placement, source, source * layer->tokens + number, experts);
        }
    moehub_placement_destroy(&placement);
    free(drawn);
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
