/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu.h"

#include "bench/system/layer_values.h"
#include "kit/allocate.h"
#include "moehub/final_reduce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 16, TAG_GROUP_BITS = 12, STATUS_OK = 0 };

static uint32_t combine_lines(const struct gpu *gpu)
{
    return (gpu->layout->row_bytes[1] + MOEHUB_LINE_BYTES - 1) / MOEHUB_LINE_BYTES;
}

void gpu_create(struct gpu *gpu, struct bench *bench, const struct gpu_layout *layout, const struct gpu_options *options,
                uint8_t *memory)
{
    *gpu = (struct gpu){.bench = bench, .layout = layout, .options = *options, .memory = memory};
    for (unsigned stage = 0; stage < 2; stage++) {
        gpu->gemms[stage].size = layout->tiles + 1;
        gpu->gemms[stage].work = allocate(layout->tiles + 1, sizeof *gpu->gemms[stage].work);
    }
    gpu->tile_told = allocate(layout->tiles + 1, sizeof *gpu->tile_told);
    gpu->received = allocate((size_t)layout->row_limit * layout->local_experts, 1);
    gpu->visible = allocate((size_t)layout->row_limit * layout->local_experts, sizeof *gpu->visible);
    gpu->tile_ready = allocate(layout->tiles + 1, sizeof *gpu->tile_ready);
    gpu->tile_computed = allocate(layout->tiles + 1, sizeof *gpu->tile_computed);
    gpu->tokens = allocate(gpu_layout_tokens(gpu->layout) + 1, sizeof *gpu->tokens);
    gpu->options.spoiled[layout->gpu] = allocate((size_t)layout->layer->row_limit * combine_lines(gpu), 1);
    gpu->options.failed_rows[layout->gpu] = allocate(layout->layer->row_limit, 1);
    gpu->write_errors.tiles = allocate(layout->tiles + 1, 1);
    gpu->ready = allocate(gpu_layout_tokens(gpu->layout) + 1, sizeof *gpu->ready);
    for (uint32_t token = 0; token < gpu_layout_tokens(gpu->layout); token++)
        gpu->tokens[token].seen = allocate(combine_lines(gpu), 1);
    bench_random(bench, &gpu->random, "gpu");
    moehub_arithmetic_init(&gpu->arithmetic, 3, 64);
    gpu_layout_write_targets(layout, memory);
    if (gpu_aborts(gpu))
        gpu_abort_create(gpu);
}

void gpu_destroy(struct gpu *gpu)
{
    for (uint32_t token = 0; token < gpu_layout_tokens(gpu->layout); token++) {
        free(gpu->tokens[token].seen);
        free(gpu->tokens[token].sum);
    }
    for (unsigned i = 0; i < gpu->open_count; i++)
        free(gpu->open[i].bytes);
    for (unsigned stage = 0; stage < 2; stage++)
        free(gpu->gemms[stage].work);
    free(gpu->tile_told);
    free(gpu->received);
    free(gpu->visible);
    free(gpu->tile_ready);
    free(gpu->tile_computed);
    free(gpu->options.spoiled[gpu->layout->gpu]);
    free(gpu->options.failed_rows[gpu->layout->gpu]);
    free(gpu->write_errors.tiles);
    free(gpu->tokens);
    free(gpu->ready);
    if (gpu_aborts(gpu))
        gpu_abort_destroy(gpu);
}

void gpu_counts_add(struct gpu_counts *sum, const struct gpu_counts *one)
{
    sum->rows_received += one->rows_received;
    sum->lines_reduced += one->lines_reduced;
    sum->tiles += one->tiles;
    sum->tokens += one->tokens;
    sum->tokens_failed += one->tokens_failed;
    sum->tokens_spoiled += one->tokens_spoiled;
    sum->tokens_lost += one->tokens_lost;
    sum->tiles_failed += one->tiles_failed;
    sum->tiles_cut += one->tiles_cut;
    sum->stores += one->stores;
    sum->reduces += one->reduces;
    sum->lines_partial += one->lines_partial;
    sum->lines_spoiled += one->lines_spoiled;
    sum->lines_spoiled_by_others += one->lines_spoiled_by_others;
    sum->nop_packets += one->nop_packets;
    sum->rows_digest += one->rows_digest;
    sum->sums_digest += one->sums_digest;
}

static _Noreturn void fail(struct gpu *gpu, const char *what, uint64_t name, uint64_t detail)
{
    bench_fail(gpu->bench, BENCH_MISMATCH, "GPU %u: %s: %" PRIu64 " (0x%" PRIx64 "), %" PRIu64, gpu->layout->gpu, what, name,
               name, detail);
}

/* Of bytes and where they belong: what is added up is the same in any order. */
static uint64_t digest(uint64_t first, uint64_t second, uint64_t third, const uint8_t *bytes, uint32_t count)
{
    uint64_t hash = random_hash(random_hash(first, second), third);
    for (uint32_t i = 0; i < count; i++)
        hash = random_hash(hash, bytes[i]);
    return hash;
}

/* ---- rows out ------------------------------------------------------------------------------------------------- */

/* Rows that fill the hub, and of which nobody sees anything: who takes no handles, or whose lists are never read. */
static bool next_row_of_silent(const struct gpu *gpu, uint64_t *item)
{
    if (!gpu_withholds(gpu, GPU_WITHHELD_HANDLES) && !gpu_withholds(gpu, GPU_WITHHELD_MEMORY))
        return false;
    item[0] = gpu->options.context;
    item[1] = gpu_withholds(gpu, GPU_WITHHELD_HANDLES);
    item[2] = 1;
    item[3] = gpu->layout->table;
    item[4] = 0;
    item[5] = gpu_layout_index(gpu->layout, gpu->layout->gpu, 0);
    return true;
}

static void put_row_of_flood(const struct gpu *gpu, uint64_t *item)
{
    const unsigned gpus = gpu->layout->layer->gpus;
    const unsigned other = (gpu->layout->gpu + 1 + (unsigned)(gpu->flood_rows % (gpus - 1))) % gpus;
    item[0] = gpu->options.manners.flood_context;
    item[1] = 1;
    item[2] = 1;
    item[3] = 0;
    item[4] = (uint64_t)other << gpu->layout->local_expert_bits;
    item[5] = gpu_layout_index(gpu->layout, gpu->layout->gpu, 0);
}

static bool next_row_of_flood(struct gpu *gpu, uint64_t *item)
{
    if (gpu->open_count + gpu->waiting_count == gpu->options.rows_open)
        return false;
    put_row_of_flood(gpu, item);
    gpu->flood_rows++;
    gpu->waiting[gpu->waiting_count++] =
        (struct gpu_waiting_row){.row_index = (uint32_t)item[5], .status = STATUS_OK, .flood = true};
    return true;
}

bool gpu_next_row(struct gpu *gpu, uint64_t *item)
{
    if (gpu_silent(gpu))
        return gpu->may_send && next_row_of_silent(gpu, item);
    if (gpu->floods && (gpu->flooding = !gpu->flooding))
        return next_row_of_flood(gpu, item);
    if (!gpu->may_send || gpu->rows_taken == gpu_layout_tokens(gpu->layout) ||
        gpu->open_count + gpu->waiting_count == gpu->options.rows_open)
        return false;
    struct gpu_waiting_row *waiting = &gpu->waiting[gpu->waiting_count++];
    if (gpu_bad_turn(gpu)) {
        waiting->status = gpu_bad_row(gpu, item);
        waiting->row_index = (uint32_t)item[5];
        return true;
    }
    item[0] = gpu->options.context;
    item[1] = 0;
    item[2] = gpu->layout->layer->topk;
    item[3] = gpu_layout_targets(gpu->layout, gpu->rows_taken);
    item[4] = 0;
    item[5] = gpu_layout_index(gpu->layout, gpu->layout->gpu, gpu->rows_taken);
    const unsigned status = gpu->abort.state == GPU_ABORT_TAKEN ? MOEHUB_STATUS_CONTEXT : STATUS_OK;
    *waiting = (struct gpu_waiting_row){.token = gpu->rows_taken++, .row_index = (uint32_t)item[5], .status = status};
    return true;
}

void gpu_take_handle(struct gpu *gpu, const uint64_t *item)
{
    if (gpu_silent(gpu))
        return;
    const struct gpu_waiting_row waiting = gpu->waiting[0];
    const uint32_t token = waiting.token;
    const bool aborted = gpu_abort_refuses(gpu, (unsigned)item[0]);
    if (gpu->waiting_count == 0 || (item[0] != waiting.status && !aborted) || item[2] != waiting.row_index)
        fail(gpu, "a handle with a wrong status, or of no row that was opened", item[0], item[2]);
    memmove(gpu->waiting, gpu->waiting + 1, --gpu->waiting_count * sizeof *gpu->waiting);
    if (item[0] != STATUS_OK)
        return;
    struct gpu_open_row *row = &gpu->open[gpu->open_count++];
    *row = (struct gpu_open_row){.token = token,
                                 .handle = (uint16_t)item[1],
                                 .bytes = allocate(gpu->layout->row_bytes[0], 1),
                                 .flood = waiting.flood};
    if (waiting.flood)
        return;
    layer_values_row(gpu->layout->layer, moehub_layer_row(gpu->layout->layer, gpu->layout->gpu, token), row->bytes);
    gpu->tokens[token].opened = gpu->bench->cycle;
    if (gpu_aborts(gpu))
        gpu->abort.opened[token] = 1;
}

/* Whatever stands beside its bytes must not be taken for them. */
static void put_bytes(const struct gpu *gpu, struct gpu_open_row *row, const struct gpu_store *store, uint64_t *item)
{
    const unsigned mask_words = (gpu->options.store_bytes + 63) / 64;
    uint8_t *data = (uint8_t *)(item + mask_words);
    memset(item, 0, (mask_words + (gpu->options.store_bytes + 7) / 8) * sizeof *item);
    for (unsigned i = 0; i < store->bytes; i++) {
        const bool has = gpu_store_has(gpu, store, i);
        row->stored += has;
        item[i / 64] |= (uint64_t)has << i % 64;
        data[i] = has ? row->bytes[store->offset + i] : (uint8_t)~row->bytes[store->offset + i];
    }
}

bool gpu_next_store(struct gpu *gpu, uint64_t *item)
{
    if (gpu->open_count == 0)
        return false;
    const unsigned chosen = (unsigned)random_below(&gpu->random, gpu->open_count);
    struct gpu_open_row *row = &gpu->open[chosen];
    const uint32_t row_index = gpu_layout_index(gpu->layout, gpu->layout->gpu, row->token);
    const struct gpu_store store = gpu_store_of(gpu, row_index, row->stores);
    if (gpu_abort_keeps(gpu, row->stored, &store))
        return false;
    gpu->counts.stores++;
    if (gpu_bad_turn(gpu)) {
        gpu_bad_store(gpu, row->handle, item);
        return true;
    }
    row->stores++;
    if (gpu_aborts(gpu))
        gpu_abort_gives(gpu, row->token, &store);
    item[0] = row->handle;
    item[1] = store.offset;
    item[2] = gpu_is_nop(gpu, row_index, store.number);
    put_bytes(gpu, row, &store, item + 3);
    if (row->stored == gpu->layout->row_bytes[0]) {
        free(row->bytes);
        gpu->rows_stored += !row->flood;
        gpu->open[chosen] = gpu->open[--gpu->open_count];
    }
    return true;
}

/* ---- tiles ---------------------------------------------------------------------------------------------------- */

/* What must lie in memory of a row: of one that an abort has cut what came, and what was there before. */
static void put_expected(const struct gpu *gpu, uint32_t row, uint8_t *expected)
{
    layer_values_row(gpu->layout->layer, row, expected);
    for (uint32_t byte = 0; byte < gpu->layout->row_bytes[0] && gpu->options.manners.aborts; byte++)
        expected[byte] = gpu_byte_comes(gpu, row, byte) ? expected[byte] : 0;
}

/* The row that came to a slot: it must be one of this expert's, whole, for the first time. */
static void check_row(struct gpu *gpu, uint32_t expert, uint32_t slot, const uint8_t *bytes)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    const uint32_t row_index = gpu_layout_word(gpu->layout, gpu->memory, expert, slot);
    if (row_index >= gpu->layout->row_limit || !moehub_layer_row_exists(layer, gpu_layout_row(gpu->layout, row_index)))
        fail(gpu, "the row list names no row", row_index, expert);
    const uint32_t row = gpu_layout_row(gpu->layout, row_index);
    unsigned count, mine = 0;
    const struct moehub_target *targets =
        moehub_targets_on(moehub_layer_targets(layer, row), layer->topk, gpu->layout->gpu, &count);
    for (unsigned i = 0; i < count; i++)
        mine += targets[i].local == expert;
    uint8_t *seen = &gpu->received[(size_t)row_index * gpu->layout->local_experts + expert];
    if (mine != 1 || (*seen)++ != 0)
        fail(gpu, "a row that does not belong to the expert, or came twice", row_index, expert);
    uint8_t *expected = allocate(gpu->layout->row_bytes[0], 1);
    put_expected(gpu, row, expected);
    if (memcmp(bytes, expected, gpu->layout->row_bytes[0]) != 0)
        fail(gpu, "a row came with wrong bytes", row_index, expert);
    free(expected);
    gpu->counts.rows_digest += digest(gpu->layout->gpu, expert, row, bytes, gpu->layout->row_bytes[0]);
    gpu->counts.rows_received++;
}

/* In the cycle in which a tile is told as ready its rows lie in memory, and their words: whoever looks at once must find them.
 * Memory shows a write with its response, not before. */
static void check_visible(struct gpu *gpu, uint32_t expert, uint32_t tile, uint32_t rows)
{
    gpu->tile_ready[gpu->layout->regions[expert].tile_first + tile] = gpu->bench->cycle;
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t slot = (tile << gpu->layout->tile_shift) + i;
        check_row(gpu, expert, slot, gpu->memory + gpu_layout_row_address(gpu->layout, expert, 0, slot));
        const uint32_t row_index = gpu_layout_word(gpu->layout, gpu->memory, expert, slot);
        gpu->visible[(size_t)row_index * gpu->layout->local_experts + expert] = gpu->bench->cycle;
    }
}

/* Of the first stage it is noted: layer_tiles tells when it began and ended. */
static void begin_gemm(struct gpu *gpu, unsigned stage, struct gpu_tile_work *work, uint64_t from)
{
    struct gpu_gemm *gemm = &gpu->gemms[stage];
    const bool waits = gpu->options.gemm_in_turn && gemm->busy > from;
    work->due = gemm->busy = (waits ? gemm->busy : from) + gpu->options.gemm;
    if (stage == 0)
        gpu->tile_computed[gpu->layout->regions[work->expert].tile_first + work->tile] = work->due;
}

/* Without tile readiness the first GEMMs wait for all rows of their GPU, and are a kernel of their own. */
static void begin_all(struct gpu *gpu)
{
    struct gpu_gemm *gemm = &gpu->gemms[0];
    for (uint32_t i = gemm->first; i != gemm->end; i = (i + 1) % gemm->size)
        begin_gemm(gpu, 0, &gemm->work[i], gpu->bench->cycle + gpu->options.kernel_start);
}

static void add_work(struct gpu *gpu, unsigned stage, uint32_t expert, uint32_t tile, uint32_t rows)
{
    struct gpu_gemm *gemm = &gpu->gemms[stage];
    struct gpu_tile_work *work = &gemm->work[gemm->end];
    *work = (struct gpu_tile_work){UINT64_MAX, expert, tile, rows};
    gemm->end = (gemm->end + 1) % gemm->size;
    if (stage == 1 || gpu->options.tile_readiness)
        begin_gemm(gpu, stage, work, gpu->bench->cycle);
}

/* That must be in a tile. A full one may be told before it is known how many rows come in all. */
static uint32_t rows_of_tile(const struct gpu *gpu, uint32_t expert, uint32_t tile, uint64_t told)
{
    const uint32_t size = 1u << gpu->layout->tile_shift, first = tile << gpu->layout->tile_shift;
    if (told == size && gpu->layout->regions[expert].rows >= first + size)
        return size;
    const uint32_t rows = gpu_rows_coming(gpu, expert);
    return rows <= first ? 0 : rows - first < size ? rows - first : size;
}

/* It is told as ready: its rows lie there, and whether it is failed for what lies there. */
static void look_at_tile(struct gpu *gpu, uint32_t expert, uint32_t tile, uint32_t rows, bool spoiled)
{
    check_visible(gpu, expert, tile, rows);
    if (spoiled)
        gpu_tell_spoiled(gpu, expert, tile, rows);
    gpu->counts.tiles_cut += gpu_tile_cut(gpu, expert, tile, rows);
}

static void begin_work(struct gpu *gpu, const uint64_t *item, unsigned stage)
{
    const uint32_t expert = (uint32_t)item[4], tile = (uint32_t)item[6];
    if (expert >= gpu->layout->local_experts || tile >= gpu->layout->regions[expert].tiles)
        fail(gpu, "a tile event of a tile that is not there", tile, expert);
    uint8_t *told = &gpu->tile_told[gpu->layout->regions[expert].tile_first + tile];
    const uint32_t rows = gpu_loses(gpu) ? (uint32_t)item[5] : rows_of_tile(gpu, expert, tile, item[5]);
    if (*told != stage || item[5] != rows || rows > 1u << gpu->layout->tile_shift)
        fail(gpu, "a tile event out of turn, or with a wrong number of rows", tile, item[5]);
    const bool late = gpu->options.manners.silent != 0 && rows < 1u << gpu->layout->tile_shift;
    const bool spoiled = gpu_tile_spoiled(gpu, expert, tile) || gpu_tile_cut(gpu, expert, tile, rows);
    if ((item[1] != 0) != (late || spoiled) && !gpu_loses(gpu))
        fail(gpu, "a tile is failed, or is not though a write failed or it is part-filled after a time-out, or has part of a row",
             tile, item[1]);
    *told = (uint8_t)(stage + 1);
    gpu->counts.tiles++;
    if (stage == 0 && !(gpu_loses(gpu) && item[1] != 0))
        look_at_tile(gpu, expert, tile, rows, spoiled);
    add_work(gpu, stage, expert, tile, rows);
}

/* Both GEMMs of a tile: rows of the first stage to rows of the second. */
static void compute(struct gpu *gpu, const struct gpu_tile_work *work)
{
    const unsigned expert = moehub_placement_expert(&gpu->layout->layer->placement, gpu->layout->gpu, work->expert);
    uint16_t *output = allocate(gpu->layout->layer->hidden, sizeof *output);
    for (uint32_t i = 0; i < work->rows; i++) {
        const uint32_t slot = (work->tile << gpu->layout->tile_shift) + i;
        const uint8_t *bytes = gpu->memory + gpu_layout_row_address(gpu->layout, work->expert, 0, slot);
        layer_values_expert(gpu->layout->layer, expert, bytes, output);
        memcpy(gpu->memory + gpu_layout_row_address(gpu->layout, work->expert, 1, slot), output, gpu->layout->row_bytes[1]);
    }
    free(output);
}

static uint64_t next_due(const struct gpu_gemm *gemm)
{
    return gemm->first == gemm->end ? UINT64_MAX : gemm->work[gemm->first].due;
}

bool gpu_next_done(struct gpu *gpu, uint64_t *item)
{
    const unsigned stage = next_due(&gpu->gemms[1]) < next_due(&gpu->gemms[0]);
    struct gpu_gemm *gemm = &gpu->gemms[stage];
    if (next_due(gemm) > gpu->bench->cycle)
        return false;
    if (gpu_bad_turn(gpu)) {
        gpu_bad_done(gpu, item);
        return true;
    }
    const struct gpu_tile_work *work = &gemm->work[gemm->first];
    if (stage == 1)
        compute(gpu, work);
    item[0] = gpu->options.context;
    item[1] = work->expert;
    item[2] = work->tile;
    item[3] = stage;
    gemm->first = (gemm->first + 1) % gemm->size;
    return true;
}

/* ---- ready events --------------------------------------------------------------------------------------------- */

static uint32_t rows_at(const struct moehub_layer *layer, const struct moehub_target *target)
{
    uint32_t rows = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        for (unsigned i = 0; i < layer->topk && moehub_layer_row_exists(layer, row); i++)
            rows += moehub_layer_targets(layer, row)[i].expert == target->expert;
    return rows;
}

/* With a silent peer the part-filled tiles come by time-out, failed, and the tokens with a row in one. Which of a region's rows
 * those are is only known where the region has less than a tile, or whole tiles alone. An idle one's experts tell nothing. Who
 * told a tile of which a write failed, or with part of a row, has told its rows. */
static void check_failed(struct gpu *gpu, uint32_t number, bool failed)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    const struct moehub_target *targets = moehub_layer_targets(layer, moehub_layer_row(layer, gpu->layout->gpu, number));
    bool may_fail = gpu_row_spoiled(gpu, moehub_layer_row(layer, gpu->layout->gpu, number)), must_fail = may_fail;
    const bool lost = gpu_token_lost(gpu, number);
    gpu->counts.tokens_spoiled += must_fail;
    gpu->counts.tokens_lost += lost;
    may_fail |= lost;
    must_fail |= lost;
    for (unsigned i = 0; i < layer->topk; i++) {
        const uint32_t rows = rows_at(layer, &targets[i]), tile = 1u << gpu->layout->tile_shift;
        const bool waits = gpu->options.manners.silent != 0, idle = (gpu->options.manners.idle >> targets[i].gpu & 1) != 0;
        may_fail |= idle || (waits && rows % tile != 0) ||
                    gpu_manners_short(&gpu->options.manners, targets[i].gpu, targets[i].local);
        must_fail |= idle || (waits && rows < tile);
    }
    if (((failed && !may_fail) || (!failed && must_fail)) && !gpu_loses(gpu))
        fail(gpu, "a token is failed, or is not though it has a row in a failed tile: token, failed", number, failed);
}

static void token_ready(struct gpu *gpu, uint64_t row_index, bool failed)
{
    const uint64_t first = gpu_layout_index(gpu->layout, gpu->layout->gpu, 0), number = row_index - first;
    if (row_index < first || number >= gpu_layout_tokens(gpu->layout) || gpu->tokens[number].told)
        fail(gpu, "token ready of no own token, or twice", row_index, 0);
    struct gpu_token *token = &gpu->tokens[number];
    check_failed(gpu, (uint32_t)number, failed);
    token->told = true;
    token->ready = gpu->bench->cycle;
    gpu->counts.tokens++;
    gpu->counts.tokens_failed += failed;
    if (failed && gpu->options.manners.short_slots == 0)
        return;
    token->partial = failed;
    token->sum = allocate(gpu->layout->layer->hidden, sizeof *token->sum);
    layer_values_sum(gpu->layout->layer, &gpu->arithmetic,
                     moehub_layer_row(gpu->layout->layer, gpu->layout->gpu, (uint32_t)number), token->sum);
    gpu->ready[gpu->ready_count++] = (uint32_t)number;
}

void gpu_take_ready(struct gpu *gpu, const uint64_t *item)
{
    if (gpu_idle(gpu))
        return;
    if (item[2] != gpu->options.context || item[3] != gpu->options.round)
        fail(gpu, "a ready event of another context or round: kind, round", item[0], item[3]);
    switch (item[0]) {
    case MOEHUB_READY_TILE_READY:
        begin_work(gpu, item, 0);
        break;
    case MOEHUB_READY_TILE_COMPUTED:
        begin_work(gpu, item, 1);
        break;
    case MOEHUB_READY_TOKEN_READY:
        token_ready(gpu, item[6], item[1] != 0);
        break;
    default:
        if (gpu->arrived)
            fail(gpu, "all arrived was told twice", item[0], 0);
        if ((item[1] != 0) != gpu_flagged(gpu) && !gpu_loses(gpu))
            fail(gpu, "all arrived is failed, or is not with a peer that never closed: failed", item[1], 0);
        gpu->arrived = true;
        gpu->last_arrived = gpu->bench->cycle;
        if (!gpu->options.tile_readiness)
            begin_all(gpu);
    }
}

/* ---- sums ----------------------------------------------------------------------------------------------------- */

static uint32_t groups_of(const struct gpu *gpu)
{
    return (combine_lines(gpu) + gpu->options.group_lines - 1) / gpu->options.group_lines;
}

static struct gpu_asked_token *next_asked(struct gpu *gpu)
{
    for (unsigned i = 0; i < gpu->options.tokens_asked; i++) {
        struct gpu_asked_token *asked = &gpu->asked[(gpu->turn + i) % gpu->options.tokens_asked];
        if (!asked->active && gpu->ready_asked < gpu->ready_count)
            *asked = (struct gpu_asked_token){.token = gpu->ready[gpu->ready_asked++], .active = true};
        if (asked->active) {
            gpu->turn = (gpu->turn + i + 1) % gpu->options.tokens_asked;
            return asked;
        }
    }
    return NULL;
}

bool gpu_next_reduce(struct gpu *gpu, uint64_t *item)
{
    struct gpu_asked_token *asked = gpu->may_ask ? next_asked(gpu) : NULL;
    if (asked == NULL)
        return false;
    gpu->counts.reduces++;
    if (gpu_bad_turn(gpu)) {
        gpu_bad_reduce(gpu, item);
        return true;
    }
    const uint32_t line = asked->groups * gpu->options.group_lines, units = gpu->layout->row_bytes[1] / UNIT;
    const uint32_t left = units - line * MOEHUB_LINE_UNITS, most = gpu->options.group_lines * MOEHUB_LINE_UNITS;
    item[0] = gpu->options.context;
    item[1] = 0;
    item[2] = gpu->layout->layer->topk;
    item[3] = gpu_layout_targets(gpu->layout, asked->token);
    item[4] = 0;
    item[5] = gpu_layout_index(gpu->layout, gpu->layout->gpu, asked->token);
    item[6] = line;
    item[7] = left < most ? left : most;
    item[8] = MOEHUB_ELEMENT_BF16;
    item[9] = asked->token << TAG_GROUP_BITS | asked->groups;
    gpu->groups_partial += gpu->tokens[asked->token].partial;
    asked->groups++;
    asked->active = asked->groups < groups_of(gpu);
    return true;
}

/* A line of a sum that lacks a row. */
static bool check_partial(struct gpu *gpu, uint32_t token, unsigned status, unsigned length)
{
    if (token >= gpu_layout_tokens(gpu->layout) || !gpu->tokens[token].partial)
        return false;
    if (status != MOEHUB_STATUS_PARTIAL || length != 0)
        fail(gpu, "a sum that lacks a row does not say so: token, status", token, status);
    gpu->counts.lines_partial++;
    return true;
}

void gpu_spoil_line(struct gpu *gpu, uint64_t address)
{
    const struct gpu_layout *layout = gpu->layout;
    unsigned expert;
    uint32_t slot;
    if (!gpu_layout_find_row(layout, 1, address, &expert, &slot))
        fail(gpu, "a read for a sum is outside of all regions: address", address, 0);
    const uint64_t offset = address - gpu_layout_row_address(layout, expert, 1, slot);
    const uint32_t row = gpu_layout_row(layout, gpu_layout_word(layout, gpu->memory, expert, slot));
    gpu->options.spoiled[layout->gpu][row * combine_lines(gpu) + offset / MOEHUB_LINE_BYTES] = 1;
}

uint64_t gpu_spoiled_lines(const struct gpu *gpu, unsigned owner, bool of_others)
{
    const struct moehub_layer *layer = gpu->layout->layer;
    const uint32_t lines = combine_lines(gpu);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < layer->row_limit * lines; i++)
        if ((i / lines / layer->tokens_per_gpu == owner) != of_others)
            sum += gpu->options.spoiled[gpu->layout->gpu][i];
    return sum;
}

/* GPUs that could not read their part of it, a bit each. */
static uint64_t spoilers(const struct gpu *gpu, uint32_t token, uint32_t line)
{
    const uint32_t row = moehub_layer_row(gpu->layout->layer, gpu->layout->gpu, token);
    uint64_t gpus = 0;
    for (unsigned other = 0; other < gpu->layout->layer->gpus; other++)
        gpus |= (uint64_t)(gpu->options.spoiled[other][row * combine_lines(gpu) + line] != 0) << other;
    return gpus;
}

/* Counts a line of a token's sum that came, with its bits or without. */
static void count_line(struct gpu *gpu, struct gpu_token *token)
{
    gpu->counts.lines_reduced++;
    gpu->last_reduced = gpu->bench->cycle;
    if (++token->lines == combine_lines(gpu)) {
        token->ended = gpu->bench->cycle;
        free(token->sum);
        token->sum = NULL;
    }
}

static void check_spoiled(struct gpu *gpu, uint32_t number, uint32_t line, unsigned length)
{
    struct gpu_token *token = &gpu->tokens[number];
    if (token->seen[line]++ != 0 || length != 0)
        fail(gpu, "a line of a sum that lacks a part came twice, or with bytes: token, line", number, line);
    gpu->counts.lines_spoiled++;
    gpu->counts.lines_spoiled_by_others += (spoilers(gpu, number, line) & ~(UINT64_C(1) << gpu->layout->gpu)) != 0;
    count_line(gpu, token);
}

static void check_sum(struct gpu *gpu, const struct gpu_reduced *reduced, uint64_t user)
{
    struct moehub_reduced told;
    moehub_reduced_read_user(user, &told);
    const unsigned status = told.status, length = told.length;
    const uint32_t tag = told.tag, token_number = tag >> TAG_GROUP_BITS;
    const uint32_t line = (tag & ((1u << TAG_GROUP_BITS) - 1)) * gpu->options.group_lines + told.line;
    if (gpu_bad_answer(gpu, tag, status, length))
        return;
    if (check_partial(gpu, token_number, status, length))
        return;
    if (token_number >= gpu_layout_tokens(gpu->layout) || gpu->tokens[token_number].sum == NULL || line >= combine_lines(gpu))
        fail(gpu, "a sum of a token and line that nobody asked for: status, tag", status, tag);
    struct gpu_token *token = &gpu->tokens[token_number];
    const bool spoiled = spoilers(gpu, token_number, line) != 0 || (gpu_loses(gpu) && status != STATUS_OK);
    if (status != (spoiled ? MOEHUB_STATUS_PARTIAL : STATUS_OK) && !gpu_loses(gpu))
        fail(gpu, "a sum with a wrong status: status, tag", status, tag);
    if (spoiled) {
        check_spoiled(gpu, token_number, line, length);
        return;
    }
    const uint32_t left = gpu->layout->row_bytes[1] - line * MOEHUB_LINE_BYTES;
    const uint32_t bytes = left < MOEHUB_LINE_BYTES ? left : MOEHUB_LINE_BYTES;
    if (token->seen[line]++ != 0 || length != bytes || reduced->flits != (bytes + UNIT - 1) / UNIT)
        fail(gpu, "a line of a sum came twice, or with a wrong length: token, line", token_number, line);
    if (memcmp(reduced->bytes, token->sum + line * MOEHUB_LINE_BYTES / 2, bytes) != 0)
        fail(gpu, "a line of a sum has wrong bits: token, line", token_number, line);
    gpu->counts.sums_digest += digest(gpu->layout->gpu, token_number, line, reduced->bytes, bytes);
    count_line(gpu, token);
}

void gpu_take_reduced(struct gpu *gpu, unsigned link, const uint64_t *data, uint64_t user, bool last)
{
    struct gpu_reduced *reduced = &gpu->reduced[link];
    if (reduced->flits == MOEHUB_LINE_UNITS)
        fail(gpu, "a line of a sum is longer than a line: link", link, 0);
    memcpy(reduced->bytes + (size_t)reduced->flits++ * UNIT, data, UNIT);
    if (!last)
        return;
    check_sum(gpu, reduced, user);
    reduced->flits = 0;
}

/* ---- ends ----------------------------------------------------------------------------------------------------- */

bool gpu_served(const struct gpu *gpu)
{
    if (gpu_silent(gpu) || gpu_idle(gpu))
        return true;
    const bool received = gpu_loses(gpu) || gpu->counts.rows_received == gpu_all_rows_coming(gpu);
    return gpu->arrived && gpu_stored(gpu) && received && gpu->counts.tokens == gpu_tokens_coming(gpu);
}

bool gpu_finished(const struct gpu *gpu)
{
    if (gpu_idle(gpu))
        return true;
    const uint64_t tokens = gpu->options.sums ? gpu_tokens_coming(gpu) - gpu->counts.tokens_failed : 0;
    const uint64_t partial = gpu->options.manners.short_slots != 0 ? gpu->counts.tokens_failed * combine_lines(gpu) : 0;
    return gpu_served(gpu) && gpu->counts.lines_reduced == tokens * combine_lines(gpu) && gpu->counts.lines_partial == partial &&
           gpu->bad.lines_answered == gpu->bad.reduce_lines && (gpu->waiting_count == 0 || gpu->floods);
}
