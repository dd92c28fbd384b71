/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/dispatch_rows.h"

#include "kit/allocate.h"
#include "kit/options.h"
#include "moehub/placement.h"
#include "moehub/routing.h"

#include <stdio.h>
#include <stdlib.h>

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

void dispatch_rows_create(struct dispatch_rows *rows, const struct dispatch_layer *layer)
{
    const struct moehub_routing uniform = {.kind = MOEHUB_ROUTING_UNIFORM};
    const size_t tokens = (size_t)layer->ports * layer->tokens;
    struct moehub_message message;
    struct moehub_placement placement;
    *rows = (struct dispatch_rows){.layer = *layer, .rows = allocate(tokens, sizeof *rows->rows)};
    uint16_t *experts = allocate(tokens * layer->topk, sizeof *experts);
    int error = moehub_routing_draw(&uniform, layer->experts, layer->topk, tokens, layer->seed, experts, &message);
    if (error != 0)
        refuse("routing", error, &message);
    error = moehub_placement_create_block(&placement, layer->ports, layer->experts);
    if (error != 0)
        refuse("placement", error, NULL);
    for (uint32_t number = 0; number < tokens; number++)
        add_row(rows, &placement, number / layer->tokens, number, experts + (size_t)number * layer->topk);
    moehub_placement_destroy(&placement);
    free(experts);
}

void dispatch_rows_destroy(struct dispatch_rows *rows)
{
    free(rows->rows);
    *rows = (struct dispatch_rows){0};
}

void dispatch_rows_packet(const struct dispatch_rows *rows, unsigned source, uint64_t packet, struct random_source *random,
                          struct crossbar_packet *built)
{
    const struct dispatch_row *row = dispatch_rows_of(rows, source, packet);
    const struct moehub_header header =
        crossbar_line_header(source, row->number, (unsigned)(packet % rows->layer.lines), row->targets.count);
    crossbar_build_packet(&header, &row->targets, random, built);
}

uint64_t dispatch_rows_ideal(const struct dispatch_rows *rows)
{
    uint64_t most = 0;
    for (unsigned port = 0; port < rows->layer.ports; port++) {
        most = rows->up[port] > most ? rows->up[port] : most;
        most = rows->down[port] > most ? rows->down[port] : most;
    }
    return most;
}
