/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_counters.h"

/* Addresses of the two blocks of a port, and in them. */
enum { PORT_SHIFT = 13, BUFFER_BLOCK = 0, PORT_BLOCK = 1 << 12, SNAPSHOT = 0x0C0, COUNTERS = 0x100 };

void plane_counters_create(struct plane_run *run)
{
    scoreboard_create(&run->counters, run->bench, "counters", &(const struct field){"value", 64}, 1, 1, 2);
}

static uint64_t address_of(unsigned port, unsigned block)
{
    return (uint64_t)port << PORT_SHIFT | block;
}

static void compare(struct plane_run *run, unsigned port, unsigned block, unsigned event, uint64_t expected)
{
    char name[64];
    snprintf(name, sizeof name, "port %u: event %u of the %s", port, event, block == PORT_BLOCK ? "port" : "reduction buffer");
    scoreboard_value(&run->counters, name, expected,
                     axi_lite_get64(&run->registers, address_of(port, block) + COUNTERS + 8 * event));
}

static void check_port(struct plane_run *run, unsigned port)
{
    const struct moehub_switch_plane_counts *counts = &run->check.model.ports[port].counts;
    const struct {
        unsigned event;
        uint64_t expected;
    } events[] = {
        {MOEHUB_SWITCH_PORT_CAUSE_DOWN, 0},
        {MOEHUB_SWITCH_PORT_CAUSE_COMMAND, 0},
        {MOEHUB_SWITCH_PORT_EVENT_FLITS_IN, counts->flits_in},
        {MOEHUB_SWITCH_PORT_EVENT_FLITS_OUT, counts->flits_out},
        {MOEHUB_SWITCH_PORT_EVENT_STORE_COPIES, counts->store_copies},
        {MOEHUB_SWITCH_PORT_EVENT_RESERVED, counts->reserved},
        {MOEHUB_SWITCH_PORT_EVENT_REFUSED, counts->refused},
        {MOEHUB_SWITCH_PORT_EVENT_ERROR_RESULTS, counts->error_results},
        {MOEHUB_SWITCH_PORT_EVENT_REFUSED_DOWN, 0},
    };
    axi_lite_set(&run->registers, address_of(port, PORT_BLOCK) + SNAPSHOT, 0);
    for (unsigned i = 0; i < MOEHUB_LINK_CAUSES; i++)
        compare(run, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENT_CAUSES + i, counts->causes[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        compare(run, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENT_PACKETS_IN + i, counts->packets_in[i]);
        compare(run, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENT_PACKETS_OUT + i, counts->packets_out[i]);
    }
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        compare(run, port, PORT_BLOCK, events[i].event, events[i].expected);
}

/* Whether a repeated partial comes before or after the last one of its line is the hardware's choice, and so are STALE and
 * DUPLICATE: their sum is not. */
static void check_buffer(struct plane_run *run, unsigned port)
{
    enum { STALE = MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_STALE,
           DUPLICATE = MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_DUPLICATE };
    const uint64_t *counts = run->check.model.ports[port].counts.reduction;
    const uint64_t base = address_of(port, BUFFER_BLOCK);
    axi_lite_set(&run->registers, base + SNAPSHOT, 0);
    for (unsigned i = 0; i < MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_ORDER_CAUSES; i++)
        if (i != STALE && i != DUPLICATE)
            compare(run, port, BUFFER_BLOCK, i, counts[i]);
    scoreboard_value(&run->counters, "partials that came late or twice", counts[STALE] + counts[DUPLICATE],
                     axi_lite_get64(&run->registers, base + COUNTERS + 8 * STALE) +
                         axi_lite_get64(&run->registers, base + COUNTERS + 8 * DUPLICATE));
}

void plane_counters_check(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++) {
        check_port(run, port);
        check_buffer(run, port);
    }
}
