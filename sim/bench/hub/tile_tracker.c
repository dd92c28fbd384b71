/* SPDX-License-Identifier: Apache-2.0 */
/* Tile tracker against the C model: contexts live round after round, each with rows, closes, tokens and thread blocks of its own,
 * random stalls on every stream, input that breaks the rules, timers that end, and ADVANCE in all of it.
 *
 *   --events N    compared events */
#include "bench/hub/tile_tracker_port.h"
#include "kit/bits.h"

#include <inttypes.h>
#include <stdio.h>

enum { SETTLES = 60 };   /* cycles of silence after which a round is over */
enum { MARGIN = 12 };    /* cycles around a change of `enabled` in which no thread block ends */
enum { PATIENCE = 20000 }; /* cycles in which an event that is due is told */
enum { LARGE_SHIFT = 9 };  /* tiles of 2^9 rows and more */

enum phase { CLEAN, SETTING, RUNNING, STOPPING, ADVANCING };

struct life {
    enum phase phase;
    uint64_t since;      /* cycle in which the phase began */
    unsigned rounds;
    uint64_t close_at;   /* cycle in which its own closes are sent */
    bool closed, cut;    /* cut: it is advanced before its events were taken */
    bool stuck;          /* a store of it stays in flight */
    uint64_t all_arrived;
    uint64_t due_since[MOEHUB_READY_KINDS]; /* of each kind: cycle since which one is due, and none of it was told */
    uint32_t told[MOEHUB_READY_KINDS];
};

struct tracker_bench {
    struct bench bench;
    struct tile_tracker_port port;
    struct random_source random;
    struct life lives[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    uint64_t no_done_before; /* cycle */
    uint64_t rounds, cuts, misuses, floods;
    bool directed;           /* contexts do not live on their own */
};

/* ---- a round's traffic ---------------------------------------------------------------------------------------------------- */

static bool chance(struct tracker_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static unsigned below(struct tracker_bench *self, uint64_t bound)
{
    return (unsigned)random_below(&self->random, bound);
}

static void put_row(struct tracker_bench *self, unsigned c, unsigned expert, uint32_t slot, unsigned misuse, uint32_t *pairs)
{
    struct tile_tracker_port *port = &self->port;
    const struct moehub_tile_tracker_context *context = &port->model.contexts[c];
    const unsigned way = below(self, port->ways), source = below(self, port->model.config.gpus);
    struct moehub_completed record = {.slot = slot & (uint32_t)bits_mask(port->slot_width), .kind = MOEHUB_COMPLETED_WORD,
                                      .context = (uint8_t)c, .source = (uint8_t)source, .expert = (uint8_t)expert};
    record.error = chance(self, misuse, 2048);
    tile_tracker_port_complete(port, way, &record);
    if (chance(self, misuse, 1024))
        tile_tracker_port_complete(port, way, &record);
    record.kind = MOEHUB_COMPLETED_BYTES;
    for (uint32_t left = context->row_size; left > 0;) {
        record.value = (uint8_t)(left < 128 ? left : 128);
        left -= record.value;
        record.error = chance(self, misuse, 2048);
        if (chance(self, misuse, 1024)) {
            self->misuses++;
            continue;
        }
        pairs[source]++;
        tile_tracker_port_complete(port, way, &record);
        if (chance(self, misuse, 1024)) {
            pairs[source]++;
            tile_tracker_port_complete(port, way, &record);
        }
    }
    if (chance(self, misuse, 64)) {
        record = (struct moehub_completed){.kind = MOEHUB_COMPLETED_REFUSED, .context = (uint8_t)c, .source = (uint8_t)source,
                                           .value = (uint8_t)below(self, 40)};
        pairs[source] += record.value;
        tile_tracker_port_complete(port, way, &record);
    }
}

static void put_rows(struct tracker_bench *self, unsigned c, unsigned misuse, uint32_t *pairs)
{
    struct tile_tracker_port *port = &self->port;
    const struct moehub_tile_tracker_config *config = &port->model.config;
    const unsigned shift = port->model.contexts[c].tile_shift;
    const bool large = shift >= LARGE_SHIFT; /* of tiles with so many rows one region is enough */
    for (unsigned expert = 0; expert < config->local_experts; expert++) {
        const uint32_t tiles = port->model.regions[c * config->local_experts + expert].count;
        uint32_t rows = tiles << shift;
        if (chance(self, 1, 2) && rows > 0)
            rows = below(self, rows + 1);
        if (chance(self, misuse, 512))
            rows++; /* beyond the region */
        for (uint32_t slot = 0; slot < rows && slot < (large ? 2200 : 400); slot++)
            put_row(self, c, expert, slot, misuse, pairs);
        if (large && rows > 0)
            break;
    }
}

/* BYTES of nothing, one behind the other in all ways: whatever else arrival takes has to wait for its own cycles. */
static void put_storm(struct tracker_bench *self, unsigned c, uint32_t *pairs)
{
    struct tile_tracker_port *port = &self->port;
    for (unsigned w = 0; w < port->ways; w++)
        for (unsigned i = 0; i < 200; i++) {
            const struct moehub_completed record = {.kind = MOEHUB_COMPLETED_BYTES, .context = (uint8_t)c,
                                                    .source = (uint8_t)below(self, port->model.config.gpus)};
            pairs[record.source]++;
            tile_tracker_port_complete(port, w, &record);
        }
}

/* So many refused pairs of one source that its count has up to twenty bits; one more than it announces, at times. */
static void put_flood(struct tracker_bench *self, unsigned c, uint32_t *pairs)
{
    enum { MOST = 2600, LEAST = 240 };
    struct tile_tracker_port *port = &self->port;
    const unsigned records = 1 + below(self, MOST);
    struct moehub_completed record = {.kind = MOEHUB_COMPLETED_REFUSED, .context = (uint8_t)c,
                                      .source = (uint8_t)below(self, port->model.config.gpus)};
    for (unsigned i = 0; i < records; i++) {
        record.value = (uint8_t)(LEAST + below(self, 256 - LEAST));
        pairs[record.source] += record.value;
        tile_tracker_port_complete(port, i % port->ways, &record);
    }
    self->floods += pairs[record.source] >> 18 != 0;
    pairs[record.source] -= chance(self, 1, 4);
}

static void put_closes(struct tracker_bench *self, unsigned c, unsigned misuse, const uint32_t *pairs)
{
    struct tile_tracker_port *port = &self->port;
    for (unsigned g = 0; g < port->model.config.gpus; g++) {
        uint64_t item = 0;
        uint32_t count = pairs[g];
        if (chance(self, misuse, 512) && count > 0)
            count--;
        if (chance(self, misuse, 512))
            count += 3;
        if (chance(self, misuse, 1024))
            count = (uint32_t)random_next(&self->random); /* all its bits */
        bits_set(&item, 0, 3, c);
        bits_set(&item, 3, 6, g);
        bits_set(&item, 9, 32, count);
        if (chance(self, misuse, 512))
            continue; /* a peer that never closes */
        tracker_source_put(&port->close[below(self, port->ways)], item, 0);
        if (chance(self, misuse, 512)) {
            bits_set(&item, 9, 32, count + below(self, 2));
            tracker_source_put(&port->close[below(self, port->ways)], item, 0);
        }
    }
}

static void put_tokens(struct tracker_bench *self, unsigned c, unsigned misuse)
{
    struct tile_tracker_port *port = &self->port;
    const struct moehub_tile_tracker_context *context = &port->model.contexts[c];
    const uint32_t tokens = UINT32_C(1) << context->owner_shift;
    for (uint32_t number = 0; number < tokens && number < 64; number++) {
        /* Of a context that counts none: any. They are told in the latch. */
        const uint32_t token = context->tokens ? number : (uint32_t)random_bits(&self->random, context->owner_shift);
        if (chance(self, 1, 3))
            continue;
        const unsigned count = 1 + below(self, chance(self, 1, 4) ? 32 : 4);
        uint64_t item = 0;
        bits_set(&item, 0, 3, c);
        bits_set(&item, 3, 16, token);
        bits_set(&item, 19, 6, count);
        tracker_source_put(&port->expect, item, 0);
        if (chance(self, misuse, 256))
            tracker_source_put(&port->expect, item, 0);
        unsigned notifies = count;
        if (chance(self, misuse, 512))
            notifies--;
        if (chance(self, misuse, 1024))
            notifies++;
        for (unsigned i = 0; i < notifies; i++) {
            item = 0;
            bits_set(&item, 0, 3, c);
            bits_set(&item, 3, 6, below(self, port->model.config.gpus));
            bits_set(&item, 9, 32, (uint64_t)port->model.config.own << context->owner_shift | token);
            bits_set(&item, 41, 1, chance(self, misuse, 512));
            tracker_source_put(&port->notify[below(self, port->ways)], item, 0);
        }
    }
}

/* ---- a round's settings --------------------------------------------------------------------------------------------------- */

static void put_set(struct tracker_bench *self, unsigned what, unsigned c, unsigned expert, uint32_t first, uint32_t count)
{
    uint64_t item = 0;
    bits_set(&item, 0, 2, what);
    bits_set(&item, 2, 3, c);
    bits_set(&item, 5, 16, expert);
    bits_set(&item, 21, 16, first);
    bits_set(&item, 37, 17, count);
    tracker_source_put(&self->port.set, item, 0);
}

static void set_regions(struct tracker_bench *self, unsigned c)
{
    struct tile_tracker_port *port = &self->port;
    const struct moehub_tile_tracker_config *config = &port->model.config;
    const struct moehub_tile_tracker_context *context = &port->model.contexts[c];
    put_set(self, 0, c, 0, 0, 0);
    moehub_tile_tracker_clear_regions(&port->model, c);
    uint32_t first = 0;
    for (unsigned expert = 0; expert < config->local_experts; expert++) {
        const uint32_t count = below(self, context->tile_count - first + 1);
        if (moehub_tile_tracker_set_region(&port->model, c, expert, first, count) != 0)
            continue;
        put_set(self, 1, c, expert, first, count);
        first += count;
    }
}

/* A range of tiles that no other context has: often all that is free in one piece, so that regions of all sizes come. */
static bool draw_tiles(struct tracker_bench *self, unsigned c, uint32_t *first, uint32_t *count)
{
    const struct moehub_tile_tracker_config *config = &self->port.model.config;
    const uint32_t start = below(self, config->tiles);
    uint32_t end = config->tiles;
    for (unsigned other = 0; other < config->contexts; other++) {
        const struct moehub_tile_tracker_context *context = &self->port.model.contexts[other];
        if (other == c || self->lives[other].phase == CLEAN)
            continue;
        if (start >= context->tile_first && start < context->tile_first + context->tile_count)
            return false;
        if (context->tile_first > start && context->tile_first < end)
            end = context->tile_first;
    }
    *first = start;
    *count = chance(self, 1, 2) ? end - start : 1 + below(self, end - start);
    return true;
}

/* Of a context that counts no tokens: nothing bounds it but the 32 bits of a row index, of one GPU too many as well. */
static unsigned draw_shift(struct tracker_bench *self)
{
    unsigned most = 0;
    while ((uint64_t)(self->port.model.config.gpus + 1) << (most + 1) <= UINT64_C(1) << 32)
        most++;
    return below(self, most + 1);
}

/* Thread blocks of a tile in a stage: few, so that tiles end, and some of more bits. */
static uint8_t draw_blocks(struct tracker_bench *self)
{
    return (uint8_t)(1 + below(self, chance(self, 1, 8) ? 9 : 3));
}

/* False: no tile was found for it. */
static bool set_context(struct tracker_bench *self, unsigned c)
{
    struct tile_tracker_port *port = &self->port;
    const struct moehub_tile_tracker_config *config = &port->model.config;
    struct moehub_tile_tracker_context *context = &port->model.contexts[c];
    const uint32_t tokens = config->tokens / config->contexts;
    uint32_t tile_first, tiles;
    if (!draw_tiles(self, c, &tile_first, &tiles))
        return false;
    const bool large = chance(self, 1, 48);
    const unsigned tile_shift = large ? LARGE_SHIFT + below(self, 4) : below(self, chance(self, 1, 8) ? 8 : 3);
    const bool counts = tokens > 0 && chance(self, 7, 8);
    unsigned owner_shift = 0;
    while (counts && owner_shift < 4 && UINT32_C(2) << owner_shift <= tokens && chance(self, 3, 4))
        owner_shift++;
    if (!counts)
        owner_shift = draw_shift(self);
    const uint32_t most = (UINT32_C(1) << (port->offset_width < 9 ? port->offset_width : 9));
    *context = (struct moehub_tile_tracker_context){
        .clean = true, .tokens = counts, .round = (uint8_t)random_bits(&self->random, 4),
        .owner_shift = (uint8_t)owner_shift, .tile_shift = (uint8_t)tile_shift, .list_shift = (uint8_t)(tile_shift + 7),
        .computed_blocks = draw_blocks(self), .finished_blocks = draw_blocks(self),
        .tile_first = (uint16_t)tile_first, .token_first = (uint16_t)(counts ? c * tokens : random_bits(&self->random, 16)),
        .tile_count = tiles,
        .row_size = large || chance(self, 1, 2) ? 16 : 1 + below(self, most),
        .peers = bits_mask(config->gpus) & (random_next(&self->random) | UINT64_C(1) << config->own)};
    if (config->contexts == 1 && !chance(self, 7, 8))
        context->peers = UINT64_C(1) << config->own;
    context->list_base = (random_next(&self->random) & bits_mask(config->address_width - 3u)) & ~bits_mask(tile_shift + 9u + 8u);
    context->list_base |= (uint64_t)c << (config->address_width - 3);
    const bool hurry = chance(self, 1, 4);
    port->arrival_timeout[c] = hurry ? 1 + below(self, 3000) : 50000;
    port->token_timeout[c] = hurry ? 1 + below(self, 3000) : 50000;
    set_regions(self, c);
    return true;
}

/* ---- the GPU -------------------------------------------------------------------------------------------------------------- */

static void put_done(struct tracker_bench *self, unsigned c, unsigned expert, uint32_t tile, unsigned stage)
{
    uint64_t item = 0;
    bits_set(&item, 0, 3, c);
    bits_set(&item, 3, 16, expert);
    bits_set(&item, 19, 32, tile);
    bits_set(&item, 51, 1, stage);
    tracker_source_put(&self->port.done, item, 0);
}

/* A thread block of any tile; its expert is often one that is there but for one bit. */
static void put_stray(struct tracker_bench *self)
{
    const unsigned expert = below(self, 8) | (chance(self, 1, 2) ? 1u << below(self, 16) : 0);
    const unsigned context = (unsigned)random_bits(&self->random, 3);
    put_done(self, context, expert, (uint32_t)random_bits(&self->random, below(self, 33)), chance(self, 1, 2));
}

/* Thread blocks of a disabled context: of its tiles, whatever their state. */
static void put_stale(struct tracker_bench *self, unsigned c)
{
    const struct moehub_tile_tracker_config *config = &self->port.model.config;
    for (unsigned i = 0; i < 6; i++) {
        const unsigned expert = below(self, config->local_experts);
        const uint32_t count = self->port.model.regions[c * config->local_experts + expert].count;
        put_done(self, c, expert, below(self, count + 1), chance(self, 1, 4));
    }
}

/* ---- a context's life ----------------------------------------------------------------------------------------------------- */

static void begin(struct tracker_bench *self, unsigned c, enum phase phase)
{
    self->lives[c].phase = phase;
    self->lives[c].since = self->bench.cycle;
}

static void run_context(struct tracker_bench *self, unsigned c)
{
    static const unsigned rates[] = {0, 0, 4, 64};
    struct tile_tracker_port *port = &self->port;
    struct moehub_tile_tracker_context *context = &port->model.contexts[c];
    struct life *life = &self->lives[c];
    uint32_t pairs[MOEHUB_TILE_TRACKER_GPUS_MAX] = {0};
    const unsigned misuse = rates[below(self, 4)];
    context->enabled = true;
    context->clean = false;
    port->enabled |= UINT64_C(1) << c;
    self->no_done_before = self->bench.cycle + MARGIN;
    *life = (struct life){.rounds = life->rounds + 1, .cut = chance(self, 1, 6), .stuck = chance(self, 1, 16)};
    life->close_at = self->bench.cycle + below(self, 600);
    if (chance(self, 1, 4))
        put_closes(self, c, misuse, pairs); /* counts that come first are too small, or right for no rows at all */
    else {
        if (chance(self, 1, 8))
            put_storm(self, c, pairs);
        if (chance(self, 1, 16))
            put_flood(self, c, pairs);
        put_rows(self, c, misuse, pairs);
        put_closes(self, c, misuse, pairs);
    }
    put_tokens(self, c, misuse);
    self->rounds++;
    begin(self, c, RUNNING);
}

/* Of which contexts a completed write waits. */
static uint64_t contexts_in_flight(struct tracker_bench *self)
{
    struct tile_tracker_port *port = &self->port;
    uint64_t set = 0;
    for (unsigned c = 0; c < port->model.config.contexts; c++)
        set |= (uint64_t)(self->lives[c].stuck && self->lives[c].phase == RUNNING) << c;
    for (unsigned w = 0; w < port->ways; w++)
        for (unsigned i = 0; i < port->completed[w].count; i++)
            set |= UINT64_C(1) << bits_get(port->completed[w].items[(port->completed[w].first + i) % TRACKER_QUEUE], 2, 3);
    return set;
}

static void end_context(struct tracker_bench *self, unsigned c)
{
    struct tile_tracker_port *port = &self->port;
    const uint64_t bit = UINT64_C(1) << c;
    scoreboard_value(&port->states, "arrived", port->model.contexts[c].arrived, (port->has_arrived & bit) != 0);
    scoreboard_value(&port->states, "failed", port->model.contexts[c].failed, (port->has_failed & bit) != 0);
    scoreboard_value(&port->states, "all arrived told", 1, self->lives[c].cut || self->lives[c].all_arrived == 1);
}

/* What is due of a round is told, whoever else has something to tell. */
static void look_at_due(struct tracker_bench *self, unsigned c)
{
    const struct moehub_tile_tracker_progress *progress = &self->port.model.progress[c];
    struct life *life = &self->lives[c];
    for (unsigned kind = 0; kind < MOEHUB_READY_KINDS; kind++) {
        const bool all = kind == MOEHUB_READY_ALL_ARRIVED;
        const uint32_t told = all ? progress->told : progress->read[kind];
        const bool due = all ? progress->settled && !progress->told : progress->written[kind] != progress->read[kind];
        if (!due || told != life->told[kind])
            life->due_since[kind] = self->bench.cycle;
        life->told[kind] = told;
        if (self->bench.cycle - life->due_since[kind] > PATIENCE)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u: an event of kind %u is due since cycle %" PRIu64, c, kind,
                       life->due_since[kind]);
    }
}

static void live(struct tracker_bench *self, unsigned c)
{
    struct tile_tracker_port *port = &self->port;
    struct life *life = &self->lives[c];
    const uint64_t age = self->bench.cycle - life->since, bit = UINT64_C(1) << c;
    switch (life->phase) {
    case CLEAN:
        if (age > below(self, 200) && set_context(self, c))
            begin(self, c, SETTING);
        break;
    case SETTING:
        if (port->set.count == 0 && !port->set.driving)
            run_context(self, c);
        break;
    case RUNNING:
        look_at_due(self, c);
        if (!life->closed && self->bench.cycle >= life->close_at) {
            life->closed = true;
            port->closed_pulses |= bit;
        }
        /* Cut: nothing of it is in flight, but its sweeps and events may be on their way. */
        if (life->closed && tile_tracker_port_quiet(port) &&
            (life->cut || (life->all_arrived > 0 && self->bench.cycle > port->moved + SETTLES))) {
            self->no_done_before = self->bench.cycle + 2 * (uint64_t)MARGIN;
            self->cuts += life->cut && life->all_arrived == 0;
            begin(self, c, STOPPING);
        }
        break;
    case STOPPING:
        if (age == MARGIN) {
            port->enabled &= ~bit;
            port->model.contexts[c].enabled = false;
        }
        if (age == 2 * (uint64_t)MARGIN)
            put_stale(self, c);
        if (age > 3 * (uint64_t)MARGIN && port->done.count == 0 && tile_tracker_port_quiet(port)) {
            end_context(self, c);
            put_set(self, 2, c, 0, 0, 0);
            begin(self, c, ADVANCING);
        }
        break;
    default:
        if (port->set.count == 0 && !port->set.driving)
            begin(self, c, CLEAN);
        break;
    }
}

/* ---- what the GPU does with an event --------------------------------------------------------------------------------------- */

static void take_ready(void *context, const struct moehub_ready_event *event)
{
    struct tracker_bench *self = context;
    const struct moehub_tile_tracker_context *of = &self->port.model.contexts[event->context];
    if (event->kind == MOEHUB_READY_ALL_ARRIVED)
        self->lives[event->context].all_arrived++;
    if (event->kind > MOEHUB_READY_TILE_COMPUTED || self->lives[event->context].phase != RUNNING || chance(self, 1, 16))
        return;
    const unsigned stage = event->kind;
    for (unsigned i = 0; i < (stage == 0 ? of->computed_blocks : of->finished_blocks); i++)
        put_done(self, event->context, event->expert, event->name, stage);
    if (chance(self, 1, 32))
        put_stray(self);
}

/* ---- a cycle -------------------------------------------------------------------------------------------------------------- */

static void step(void *context)
{
    struct tracker_bench *self = context;
    struct tile_tracker_port *port = &self->port;
    if (!self->bench.reset && pin_get(port->initialised)) {
        for (unsigned c = 0; c < port->model.config.contexts && !self->directed; c++)
            live(self, c);
        port->in_flight = contexts_in_flight(self);
        if (chance(self, 1, 512))
            port->link_up_now = random_bits(&self->random, port->ways - 1);
        if (chance(self, 1, 256) && pin_get(port->notifying) == 0)
            port->list_errors = chance(self, 1, 2) ? 0 : 24;
        if (!self->directed && chance(self, 1, 2048)) {
            static const enum stall_kind kinds[] = {STALL_NONE, STALL_MIXED, STALL_HEAVY};
            stall_set(&port->ready_stall, kinds[below(self, 3)]);
            stall_set(&port->notice_stall, kinds[below(self, 3)]);
            port->list_latency = chance(self, 1, 2) ? 1 : 1 + below(self, 600);
        }
    }
    port->hold_done = self->bench.cycle < self->no_done_before;
    tile_tracker_port_step(port);
}

/* ---- directed -------------------------------------------------------------------------------------------------------------- */

static void put_piece(struct tracker_bench *self, unsigned kind, uint32_t slot)
{
    const struct moehub_completed record = {.kind = (uint8_t)kind, .slot = slot,
                                             .source = (uint8_t)self->port.model.config.own, .value = 16};
    tile_tracker_port_complete(&self->port, 0, &record);
}

/* A memory's latency counts once for all tiles that wait to be told, up to 16: one row each here, the worst. */
static void check_reading_ahead(struct tracker_bench *self)
{
    enum { MEMORY = 600, STAGES = 60, A_TILE = 20, AHEAD = MOEHUB_TILE_TRACKER_TILES_AHEAD };
    struct tile_tracker_port *port = &self->port;
    const uint32_t tiles = port->model.regions[0].count < AHEAD ? port->model.regions[0].count : AHEAD;
    port->list_latency = MEMORY;
    stall_set(&port->notice_stall, STALL_NONE);
    stall_set(&port->list_stall, STALL_NONE);
    stall_set(&port->done.stall, STALL_NONE); /* it is not what is measured */
    for (uint32_t slot = 1; slot < tiles; slot++) {
        put_piece(self, MOEHUB_COMPLETED_WORD, slot);
        put_piece(self, MOEHUB_COMPLETED_BYTES, slot);
    }
    bench_run(&self->bench, 100 * tiles);
    for (unsigned stage = 0; stage < 2; stage++)
        for (uint32_t tile = 0; tile < tiles; tile++)
            put_done(self, 0, 0, tile, stage);
    const uint64_t taken = port->rows_judged, begun = self->bench.cycle;
    while (port->rows_judged < taken + tiles && self->bench.cycle < begun + 2 * MEMORY * (uint64_t)tiles)
        step(self);
    const uint64_t cycles = port->judged_at - begun, most = MEMORY + 40 + STAGES + A_TILE * (uint64_t)tiles;
    summary_number(&self->bench.summary, "cycles to tell tiles of one row", (double)cycles, "");
    summary_number(&self->bench.summary, "tiles of one row", tiles, "");
    if (port->rows_judged != taken + tiles || cycles > most)
        bench_fail(&self->bench, BENCH_MISMATCH, "%" PRIu64 " of %" PRIu32 " words judged in %" PRIu64 " cycles, %" PRIu64
                   " at most",
                   port->rows_judged - taken, tiles, cycles, most);
    port->list_latency = 1;
    stall_set(&port->notice_stall, STALL_MIXED);
    stall_set(&port->list_stall, STALL_MIXED);
    stall_set(&port->done.stall, STALL_MIXED);
}

/* From the last bytes of a tile to its event, where nothing else asks. Context 0 then goes on as all do. */
static void check_latency(struct tracker_bench *self)
{
    enum { LATENCY = 25, SILENCE = 300 };
    struct tile_tracker_port *port = &self->port;
    struct moehub_tile_tracker_context *context = &port->model.contexts[0];
    self->directed = port->hold_commands = true;
    while (!set_context(self, 0) || context->tile_shift != 0 || port->model.regions[0].count == 0)
        ;
    context->row_size = 16;
    context->tokens = false;
    context->computed_blocks = context->finished_blocks = 1;
    context->peers = bits_mask(port->model.config.gpus);
    port->arrival_timeout[0] = 50000;
    do
        step(self);
    while (port->set.count > 0 || !pin_get(port->initialised));
    context->enabled = true;
    context->clean = false;
    port->enabled |= 1;
    put_piece(self, MOEHUB_COMPLETED_WORD, 0);
    bench_run(&self->bench, SILENCE);
    stall_set(&port->completed[0].stall, STALL_NONE);
    put_piece(self, MOEHUB_COMPLETED_BYTES, 0);
    const uint64_t taken = port->completed[0].taken;
    unsigned cycles = 0; /* since it was offered */
    for (unsigned i = 0; i < SILENCE && !pin_get(port->ready_valid); i++) {
        step(self);
        cycles += port->completed[0].driving || port->completed[0].taken > taken;
    }
    scoreboard_value(&port->states, "cycles from a completed write to its event", LATENCY, cycles);
    check_reading_ahead(self);
    stall_set(&port->completed[0].stall, STALL_MIXED);
    self->directed = port->hold_commands = false;
    self->lives[0].close_at = self->bench.cycle;
    begin(self, 0, RUNNING);
}

/* ---- main ----------------------------------------------------------------------------------------------------------------- */

static void demand(struct tracker_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "\"%s\" never happened", what);
}

static void demand_coverage(struct tracker_bench *self)
{
    static const char *const kinds[] = {"tiles ready", "tiles computed", "tokens ready", "all arrived"};
    const struct tile_tracker_port *port = &self->port;
    for (unsigned kind = 0; kind < 4; kind++)
        demand(self, kinds[kind], port->ready_by_kind[kind]);
    demand(self, "events failed", port->ready_failed);
    demand(self, "rounds", self->rounds);
    demand(self, "rounds cut", self->cuts);
    demand(self, "peers of 2^18 pairs and more", self->floods);
    demand(self, "advances", port->advances);
    demand(self, "settled by counts", port->settles_quiet);
    demand(self, "settled by time", port->settles_late);
    demand(self, "tokens expired", port->expires);
    for (unsigned cause = 0; cause < MOEHUB_TILE_TRACKER_CAUSES; cause++) {
        char name[32];
        (void)snprintf(name, sizeof name, "cause %u", cause);
        demand(self, name, port->counted[cause]);
    }
    for (unsigned operation = 0; operation < 3; operation++)
        demand(self, "commands", port->gets[operation]);
    for (unsigned e = MOEHUB_TILE_TRACKER_ORDER_EVENTS; e < MOEHUB_TILE_TRACKER_EVENTS; e++)
        demand(self, "stalls", port->counted[e]);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Tile tracker against the C model", .events = 60000, .cycles = UINT64_MAX, .watchdog = 200000};
    static struct tracker_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    bench_random(bench, &self.random, "rounds");
    tile_tracker_port_create(&self.port, bench);
    self.port.on_ready = take_ready;
    self.port.context = &self;
    bench->step = step;
    bench->context = &self;
    bench_reset(bench, 4);
    check_latency(&self);
    while (bench_running(bench))
        step(&self);
    self.port.hold_commands = true;
    for (unsigned i = 0; i < 200000 && !tile_tracker_port_quiet(&self.port); i++)
        step(&self);
    tile_tracker_port_compare_counters(&self.port);
    demand_coverage(&self);
    const int status = bench_finish(bench);
    tile_tracker_port_destroy(&self.port);
    return status;
}
