/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/packet_manager_port.h"
#include "kit/allocate.h"
#include "kit/bits.h"
#include "kit/parameters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_CONTEXT, ROW_IMMEDIATE, ROW_COUNT, ROW_ADDRESS, ROW_ID, ROW_INDEX };
enum { STORE_HANDLE, STORE_OFFSET, STORE_NOP, STORE_MASK }; /* a store's mask has one word or two, its data follow */
enum { END_WHAT, END_CONTEXT };
enum { CLOSE, ABORT, ADVANCE };
enum { FAILED_LATE = 4 }; /* cycles until a flag is seen */
enum { ENTRY_LATE = 6 };  /* cycles in which an entry that came free may not be offered yet, or one that was taken counts */
enum { CHOICE = 36 };     /* cycles of a line's being ready that a lock may not see: the page's 24, and those to step 5 */
enum { OFFERED = 64 };    /* cycles from the lock of a line, or the packet before, to its header */
enum { MADE_BY_TIMER = 2 /* of watch_made */ };
enum { STORE_TAKEN, STORE_NO_SLOT_FREE, STORE_LINE_TAKEN }; /* what became of a store at step 5 */
enum { LOOK_PERIOD = 64, STILL = 256 }; /* cycles: between looks at ages; in which the hand may stand still */

static unsigned value(const struct pin *pin)
{
    return (unsigned)pin_get(pin);
}

/* ---- contexts ---------------------------------------------------------------------------------------------------------- */

void packet_manager_port_contexts(struct packet_manager_port *port)
{
    const struct moehub_packet_manager_config *config = &port->model.config;
    const struct pin *const pins[] = {port->enabled, port->closing, port->rounds, port->owner_shifts, port->peers,
                                      port->row_sizes};
    for (size_t f = 0; f < sizeof pins / sizeof *pins; f++) {
        uint64_t words[16] = {0};
        const unsigned bits = pins[f]->bits / config->contexts;
        for (unsigned c = 0; c < config->contexts; c++) {
            const struct moehub_packet_manager_context *from = &port->model.contexts[c];
            const uint64_t values[] = {from->enabled, from->closing, from->round, from->owner_shift, from->peers, from->row_size};
            bits_set(words, c * bits, bits, values[f]);
        }
        pin_set_words(pins[f], words);
    }
}

/* ---- what the bench gives ------------------------------------------------------------------------------------------------ */

void packet_manager_port_put_row(struct packet_manager_port *port, const struct moehub_row *row, unsigned list)
{
    if (port->put_count == MANAGER_ROWS)
        bench_fail(port->bench, BENCH_CONFIGURATION, "more rows are put than there is room for");
    port->put_lists[(port->put_first + port->put_count++) % MANAGER_ROWS] = (uint8_t)list;
    uint64_t *item = source_offer(&port->row);
    item[ROW_CONTEXT] = row->context;
    item[ROW_IMMEDIATE] = row->immediate;
    item[ROW_COUNT] = row->count;
    item[ROW_ADDRESS] = row->address;
    item[ROW_ID] = row->id;
    item[ROW_INDEX] = row->row_index;
}

void packet_manager_port_put_store(struct packet_manager_port *port, const struct moehub_store *store)
{
    const unsigned mask_words = port->model.config.store_bytes > 64 ? 2 : 1;
    uint64_t *item = source_offer(&port->store);
    item[STORE_HANDLE] = store->handle;
    item[STORE_OFFSET] = store->offset;
    item[STORE_NOP] = store->nop;
    memcpy(&item[STORE_MASK], store->mask.half, mask_words * sizeof *item);
    memcpy(&item[STORE_MASK + mask_words], store->data, port->model.config.store_bytes);
}

void packet_manager_port_put_end(struct packet_manager_port *port, unsigned what, unsigned named)
{
    uint64_t *item = source_offer(&port->end);
    item[END_WHAT] = what;
    item[END_CONTEXT] = named;
}

/* ---- list memory ------------------------------------------------------------------------------------------------- */

static void answer_list(struct packet_manager_port *port)
{
    const bool answers = port->answers_count > 0 && port->answers[port->answers_first].due <= port->bench->cycle &&
        !stall_next(&port->list_stall);
    const uint64_t noise[2] = {random_next(&port->random), random_next(&port->random)};
    pin_set(port->r_valid, answers && !port->bench->reset);
    pin_set(port->r_response, random_bits(&port->random, 2));
    pin_set_words(port->r_data, noise);
    if (!answers)
        return;
    pin_set_words(port->r_data, port->answers[port->answers_first].data.half);
    pin_set(port->r_response, port->answers[port->answers_first].error ? 2 + random_bits(&port->random, 1) : 0);
}

/* The oldest read that was expected: its address was compared. */
static void take_read(struct packet_manager_port *port)
{
    if (port->answers_count == MANAGER_READS)
        bench_fail(port->bench, BENCH_MISMATCH, "more reads of lists than all entries need");
    const unsigned n = (port->answers_first + port->answers_count++) % MANAGER_READS;
    const unsigned list = port->asked_reads[port->asked_first].list, flit = port->asked_reads[port->asked_first].flit;
    port->asked_first = (port->asked_first + 1) % MANAGER_READS;
    port->asked_count--;
    port->answers[n].due = port->bench->cycle + 1 + random_below(&port->random, port->latency);
    port->answers[n].error = random_below(&port->random, 256) < port->list_errors;
    memcpy(port->answers[n].data.half, &port->lists[list][flit * MOEHUB_TARGETS_PER_FLIT], sizeof port->answers[n].data.half);
}

/* ---- the model is told ------------------------------------------------------------------------------------------- */

static void refuse(struct packet_manager_port *port, const char *what, unsigned entry, unsigned line)
{
    bench_fail(port->bench, BENCH_MISMATCH, "%s, entry %u line %u: the page does not allow it here", what, entry, line);
}

/* Of a line by its number over all entries. */
static unsigned line_number(const struct packet_manager_port *port, unsigned entry, unsigned line)
{
    return (entry << (port->model.config.offset_width - 7)) + line;
}

/* A line that was in one state is in another. */
static void note_line(struct packet_manager_port *port, unsigned number, unsigned before)
{
    const unsigned state = port->model.lines[number].state;
    if (state != before && before == MOEHUB_LINE_FREE)
        port->filling_since[number] = port->bench->cycle;
    if (state != before && state == MOEHUB_LINE_READY)
        port->ready_since[number] = port->bench->cycle;
}

/* A line that leaves by its timer has been filling for so long; the timer of that time is not known when it has just changed. */
static void look_at_age(struct packet_manager_port *port, unsigned number)
{
    const uint64_t now = port->bench->cycle;
    if (now > port->timeout_since + STILL && now < port->filling_since[number] + port->timeout)
        bench_fail(port->bench, BENCH_MISMATCH, "line %u left by its timer after %" PRIu64 " cycles, the timer is %u", number,
                   now - port->filling_since[number], port->timeout);
}

/* No line is filling for longer than the timer and a round of the hand. */
static void look_at_ages(struct packet_manager_port *port)
{
    const struct moehub_packet_manager_config *config = &port->model.config;
    const unsigned lines = 1u << (config->offset_width - 7);
    const uint64_t most = port->timeout + config->lines + STILL, now = port->bench->cycle;
    for (unsigned i = 0; i < config->rows * lines; i++)
        if (port->model.lines[i].state == MOEHUB_LINE_FILLING && now > port->filling_since[i] + most &&
            now > port->timeout_since + most)
            bench_fail(port->bench, BENCH_MISMATCH, "entry %u line %u is filling since cycle %" PRIu64 ", its timer is %u",
                       i / lines, i % lines, port->filling_since[i], port->timeout);
}

static void tell_store(struct packet_manager_port *port)
{
    if (port->stores_count == 0)
        bench_fail(port->bench, BENCH_MISMATCH, "a store at step 5 that nobody gave");
    const struct moehub_store *store = &port->stores[port->stores_first];
    const unsigned lines = 1u << (port->model.config.offset_width - 7), line = store->offset / MOEHUB_LINE_BYTES;
    const bool named = store->handle % 256u < port->model.config.rows && line < lines;
    const unsigned number = named ? line_number(port, store->handle % 256, line) : 0;
    const unsigned before = port->model.lines[number].state;
    const enum moehub_store_outcome outcome = moehub_packet_manager_store(&port->model, store);
    note_line(port, number, before);
    const bool taken = outcome == MOEHUB_STORE_MERGED || outcome == MOEHUB_STORE_DROPPED;
    const uint64_t expected = taken ? STORE_TAKEN : outcome == MOEHUB_STORE_NO_SLOT ? STORE_NO_SLOT_FREE : STORE_LINE_TAKEN;
    const uint64_t got = pin_get(port->store_done) ? STORE_TAKEN : pin_get(port->no_slot) ? STORE_NO_SLOT_FREE : STORE_LINE_TAKEN;
    scoreboard_expect(&port->outcomes, 0, &expected);
    scoreboard_check(&port->outcomes, 0, &got);
    port->merges += outcome == MOEHUB_STORE_MERGED;
    port->store_waits = (unsigned)expected;
    port->waited_slot += expected == STORE_NO_SLOT_FREE;
    port->waited_line += expected == STORE_LINE_TAKEN;
    if (taken) {
        port->stores_first = (port->stores_first + 1) % MANAGER_STORES;
        port->stores_count--;
    }
}

/* Of the lines that were ready for the way long before, the choice was the first: without nop before those with, then by row
 * index, entry, line. */
static void judge_choice(struct packet_manager_port *port, unsigned way, unsigned entry, unsigned line)
{
    const struct moehub_packet_manager *model = &port->model;
    const unsigned lines = 1u << (model->config.offset_width - 7), chosen = line_number(port, entry, line);
    const unsigned kind = way + 1 == port->ways ? MOEHUB_KIND_LOOP : MOEHUB_KIND_UP;
    const struct moehub_row_entry *its = &model->rows[entry];
    for (unsigned e = 0; e < model->config.rows; e++) {
        const struct moehub_row_entry *row = &model->rows[e];
        if (row->state != MOEHUB_ENTRY_OPEN || row->aborted || (kind == MOEHUB_KIND_UP && row->link != way))
            continue;
        for (unsigned i = e * lines; i < (e + 1) * lines; i++) {
            const struct moehub_line_buffer *buffer = &model->lines[i];
            const bool ready = buffer->state >= MOEHUB_LINE_READY && (buffer->kinds >> kind & 1) != 0 &&
                port->bench->cycle > port->ready_since[i] + CHOICE;
            const int nops = (int)buffer->nop - (int)model->lines[chosen].nop;
            const bool first = nops != 0 ? nops < 0
                : row->row.row_index != its->row.row_index ? row->row.row_index < its->row.row_index : i < chosen;
            if (ready && first)
                bench_fail(port->bench, BENCH_MISMATCH, "way %u: entry %u line %u was chosen before entry %u line %u", way, entry,
                           line, e, i % lines);
        }
    }
}

static void tell_lock(struct packet_manager_port *port)
{
    const unsigned way = value(port->way), entry = value(port->step_entry), line = value(port->step_line);
    struct moehub_store_packet packet;
    judge_choice(port, way, entry, line);
    if (!moehub_packet_manager_lock(&port->model, way, entry, line, &packet))
        refuse(port, "a lock", entry, line);
    if (port->under_way[way].count == 4)
        bench_fail(port->bench, BENCH_MISMATCH, "way %u: more packets under way than it has records", way);
    port->under_way[way].entries[(port->under_way[way].first + port->under_way[way].count++) % 4] = (uint8_t)entry;
    for (unsigned i = 0; i < packet.count; i++) {
        const uint64_t item[] = {packet.flits[i].half[0], packet.flits[i].half[1], i + 1 == packet.count, packet.count};
        scoreboard_expect(&port->packets, way, item);
    }
}

static void tell_row(struct packet_manager_port *port)
{
    const unsigned entry = value(port->take_entry);
    struct moehub_list_reads reads;
    if (port->rows_count == 0)
        bench_fail(port->bench, BENCH_MISMATCH, "a row is taken that nobody gave");
    if (!moehub_packet_manager_row(&port->model, entry, &port->taken_rows[port->rows_first], &reads))
        refuse(port, "a row taken", entry, 0);
    port->rows_first = (port->rows_first + 1) % MANAGER_ROWS;
    port->rows_count--;
    const unsigned list = port->put_lists[port->put_first];
    port->put_first = (port->put_first + 1) % MANAGER_ROWS;
    port->put_count--;
    for (unsigned i = 0; i < reads.count; i++) {
        scoreboard_expect(&port->reads, 0, &reads.address[i]);
        const unsigned n = (port->asked_first + port->asked_count++) % MANAGER_READS;
        port->asked_reads[n].list = (uint8_t)list;
        port->asked_reads[n].flit = (uint8_t)i;
    }
}

static void tell_decision(struct packet_manager_port *port)
{
    struct moehub_row_decision decision;
    if (!moehub_packet_manager_decide(&port->model, value(port->link), &decision))
        refuse(port, "a row decided", 0, 0);
    const uint64_t handle[] = {decision.status, decision.handle, decision.row_index};
    scoreboard_expect(&port->handles, 0, handle);
    if (decision.status != MOEHUB_STATUS_OK)
        return;
    const uint64_t expect[] = {decision.context, decision.token, decision.count};
    scoreboard_expect(&port->expects, 0, expect);
}

static void tell_end(struct packet_manager_port *port, const uint64_t *item)
{
    const unsigned what = (unsigned)item[END_WHAT], named = (unsigned)item[END_CONTEXT];
    if (what == CLOSE)
        moehub_packet_manager_close(&port->model, named);
    else if (what == ABORT) {
        port->model.contexts[named].failed = true;
        port->failed_seen |= UINT64_C(1) << named;
        moehub_packet_manager_abort(&port->model, named);
        port->aborts++;
    } else {
        scoreboard_value(&port->states, "failed", port->model.contexts[named].failed, port->failed_seen >> named & 1);
        scoreboard_value(&port->states, "closed", port->model.contexts[named].closed, port->closed_seen >> named & 1);
        moehub_packet_manager_advance(&port->model, named);
        port->failed_seen &= ~(UINT64_C(1) << named);
        port->closed_seen &= ~(UINT64_C(1) << named);
        port->advances++;
    }
    port->on_end(port->context, what, named);
}

/* ---- outputs ----------------------------------------------------------------------------------------------------- */

static void take_packets(struct packet_manager_port *port)
{
    uint64_t data[2 * MANAGER_WAYS_MAX], flits[1];
    const uint64_t valid = pin_get(port->packet_valid), ready = pin_get(port->packet_ready), last = pin_get(port->packet_last);
    pin_get_words(port->packet_data, data);
    pin_get_words(port->packet_flits, flits);
    for (unsigned w = 0; w < port->ways; w++) {
        const bool valid_now = valid >> w & 1;
        if ((port->packet_open[w] || port->packet_waits[w]) && !valid_now)
            bench_fail(port->bench, BENCH_MISMATCH, "way %u: a packet has a gap, or its valid was withdrawn", w);
        if (port->packet_waits[w] && memcmp(port->packet_held[w], &data[2 * w], 16) != 0)
            bench_fail(port->bench, BENCH_MISMATCH, "way %u: a flit changed while it waited", w);
        port->packet_waits[w] = valid_now && !(ready >> w & 1);
        memcpy(port->packet_held[w], &data[2 * w], 16);
        if (valid_now || port->under_way[w].count == 0)
            port->offered_at[w] = port->bench->cycle;
        if (port->bench->cycle > port->offered_at[w] + OFFERED)
            bench_fail(port->bench, BENCH_MISMATCH, "way %u: a line was locked, and no packet is offered", w);
        if (!valid_now || port->packet_waits[w])
            continue;
        const uint64_t item[] = {data[2 * w], data[2 * w + 1], last >> w & 1, flits[0] >> (5 * w) & 31};
        scoreboard_check(&port->packets, w, item);
        port->packet_open[w] = !(last >> w & 1);
        if (!port->packet_open[w]) {
            port->under_way[w].first = (port->under_way[w].first + 1) % 4;
            port->under_way[w].count--;
        }
        port->sent_flits[w]++;
        port->moved = port->bench->cycle;
    }
}

/* A row leaves when the last flit of its last packet is at the output, or has left. */
static void judge_leave(struct packet_manager_port *port, unsigned entry)
{
    const uint64_t ends = pin_get(port->packet_valid) & pin_get(port->packet_last);
    for (unsigned w = 0; w < port->ways; w++)
        for (unsigned i = 0; i < port->under_way[w].count; i++)
            if (port->under_way[w].entries[(port->under_way[w].first + i) % 4] == entry && !(i == 0 && (ends >> w & 1)))
                refuse(port, "a row that leaves with a packet under way", entry, 0);
}

static unsigned notice_way(const struct packet_manager_port *port, unsigned gpu)
{
    const unsigned links = port->ways > 1 ? port->ways - 1 : 1;
    if (gpu == port->model.config.own)
        return links;
    for (unsigned i = 0; i < links; i++)
        if (port->notice_links >> (gpu + i) % links & 1)
            return (gpu + i) % links;
    return gpu % links;
}

static void take_notice(struct packet_manager_port *port)
{
    const bool valid = pin_get(port->notice.stream.valid) != 0;
    if (valid && !port->notice_waits)
        port->notice_links = (unsigned)port->link_up_before;
    const uint64_t *item = sink_sample(&port->notice);
    port->notice_waits = valid && item == NULL;
    if (item == NULL)
        return;
    const struct moehub_flit flit = {{item[0], item[1]}};
    const struct moehub_header header = moehub_header_unpack(flit);
    struct moehub_flit close = {{0, 0}};
    if (header.context >= port->model.config.contexts ||
        !moehub_packet_manager_next_close(&port->model, header.context, &close))
        refuse(port, "a close", 0, 0);
    const uint64_t expected[] = {close.half[0], close.half[1], notice_way(port, header.offset)};
    scoreboard_expect(&port->notices, 0, expected);
    scoreboard_check(&port->notices, 0, item);
    port->moved = port->bench->cycle;
}

/* A context is told as closed once, and after its last close. */
static void take_closed(struct packet_manager_port *port)
{
    const uint64_t closed = pin_get(port->closed);
    for (unsigned c = 0; c < port->model.config.contexts; c++)
        if ((closed >> c & 1) && (!port->model.contexts[c].closed || (port->closed_seen >> c & 1)))
            bench_fail(port->bench, BENCH_MISMATCH, "context %u is told as closed: twice, or before its last close", c);
    port->closed_seen |= closed;
}

static void take_streams(struct packet_manager_port *port)
{
    const uint64_t *item = sink_sample(&port->list);
    if (item != NULL) {
        scoreboard_check(&port->reads, 0, item);
        take_read(port);
    }
    item = sink_sample(&port->expect);
    if (item != NULL)
        scoreboard_check(&port->expects, 0, item);
    item = sink_sample(&port->handle);
    if (item != NULL) {
        scoreboard_check(&port->handles, 0, item);
        const struct moehub_row_decision decision = {
            .status = (uint8_t)item[0], .handle = (uint16_t)item[1], .row_index = (uint32_t)item[2]};
        port->on_handle(port->context, &decision);
        port->moved = port->bench->cycle;
    }
}

static void give_streams(struct packet_manager_port *port)
{
    const uint64_t *item = source_sample(&port->row);
    if (item != NULL) {
        if (port->rows_count == MANAGER_ROWS)
            bench_fail(port->bench, BENCH_MISMATCH, "rows go in and are not taken");
        port->taken_rows[(port->rows_first + port->rows_count++) % MANAGER_ROWS] = (struct moehub_row){
            .context = (uint8_t)item[ROW_CONTEXT], .immediate = item[ROW_IMMEDIATE] != 0, .count = (uint8_t)item[ROW_COUNT],
            .address = item[ROW_ADDRESS], .id = (uint16_t)item[ROW_ID], .row_index = (uint32_t)item[ROW_INDEX]};
    }
    item = source_sample(&port->store);
    if (item == NULL)
        return;
    if (port->stores_count == MANAGER_STORES)
        bench_fail(port->bench, BENCH_MISMATCH, "stores go in and are not taken");
    const unsigned mask_words = port->model.config.store_bytes > 64 ? 2 : 1;
    struct moehub_store *store = &port->stores[(port->stores_first + port->stores_count++) % MANAGER_STORES];
    *store = (struct moehub_store){.handle = (uint16_t)item[STORE_HANDLE], .offset = (uint16_t)item[STORE_OFFSET],
                                   .nop = item[STORE_NOP] != 0};
    memcpy(store->mask.half, &item[STORE_MASK], mask_words * sizeof *item);
    memcpy(store->data, &item[STORE_MASK + mask_words], port->model.config.store_bytes);
}

/* ---- a cycle ----------------------------------------------------------------------------------------------------- */

/* The offender of the cycle before, header and all; of several the one with the smallest cause. */
static void check_offender(struct packet_manager_port *port)
{
    struct moehub_offenders *offenders = &port->model.offenders;
    const bool told = pin_get(port->error_valid) != 0;
    if (told != (offenders->count > 0))
        bench_fail(port->bench, BENCH_MISMATCH, "%zu offenders, error_valid is %d", offenders->count, told);
    if (!told)
        return;
    const struct moehub_offender *first = moehub_offenders_smallest(offenders);
    uint64_t header[2];
    pin_get_words(port->error_header, header);
    const uint64_t expected[] = {first->cause, first->header.half[0], first->header.half[1]};
    const uint64_t got[] = {pin_get(port->error_cause), header[0], header[1]};
    scoreboard_expect(&port->offenders, 0, expected);
    scoreboard_check(&port->offenders, 0, got);
    moehub_offenders_clear(offenders);
}

/* The event of a row that waits for an entry: never without a row, nor long after one came free; always while all are in use,
 * the cycle after it included. */
static void check_row_waits(struct packet_manager_port *port)
{
    const uint64_t now = port->bench->cycle;
    const bool told = (pin_get(port->events) >> MOEHUB_PACKET_MANAGER_EVENT_ROW_STALLED & 1) != 0;
    const bool full = pin_get(port->rows_level) == port->model.config.rows;
    if (full || pin_get(port->take)) /* the next name is offered some cycles after one was taken */
        port->row_short_at = now;
    if (!full)
        port->row_free_at = now;
    const bool certain = now > port->row_free_at + ENTRY_LATE && now > port->row_none_at + ENTRY_LATE;
    if (told && (now == port->row_none_at + 1 || now > port->row_short_at + ENTRY_LATE))
        bench_fail(port->bench, BENCH_MISMATCH, "a row waits for an entry, and none has to");
    if (certain && !port->row_waited)
        bench_fail(port->bench, BENCH_MISMATCH, "all entries are in use, and a row is there: that it waits is not told");
    port->waited_entry += certain;
    port->row_waited = told;
    if (port->rows_count == 0)
        port->row_none_at = now;
}

/* The events of a store that waits: in each cycle from its first try to the next, or to that of another. */
static void check_store_waits(struct packet_manager_port *port)
{
    const uint64_t events = pin_get(port->events);
    const bool slot = events >> MOEHUB_PACKET_MANAGER_EVENT_STORE_NO_SLOT & 1,
               line = events >> MOEHUB_PACKET_MANAGER_EVENT_STORE_LINE_STALLED & 1;
    if (slot != (port->store_waited == STORE_NO_SLOT_FREE) || line != (port->store_waited == STORE_LINE_TAKEN))
        bench_fail(port->bench, BENCH_MISMATCH, "a store waits for a buffer %d, for its line %d: not why it does", slot, line);
    port->store_waited = port->store_waits;
}

/* A line that becomes ready for a link is told with that of its row. */
static void check_link(struct packet_manager_port *port)
{
    const unsigned entry = value(port->made_entry), number = line_number(port, entry, value(port->made_line));
    const bool leaves_up = (port->model.lines[number].kinds >> MOEHUB_KIND_UP & 1) != 0;
    if (leaves_up && value(port->line_link) != port->model.rows[entry].link)
        bench_fail(port->bench, BENCH_MISMATCH, "entry %u line %u is ready for link %u, not its row's %u", entry,
                   value(port->made_line), value(port->line_link), port->model.rows[entry].link);
}

/* Nothing is taken before the memories are as after reset. */
static void check_closed_streams(struct packet_manager_port *port)
{
    const struct source *const sources[] = {&port->row, &port->store, &port->end};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (!pin_get(port->initialised) && pin_get(sources[i]->stream.ready))
            bench_fail(port->bench, BENCH_MISMATCH, "%s: ready before initialisation", sources[i]->stream.name);
}

static void sample(struct packet_manager_port *port)
{
    struct moehub_packet_manager *model = &port->model;
    const uint64_t clean_before = port->clean; /* a flag comes a cycle late, and of a clean context means nothing */
    port->clean = 0;
    for (unsigned c = 0; c < model->config.contexts; c++)
        port->clean |= (uint64_t)model->contexts[c].clean << c;
    check_offender(port);
    check_row_waits(port);
    check_store_waits(port);
    check_closed_streams(port);
    if (pin_get(port->made) != 0) {
        const unsigned number = line_number(port, value(port->made_entry), value(port->made_line));
        if (!moehub_packet_manager_make_ready(model, value(port->made_entry), value(port->made_line)))
            refuse(port, "a line made ready", value(port->made_entry), value(port->made_line));
        note_line(port, number, MOEHUB_LINE_FILLING);
        if ((pin_get(port->made) & MADE_BY_TIMER) != 0)
            look_at_age(port, number);
    }
    if (pin_get(port->became))
        check_link(port);
    if (pin_get(port->step_store))
        tell_store(port);
    if (pin_get(port->locked))
        tell_lock(port);
    if (pin_get(port->take))
        tell_row(port);
    if (pin_get(port->r_valid)) {
        if (!moehub_packet_manager_list_data(model, port->answers[port->answers_first].data,
                                             port->answers[port->answers_first].error))
            refuse(port, "an answer of list memory", 0, 0);
        port->answers_first = (port->answers_first + 1) % MANAGER_READS;
        port->answers_count--;
    }
    if (pin_get(port->decided))
        tell_decision(port);
    if (pin_get(port->discarded)) {
        port->kinds_discarded++;
        if (!moehub_packet_manager_discard(model, (enum moehub_kind)value(port->kind), value(port->step_entry),
                                           value(port->step_line)))
            refuse(port, "a discard", value(port->step_entry), value(port->step_line));
    }
    if (pin_get(port->gone) && !moehub_packet_manager_free_line(model, value(port->gone_entry), value(port->gone_line)))
        refuse(port, "a buffer freed", value(port->gone_entry), value(port->gone_line));
    if (pin_get(port->leave))
        judge_leave(port, value(port->leave_entry));
    if (pin_get(port->leave) && !moehub_packet_manager_leave(model, value(port->leave_entry)))
        refuse(port, "a row that leaves", value(port->leave_entry), 0);
    give_streams(port);
    take_streams(port);
    take_packets(port);
    take_notice(port);
    port->failed_seen |= pin_get(port->failed) & ~clean_before;
    take_closed(port);
    const uint64_t events = pin_get(port->events);
    for (unsigned e = 0; e < MOEHUB_PACKET_MANAGER_EVENTS; e++)
        port->counted[e] += events >> e & 1;
    const uint64_t *item = source_sample(&port->end);
    if (item != NULL)
        tell_end(port, item);
    if (port->bench->cycle % LOOK_PERIOD == 0)
        look_at_ages(port);
}

void packet_manager_port_step(void *context)
{
    struct packet_manager_port *port = context;
    uint64_t ready = 0;
    packet_manager_port_contexts(port);
    pin_set(port->own, port->model.config.own);
    pin_set(port->link_up, port->link_up_now);
    pin_set(port->store_room, port->store_room_now);
    pin_set(port->line_timeout, port->timeout);
    for (unsigned w = 0; w < port->ways; w++)
        ready |= (uint64_t)(!stall_next(&port->packet_stall[w]) && (port->store_room_now >> w & 1)) << w;
    pin_set(port->packet_ready, port->takes_what_is_there ? ready & pin_get(port->packet_valid) : ready);
    source_drive(&port->row);
    source_drive(&port->store);
    source_drive(&port->end);
    sink_drive(&port->handle);
    sink_drive(&port->expect);
    sink_drive(&port->notice);
    sink_drive(&port->list);
    answer_list(port);
    bench_settle(port->bench);
    if (!port->bench->reset)
        sample(port);
    port->link_up_before = port->link_up_now;
    bench_tick(port->bench);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

bool packet_manager_port_quiet(const struct packet_manager_port *port)
{
    const struct scoreboard *boards[] = {&port->reads, &port->handles, &port->expects, &port->packets};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (boards[i]->waiting > 0)
            return false;
    for (unsigned c = 0; c < port->model.config.contexts; c++)
        if (port->model.ends[c].asked && !port->model.contexts[c].closed)
            return false;
    return source_free(&port->row) && source_free(&port->store) && source_free(&port->end) && port->rows_count == 0 &&
        port->stores_count == 0 && port->answers_count == 0 && pin_get(port->rows_level) == 0;
}

void packet_manager_port_compare_end(struct packet_manager_port *port)
{
    static const char *const names[MOEHUB_PACKET_MANAGER_ORDER_EVENTS] = {
        "refused commands", "rows refused", "handles", "ranges", "aborted", "rewritten", "reduces refused", "rows opened",
        "rows left", "stores", "lines whole", "packets whole", "packets part", "closes"};
    for (unsigned i = 0; i < FAILED_LATE; i++)
        packet_manager_port_step(port);
    for (unsigned e = 0; e < MOEHUB_PACKET_MANAGER_ORDER_EVENTS; e++)
        scoreboard_value(&port->states, names[e], port->model.counters[e], port->counted[e]);
    scoreboard_value(&port->states, "slots in use", port->model.lines_used, pin_get(port->slots_level));
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void find_pins(struct packet_manager_port *port)
{
    const struct { const struct pin **pin; const char *name; } pins[] = {
        {&port->initialised, "initialised"}, {&port->own, "own"}, {&port->link_up, "link_up"}, {&port->store_room, "store_room"},
        {&port->line_timeout, "line_timeout"}, {&port->enabled, "enabled"}, {&port->closing, "closing"},
        {&port->rounds, "rounds"}, {&port->owner_shifts, "owner_shifts"}, {&port->peers, "peers"},
        {&port->row_sizes, "row_sizes"}, {&port->failed, "failed"}, {&port->closed, "closed"}, {&port->rows, "rows"},
        {&port->packet_valid, "packet_valid"}, {&port->packet_ready, "packet_ready"}, {&port->packet_data, "packet_data"},
        {&port->packet_last, "packet_last"}, {&port->packet_flits, "packet_flits"}, {&port->r_valid, "list_r_valid"},
        {&port->r_data, "list_r_data"}, {&port->r_response, "list_r_response"}, {&port->slots_level, "slots_level"},
        {&port->rows_level, "rows_level"}, {&port->events, "events"}, {&port->error_valid, "error_valid"},
        {&port->error_cause, "error_cause"}, {&port->error_header, "error_header"}, {&port->take, "watch_take"},
        {&port->take_entry, "watch_take_entry"}, {&port->decided, "watch_decided"}, {&port->link, "watch_link"},
        {&port->step_store, "watch_store"}, {&port->store_done, "watch_store_done"}, {&port->no_slot, "watch_no_slot"},
        {&port->locked, "watch_locked"}, {&port->discarded, "watch_discarded"}, {&port->way, "watch_way"},
        {&port->kind, "watch_kind"}, {&port->step_entry, "watch_step_entry"}, {&port->step_line, "watch_step_line"},
        {&port->made, "watch_made"}, {&port->made_entry, "watch_made_entry"}, {&port->made_line, "watch_made_line"},
        {&port->became, "watch_became"}, {&port->line_link, "watch_line_link"}, {&port->gone, "watch_gone"},
        {&port->gone_entry, "watch_gone_entry"}, {&port->gone_line, "watch_gone_line"}, {&port->leave, "watch_leave"},
        {&port->leave_entry, "watch_leave_entry"}};
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(port->bench, pins[i].name);
}

static void read_config(struct packet_manager_port *port, struct moehub_packet_manager_config *config)
{
    port->row_index_width = 20;
    *config = moehub_packet_manager_config_default();
    const struct parameter parameters[] = {
        {"LINKS", &config->links}, {"GPUS", &config->gpus}, {"CONTEXTS", &config->contexts},
        {"LOCAL_EXPERT_BITS", &config->local_expert_bits}, {"MAX_TARGETS", &config->max_targets},
        {"OFFSET_WIDTH", &config->offset_width}, {"ROW_INDEX_WIDTH", &port->row_index_width},
        {"ADDRESS_WIDTH", &config->address_width}, {"ROWS", &config->rows}, {"LINES", &config->lines},
        {"STORE_BYTES", &config->store_bytes}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    config->own = (uint32_t)(port->bench->options.seed % config->gpus);
}

void packet_manager_port_create(struct packet_manager_port *port, struct bench *bench)
{
    static const struct field address[] = {{"address", 64}}, outcome[] = {{"0 taken, 1 no slot, 2 line", 2}},
        handle[] = {{"status", 4}, {"handle", 16}, {"row_index", 32}}, expect[] = {{"context", 3}, {"token", 16}, {"count", 6}},
        packet[] = {{"flit", 128}, {"last", 1}, {"flits", 5}}, offender[] = {{"cause", 5}, {"header", 128}},
        notice[] = {{"flit", 128}, {"way", 3}}, values[] = {{"value", 64}};
    struct moehub_packet_manager_config config;
    port->bench = bench;
    read_config(port, &config);
    bench_random(bench, &port->random, "manager");
    if (moehub_packet_manager_create(&port->model, &config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model refuses these parameters");
    port->ways = config.links + 1;
    const size_t lines = (size_t)config.rows << (config.offset_width - 7);
    port->filling_since = allocate(lines, sizeof *port->filling_since);
    port->ready_since = allocate(lines, sizeof *port->ready_since);
    find_pins(port);
    source_create(&port->row, bench, "row", "context immediate count address id row_index", STALL_MIXED);
    source_create(&port->store, bench, "store", "handle offset nop mask bytes", STALL_MIXED);
    source_create(&port->end, bench, "end", "what context", STALL_LIGHT);
    sink_create(&port->handle, bench, "handle", "status handle row_index", STALL_MIXED);
    sink_create(&port->expect, bench, "expect", "context token count", STALL_MIXED);
    sink_create(&port->notice, bench, "notice", "flit way", STALL_MIXED);
    sink_create(&port->list, bench, "list_ar", "address", STALL_MIXED);
    for (unsigned w = 0; w < port->ways; w++) {
        char name[32];
        (void)snprintf(name, sizeof name, "packet %u", w);
        stall_init(&port->packet_stall[w], STALL_MIXED, bench->options.seed, name);
    }
    stall_init(&port->list_stall, STALL_MIXED, bench->options.seed, "list data");
    scoreboard_create(&port->reads, bench, "list reads", address, 1, 1, MANAGER_READS);
    scoreboard_create(&port->outcomes, bench, "stores", outcome, 1, 1, 2);
    scoreboard_create(&port->handles, bench, "handles", handle, 3, 1, 4);
    scoreboard_create(&port->expects, bench, "expected tokens", expect, 3, 1, 4);
    scoreboard_create(&port->packets, bench, "packet flits", packet, 3, port->ways, 64);
    scoreboard_create(&port->notices, bench, "closes", notice, 2, 1, 2);
    scoreboard_create(&port->offenders, bench, "offenders", offender, 2, 1, 2);
    scoreboard_create(&port->states, bench, "states", values, 1, 1, 4);
    port->link_up_now = bits_mask(config.links);
    port->store_room_now = bits_mask(port->ways);
    port->latency = 40;
    port->timeout = 16384;
}

void packet_manager_port_destroy(struct packet_manager_port *port)
{
    struct scoreboard *boards[] = {&port->reads, &port->outcomes, &port->handles, &port->expects, &port->packets, &port->notices,
                                   &port->offenders, &port->states};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        scoreboard_destroy(boards[i]);
    free(port->filling_since);
    free(port->ready_since);
    moehub_packet_manager_destroy(&port->model);
}
