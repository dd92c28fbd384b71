/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

#include <stdlib.h>
#include <string.h>

enum { COMPACT_TARGETS = 3, TARGETS_OF_FLIT = 8 };

/* Header, target list, line. Towards the switch the list is always there (rtl/doc/packet.md). */
static uint8_t packet_flits(unsigned targets)
{
    return (uint8_t)(1 + (targets + TARGETS_OF_FLIT - 1) / TARGETS_OF_FLIT + MOEHUB_LINE_UNITS);
}

/* Few ids lie in the header. */
static uint8_t copy_flits(unsigned targets)
{
    return targets <= COMPACT_TARGETS ? (uint8_t)(1 + MOEHUB_LINE_UNITS) : packet_flits(targets);
}

/* The row that is built: flits of its packet and copies. Its targets are in the order of their GPUs. */
static struct packet_row measure(const struct packet_rows *rows, const struct moehub_layer *layer, uint32_t row, size_t place)
{
    const struct moehub_target *targets = moehub_layer_targets(layer, row);
    const unsigned owner = moehub_layer_row_gpu(layer, row);
    uint8_t *down = rows->down + place * rows->ports;
    unsigned remote = 0, end;
    struct packet_row measured = {0};
    memset(down, 0, rows->ports);
    for (unsigned first = 0; first < layer->topk; first = end) {
        const unsigned gpu = targets[first].gpu;
        for (end = first + 1; end < layer->topk && targets[end].gpu == gpu;)
            end++;
        if (rows->targets != NULL)
            rows->targets[place * rows->ports + gpu] = (struct packet_targets){(uint8_t)first, (uint8_t)(end - first)};
        if (gpu == owner) {
            measured.loop = packet_flits(end - first);
            continue;
        }
        down[gpu] = copy_flits(end - first);
        measured.outputs |= UINT64_C(1) << gpu;
        remote += end - first;
    }
    measured.up = packet_flits(remote);
    return measured;
}

/* The link of a GPU with the least to send, and what it then has. */
static unsigned choose_plane(uint64_t *load, unsigned planes, unsigned flits)
{
    unsigned least = 0;
    for (unsigned i = 1; i < planes; i++)
        least = load[i] < load[least] ? i : least;
    load[least] += flits;
    return least;
}

static void fill_source(struct packet_rows *rows, const struct moehub_layer *layer, unsigned gpu, unsigned planes, unsigned plane)
{
    uint64_t load[MOEHUB_SYSTEM_PACKET_PLANES_MAX] = {0};
    for (uint32_t token = 0; token < layer->gpu_tokens[gpu]; token++) {
        const size_t place = (size_t)gpu * rows->stride + rows->counts[gpu];
        const struct packet_row row = measure(rows, layer, moehub_layer_row(layer, gpu, token), place);
        if (!rows->own && (row.outputs == 0 || choose_plane(load, planes, row.up) != plane))
            continue;
        rows->rows[place] = row;
        rows->counts[gpu]++;
    }
}

int packet_rows_create(struct packet_rows *rows, const struct moehub_layer *layer, unsigned planes, unsigned plane, bool own)
{
    const size_t count = (size_t)layer->gpus * layer->tokens_per_gpu + 1;  /* one more: where the last is measured */
    *rows = (struct packet_rows){.ports = layer->gpus, .own = own, .stride = layer->tokens_per_gpu,
                                 .rows = calloc(count, sizeof *rows->rows), .down = calloc(count, layer->gpus),
                                 .counts = calloc(layer->gpus, sizeof *rows->counts)};
    if (own)
        rows->targets = calloc(count * layer->gpus, sizeof *rows->targets);
    if (rows->rows == NULL || rows->down == NULL || rows->counts == NULL || (own && rows->targets == NULL)) {
        packet_rows_destroy(rows);
        return MOEHUB_E_MEMORY;
    }
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        fill_source(rows, layer, gpu, planes, plane);
    return 0;
}

void packet_rows_destroy(struct packet_rows *rows)
{
    free(rows->rows);
    free(rows->down);
    free(rows->targets);
    free(rows->counts);
    *rows = (struct packet_rows){0};
}

void packet_rows_flits(const struct packet_rows *rows, const struct moehub_system_packet_options *options,
                       uint32_t request_lines, uint64_t *up, uint64_t *down)
{
    const uint64_t stores = options->phase == MOEHUB_SYSTEM_PACKET_COMBINE ? 0 : options->dispatch_lines;
    const uint64_t lines = options->phase == MOEHUB_SYSTEM_PACKET_DISPATCH ? 0 : options->combine_lines;
    const uint64_t requests = (lines + request_lines - 1) / request_lines;
    for (unsigned gpu = 0; gpu < rows->ports; gpu++)
        for (uint32_t i = 0; i < rows->counts[gpu]; i++) {
            const size_t row = (size_t)gpu * rows->stride + i;
            if (rows->rows[row].outputs == 0)
                continue;
            up[gpu] += stores * rows->rows[row].up + requests * (rows->rows[row].up - MOEHUB_LINE_UNITS);
            down[gpu] += lines * RESPONSE_FLITS;
            for (unsigned port = 0; port < rows->ports; port++) {
                const uint64_t copy = rows->down[row * rows->ports + port];
                down[port] += copy == 0 ? 0 : stores * copy + requests * (copy - MOEHUB_LINE_UNITS);
                up[port] += copy == 0 ? 0 : lines * RESPONSE_FLITS;
            }
        }
}
