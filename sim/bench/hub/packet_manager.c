/* SPDX-License-Identifier: Apache-2.0 */
/* Packet manager against the C model: contexts live round after round; their rows open with lists of all kinds and are stored in
 * whole lines or pieces, in any order; stores that break the rules, closes and aborts amid traffic, links that fall, ways without
 * room, lists with errors.
 *
 *   --events N    compared events
 *   --rate N      instead: N rows of 7168 bytes, eight at a time, without stalls; what the links carry
 *   --room N      with it, links have room for N cycles and none for N, rows go to the own GPU, too: all leaves in whole lines */
#include "bench/hub/packet_manager_port.h"
#include "kit/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ACTIVE = 256, PIECES = 512, BYTES_MOST = 2048, RATE_BYTES = 7168, RATE_ROWS = 8, UNIT_BYTES = 16,
       STILL = 50000,       /* cycles without a move that are a deadlock */
       MOST_LATENCY = 22 }; /* cycles to the output; egress and link sender add one each */
enum { CLOSE, ABORT, ADVANCE };
static const double LEAST_RATE = 0.97, LEAST_SHARE = 0.99;

enum phase { CLEAN, RUNNING, ENDING, CLOSED };

struct piece {
    uint16_t offset;
    struct moehub_flit mask;
};

/* A row that was opened, and what of it is to be stored. */
struct active_row {
    bool used;
    uint16_t handle;
    uint8_t context;
    bool nop;
    unsigned count, stored;
    struct piece pieces[PIECES];
};

struct life {
    enum phase phase;
    unsigned rows_left, rounds;
    bool aborts; /* amid its rows */
    bool asked;  /* its CLOSE or ABORT is offered or was taken */
};

struct manager_bench {
    struct bench bench;
    struct packet_manager_port port;
    struct random_source random;
    struct life lives[MOEHUB_PACKET_MANAGER_CONTEXTS_MAX];
    struct active_row rows[ACTIVE];
    uint8_t asked_contexts[MANAGER_ROWS]; /* contexts of rows whose handle has not come */
    unsigned asked_first, asked_count;
    unsigned next_list, misuse;           /* misuse: of 256 */
    bool whole, in_order;                 /* stores have all their bytes; come in the order of the row */
    bool ending;                          /* no further round begins */
    uint64_t rounds, opened;
    uint32_t row_index_bits;
    int64_t rate_rows;                    /* --rate: rows left to open */
    int64_t room;                         /* --room */
};

static bool chance(struct manager_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static unsigned below(struct manager_bench *self, uint64_t bound)
{
    return (unsigned)random_below(&self->random, bound);
}

static bool misused(struct manager_bench *self, unsigned of)
{
    return chance(self, self->misuse, 256 * of);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A list of ids that ascend, of peers; seldom not. */
static unsigned draw_list(struct manager_bench *self, unsigned list, uint64_t peers)
{
    const struct moehub_packet_manager_config *config = &self->port.model.config;
    const unsigned ids = config->gpus << config->local_expert_bits;
    const unsigned usual = config->max_targets < 9 ? config->max_targets : 9;
    const unsigned most = 1 + below(self, chance(self, 1, 4) ? config->max_targets : usual);
    uint16_t *to = self->port.lists[list];
    /* Some are of neighbours, those of the own GPU among them: as many as there may be of one. */
    const bool dense = chance(self, 1, 8);
    unsigned count = 0, id = dense ? config->own << config->local_expert_bits : 0;
    while (count < most) {
        id += (count > 0) + (dense ? 0 : below(self, 1 + 2 * ids / (most + 1)));
        const unsigned gpu = id >> config->local_expert_bits;
        if (gpu >= config->gpus && !misused(self, 8))
            break;
        if (!(peers >> gpu % 64 & 1) && !misused(self, 8))
            continue;
        to[count++] = (uint16_t)id;
    }
    if (count == 0)
        to[count++] = (uint16_t)(config->own << config->local_expert_bits);
    if (count > 1 && misused(self, 4)) {
        const unsigned n = below(self, count - 1);
        to[n] = to[n + 1];
    }
    for (unsigned i = count; i < MOEHUB_TARGETS_MAX; i++)
        to[i] = (uint16_t)random_bits(&self->random, 16);
    return count;
}

/* Of a list; some end on the next 64 KiB, some of these at the end of all addresses. */
static uint64_t draw_address(struct manager_bench *self)
{
    const uint64_t all = bits_mask(self->port.model.config.address_width) & ~bits_mask(4);
    const uint64_t address = random_next(&self->random) & all;
    if (!chance(self, 1, 4))
        return address;
    const uint64_t page = chance(self, 1, 4) ? all : address | bits_mask(16);
    return (page & all) - 16 * (uint64_t)below(self, MOEHUB_LIST_READS_MAX);
}

static void put_row(struct manager_bench *self, unsigned c)
{
    struct packet_manager_port *port = &self->port;
    const struct moehub_packet_manager_config *config = &port->model.config;
    const struct moehub_packet_manager_context *context = &port->model.contexts[c];
    const unsigned list = self->next_list++ % MANAGER_LISTS;
    struct moehub_row row = {.context = (uint8_t)c, .immediate = chance(self, 1, 5)};
    row.count = (uint8_t)draw_list(self, list, context->peers);
    row.id = port->lists[list][0];
    row.address = draw_address(self);
    row.row_index = config->own << context->owner_shift | (uint32_t)random_bits(&self->random, context->owner_shift);
    if (row.immediate && chance(self, 1, 2))
        row.id = (uint16_t)(config->own << config->local_expert_bits);
    if (misused(self, 4))
        row.count = (uint8_t)(chance(self, 1, 2) ? 0 : config->max_targets + 1);
    if (misused(self, 4))
        row.address += 4;
    if (misused(self, 4))
        row.row_index ^= UINT32_C(1) << below(self, self->row_index_bits);
    if (misused(self, 4))
        row.context = (uint8_t)random_bits(&self->random, 3);
    packet_manager_port_put_row(port, &row, list);
    self->asked_contexts[(self->asked_first + self->asked_count++) % MANAGER_ROWS] = row.context;
}

/* What a first store of a piece has of it, by a half of its mask: some bytes, few, or all but a unit. */
static uint64_t draw_part(struct manager_bench *self)
{
    if (chance(self, 1, 4))
        return ~(bits_mask(UNIT_BYTES) << UNIT_BYTES * below(self, 64 / UNIT_BYTES));
    return random_next(&self->random) & (chance(self, 1, 2) ? UINT64_MAX : random_next(&self->random));
}

/* The pieces of a row, in any order. */
static void plan_row(struct manager_bench *self, struct active_row *row, uint32_t size)
{
    const unsigned bytes = self->port.model.config.store_bytes;
    row->count = row->stored = 0;
    for (uint32_t offset = 0; offset < size; offset += bytes) {
        struct piece piece = {.offset = (uint16_t)offset};
        const unsigned has = size - offset < bytes ? size - offset : bytes;
        piece.mask.half[0] = bits_mask(has);
        piece.mask.half[1] = has > 64 ? bits_mask(has - 64) : 0;
        row->pieces[row->count++] = piece;
        if (!self->whole && chance(self, 1, 2)) {
            struct piece *first = &row->pieces[row->count - 1], rest = piece;
            for (unsigned h = 0; h < 2; h++) {
                const uint64_t part = draw_part(self);
                first->mask.half[h] &= part;
                rest.mask.half[h] &= ~part;
            }
            row->pieces[row->count++] = rest;
        }
    }
    const bool in_order = self->in_order || chance(self, 1, 3);
    for (unsigned i = row->count; i > 1 && !in_order; i--) {
        const unsigned n = below(self, i);
        const struct piece swapped = row->pieces[n];
        row->pieces[n] = row->pieces[i - 1];
        row->pieces[i - 1] = swapped;
    }
}

static void take_handle(void *context, const struct moehub_row_decision *decision)
{
    struct manager_bench *self = context;
    const unsigned c = self->asked_contexts[self->asked_first];
    self->asked_first = (self->asked_first + 1) % MANAGER_ROWS;
    self->asked_count--;
    if (decision->status != MOEHUB_STATUS_OK)
        return;
    for (unsigned i = 0; i < ACTIVE; i++)
        if (!self->rows[i].used) {
            self->rows[i] = (struct active_row){.used = true, .handle = decision->handle, .context = (uint8_t)c,
                                                .nop = chance(self, 1, 8)};
            plan_row(self, &self->rows[i], self->port.model.contexts[c].row_size);
            self->opened++;
            return;
        }
    bench_fail(&self->bench, BENCH_MISMATCH, "more rows are open than there are entries");
}

/* ---- stores ------------------------------------------------------------------------------------------------------ */

static struct active_row *draw_row(struct manager_bench *self)
{
    unsigned used = 0;
    for (unsigned i = 0; i < ACTIVE; i++)
        used += self->rows[i].used;
    unsigned left = used > 0 ? 1 + below(self, used) : 0;
    for (unsigned i = 0; i < ACTIVE && left > 0; i++)
        if (self->rows[i].used && --left == 0)
            return &self->rows[i];
    return NULL;
}

/* The handle of a row that is opening, which nobody has been told; of any, if none is. */
static uint16_t guess_handle(struct manager_bench *self)
{
    const struct moehub_packet_manager *model = &self->port.model;
    for (unsigned e = 0; e < model->config.rows; e++)
        if (model->rows[e].state == MOEHUB_ENTRY_OPENING)
            return (uint16_t)(model->rows[e].generation << 8 | e);
    return (uint16_t)random_bits(&self->random, 16);
}

static void put_store(struct manager_bench *self)
{
    const struct moehub_packet_manager_config *config = &self->port.model.config;
    struct active_row *row = draw_row(self);
    if (row == NULL)
        return;
    const bool again = row->stored > 0 && misused(self, 16);
    const struct piece *piece = &row->pieces[again ? below(self, row->stored) : row->stored];
    struct moehub_store store = {.handle = row->handle, .offset = piece->offset, .mask = piece->mask, .nop = row->nop};
    for (unsigned i = 0; i < config->store_bytes; i += 8) {
        const uint64_t data = random_next(&self->random);
        memcpy(&store.data[i], &data, 8);
    }
    const bool astray = misused(self, 16);
    if (astray)
        switch (below(self, 5)) {
        case 0:
            store.handle = (uint16_t)random_bits(&self->random, 16);
            break;
        case 1:
            store.handle ^= (uint16_t)(256u << below(self, 8));
            break;
        case 2:
            store.offset = (uint16_t)(random_bits(&self->random, 16) & ~(config->store_bytes - 1));
            break;
        case 3:
            store.handle = guess_handle(self);
            break;
        default:
            store.offset |= 1;
            break;
        }
    if (chance(self, 1, 64))
        memset(&store.mask, 0, sizeof store.mask);
    else if (!again && !astray && ++row->stored == row->count)
        row->used = false;
    packet_manager_port_put_store(&self->port, &store);
}

/* ---- a context's life -------------------------------------------------------------------------------------------- */

static void begin_round(struct manager_bench *self, unsigned c)
{
    const struct moehub_packet_manager_config *config = &self->port.model.config;
    struct moehub_packet_manager_context *context = &self->port.model.contexts[c];
    const uint32_t most = UINT32_C(1) << config->offset_width;
    const uint32_t size = 16 + 16 * below(self, (most < BYTES_MOST ? most : BYTES_MOST) / 16);
    unsigned shift = 0;
    while ((uint64_t)(config->own + 1) << (shift + 1) <= bits_mask(self->row_index_bits) && shift < 15)
        shift++;
    context->enabled = true;
    context->clean = false;
    context->round = (uint8_t)random_bits(&self->random, 4);
    context->owner_shift = (uint8_t)below(self, shift + 1);
    context->row_size = chance(self, 1, 3) && size > 128 ? 128 : size;
    if (context->row_size > most)
        context->row_size = most;
    context->peers = bits_mask(config->gpus);
    if (chance(self, 1, 2))
        context->peers &= random_next(&self->random) | UINT64_C(1) << config->own;
    self->lives[c] = (struct life){.phase = RUNNING, .rows_left = 1 + below(self, 24), .aborts = chance(self, 1, 4)};
    self->rounds++;
}

static bool has_rows(const struct manager_bench *self, unsigned c)
{
    for (unsigned i = 0; i < ACTIVE; i++)
        if (self->rows[i].used && self->rows[i].context == c)
            return true;
    for (unsigned i = 0; i < self->asked_count; i++)
        if (self->asked_contexts[(self->asked_first + i) % MANAGER_ROWS] == c)
            return true;
    return false;
}

static void live(struct manager_bench *self, unsigned c)
{
    struct packet_manager_port *port = &self->port;
    struct moehub_packet_manager_context *context = &port->model.contexts[c];
    struct life *life = &self->lives[c];
    switch (life->phase) {
    case CLEAN:
        if (!self->ending && chance(self, 1, 100))
            begin_round(self, c);
        break;
    case RUNNING:
        if (life->rows_left > 0 && source_free(&port->row) && self->asked_count < MANAGER_ROWS / 2 && chance(self, 1, 4)) {
            life->rows_left--;
            put_row(self, c);
        }
        if (source_free(&port->end) && !life->asked &&
            (life->aborts ? chance(self, 1, 400) : life->rows_left == 0 && !has_rows(self, c))) {
            life->asked = context->closing = true;
            packet_manager_port_put_end(port, life->aborts ? ABORT : CLOSE, c);
            life->phase = ENDING;
        }
        break;
    case ENDING:
        /* After an abort rows are stored on for a while; a close may be followed by an abort. */
        for (unsigned i = 0; i < ACTIVE; i++)
            if (life->aborts && self->rows[i].used && self->rows[i].context == c && chance(self, 1, 64))
                self->rows[i].used = false;
        if (!life->aborts && source_free(&port->end) && !context->closed && chance(self, 1, 2000)) {
            life->aborts = true;
            packet_manager_port_put_end(port, ABORT, c);
        }
        if (context->closed && (port->closed_seen >> c & 1) && !has_rows(self, c) && source_free(&port->end) &&
            port->model.rows_open[c] == 0 && chance(self, 1, 20)) {
            context->enabled = false;
            packet_manager_port_put_end(port, ADVANCE, c);
            life->phase = CLOSED;
        }
        break;
    default:
        break;
    }
}

static void take_end(void *context, unsigned what, unsigned named)
{
    struct manager_bench *self = context;
    if (what == ADVANCE)
        self->lives[named].phase = CLEAN;
}

/* ---- a cycle ----------------------------------------------------------------------------------------------------- */

static void change(struct manager_bench *self)
{
    struct packet_manager_port *port = &self->port;
    const unsigned links = port->ways - 1;
    if (chance(self, 1, 300)) {
        port->link_up_now = chance(self, 1, 2) ? bits_mask(links) : random_bits(&self->random, links);
        port->store_room_now = chance(self, 3, 4) ? bits_mask(port->ways) : random_bits(&self->random, port->ways);
        port->handle.stream.stall.held = chance(self, 1, 8) && !self->ending; /* lists of all rows behind it come in */
    }
    if (chance(self, 1, 3000)) {
        self->misuse = chance(self, 1, 2) ? 0 : 64;
        self->whole = chance(self, 1, 2);
        port->list_errors = chance(self, 1, 2) ? 0 : chance(self, 1, 2) ? 8 : 64;
        port->latency = 1 + below(self, chance(self, 1, 2) ? 8 : 600);
        port->timeout = chance(self, 1, 2) ? 16384 : 1 + below(self, 400);
        port->timeout_since = self->bench.cycle;
        port->takes_what_is_there = chance(self, 1, 4);
    }
}

static void step(void *context)
{
    struct manager_bench *self = context;
    if (!self->bench.reset && pin_get(self->port.initialised)) {
        change(self);
        const unsigned start = below(self, self->port.model.config.contexts);
        for (unsigned i = 0; i < self->port.model.config.contexts; i++)
            live(self, (start + i) % self->port.model.config.contexts);
        if (source_free(&self->port.store))
            put_store(self);
    }
    if (self->bench.cycle > self->port.moved + STILL)
        bench_fail(&self->bench, BENCH_TIMEOUT, "nothing moved for %d cycles, initialisation included", STILL);
    packet_manager_port_step(&self->port);
}

/* ---- rate -------------------------------------------------------------------------------------------------------- */

static void prepare_rate(struct manager_bench *self)
{
    struct packet_manager_port *port = &self->port;
    struct stall *const stalls[] = {&port->row.stream.stall, &port->store.stream.stall, &port->end.stream.stall,
                                    &port->handle.stream.stall, &port->expect.stream.stall, &port->notice.stream.stall,
                                    &port->list.stream.stall, &port->list_stall};
    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++)
        stall_set(stalls[i], STALL_NONE);
    for (unsigned w = 0; w < port->ways; w++)
        stall_set(&port->packet_stall[w], STALL_NONE);
    struct moehub_packet_manager_context *context = &port->model.contexts[0];
    context->enabled = true;
    context->clean = false;
    const uint32_t most = UINT32_C(1) << port->model.config.offset_width;
    context->row_size = most < RATE_BYTES ? most : RATE_BYTES;
    context->peers = bits_mask(port->model.config.gpus);
}

/* The list of a row: one expert on each of five other GPUs; with --room of the lowest six, the own one among them. */
static void put_rate_row(struct manager_bench *self)
{
    const struct moehub_packet_manager_config *config = &self->port.model.config;
    const unsigned list = self->next_list++ % MANAGER_LISTS;
    struct moehub_row row = {.row_index = config->own, .address = (uint64_t)list << 6};
    const unsigned own = self->room > 0;
    for (unsigned g = 0; g < config->gpus && row.count < 5 + own; g++)
        if (g != config->own || own)
            self->port.lists[list][row.count++] = (uint16_t)(g << config->local_expert_bits);
    packet_manager_port_put_row(&self->port, &row, list);
    self->asked_contexts[(self->asked_first + self->asked_count++) % MANAGER_ROWS] = 0;
    self->rate_rows--;
}

static unsigned rows_active(const struct manager_bench *self)
{
    unsigned count = self->asked_count;
    for (unsigned i = 0; i < ACTIVE; i++)
        count += self->rows[i].used;
    return count;
}

static uint64_t links_sent(const struct packet_manager_port *port)
{
    uint64_t flits = 0;
    for (unsigned w = 0; w + 1 < port->ways; w++)
        flits += port->sent_flits[w];
    return flits;
}

/* From the taking of a line's last store to the header at the output, where nothing else is under way. */
static unsigned measure_latency(struct manager_bench *self)
{
    struct packet_manager_port *port = &self->port;
    const uint64_t stores = MOEHUB_LINE_BYTES / port->model.config.store_bytes;
    uint64_t taken = 0, given = 0;
    self->in_order = true;
    put_rate_row(self);
    while (rows_active(self) == 0 || self->asked_count > 0)
        packet_manager_port_step(port);
    while (pin_get(port->packet_valid) == 0) {
        if (given < stores && source_free(&port->store)) {
            const uint64_t merged = self->rows[0].stored;
            put_store(self);
            given += self->rows[0].stored > merged;
        }
        packet_manager_port_step(port);
        if (given == stores && source_free(&port->store) && taken == 0)
            taken = self->bench.cycle;
    }
    self->in_order = false;
    return (unsigned)(self->bench.cycle - taken);
}

/* Credits of the links come at times; the loop-back always has some. */
static void give_room(struct manager_bench *self)
{
    struct packet_manager_port *port = &self->port;
    const bool there = self->room == 0 || self->bench.cycle / (uint64_t)self->room % 2 == 0;
    port->store_room_now = there ? bits_mask(port->ways) : UINT64_C(1) << (port->ways - 1);
}

static void judge_rate(struct manager_bench *self, double rate, double share)
{
    if (self->room > 0 && share < 1)
        bench_fail(&self->bench, BENCH_MISMATCH, "lines left in parts though links with room were owed many: a share of %.3f",
                   share);
    if (self->room == 0 && (rate < LEAST_RATE || share < LEAST_SHARE))
        bench_fail(&self->bench, BENCH_MISMATCH, "%.3f flits a cycle and link and a share of %.3f are too few", rate, share);
}

static void run_rate(struct manager_bench *self)
{
    struct packet_manager_port *port = &self->port;
    prepare_rate(self);
    while (!pin_get(port->initialised))
        packet_manager_port_step(port);
    const unsigned latency = measure_latency(self);
    const uint64_t start = self->bench.cycle, sent_before = links_sent(port);
    do {
        if (self->rate_rows > 0 && rows_active(self) < RATE_ROWS && source_free(&port->row))
            put_rate_row(self);
        if (source_free(&port->store))
            put_store(self);
        give_room(self);
        packet_manager_port_step(port);
    } while (self->rate_rows > 0 || rows_active(self) > 0 || !packet_manager_port_quiet(port));
    const uint64_t flits = links_sent(port) - sent_before;
    const double rate = (double)flits / (double)(self->bench.cycle - start) / (port->ways - 1);
    const uint64_t whole = port->counted[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE],
                   part = port->counted[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART];
    summary_number(&self->bench.summary, "flits a cycle and link, ends included", rate, "");
    const double share = (double)whole / (double)(whole + part);
    summary_number(&self->bench.summary, "share of packets of whole lines", share, "");
    static const char *const reasons[] = {"lines ready by time", "lines ready for room", "lines ready as the row ended"};
    for (unsigned i = 0; i < 3; i++)
        summary_number(&self->bench.summary, reasons[i],
                       (double)port->counted[MOEHUB_PACKET_MANAGER_EVENT_LINES_TIMER + i], "");
    summary_number(&self->bench.summary, "store waits for a buffer",
                   (double)port->counted[MOEHUB_PACKET_MANAGER_EVENT_STORE_NO_SLOT], "cycles");
    summary_number(&self->bench.summary, "store waits for its line",
                   (double)port->counted[MOEHUB_PACKET_MANAGER_EVENT_STORE_LINE_STALLED], "cycles");
    summary_number(&self->bench.summary, "last store of a line to its header", latency, "cycles");
    if (latency > MOST_LATENCY)
        bench_fail(&self->bench, BENCH_MISMATCH, "%u cycles from the last store to the header are too many", latency);
    judge_rate(self, rate, share);
}

/* ---- main -------------------------------------------------------------------------------------------------------- */

static void demand(struct manager_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "\"%s\" never happened", what);
}

static void demand_coverage(struct manager_bench *self)
{
    const struct packet_manager_port *port = &self->port;
    demand(self, "rounds", self->rounds);
    demand(self, "rows opened", self->opened);
    demand(self, "aborts", port->aborts);
    demand(self, "advances", port->advances);
    demand(self, "lines discarded", port->kinds_discarded);
    const struct moehub_packet_manager_config *config = &port->model.config;
    const uint32_t row_lines = UINT32_C(1) << (config->offset_width - 7), most = BYTES_MOST / MOEHUB_LINE_BYTES;
    const uint32_t lines = config->rows * (row_lines < most ? row_lines : most);
    if (2 * lines > 3 * config->lines) { /* seldom are all rows there, and long */
        demand(self, "stores waited for a buffer", port->waited_slot);
        demand(self, "lines ready for room", port->counted[MOEHUB_PACKET_MANAGER_EVENT_LINES_ROOM]);
    }
    demand(self, "stores waited for their line", port->waited_line);
    demand(self, "cycles of rows that waited for an entry", port->waited_entry);
    demand(self, "lines ready by time", port->counted[MOEHUB_PACKET_MANAGER_EVENT_LINES_TIMER]);
    demand(self, "packets of whole lines", port->counted[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE]);
    for (unsigned cause = MOEHUB_PACKET_MANAGER_CAUSE_ROW; cause <= MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN; cause++) {
        char name[32];
        (void)snprintf(name, sizeof name, "cause %u", cause);
        demand(self, name, port->counted[cause]);
    }
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Packet manager against the C model", .events = 100000, .cycles = UINT64_MAX, .watchdog = 100000};
    static struct manager_bench self;
    struct bench *bench = &self.bench;
    const struct knob knobs[] = {{.name = "rate", .help = "rows of the measurement of rates; 0: random traffic",
                                  .number = &self.rate_rows, .minimum = 0, .maximum = 100000},
                                 {.name = "room", .help = "with --rate: links have room for so many cycles, then none; 0: always",
                                  .number = &self.room, .minimum = 0, .maximum = 10000},
                                 {0}};
    bench_create(bench, argc, argv, &defaults, knobs);
    bench_random(bench, &self.random, "rounds");
    packet_manager_port_create(&self.port, bench);
    self.port.on_handle = take_handle;
    self.port.on_end = take_end;
    self.port.context = &self;
    self.row_index_bits = self.port.row_index_width;
    self.whole = true;
    bench->step = step;
    bench->context = &self;
    bench_reset(bench, 4);
    if (self.rate_rows > 0) {
        run_rate(&self);
        packet_manager_port_compare_end(&self.port);
        self.port.notices.block.may_be_empty = self.port.offenders.block.may_be_empty = true;
        const int status = bench_finish(bench);
        packet_manager_port_destroy(&self.port);
        return status;
    }
    /* A command that waits for initialisation: of a clean context it changes nothing. */
    packet_manager_port_put_end(&self.port, ADVANCE, 0);
    self.lives[0].phase = CLOSED;
    while (bench_running(bench))
        step(&self);
    self.ending = true;
    for (unsigned i = 0; i < 400000 && !packet_manager_port_quiet(&self.port); i++) {
        for (unsigned c = 0; c < self.port.model.config.contexts; c++)
            self.lives[c].rows_left = 0;
        step(&self);
    }
    if (!packet_manager_port_quiet(&self.port))
        bench_fail(bench, BENCH_TIMEOUT, "rows, stores or closes are left");
    packet_manager_port_compare_end(&self.port);
    demand_coverage(&self);
    const int status = bench_finish(bench);
    packet_manager_port_destroy(&self.port);
    return status;
}
