/* SPDX-License-Identifier: Apache-2.0 */
/* A port whose GPU returns no credits is down: what is for it is discarded and counted, all else goes on; REVIVE brings it
 * back. */
#include "bench/switch/switch_plane_down.h"
#include "bench/switch/switch_plane_registers.h"
#include "bench/switch/switch_plane_scenarios.h"
#include "bench/switch/switch_plane_scene.h"

#include <inttypes.h>
#include <string.h>

enum {
    WITHIN = 20 * DOWN_PORT_TIMEOUT, /* a port that has to be down is so by then */
    GRANTED = 60,                    /* cycles in which a request at an idle port has its group, and its copy is at its egress */
    BUSY = 400,                      /* cycles of random traffic, once or more often */
    MOST_BUSY = 30,                  /* times; longer than a group is in quarantine */
    CREDITS = 50,                    /* in which a GPU grants all that it has */
};

/* ---- what they share ------------------------------------------------------------------------------------- */

/* Packets that have left by a port's link, by class. */
struct departures {
    uint64_t packets[MOEHUB_CLASSES];
};

static struct departures departures(const struct plane_run *run, unsigned port)
{
    struct departures left;
    memcpy(left.packets, run->check.model.ports[port].counts.packets_out, sizeof left.packets);
    return left;
}

/* Packets of each class have left since, by the links of all ports but the set. */
static bool have_left(const struct plane_run *run, uint64_t down, const struct departures *since)
{
    for (unsigned port = 0; port < run->config.ports; port++) {
        const struct departures now = departures(run, port);
        for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
            if ((down >> port & 1) == 0 && now.packets[i] == since[port].packets[i])
                return false;
    }
    return true;
}

/* Traffic of all kinds while the ports of the set are down: it flows by the others. */
static void traffic_beside(struct plane_run *run, uint64_t down)
{
    struct departures before[MOEHUB_CROSSBAR_PORTS_MAX];
    for (unsigned port = 0; port < run->config.ports; port++)
        before[port] = departures(run, port);
    for (unsigned i = 0; i < MOST_BUSY; i++) {
        plane_scene_traffic(run, SCENE_ALL, BUSY);
        if (have_left(run, down, before))
            return;
    }
    bench_fail(run->bench, BENCH_MISMATCH, "no packet of some class leaves by a port that is up");
}

/* Everything leaves or is discarded while the ports of the set still grant nothing. */
static void empty_beside(struct plane_run *run, uint64_t down)
{
    plane_run_calm(run);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_starve(run, port, (down >> port & 1) != 0 ? SCENE_ALL : 0);
    plane_run_empty(run);
}

/* The port has credits again; it comes back in the middle of what is for it. */
static void revive(struct plane_run *run, unsigned port)
{
    plane_scene_starve(run, port, 0);
    bench_run(run->bench, CREDITS);
    for (unsigned i = 0; i < run->config.ports; i++)
        plane_scene_send(run, i, SCENE_NO_REQUESTS);
    bench_run(run->bench, (uint64_t)random_range(&run->random, 100, 140));
    plane_revive(run, port);
    plane_scene_traffic(run, SCENE_NO_REQUESTS, (unsigned)random_range(&run->random, 1, 100));
}

/* All ports are up again. */
static void demand_alive(struct plane_run *run)
{
    traffic_beside(run, 0);
    plane_run_settle(run);
}

/* ---- one port ----------------------------------------------------------------------------------------------- */

/* A packet that waits alone: blocked for PORT_TIMEOUT + 1 cycles the counter is above its limit, the port is down a cycle
 * later, and what is blocked is told a cycle late. */
enum { BLOCKED = DOWN_PORT_TIMEOUT + 3 };

static uint64_t blocked_cycles(struct plane_run *run, unsigned port, unsigned packet_class)
{
    plane_registers_snapshot(run, PLANE_PORT, port);
    return plane_registers_counter(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_EVENT_BLOCKED + packet_class);
}

/* A store and a request copy that wait for credits, and what comes after them. */
static void go_down(struct plane_run *run, unsigned victim)
{
    const unsigned other = plane_scene_other(run, victim);
    plane_down_unmask(run, victim);
    plane_scene_store(run, other, UINT64_C(1) << victim);
    plane_scene_request(run, other, UINT64_C(1) << victim, MOEHUB_LINE_UNITS * run->config.request_lines);
    bench_run(run->bench, GRANTED);
    plane_down_expect(run, victim);
    for (unsigned port = 0; port < run->config.ports; port++)
        for (unsigned i = 0; i < 4 && port != victim; i++)
            plane_scene_store(run, port, UINT64_C(1) << victim);
    plane_down_await_pin(run, victim, WITHIN);
    plane_down_await(run, UINT64_C(1) << victim, WITHIN);
    scoreboard_value(&run->counters, "cycles in which a store was blocked", BLOCKED,
                     blocked_cycles(run, victim, MOEHUB_CLASS_STORE));
}

/* REVIVE without credits, soon after: the port is down again, after the same time. */
static void revive_in_vain(struct plane_run *run, unsigned victim)
{
    const uint64_t before = blocked_cycles(run, victim, MOEHUB_CLASS_STORE);
    plane_revive(run, victim);
    plane_down_expect(run, victim);
    plane_scene_store(run, plane_scene_other(run, victim), UINT64_C(1) << victim);
    plane_down_await(run, UINT64_C(1) << victim, WITHIN);
    scoreboard_value(&run->counters, "cycles in which a store was blocked", BLOCKED,
                     blocked_cycles(run, victim, MOEHUB_CLASS_STORE) - before);
}

void plane_port_down(struct plane_run *run)
{
    const unsigned victim = plane_scene_port(run);
    const uint64_t down = UINT64_C(1) << victim;
    plane_down_prepare(run, SCENE_PLACES, down);
    go_down(run, victim);
    revive_in_vain(run, victim);
    traffic_beside(run, down);
    empty_beside(run, down);
    revive(run, victim);
    demand_alive(run);
    if (run->check.model.ports[victim].counts.refused_down != 0 ||
        run->check.model.ports[plane_scene_other(run, victim)].counts.refused_down == 0)
        bench_fail(run->bench, BENCH_NOTHING_COMPARED, "no request was refused as port %u was down", victim);
}

/* A GPU with places for a store, which grants them for some time, and then not: its port is blocked for less than half of the
 * cycles, and for more than one in five. */
void plane_down_by_and_by(struct plane_run *run)
{
    enum { GRANTS = 90, GRANTS_NONE = 80, STORES = 120, MOST = 40 * DOWN_PORT_TIMEOUT };
    const unsigned victim = plane_scene_port(run), port = plane_scene_other(run, victim);
    plane_down_prepare(run, MOEHUB_RESPONSE_LONGEST, UINT64_C(1) << victim);
    plane_down_unmask(run, victim);
    plane_down_expect(run, victim);
    for (unsigned i = 0; i < STORES; i++)
        plane_scene_store(run, port, UINT64_C(1) << victim);
    const uint64_t start = run->bench->cycle;
    while (pin_get(run->interrupt) == 0 && run->bench->cycle - start < MOST) {
        const bool grants = (run->bench->cycle - start) % (GRANTS + GRANTS_NONE) < GRANTS;
        plane_scene_starve(run, victim, grants ? 0 : SCENE_ALL);
        plane_run_step(run);
    }
    plane_down_await_pin(run, victim, 0);
    const uint64_t cycles = run->bench->cycle - start, blocked = blocked_cycles(run, victim, MOEHUB_CLASS_STORE);
    if (2 * blocked > cycles)
        bench_fail(run->bench, BENCH_NOTHING_COMPARED, "port %u was blocked for %" PRIu64 " of %" PRIu64 " cycles: too many",
                   victim, blocked, cycles);
    empty_beside(run, UINT64_C(1) << victim);
}

/* ---- in the middle of a packet -------------------------------------------------------------------------------- */

/* In which directions a packet crossed the port's link as it was down. */
struct inside {
    bool leaving, coming;
};

/* A request waits for credits while stores flow, in both directions. */
static void down_while_stores_flow(struct plane_run *run, unsigned victim, struct inside *inside)
{
    plane_down_prepare(run, SCENE_PLACES, UINT64_C(1) << victim);
    plane_down_unmask(run, victim);
    plane_scene_starve(run, victim, 1u << MOEHUB_CLASS_REQUEST);
    bench_run(run->bench, CREDITS + random_below(&run->random, MOEHUB_RESPONSE_LONGEST));
    plane_scene_request(run, plane_scene_other(run, victim), UINT64_C(1) << victim, MOEHUB_LINE_UNITS);
    bench_run(run->bench, GRANTED);
    plane_down_expect(run, victim);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_send(run, port, 1u << MOEHUB_CLASS_STORE);
    plane_down_await_pin(run, victim, WITHIN);
    inside->leaving |= run->check.leaving[victim].packet.count > 0;
    inside->coming |= run->gpus[victim].uplink.sending && run->gpus[victim].uplink.sent > 0;
}

/* It is revived while stores are discarded. */
void plane_down_in_a_packet(struct plane_run *run)
{
    enum { TRIES = 50 };
    const unsigned victim = plane_scene_port(run);
    struct inside inside = {.leaving = false};
    for (unsigned tries = 0; !inside.leaving || !inside.coming; tries++) {
        if (tries == TRIES)
            bench_fail(run->bench, BENCH_NOTHING_COMPARED, "no port was down while packets crossed its link in both directions");
        down_while_stores_flow(run, victim, &inside);
    }
    plane_down_await(run, UINT64_C(1) << victim, WITHIN);
    revive(run, victim);
    demand_alive(run);
}

/* ---- two ports ------------------------------------------------------------------------------------------------ */

void plane_two_down(struct plane_run *run)
{
    const unsigned first = plane_scene_port(run), second = plane_scene_other(run, first);
    const uint64_t both = UINT64_C(1) << first | UINT64_C(1) << second;
    plane_down_prepare(run, SCENE_PLACES, both);
    plane_down_expect(run, first);
    plane_down_expect(run, second);
    for (unsigned i = 0; i < 4; i++) {
        plane_scene_store(run, plane_scene_other(run, first), UINT64_C(1) << first);
        plane_scene_store(run, plane_scene_other(run, second), UINT64_C(1) << second);
    }
    plane_down_await(run, both, WITHIN);
    traffic_beside(run, both);
    empty_beside(run, both);
    revive(run, first);
    traffic_beside(run, UINT64_C(1) << second);
    empty_beside(run, UINT64_C(1) << second);
    revive(run, second);
    demand_alive(run);
}

/* ---- a link that falls ------------------------------------------------------------------------------------------ */

static void fall(struct plane_run *run, unsigned port, unsigned longer)
{
    plane_gpu_fall(&run->gpus[port], &run->random);
    link_wires_stay_down(&run->gpus[port].up, longer);
    link_wires_stay_down(&run->gpus[port].down, longer);
    run->falls++;
}

/* A link that is down grants nothing, and so its port goes down with it; it is so when the link is up again. */
void plane_down_and_fall(struct plane_run *run)
{
    enum { FALLS = 2 };
    const unsigned victim = plane_scene_port(run);
    const uint64_t down = UINT64_C(1) << victim;
    plane_down_prepare(run, SCENE_PLACES, 0);
    plane_down_expect(run, victim);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_send(run, port, SCENE_NO_REQUESTS);
    bench_run(run->bench, (uint64_t)random_range(&run->random, 50, 100));
    fall(run, victim, 2 * DOWN_PORT_TIMEOUT);
    plane_down_await(run, down, WITHIN);
    for (unsigned i = 0; i < FALLS; i++) {
        traffic_beside(run, down);
        fall(run, victim, 0);
    }
    traffic_beside(run, down);
    empty_beside(run, 0);
    revive(run, victim);
    demand_alive(run);
}

/* ---- the others' pace -------------------------------------------------------------------------------------------- */

/* Stores of every GPU to all the others: cycles until the last flit has left by a link other than the victim's. */
static uint64_t pace_beside(struct plane_run *run, unsigned victim)
{
    enum { STORES = 40 };
    const uint64_t start = run->bench->cycle;
    uint64_t left = 0, moved = start;
    for (unsigned port = 0; port < run->config.ports; port++)
        for (unsigned i = 0; i < STORES; i++)
            plane_scene_store(run, port, plane_scene_all_but(run, port));
    while (run->bench->cycle - moved < SCENE_STILL) {
        uint64_t flits = 0;
        plane_run_step(run);
        for (unsigned port = 0; port < run->config.ports; port++)
            flits += port != victim ? run->check.model.ports[port].counts.flits_out : 0;
        moved = flits != left ? run->bench->cycle : moved;
        left = flits;
    }
    return moved - start;
}

/* A port that is down takes a flit a cycle, as its link does at best: the others are not slower for it, but for the last
 * packet: turns of inputs and outputs are where the traffic before left them. */
void plane_down_beside_others(struct plane_run *run)
{
    const unsigned victim = plane_scene_port(run);
    const struct random_source random = run->random;
    plane_down_prepare(run, SCENE_PLACES, 0);
    const uint64_t up = pace_beside(run, victim);
    plane_run_settle(run);
    plane_down_prepare(run, SCENE_PLACES, UINT64_C(1) << victim);
    plane_down_expect(run, victim);
    plane_scene_store(run, plane_scene_other(run, victim), UINT64_C(1) << victim);
    plane_down_await(run, UINT64_C(1) << victim, WITHIN);
    run->random = random;
    const uint64_t down = pace_beside(run, victim);
    if (down > up + MOEHUB_STORE_LONGEST)
        bench_fail(run->bench, BENCH_MISMATCH, "port %u: the others' stores take %" PRIu64 " cycles while it is up, %" PRIu64
                   " while it is down", victim, up, down);
    empty_beside(run, UINT64_C(1) << victim);
}
