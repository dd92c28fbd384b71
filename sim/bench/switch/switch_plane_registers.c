/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_registers.h"

#include "moehub/register_map.h"
#include "moehub/registers.h"

static const char *const block_names[] = {"reduction buffer", "port", "plane"};

void plane_registers_create(struct plane_run *run)
{
    scoreboard_create(&run->counters, run->bench, "registers", &(const struct field){"value", 64}, 1, 1, 2);
}

/* ---- one register ------------------------------------------------------------------------------------------ */

static void compare(struct plane_run *run, enum plane_block block, unsigned port, const char *what, unsigned number,
                    uint64_t expected, uint64_t got)
{
    char name[80];
    snprintf(name, sizeof name, "port %u: %s %u of the %s", port, what, number, block_names[block]);
    scoreboard_value(&run->counters, name, expected, got);
}

void plane_registers_expect_value(struct plane_run *run, enum plane_block block, unsigned port, const char *name,
                                  unsigned offset, uint32_t expected)
{
    compare(run, block, port, name, offset, expected, plane_read(run, block, port, offset));
}

void plane_registers_snapshot(struct plane_run *run, enum plane_block block, unsigned port)
{
    plane_write(run, block, port, MOEHUB_CSR_SNAPSHOT, 0);
}

uint64_t plane_registers_counter(struct plane_run *run, enum plane_block block, unsigned port, unsigned event)
{
    return axi_lite_get64(&run->registers, plane_address(block, port, MOEHUB_CSR_COUNTER_LOW + 8 * event));
}

void plane_registers_expect(struct plane_run *run, enum plane_block block, unsigned port, unsigned event, uint64_t expected)
{
    compare(run, block, port, "event", event, expected, plane_registers_counter(run, block, port, event));
}

/* ---- error latch --------------------------------------------------------------------------------------------- */

static struct moehub_flit latched_header(struct plane_run *run, enum plane_block block, unsigned port)
{
    const uint64_t address = plane_address(block, port, MOEHUB_CSR_LATCH_HEADER);
    struct moehub_flit header;
    header.half[0] = axi_lite_get64(&run->registers, address);
    header.half[1] = axi_lite_get64(&run->registers, address + 8);
    return header;
}

static unsigned latched_cause(uint32_t status)
{
    return (status & MOEHUB_CSR_LATCH_STATUS_CAUSE) / (MOEHUB_CSR_LATCH_STATUS_CAUSE & (~MOEHUB_CSR_LATCH_STATUS_CAUSE + 1));
}

static void compare_offender(struct plane_run *run, enum plane_block block, unsigned port, unsigned cause,
                             struct moehub_flit header, unsigned came_from)
{
    const uint32_t status = plane_read(run, block, port, MOEHUB_CSR_LATCH_STATUS);
    const struct moehub_flit got = latched_header(run, block, port);
    const uint32_t name = plane_read(run, block, port, MOEHUB_CSR_LATCH_NAME);
    compare(run, block, port, "latch", MOEHUB_CSR_LATCH_STATUS, 1, status & MOEHUB_CSR_LATCH_STATUS_LATCHED);
    compare(run, block, port, "cause latched", MOEHUB_CSR_LATCH_STATUS, cause, latched_cause(status));
    for (unsigned i = 0; i < 2; i++)
        compare(run, block, port, "half of the header latched", i, header.half[i], got.half[i]);
    compare(run, block, port, "port latched", MOEHUB_CSR_LATCH_NAME, came_from,
            (name & MOEHUB_CSR_LATCH_NAME_PORT) / (MOEHUB_CSR_LATCH_NAME_PORT & (~MOEHUB_CSR_LATCH_NAME_PORT + 1)));
}

void plane_registers_expect_offender(struct plane_run *run, enum plane_block block, unsigned port, unsigned cause,
                                     struct moehub_flit header, unsigned came_from)
{
    compare_offender(run, block, port, cause, header, came_from);
    plane_write(run, block, port, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
}

void plane_registers_expect_free(struct plane_run *run, enum plane_block block, unsigned port)
{
    compare(run, block, port, "latch", MOEHUB_CSR_LATCH_STATUS, 0,
            plane_read(run, block, port, MOEHUB_CSR_LATCH_STATUS) & MOEHUB_CSR_LATCH_STATUS_LATCHED);
}

/* ---- a port's block -------------------------------------------------------------------------------------------- */

/* Results that were taken, and lost with the link: of refused requests, or of the others. */
static uint64_t lost_results(const struct plane_run *run, unsigned number, bool refused)
{
    const struct moehub_switch_plane_port *port = &run->check.model.ports[number];
    uint64_t results = 0;
    for (unsigned i = 0; i < port->request_count; i++) {
        const struct moehub_switch_plane_request *request = &port->requests[port->order[i]];
        results += (request->status != MOEHUB_STATUS_OK) == refused ? (unsigned)__builtin_popcount(request->results) : 0;
    }
    return results;
}

/* Packets that were not sent: discarded, or cut short by the link. */
static uint64_t not_sent(const struct plane_run *run, unsigned port)
{
    const struct moehub_switch_plane_port *model = &run->check.model.ports[port];
    return model->lost + model->discarded + moehub_switch_plane_waiting_for(&run->check.model, port);
}

static void check_port_counters(struct plane_run *run, unsigned port)
{
    const struct moehub_switch_plane_counts *counts = &run->check.model.ports[port].counts;
    const struct {
        unsigned event;
        uint64_t expected;
    } events[] = {
        {MOEHUB_SWITCH_PORT_CAUSE_DOWN, not_sent(run, port)},
        {MOEHUB_SWITCH_PORT_CAUSE_COMMAND, counts->causes[MOEHUB_SWITCH_PORT_CAUSE_COMMAND]},
        {MOEHUB_SWITCH_PORT_EVENT_FLITS_IN, counts->flits_in},
        {MOEHUB_SWITCH_PORT_EVENT_FLITS_OUT, counts->flits_out},
        {MOEHUB_SWITCH_PORT_EVENT_STORE_COPIES, counts->store_copies},
        {MOEHUB_SWITCH_PORT_EVENT_RESERVED, counts->reserved},
        {MOEHUB_SWITCH_PORT_EVENT_REFUSED, counts->refused},
        {MOEHUB_SWITCH_PORT_EVENT_ERROR_RESULTS, counts->error_results + lost_results(run, port, true)},
        {MOEHUB_SWITCH_PORT_EVENT_REFUSED_DOWN, counts->refused_down},
    };
    plane_registers_snapshot(run, PLANE_PORT, port);
    for (unsigned i = 0; i < MOEHUB_LINK_CAUSES; i++)
        plane_registers_expect(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_EVENT_CAUSES + i, counts->causes[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        plane_registers_expect(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_EVENT_PACKETS_IN + i, counts->packets_in[i]);
        plane_registers_expect(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_EVENT_PACKETS_OUT + i, counts->packets_out[i]);
    }
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        plane_registers_expect(run, PLANE_PORT, port, events[i].event, events[i].expected);
}

/* Offenders beside the receiver's, which have no header: whether they came before or after its first is not known here. */
static bool has_other(const struct plane_run *run, unsigned port, unsigned cause)
{
    switch (cause) {
    case MOEHUB_SWITCH_PORT_CAUSE_DOWN:
        return not_sent(run, port) > 0;
    case MOEHUB_LINK_CAUSE_CREDIT:
    case MOEHUB_SWITCH_PORT_CAUSE_COMMAND:
        return run->check.model.ports[port].counts.causes[cause] > 0;
    default:
        return false;
    }
}

static bool any_other(const struct plane_run *run, unsigned port)
{
    return has_other(run, port, MOEHUB_LINK_CAUSE_CREDIT) || has_other(run, port, MOEHUB_SWITCH_PORT_CAUSE_DOWN) ||
           has_other(run, port, MOEHUB_SWITCH_PORT_CAUSE_COMMAND);
}

static void check_port_latch(struct plane_run *run, unsigned port)
{
    const struct moehub_switch_plane_offender *first = &run->check.model.ports[port].offender;
    const unsigned cause = latched_cause(plane_read(run, PLANE_PORT, port, MOEHUB_CSR_LATCH_STATUS));
    if (has_other(run, port, cause))
        compare_offender(run, PLANE_PORT, port, cause, (struct moehub_flit){{0, 0}}, port);
    else if (first->caught)
        compare_offender(run, PLANE_PORT, port, first->cause, first->header, port);
    else
        plane_registers_expect_free(run, PLANE_PORT, port);
}

static bool is_down(const struct plane_run *run, unsigned port)
{
    return run->check.model.ports[port].down == MOEHUB_SWITCH_PLANE_YES;
}

/* Grants may still come by a long link: then once more. */
static void check_port_credits(struct plane_run *run, unsigned port)
{
    const uint32_t *hand = run->check.leaving[port].hand;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        uint32_t expected, got;
        do {
            expected = hand[i];
            got = plane_read(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_CSR_CREDITS + 4 * i);
        } while (hand[i] != expected);
        compare(run, PLANE_PORT, port, "credits of class", i, expected, got);
    }
}

/* All that came is in no place any more, and the link is up. */
static void check_port_status(struct plane_run *run, unsigned port)
{
    const struct moehub_switch_plane_port *model = &run->check.model.ports[port];
    const bool refused = model->counts.causes[MOEHUB_SWITCH_PORT_CAUSE_COMMAND] > 0;
    const bool latched = model->offender.caught || any_other(run, port);
    plane_registers_expect_value(run, PLANE_PORT, port, "STATUS at", MOEHUB_CSR_STATUS,
                                 MOEHUB_SWITCH_PORT_CSR_STATUS_INITIALISED | MOEHUB_SWITCH_PORT_CSR_STATUS_LINK_UP |
                                     MOEHUB_SWITCH_PORT_CSR_STATUS_EMPTY |
                                     (is_down(run, port) ? MOEHUB_SWITCH_PORT_CSR_STATUS_DOWN : 0));
    plane_registers_expect_value(run, PLANE_PORT, port, "INTERRUPT_STATUS at", MOEHUB_CSR_INTERRUPT_STATUS,
                                 (latched ? MOEHUB_CSR_INTERRUPT_STATUS_LATCHED : 0) |
                                     (run->went_down[port] ? MOEHUB_SWITCH_PORT_CSR_INTERRUPT_STATUS_WENT_DOWN : 0) |
                                     (refused ? MOEHUB_CSR_INTERRUPT_STATUS_REFUSED : 0));
}

/* A mark that is no more than `all`: where both bounds are one number it is that. */
static void check_mark(struct plane_run *run, enum plane_block block, unsigned port, const char *what,
                       struct plane_bounds bounds, uint64_t all, uint64_t mark)
{
    const uint64_t most = bounds.most < all ? bounds.most : all, least = bounds.least < most ? bounds.least : most;
    run->exact_marks += least == most && most > 0;
    compare(run, block, port, what, MOEHUB_CSR_HIGH_WATER, mark < least ? least : mark > most ? most : mark, mark);
}

static void check_port_marks(struct plane_run *run, unsigned port)
{
    const struct plane_marks *marks = &run->check.marks[port];
    const uint32_t *places = run->config.places;
    const uint32_t stores = plane_read(run, PLANE_PORT, port, MOEHUB_CSR_HIGH_WATER);
    const uint32_t others = plane_read(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RESPONSE);
    check_mark(run, PLANE_PORT, port, "mark of store places", marks->places[MOEHUB_CLASS_STORE].mark,
               places[MOEHUB_CLASS_STORE], moehub_field(MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_STORE, stores));
    check_mark(run, PLANE_PORT, port, "mark of request places", marks->places[MOEHUB_CLASS_REQUEST].mark,
               places[MOEHUB_CLASS_REQUEST], moehub_field(MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RESPONSE_REQUEST, others));
    check_mark(run, PLANE_PORT, port, "mark of response places", marks->places[MOEHUB_CLASS_RESPONSE].mark,
               places[MOEHUB_CLASS_RESPONSE], moehub_field(MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RESPONSE_RESPONSE, others));
    check_mark(run, PLANE_PORT, port, "mark of copy records", marks->records, run->copies,
               moehub_field(MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RECORDS, stores));
}

static void check_buffer_mark(struct plane_run *run, unsigned port)
{
    const struct plane_bounds groups = run->check.marks[port].groups;
    const uint32_t lines = run->config.request_lines;
    check_mark(run, PLANE_BUFFER, port, "mark of entries", (struct plane_bounds){groups.least * lines, groups.most * lines},
               (uint64_t)run->config.groups * lines,
               moehub_field(MOEHUB_SWITCH_CSR_HIGH_WATER_OCCUPANCY, plane_read(run, PLANE_BUFFER, port, MOEHUB_CSR_HIGH_WATER)));
}

/* ---- a reduction buffer's block ------------------------------------------------------------------------------ */

/* Nobody knows what a result said that was lost, or discarded. */
static bool results_are_unseen(const struct moehub_switch_plane_port *port)
{
    return port->losses > 0 || port->was_down;
}

/* What becomes of a partial depends on the others of its line: whether one that is repeated, or nobody asked for, comes before
 * or after the last one, STALE or DUPLICATE or FOREIGN, is the hardware's choice, and with timeouts so is whether a late one
 * counts at all. */
static bool depends_on_order(const struct moehub_switch_plane_port *port, unsigned event)
{
    const unsigned cause = event - MOEHUB_REDUCTION_EVENT_CAUSES;
    if (results_are_unseen(port) && (event == MOEHUB_REDUCTION_EVENT_RESULTS || event == MOEHUB_REDUCTION_EVENT_RESULT_ERRORS ||
                                     cause == MOEHUB_REDUCTION_CAUSE_TIMEOUT))
        return true;
    if (event < MOEHUB_REDUCTION_EVENT_CAUSES)
        return false;
    if (port->timeout != 0)
        return cause >= MOEHUB_REDUCTION_CAUSE_STALE && cause <= MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH;
    return cause >= MOEHUB_REDUCTION_CAUSE_STALE && cause <= MOEHUB_REDUCTION_CAUSE_DUPLICATE;
}

static void check_buffer(struct plane_run *run, unsigned number)
{
    const struct moehub_switch_plane_port *port = &run->check.model.ports[number];
    const uint64_t *counts = port->counts.reduction;
    uint64_t expected = 0, got = 0; /* STALE, FOREIGN and DUPLICATE together */
    plane_registers_snapshot(run, PLANE_BUFFER, number);
    for (unsigned i = 0; i < MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_ORDER_CAUSES; i++) {
        if (!depends_on_order(port, i)) {
            plane_registers_expect(run, PLANE_BUFFER, number, i, counts[i]);
            continue;
        }
        expected += counts[i];
        got += plane_registers_counter(run, PLANE_BUFFER, number, i);
    }
    if (port->timeout == 0 && !results_are_unseen(port))
        scoreboard_value(&run->counters, "partials that came late, twice or unasked", expected, got);
    expected = counts[MOEHUB_REDUCTION_EVENT_RESULTS] + counts[MOEHUB_REDUCTION_EVENT_RESULT_ERRORS] +
               port->counts.unseen_results + lost_results(run, number, false);
    got = plane_registers_counter(run, PLANE_BUFFER, number, MOEHUB_REDUCTION_EVENT_RESULTS) +
          plane_registers_counter(run, PLANE_BUFFER, number, MOEHUB_REDUCTION_EVENT_RESULT_ERRORS);
    scoreboard_value(&run->counters, "results that a reduction buffer gave", expected, got);
    plane_registers_expect_value(run, PLANE_BUFFER, number, "TIMEOUT at", MOEHUB_SWITCH_CSR_TIMEOUT, (uint32_t)port->timeout);
}

/* ---- the plane's block ----------------------------------------------------------------------------------------- */

static void check_plane(struct plane_run *run)
{
    uint64_t down = 0;
    bool went_down = false;
    for (unsigned port = 0; port < run->config.ports; port++) {
        down |= (uint64_t)is_down(run, port) << port;
        went_down |= run->went_down[port];
    }
    for (unsigned i = 0; i < MOEHUB_SWITCH_PLANE_CSR_DOWN_COUNT; i++)
        plane_registers_expect_value(run, PLANE_ALL, 0, "DOWN at", MOEHUB_SWITCH_PLANE_CSR_DOWN + 4 * i,
                                     (uint32_t)(down >> 32 * i));
    plane_registers_expect_value(run, PLANE_ALL, 0, "STATUS at", MOEHUB_CSR_STATUS, MOEHUB_SWITCH_PLANE_CSR_STATUS_INITIALISED);
    plane_registers_expect_value(run, PLANE_ALL, 0, "TIMEOUT_LIMIT at", MOEHUB_SWITCH_PLANE_CSR_TIMEOUT_LIMIT,
                                 run->timeout_limit);
    plane_registers_expect_value(run, PLANE_ALL, 0, "INTERRUPT_STATUS at", MOEHUB_CSR_INTERRUPT_STATUS,
                                 (went_down ? MOEHUB_SWITCH_PLANE_CSR_INTERRUPT_STATUS_WENT_DOWN : 0) |
                                     (run->plane_refused ? MOEHUB_CSR_INTERRUPT_STATUS_REFUSED : 0));
    plane_registers_expect_free(run, PLANE_ALL, 0);
}

bool plane_registers_are_empty(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        if ((plane_read(run, PLANE_PORT, port, MOEHUB_CSR_STATUS) & MOEHUB_SWITCH_PORT_CSR_STATUS_EMPTY) == 0 ||
            (plane_read(run, PLANE_BUFFER, port, MOEHUB_CSR_STATUS) & MOEHUB_SWITCH_CSR_STATUS_EMPTY) == 0)
            return false;
    return true;
}

void plane_registers_check(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++) {
        check_port_counters(run, port);
        check_port_latch(run, port);
        check_port_status(run, port);
        check_port_credits(run, port);
        check_port_marks(run, port);
        check_buffer(run, port);
        check_buffer_mark(run, port);
    }
    check_plane(run);
}
