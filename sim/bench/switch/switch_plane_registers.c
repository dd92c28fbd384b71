/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_registers.h"

#include "moehub/registers.h"

/* Addresses of the two blocks of a port. */
enum { PORT_SHIFT = 13, BUFFER_BLOCK = 0, PORT_BLOCK = 1 << 12 };

void plane_registers_create(struct plane_run *run)
{
    scoreboard_create(&run->counters, run->bench, "counters", &(const struct field){"value", 64}, 1, 1, 2);
}

static uint64_t address_of(unsigned port, unsigned block)
{
    return (uint64_t)port << PORT_SHIFT | block;
}

/* The model knows of it from now on: no line times out before the command, and none is waited for less. */
void plane_registers_set_timeout(struct plane_run *run, unsigned port, uint32_t timeout)
{
    const uint64_t base = address_of(port, BUFFER_BLOCK);
    uint32_t status = MOEHUB_CSR_COMMAND_STATUS_BUSY;
    axi_lite_set(&run->registers, base + MOEHUB_SWITCH_CSR_COMMAND_DATA, timeout);
    axi_lite_set(&run->registers, base + MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET);
    run->check.model.ports[port].timeout = timeout;
    while ((status & MOEHUB_CSR_COMMAND_STATUS_BUSY) != 0)
        status = axi_lite_get(&run->registers, base + MOEHUB_CSR_COMMAND_STATUS);
    if ((status & MOEHUB_CSR_COMMAND_STATUS_REFUSED) != 0)
        bench_fail(run->bench, BENCH_MISMATCH, "port %u: TIMEOUT_SET %u is refused", port, (unsigned)timeout);
}

static void compare(struct plane_run *run, unsigned port, unsigned block, unsigned event, uint64_t expected)
{
    char name[64];
    snprintf(name, sizeof name, "port %u: event %u of the %s", port, event, block == PORT_BLOCK ? "port" : "reduction buffer");
    scoreboard_value(&run->counters, name, expected,
                     axi_lite_get64(&run->registers, address_of(port, block) + MOEHUB_CSR_COUNTER_LOW + 8 * event));
}

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

static void check_port(struct plane_run *run, unsigned port)
{
    const struct moehub_switch_plane_port *model = &run->check.model.ports[port];
    const struct moehub_switch_plane_counts *counts = &model->counts;
    const uint64_t lost = model->lost + moehub_switch_plane_waiting_for(&run->check.model, port);
    const struct {
        unsigned event;
        uint64_t expected;
    } events[] = {
        {MOEHUB_SWITCH_PORT_CAUSE_DOWN, lost},
        {MOEHUB_SWITCH_PORT_CAUSE_COMMAND, 0},
        {MOEHUB_SWITCH_PORT_EVENT_FLITS_IN, counts->flits_in},
        {MOEHUB_SWITCH_PORT_EVENT_FLITS_OUT, counts->flits_out},
        {MOEHUB_SWITCH_PORT_EVENT_STORE_COPIES, counts->store_copies},
        {MOEHUB_SWITCH_PORT_EVENT_RESERVED, counts->reserved},
        {MOEHUB_SWITCH_PORT_EVENT_REFUSED, counts->refused},
        {MOEHUB_SWITCH_PORT_EVENT_ERROR_RESULTS, counts->error_results + lost_results(run, port, true)},
        {MOEHUB_SWITCH_PORT_EVENT_REFUSED_DOWN, 0},
    };
    axi_lite_set(&run->registers, address_of(port, PORT_BLOCK) + MOEHUB_CSR_SNAPSHOT, 0);
    for (unsigned i = 0; i < MOEHUB_LINK_CAUSES; i++)
        compare(run, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENT_CAUSES + i, counts->causes[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        compare(run, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENT_PACKETS_IN + i, counts->packets_in[i]);
        compare(run, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENT_PACKETS_OUT + i, counts->packets_out[i]);
    }
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        compare(run, port, PORT_BLOCK, events[i].event, events[i].expected);
}

/* What becomes of a partial depends on the others of its line: whether one that is repeated comes before or after the last
 * one, STALE or DUPLICATE, is the hardware's choice, and with timeouts so is whether a late one counts at all. What a lost result
 * said nobody knows. */
static bool depends_on_order(const struct moehub_switch_plane_port *port, unsigned event)
{
    const unsigned cause = event - MOEHUB_REDUCTION_EVENT_CAUSES;
    if (port->losses > 0 && (event == MOEHUB_REDUCTION_EVENT_RESULTS || event == MOEHUB_REDUCTION_EVENT_RESULT_ERRORS ||
                             cause == MOEHUB_REDUCTION_CAUSE_TIMEOUT))
        return true;
    if (event < MOEHUB_REDUCTION_EVENT_CAUSES)
        return false;
    if (port->timeout != 0)
        return cause >= MOEHUB_REDUCTION_CAUSE_STALE && cause <= MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH;
    return cause == MOEHUB_REDUCTION_CAUSE_STALE || cause == MOEHUB_REDUCTION_CAUSE_DUPLICATE;
}

static void check_buffer(struct plane_run *run, unsigned number)
{
    const struct moehub_switch_plane_port *port = &run->check.model.ports[number];
    const uint64_t *counts = port->counts.reduction, base = address_of(number, BUFFER_BLOCK);
    uint64_t expected = 0, got = 0; /* STALE and DUPLICATE together */
    axi_lite_set(&run->registers, base + MOEHUB_CSR_SNAPSHOT, 0);
    for (unsigned i = 0; i < MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_ORDER_CAUSES; i++) {
        if (!depends_on_order(port, i)) {
            compare(run, number, BUFFER_BLOCK, i, counts[i]);
            continue;
        }
        expected += counts[i];
        got += axi_lite_get64(&run->registers, base + MOEHUB_CSR_COUNTER_LOW + 8 * i);
    }
    if (port->timeout == 0)
        scoreboard_value(&run->counters, "partials that came late or twice", expected, got);
}

void plane_registers_check_counters(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++) {
        check_port(run, port);
        check_buffer(run, port);
    }
}
