/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_port.h"

#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_records.h"

#include <inttypes.h>
#include <string.h>

static void find_pins(struct reduction_port *port)
{
    struct bench *bench = port->bench;
    port->initialised = bench_pin(bench, "initialised");
    port->empty = bench_pin(bench, "empty");
    port->draining = bench_pin(bench, "draining");
    port->occupancy = bench_pin(bench, "occupancy");
    port->timeout_valid = bench_pin(bench, "timeout_valid");
    port->timeout_entry = bench_pin(bench, "timeout_entry");
}

static void find_command_pins(struct reduction_port *port)
{
    struct bench *bench = port->bench;
    port->has_commands = port->has_events = true;
    source_create(&port->command, bench, "command", "operation data", STALL_NONE);
    port->command_done = bench_pin(bench, "command_done");
    port->command_refused = bench_pin(bench, "command_refused");
    port->events = bench_pin(bench, "events");
    port->error_valid = bench_pin(bench, "error_valid");
    port->error_cause = bench_pin(bench, "error_cause");
    port->error_header = bench_pin(bench, "error_header");
    port->error_port = bench_pin(bench, "error_port");
}

static void find_group_pins(struct reduction_port *port)
{
    struct bench *bench = port->bench;
    port->freed_valid = bench_optional_pin(bench, "freed_valid");
    if (port->freed_valid == NULL)
        return;
    port->has_groups = true;
    port->freed_entry = bench_pin(bench, "freed_entry");
    port->missing_valid = bench_pin(bench, "missing_valid");
    port->missing_ports = bench_pin(bench, "missing_ports");
    port->port_timeout = bench_pin(bench, "port_timeout");
    port->group_timeout = bench_pin(bench, "group_timeout");
}

/* A blunder of the set-up would otherwise look like a mismatch: the pins have the parameters' sizes. */
static void check_sizes(const struct reduction_port *port)
{
    const struct stream *partial = &port->partial.stream;
    const struct stream *reserve = &port->reserve.stream;
    if (partial->table.fields[PARTIAL_DATA].bits != 8 * port->config.flit_bytes ||
        reserve->table.fields[reduction_reserve_at_contributors].bits != port->config.ports ||
        reserve->table.fields[reduction_reserve_at_tag].bits != port->config.tag_width)
        bench_fail(port->bench, BENCH_CONFIGURATION, "the pins do not have the sizes of the parameters");
}

void reduction_port_create(struct reduction_port *port, struct bench *bench,
                           const struct moehub_reduction_buffer_config *config, enum stall_kind stall, bool commands)
{
    *port = (struct reduction_port){.bench = bench, .config = *config};
    find_group_pins(port);
    source_create(&port->reserve, bench, "reserve",
                  port->has_groups ? RECORD_NAMES(REDUCTION_GROUP_RESERVE_FIELDS) : RECORD_NAMES(REDUCTION_RESERVE_FIELDS),
                  stall);
    if (port->has_groups)
        source_create(&port->released, bench, "released", "entry", stall);
    source_create(&port->partial, bench, "partial", RECORD_NAMES(REDUCTION_PARTIAL_FIELDS) "data last", STALL_NONE);
    sink_create(&port->grant, bench, "grant", RECORD_NAMES(REDUCTION_GRANT_FIELDS), stall);
    sink_create(&port->result, bench, "result", RECORD_NAMES(REDUCTION_RESULT_FIELDS) "data last", stall);
    stall_init(&port->partial_stall, stall, bench->options.seed, "partial gaps");
    find_pins(port);
    if (commands)
        find_command_pins(port);
    check_sizes(port);
    pin_set(bench_pin(bench, "own_port"), config->own_port);
    reduction_check_create(&port->check, bench, config, &port->result.stream.table);
    port->check.groups.watched = port->has_groups;
}

void reduction_port_destroy(struct reduction_port *port)
{
    reduction_check_destroy(&port->check);
}

static void set_stall(struct stall *stall, enum stall_kind kind)
{
    stall->kind = kind;
    stall->redraw = stall->left = 0;
    stall->now = kind == STALL_MIXED ? STALL_NONE : kind;
}

void reduction_port_stall(struct reduction_port *port, enum stall_kind kind)
{
    set_stall(&port->reserve.stream.stall, kind);
    set_stall(&port->grant.stream.stall, kind);
    if (port->has_groups)
        set_stall(&port->released.stream.stall, kind);
    set_stall(&port->result.stream.stall, kind);
    set_stall(&port->partial_stall, kind);
}

void reduction_port_hold_results(struct reduction_port *port, bool hold)
{
    port->hold_results = hold;
}

void reduction_port_hold_partials(struct reduction_port *port, bool hold)
{
    port->hold_partials = hold;
}

void reduction_port_hold_grants(struct reduction_port *port, bool hold)
{
    port->hold_grants = hold;
}

/* ---- drive ------------------------------------------------------------------------------------------------------------ */

static void offer_reserve(struct reduction_port *port)
{
    struct moehub_reduction_reserve reserve;
    if (!source_free(&port->reserve) || !port->stimulus.next_reserve(port->stimulus.context, &reserve))
        return;
    reduction_reserve_pack(source_offer(&port->reserve), &reserve);
}

/* The header's fields count in the first flit only: in the others they are anything. */
static void put_flit(struct reduction_port *port)
{
    const struct moehub_reduction_partial *header = &port->packet.header;
    uint64_t *item = source_offer(&port->partial);
    uint64_t junk = port->flits_sent == 0 ? 0 : random_next(&port->partial_stall.random);
    item[reduction_partial_at_entry] = header->entry ^ junk;
    item[reduction_partial_at_generation] = header->generation ^ junk >> 16;
    item[reduction_partial_at_port] = (header->port ^ junk >> 24) % port->config.ports;
    item[reduction_partial_at_status] = header->status ^ (junk >> 32 & 15);
    item[reduction_partial_at_element] = header->element ^ (junk >> 36 & 3);
    item[reduction_partial_at_length] = header->length ^ (junk >> 38 & 511);
    unsigned words = field_words(8 * port->config.flit_bytes);
    item[PARTIAL_DATA + words - 1] = 0;
    memcpy(&item[PARTIAL_DATA], port->packet.data + (size_t)port->flits_sent * port->config.flit_bytes,
           port->config.flit_bytes); /* little-endian host */
    item[PARTIAL_DATA + words] = port->flits_sent + 1 == header->flits;
}

/* A packet is chosen in the cycle in which its first flit is offered, so that nothing it knows of is out of date. */
static void offer_partial(struct reduction_port *port)
{
    port->packet_offered = false;
    bool stalled = stall_next(&port->partial_stall);
    if (stalled || port->hold_partials || !port->was_initialised || !source_free(&port->partial))
        return;
    if (port->flits_sent == 0 && !port->stimulus.next_packet(port->stimulus.context, &port->packet))
        return;
    put_flit(port);
    port->packet_offered = true;
}

static void offer_command(struct reduction_port *port)
{
    struct reduction_command command;
    if (port->command_busy || !source_free(&port->command) ||
        !port->stimulus.next_command(port->stimulus.context, &command))
        return;
    uint64_t *item = source_offer(&port->command);
    item[0] = command.operation;
    item[1] = command.data;
    port->command_busy = true;
    port->check.model.port_timeout = command.port_timeout; /* no command is under way */
    if (port->has_groups)
        pin_set(port->port_timeout, command.port_timeout);
}

static void offer_released(struct reduction_port *port)
{
    unsigned entry;
    if (source_free(&port->released) && port->stimulus.next_released != NULL &&
        port->stimulus.next_released(port->stimulus.context, &entry))
        source_offer(&port->released)[0] = entry;
}

void reduction_port_drive(struct reduction_port *port)
{
    if (!port->bench->reset) {
        offer_reserve(port);
        offer_partial(port);
        if (port->has_commands)
            offer_command(port);
        if (port->has_groups)
            offer_released(port);
    }
    source_drive(&port->reserve);
    source_drive(&port->partial);
    if (port->has_commands)
        source_drive(&port->command);
    if (port->has_groups)
        source_drive(&port->released);
    sink_drive(&port->grant);
    sink_drive(&port->result);
    if (port->hold_results)
        pin_set(port->result.stream.ready, 0);
    if (port->hold_grants)
        pin_set(port->grant.stream.ready, 0);
}

/* ---- sample ------------------------------------------------------------------------------------------------------------- */

static void sample_reserve(struct reduction_port *port)
{
    const uint64_t *item = source_sample(&port->reserve);
    if (port->reserve.stream.waiting)
        reduction_check_note_observed(&port->check, MOEHUB_REDUCTION_EVENT_RESERVE_STALLED);
    if (item == NULL)
        return;
    struct moehub_reduction_reserve *reserve = &port->requests[port->requests_accepted++ % REDUCTION_REQUESTS_IN_FLIGHT];
    *reserve = reduction_reserve_unpack(item);
    reduction_check_note_reserve(&port->check, reserve);
}

static void tell_granted(struct reduction_port *port, const uint64_t *item)
{
    if (port->requests_granted == port->requests_accepted)
        bench_fail(port->bench, BENCH_MISMATCH, "a grant without a reservation");
    const struct moehub_reduction_grant grant = reduction_grant_unpack(item);
    const struct moehub_reduction_reserve *reserve = &port->requests[port->requests_granted++ % REDUCTION_REQUESTS_IN_FLIGHT];
    port->grants_ok += grant.status == MOEHUB_STATUS_OK;
    port->stimulus.granted(port->stimulus.context, reserve, &grant);
}

static void sample_grant(struct reduction_port *port)
{
    const uint64_t *item = sink_sample(&port->grant);
    if (port->grant.stream.waiting)
        reduction_check_note_observed(&port->check, MOEHUB_REDUCTION_EVENT_GRANT_STALLED);
    if (item == NULL)
        return;
    reduction_check_note_grant(&port->check, item);
    tell_granted(port, item);
}

static void sample_partial(struct reduction_port *port)
{
    const uint64_t *item = source_sample(&port->partial);
    if (port->bench->reset)
        return;
    bool ready = pin_get(port->partial.stream.ready) != 0;
    if (port->was_initialised && !ready)
        bench_fail(port->bench, BENCH_MISMATCH, "partial_ready is low: partials must never wait");
    if (item == NULL)
        return;
    port->partial_flits++;
    if (port->flits_sent == 0 || port->flits_sent + 1 == port->packet.header.flits)
        reduction_check_note_judged(&port->check);
    reduction_check_note_observed(&port->check, MOEHUB_REDUCTION_EVENT_PARTIAL_FLITS);
    port->check.last_activity = port->bench->cycle;
    if (port->flits_sent == 0)
        reduction_check_note_packet(&port->check, &port->packet);
    if (++port->flits_sent == port->packet.header.flits)
        port->flits_sent = 0;
}

/* The flits of a result are contiguous. */
static void follow_result(struct reduction_port *port, const uint64_t *item)
{
    uint64_t entry = item[reduction_result_at_entry];
    if (port->result_inside && entry != port->result_entry)
        bench_fail(port->bench, BENCH_MISMATCH, "a flit of entry %" PRIu64 " inside the result of entry %" PRIu64, entry,
                   port->result_entry);
    port->result_inside = item[port->result.stream.table.words - 1] == 0;
    port->result_entry = entry;
    if (port->result_inside)
        return;
    port->results++;
    port->stimulus.result_taken(port->stimulus.context, (unsigned)entry, (unsigned)item[reduction_result_at_status]);
}

static void sample_result(struct reduction_port *port)
{
    const uint64_t *item = sink_sample(&port->result);
    if (port->result.stream.waiting)
        reduction_check_note_observed(&port->check, MOEHUB_REDUCTION_EVENT_RESULT_STALLED);
    port->result_bubbles += port->result_inside && pin_get(port->result.stream.valid) == 0;
    if (item == NULL)
        return;
    port->result_flits++;
    reduction_check_note_observed(&port->check, MOEHUB_REDUCTION_EVENT_RESULT_FLITS);
    reduction_check_note_result_flit(&port->check, item);
    follow_result(port, item);
}

static void sample_timeout(struct reduction_port *port)
{
    if (port->bench->reset || pin_get(port->timeout_valid) == 0)
        return;
    if (port->bench->quiet)
        bench_fail(port->bench, BENCH_MISMATCH, "timeout_valid is high in the cycle after reset");
    unsigned entry = (unsigned)pin_get(port->timeout_entry);
    reduction_check_note_timeout(&port->check, entry);
    port->stimulus.timed_out(port->stimulus.context, entry);
}

static void sample_command(struct reduction_port *port)
{
    const uint64_t *item = source_sample(&port->command);
    if (item != NULL)
        reduction_check_note_command(&port->check, &(struct reduction_command){.operation = (unsigned)item[0],
                                                                               .data = (uint32_t)item[1]});
    if (port->bench->reset || pin_get(port->command_done) == 0)
        return;
    reduction_check_note_done(&port->check, pin_get(port->command_refused) != 0);
    port->command_busy = false;
}

static void sample_released(struct reduction_port *port)
{
    const uint64_t *item = source_sample(&port->released);
    if (item != NULL)
        reduction_check_note_released(&port->check, (unsigned)item[0]);
}

/* `occupancy` falls by a group one cycle after freed_valid, and rises by one with a reservation. */
static void check_occupancy(struct reduction_port *port, bool freed)
{
    const uint32_t occupancy = (uint32_t)pin_get(port->occupancy), lines = port->config.request_lines;
    const uint32_t freed_lines = port->freed_before ? lines : 0;
    const bool fits = occupancy + freed_lines == port->occupancy_before ||
                      occupancy + freed_lines == port->occupancy_before + lines;
    if (!port->bench->reset && !port->bench->quiet && !fits)
        bench_fail(port->bench, BENCH_MISMATCH, "occupancy is %" PRIu32 " after %" PRIu32 ", of which %" PRIu32 " were freed",
                   occupancy, port->occupancy_before, freed_lines);
    port->occupancy_before = occupancy;
    port->freed_before = freed;
}

static void sample_groups(struct reduction_port *port)
{
    sample_released(port);
    const bool running = !port->bench->reset, freed = running && pin_get(port->freed_valid) != 0;
    if (freed) {
        const unsigned entry = (unsigned)pin_get(port->freed_entry);
        reduction_check_note_freed(&port->check, entry);
        if (port->stimulus.freed != NULL)
            port->stimulus.freed(port->stimulus.context, entry);
    }
    check_occupancy(port, freed);
    if (running && pin_get(port->missing_valid) != 0)
        reduction_check_note_missing(&port->check, pin_get(port->missing_ports));
    if (port->bench->quiet && (freed || (running && pin_get(port->missing_valid) != 0)))
        bench_fail(port->bench, BENCH_MISMATCH, "freed_valid or missing_valid is high in the cycle after reset");
}

/* The candidate for the error latch has the smallest cause of the cycle. */
static void check_cause(struct reduction_port *port, uint64_t events)
{
    const uint64_t causes = events >> MOEHUB_REDUCTION_EVENT_CAUSES & ((UINT64_C(1) << MOEHUB_REDUCTION_ORDER_CAUSES) - 1);
    const unsigned smallest = causes != 0 ? (unsigned)__builtin_ctzll(causes) : MOEHUB_REDUCTION_CAUSE_PARITY;
    if (pin_get(port->error_cause) != smallest)
        bench_fail(port->bench, BENCH_MISMATCH, "error_cause is %u, the smallest cause counted in this cycle is %u",
                   (unsigned)pin_get(port->error_cause), smallest);
}

static void sample_events(struct reduction_port *port)
{
    if (port->bench->reset)
        return;
    if (!port->bench->quiet)
        reduction_check_note_events(&port->check, pin_get(port->events));
    if (pin_get(port->error_valid) == 0)
        return;
    check_cause(port, pin_get(port->events));
    uint64_t candidate[CANDIDATE_WORDS];
    candidate[CANDIDATE_CAUSE] = pin_get(port->error_cause);
    candidate[CANDIDATE_PORT] = pin_get(port->error_port);
    pin_get_words(port->error_header, &candidate[CANDIDATE_HEADER]);
    reduction_check_note_candidate(&port->check, candidate);
}

void reduction_port_sample(struct reduction_port *port)
{
    sample_result(port);
    sample_reserve(port);
    sample_grant(port);
    sample_timeout(port);
    sample_partial(port);
    if (port->has_commands)
        sample_command(port);
    if (port->has_events)
        sample_events(port);
    if (port->has_groups)
        sample_groups(port);
    const struct reduction_status status = {
        .initialised = pin_get(port->initialised) != 0,
        .empty = pin_get(port->empty) != 0,
        .draining = pin_get(port->draining) != 0,
        .occupancy = (uint32_t)pin_get(port->occupancy),
    };
    reduction_check_cycle(&port->check, &status);
    port->was_initialised = !port->bench->reset && status.initialised;
}

/* ---- whole cycles --------------------------------------------------------------------------------------------------------- */

void reduction_port_step(void *context)
{
    struct reduction_port *port = context;
    reduction_port_drive(port);
    bench_settle(port->bench);
    reduction_port_sample(port);
    bench_tick(port->bench);
}

void reduction_port_wait_initialised(struct reduction_port *port)
{
    struct bench *bench = port->bench;
    uint64_t limit = bench->cycle + 4 * (uint64_t)port->config.entries + 256;
    while (pin_get(port->initialised) == 0) {
        if (bench->cycle > limit)
            bench_fail(bench, BENCH_TIMEOUT, "not initialised within %" PRIu32 " entries' time", port->config.entries);
        bench->step(bench->context);
    }
}

void reduction_port_settle(struct reduction_port *port, uint64_t cycles)
{
    struct bench *bench = port->bench;
    uint64_t limit = bench->cycle + cycles;
    while (!reduction_check_is_settled(&port->check) || moehub_reduction_buffer_occupancy(&port->check.model) != 0) {
        if (bench->cycle > limit)
            bench_fail(bench, BENCH_TIMEOUT, "the buffer does not become empty: %" PRIu32 " entries in use",
                       moehub_reduction_buffer_occupancy(&port->check.model));
        bench->step(bench->context);
    }
    reduction_check_settled(&port->check);
    if (port->has_groups)
        scoreboard_value(&port->check.status, "group_timeout", port->check.model.timeout, pin_get(port->group_timeout));
}

void reduction_port_reset(struct reduction_port *port, unsigned cycles)
{
    reduction_check_reset(&port->check);
    port->stimulus.reset(port->stimulus.context);
    port->requests_accepted = port->requests_granted = 0;
    port->flits_sent = 0;
    port->command_busy = port->result_inside = false;
    bench_reset(port->bench, cycles);
    reduction_check_reset(&port->check);
}
