/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_abort.h"

#include "bench/system/gpu.h"
#include "kit/allocate.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static uint32_t row_bytes(const struct gpu *gpu)
{
    return gpu->layout->row_bytes[0];
}

/* At most all but the last store: then a row is still open. */
static uint64_t draw_bytes(const struct gpu *gpu, size_t bytes)
{
    struct random_source random;
    bench_random(gpu->bench, &random, "abort");
    const uint32_t store = gpu->options.store_bytes < row_bytes(gpu) ? gpu->options.store_bytes : row_bytes(gpu);
    return random_below(&random, bytes - store + 1);
}

void gpu_abort_create(struct gpu *gpu)
{
    const size_t bytes = (size_t)gpu_layout_tokens(gpu->layout) * row_bytes(gpu);
    gpu->abort = (struct gpu_abort){.bytes_before = draw_bytes(gpu, bytes),
                                    .stored = allocate(bytes, 1),
                                    .opened = allocate(gpu_layout_tokens(gpu->layout), 1)};
    for (unsigned kind = 0; kind < GPU_KINDS; kind++) {
        gpu->options.departures->bytes[kind] = allocate(bytes, 1);
        gpu->options.departures->count[kind] = allocate(gpu_layout_tokens(gpu->layout), sizeof(uint32_t));
    }
}

void gpu_abort_destroy(struct gpu *gpu)
{
    free(gpu->abort.stored);
    free(gpu->abort.opened);
    for (unsigned kind = 0; kind < GPU_KINDS; kind++) {
        free(gpu->options.departures->bytes[kind]);
        free(gpu->options.departures->count[kind]);
    }
}

static size_t place_of(const struct gpu *gpu, uint32_t token, uint32_t byte)
{
    return (size_t)token * row_bytes(gpu) + byte;
}

/* ---- what it stores ------------------------------------------------------------------------------------------- */

/* A row of one piece may be open, and is never stored in part. */
bool gpu_abort_due(const struct gpu *gpu)
{
    if (gpu->abort.bytes_given < gpu->abort.bytes_before)
        return false;
    for (unsigned i = 0; i < gpu->open_count; i++)
        if (gpu->open[i].stored != 0 || row_bytes(gpu) <= gpu->options.store_bytes)
            return true;
    return false;
}

bool gpu_abort_keeps(const struct gpu *gpu, uint32_t stored, const struct gpu_store *store)
{
    if (gpu->abort.state != GPU_ABORT_ON_ITS_WAY)
        return false;
    for (uint32_t byte = 0; byte < store->bytes; byte++)
        stored += gpu_store_has(gpu, store, byte);
    return stored == row_bytes(gpu);
}

void gpu_abort_gives(struct gpu *gpu, uint32_t token, const struct gpu_store *store)
{
    gpu->abort.stores_behind += gpu->abort.state == GPU_ABORT_TAKEN;
    for (uint32_t byte = 0; byte < store->bytes && gpu->abort.state != GPU_ABORT_TAKEN; byte++) {
        const bool has = gpu_store_has(gpu, store, byte);
        gpu->abort.bytes_given += has;
        gpu->abort.stored[place_of(gpu, token, store->offset + byte)] |= has;
    }
}

bool gpu_abort_refuses(struct gpu *gpu, unsigned status)
{
    const bool refused = status == MOEHUB_STATUS_CONTEXT && gpu->abort.state != GPU_ABORT_TO_COME;
    gpu->abort.rows_refused += refused;
    return refused;
}

/* ---- what leaves ---------------------------------------------------------------------------------------------- */

static void depart(struct gpu *gpu, enum gpu_kind kind, uint32_t token, uint32_t byte)
{
    if (token >= gpu_layout_tokens(gpu->layout) || byte >= row_bytes(gpu) || !gpu->abort.stored[place_of(gpu, token, byte)])
        bench_fail(gpu->bench, BENCH_MISMATCH, "GPU %u: a byte leaves that was not stored, or when the context was aborted: "
                   "token %" PRIu32 ", byte %" PRIu32, gpu->layout->gpu, token, byte);
    uint8_t *left = &gpu->options.departures->bytes[kind][place_of(gpu, token, byte)];
    gpu->options.departures->count[kind][token] += *left == 0;
    *left = 1;
}

static uint32_t token_of(const struct gpu *gpu, uint32_t row_index)
{
    return row_index - gpu_layout_index(gpu->layout, gpu->layout->gpu, 0);
}

static _Noreturn void wrong_close(const struct gpu *gpu, unsigned other)
{
    bench_fail(gpu->bench, BENCH_MISMATCH,
               "GPU %u, which aborted: %u closes left for GPU %u, the last with %" PRIu32 " pairs, and %" PRIu32 " were sent",
               gpu->layout->gpu, gpu->abort.closes[other], other, gpu->abort.announced[other], gpu->abort.pairs[other]);
}

/* A close may overtake stores on other links; none leaves that it does not count. */
static void count_pair(struct gpu *gpu, unsigned other)
{
    if (++gpu->abort.pairs[other] > gpu->abort.announced[other] && gpu->abort.closes[other] != 0)
        wrong_close(gpu, other);
}

static void store_departs(struct gpu *gpu, const struct gpu_departing *departing)
{
    const struct moehub_header *header = &departing->header;
    for (uint32_t i = 0; i < header->length; i++)
        if (!header->byte_enables || (departing->enables.half[i / 64] >> i % 64 & 1) != 0)
            depart(gpu, GPU_KIND_UP, token_of(gpu, header->row_index), header->offset + i);
    for (unsigned i = 0; i < header->target_count; i++)
        count_pair(gpu, departing->ids[i] >> gpu->layout->local_expert_bits);
}

/* And not of one that goes on beside it. */
static bool is_of_round(const struct gpu *gpu, const struct moehub_header *header)
{
    return header->context == gpu->options.context && header->round == gpu->options.round;
}

static void watch_store(struct gpu *gpu, struct gpu_departing *departing, const struct moehub_link_flit *flit)
{
    if (flit->first) {
        departing->header = moehub_header_unpack(flit->data);
        departing->flits = 0;
    }
    if (!is_of_round(gpu, &departing->header))
        return;
    const unsigned place = departing->flits++, targets = moehub_header_target_flits(&departing->header);
    if (place != 0 && place <= targets)
        moehub_targets_unpack(flit->data, place - 1, departing->ids, departing->header.target_count);
    if (place == targets + 1)
        departing->enables = flit->data;
    if (flit->last)
        store_departs(gpu, departing);
}

void gpu_watch_departures(struct gpu *gpu, unsigned link, const struct moehub_link_flit *flit)
{
    if (!gpu_aborts(gpu) || !flit->valid)
        return;
    if (flit->packet_class == MOEHUB_CLASS_STORE)
        watch_store(gpu, &gpu->abort.departing[link], flit);
    if (flit->packet_class != MOEHUB_CLASS_RESPONSE || !flit->first)
        return;
    const struct moehub_header header = moehub_header_unpack(flit->data);
    if (header.type != MOEHUB_PACKET_CLOSE || !is_of_round(gpu, &header))
        return;
    gpu->abort.closes[header.offset % GPU_ABORT_GPUS_MAX]++;
    gpu->abort.announced[header.offset % GPU_ABORT_GPUS_MAX] = header.row_index;
}

/* The loop-back's port writes the word of a row before its lines. */
void gpu_watch_writes(struct gpu *gpu, unsigned way, const struct memory_access *write)
{
    unsigned expert;
    uint32_t slot;
    if (way != gpu->options.links || !gpu_layout_find_row(gpu->layout, 0, write->address, &expert, &slot))
        return;
    const uint32_t token = token_of(gpu, gpu_layout_word(gpu->layout, gpu->memory, expert, slot));
    const uint64_t first = write->address / GPU_MEMORY_BEAT_BYTES * GPU_MEMORY_BEAT_BYTES;
    const uint64_t row = gpu_layout_row_address(gpu->layout, expert, 0, slot);
    for (unsigned i = 0; i < write->beats * GPU_MEMORY_BEAT_BYTES; i++)
        if ((write->strobes[i / GPU_MEMORY_BEAT_BYTES] >> i % GPU_MEMORY_BEAT_BYTES & 1) != 0)
            depart(gpu, GPU_KIND_LOOP, token, (uint32_t)(first + i - row));
}

void gpu_abort_check_closes(const struct gpu *gpu)
{
    for (unsigned other = 0; other < gpu->layout->layer->gpus; other++)
        if (gpu->abort.closes[other] != (other != gpu->layout->gpu) || gpu->abort.announced[other] != gpu->abort.pairs[other])
            wrong_close(gpu, other);
}

/* ---- what comes of a row -------------------------------------------------------------------------------------- */

static bool is_aborted(const struct gpu *gpu, uint32_t row)
{
    const struct gpu_manners *manners = &gpu->options.manners;
    return manners->aborts && moehub_layer_row_gpu(gpu->layout->layer, row) == manners->gpu;
}

static enum gpu_kind kind_to(const struct gpu *gpu, unsigned destination)
{
    return destination == gpu->options.manners.gpu ? GPU_KIND_LOOP : GPU_KIND_UP;
}

/* Of a row of the GPU that aborts. */
static uint32_t bytes_to(const struct gpu *gpu, uint32_t row, unsigned destination)
{
    return gpu->options.departures->count[kind_to(gpu, destination)][row % gpu->layout->layer->tokens_per_gpu];
}

static uint32_t bytes_coming(const struct gpu *gpu, uint32_t row)
{
    return is_aborted(gpu, row) ? bytes_to(gpu, row, gpu->layout->gpu) : row_bytes(gpu);
}

bool gpu_byte_comes(const struct gpu *gpu, uint32_t row, uint32_t byte)
{
    if (!is_aborted(gpu, row))
        return true;
    const uint8_t *left = gpu->options.departures->bytes[kind_to(gpu, gpu->layout->gpu)];
    return left[place_of(gpu, row % gpu->layout->layer->tokens_per_gpu, byte)] != 0;
}

static bool is_cut(const struct gpu *gpu, uint32_t row)
{
    const uint32_t bytes = bytes_coming(gpu, row);
    return bytes != 0 && bytes != row_bytes(gpu);
}

/* ---- what comes to a GPU -------------------------------------------------------------------------------------- */

/* Of its targets on this GPU those of that local expert; UINT_MAX: all. */
static unsigned targets_here(const struct gpu *gpu, uint32_t row, unsigned expert)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    const struct moehub_target *targets = moehub_layer_targets(layer, row);
    unsigned count = 0;
    for (unsigned i = 0; i < layer->topk; i++)
        count += targets[i].gpu == gpu->layout->gpu && (expert == UINT_MAX || targets[i].local == expert);
    return count;
}

static uint64_t rows_coming(const struct gpu *gpu, unsigned expert)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    uint64_t rows = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        if (moehub_layer_row_exists(layer, row) && bytes_coming(gpu, row) != 0)
            rows += targets_here(gpu, row, expert);
    return rows;
}

uint32_t gpu_rows_coming(const struct gpu *gpu, unsigned expert)
{
    return gpu->options.manners.aborts ? (uint32_t)rows_coming(gpu, expert) : gpu->layout->regions[expert].rows;
}

uint64_t gpu_all_rows_coming(const struct gpu *gpu)
{
    uint64_t rows = 0;
    if (gpu->options.manners.aborts)
        return rows_coming(gpu, UINT_MAX);
    for (unsigned expert = 0; expert < gpu->layout->local_experts; expert++)
        rows += gpu->layout->regions[expert].rows;
    return rows;
}

bool gpu_rows_cut(const struct gpu *gpu)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    for (uint32_t row = 0; row < layer->row_limit && gpu->options.manners.aborts; row++)
        if (moehub_layer_row_exists(layer, row) && is_cut(gpu, row) && targets_here(gpu, row, UINT_MAX) != 0)
            return true;
    return false;
}

bool gpu_tile_cut(const struct gpu *gpu, unsigned expert, uint32_t tile, uint32_t rows)
{
    for (uint32_t i = 0; i < rows && gpu->options.manners.aborts; i++) {
        const uint32_t slot = (tile << gpu->layout->tile_shift) + i;
        const uint32_t row_index = gpu_layout_word(gpu->layout, gpu->memory, expert, slot);
        if (row_index < gpu->layout->row_limit && is_cut(gpu, gpu_layout_row(gpu->layout, row_index)))
            return true;
    }
    return false;
}

/* ---- what comes of its tokens --------------------------------------------------------------------------------- */

/* Its targets that some of it has come to. */
static unsigned targets_reached(const struct gpu *gpu, uint32_t token)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    const uint32_t row = moehub_layer_row(layer, gpu->layout->gpu, token);
    unsigned count = 0;
    for (unsigned i = 0; i < layer->topk; i++)
        count += !is_aborted(gpu, row) || bytes_to(gpu, row, moehub_layer_targets(layer, row)[i].gpu) != 0;
    return count;
}

uint32_t gpu_tokens_coming(const struct gpu *gpu)
{
    return gpu_aborts(gpu) ? gpu->rows_stored : gpu_layout_tokens(gpu->layout);
}

uint64_t gpu_notifies_coming(const struct gpu *gpu)
{
    uint64_t notifies = 0;
    for (uint32_t token = 0; token < gpu_layout_tokens(gpu->layout); token++)
        if (!gpu_aborts(gpu) || gpu->abort.opened[token])
            notifies += targets_reached(gpu, token);
    return notifies;
}

bool gpu_token_lost(const struct gpu *gpu, uint32_t token)
{
    return targets_reached(gpu, token) != gpu->layout->layer->topk;
}

static bool has_left(const struct gpu *gpu, uint32_t token)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    const uint32_t row = moehub_layer_row(layer, gpu->layout->gpu, token);
    for (unsigned i = 0; i < layer->topk; i++)
        if (bytes_to(gpu, row, moehub_layer_targets(layer, row)[i].gpu) != row_bytes(gpu))
            return false;
    return true;
}

struct gpu_abort_rows gpu_abort_rows(const struct gpu *gpu)
{
    struct gpu_abort_rows rows = {.refused = gpu->abort.rows_refused};
    for (uint32_t token = 0; token < gpu_layout_tokens(gpu->layout); token++) {
        if (!gpu->abort.opened[token])
            continue;
        rows.whole += has_left(gpu, token);
        rows.lost += targets_reached(gpu, token) == 0;
    }
    rows.cut = gpu->rows_stored - rows.whole - rows.lost;
    return rows;
}

/* ---- what was dropped ----------------------------------------------------------------------------------------- */

static bool store_left(const struct gpu *gpu, uint32_t token, const struct gpu_store *store)
{
    for (uint32_t byte = 0; byte < store->bytes; byte++)
        for (unsigned kind = 0; kind < GPU_KINDS; kind++)
            if (gpu_store_has(gpu, store, byte) &&
                gpu->options.departures->bytes[kind][place_of(gpu, token, store->offset + byte)] != 0)
                return true;
    return false;
}

void gpu_abort_drops(const struct gpu *gpu, uint64_t *least, uint64_t *most)
{
    *least = gpu->abort.stores_behind;
    *most = gpu->counts.stores;
    for (uint32_t token = 0; token < gpu_layout_tokens(gpu->layout); token++)
        for (uint32_t n = 0; n < gpu_stores_of_row(gpu); n++) {
            const struct gpu_store store = gpu_store_of(gpu, gpu_layout_index(gpu->layout, gpu->layout->gpu, token), n);
            *most -= store_left(gpu, token, &store);
        }
}
