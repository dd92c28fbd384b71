/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_scenarios.h"

#include "bench/switch/switch_plane_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LATENCY = 12,             /* from a packet's last flit in to its copy's first flit out: rtl/doc/plane/switch.md section 9 */
    RESPONSE_LATENCY = LATENCY - 1 + 1,    /* no ids are cut into records; rows stand in a register of the output */
    REQUEST_LATENCY = LATENCY + 8 + 1 + 3 + 1, /* reservation, target flits read, narrow rows, their register */
    SAMPLES = 6,              /* of a class and port: one of them is a copy of one record */
};

/* ---- a single packet ----------------------------------------------------------------------------------------- */

/* From the last flit that came in to the first one of its copy, where it has one: partials and refused requests have none. */
static uint64_t way_of_one(struct plane_run *run, unsigned port, unsigned packet_class)
{
    uint64_t way = UINT64_MAX;
    const uint64_t before = run->check.first;
    plane_scene_add(run, port, packet_class);
    while (run->gpus[port].uplink.queues[packet_class].count > 0 || run->gpus[port].uplink.sending)
        plane_run_step(run);
    const uint64_t arrived = run->check.arrived;
    while (run->check.first == before && run->bench->cycle - arrived < SCENE_STILL)
        plane_run_step(run);
    if (run->check.first != before && run->check.first_class == packet_class)
        way = run->check.first - arrived;
    plane_scene_run_until_still(run);
    return way;
}

/* A packet through an idle switch takes the cycles that the page says, from every port, in every class; stores and requests
 * with a copy of several records take longer. */
static void idle_latency(struct plane_run *run)
{
    static const uint64_t ways[MOEHUB_CLASSES] = {LATENCY, REQUEST_LATENCY, RESPONSE_LATENCY};
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        uint64_t least = UINT64_MAX;
        for (unsigned j = 0; j < SAMPLES * run->config.ports; j++) {
            const uint64_t way = way_of_one(run, j % run->config.ports, i);
            least = way < least ? way : least;
        }
        if (least != ways[i])
            bench_fail(run->bench, BENCH_MISMATCH,
                       "class %u: the quickest copy's first flit left %" PRIu64 " cycles after its packet's last flit, and not %"
                       PRIu64, i, least, ways[i]);
    }
    summary_number(&run->bench->summary, "cycles through an idle switch", LATENCY, "");
    plane_run_settle(run);
}

/* ---- places ---------------------------------------------------------------------------------------------------- */

/* With every output starved a port's places fill up; then its sender goes on without credits, a packet at a time: only when
 * nothing moves are the places that were granted all that are free. What finds no place is counted, and lost; all else leaves
 * when credits come. */
static void overdraw_class(struct plane_run *run, unsigned port, unsigned packet_class)
{
    const uint64_t *causes = run->check.model.ports[port].counts.causes;
    struct plane_uplink *uplink = &run->gpus[port].uplink;
    plane_scene_reset(run, SCENE_PLACES, UINT64_MAX);
    while (causes[MOEHUB_LINK_CAUSE_PLACE] == 0) {
        if (uplink->queues[packet_class].count == 0)
            plane_scene_add(run, port, packet_class);
        else
            uplink->overdraws = 1;
        plane_scene_run_until_still(run);
    }
    plane_run_settle(run);
}

static void overdrawn_places(struct plane_run *run)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        overdraw_class(run, i % run->config.ports, i);
}

/* ---- credits --------------------------------------------------------------------------------------------------- */

/* A receiver that grants more than a counter of credits holds: each grant beyond is counted, and harmless. */
static void endless_credits(struct plane_run *run)
{
    enum { ENDLESS = 9000 };
    plane_scene_reset(run, ENDLESS, 0);
    for (unsigned port = 0; port < run->config.ports; port++)
        if (run->check.model.ports[port].counts.causes[MOEHUB_LINK_CAUSE_CREDIT] == 0)
            bench_fail(run->bench, BENCH_NOTHING_COMPARED, "port %u: no grant beyond the counter", port);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_add(run, port, MOEHUB_CLASS_STORE);
    plane_run_settle(run);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(struct plane_run *run);
} scenarios[] = {
    {"idle-latency", idle_latency},
    {"overdrawn-places", overdrawn_places},
    {"endless-credits", endless_credits},
    {"line-ends", plane_line_ends},
    {"malformed", plane_malformed},
    {"unasked-partials", plane_unasked_partials},
    {"refused-in-a-row", plane_refused_in_a_row},
    {"released-in-a-row", plane_released_in_a_row},
    {"high-water", plane_high_water},
    {"drain", plane_drain},
    {"commands", plane_commands},
    {"timeout-limit", plane_timeout_limit},
    {"port-down", plane_port_down},
    {"down-by-and-by", plane_down_by_and_by},
    {"down-in-a-packet", plane_down_in_a_packet},
    {"two-down", plane_two_down},
    {"down-and-fall", plane_down_and_fall},
    {"down-beside-others", plane_down_beside_others},
};

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

bool plane_scenarios_run(struct plane_run *run, const char *name)
{
    bool found = false;
    for (unsigned i = 0; i < SCENARIOS; i++) {
        if (strcmp(name, "all") != 0 && strcmp(name, scenarios[i].name) != 0)
            continue;
        scenarios[i].run(run);
        found = true;
    }
    return found;
}

void plane_scenarios_list(void)
{
    for (unsigned i = 0; i < SCENARIOS; i++)
        fprintf(stderr, "  %s\n", scenarios[i].name);
}
