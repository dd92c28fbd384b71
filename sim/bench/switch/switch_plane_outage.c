/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_outage.h"

#include "bench/switch/switch_plane_commands.h"
#include "bench/switch/switch_plane_down.h"
#include "bench/switch/switch_plane_scene.h"
#include "moehub/registers.h"

enum {
    TIMEOUT_LEAST = 100, TIMEOUT_MOST = 400, /* of a port: longer than a GPU that grants keeps a packet waiting */
    WITHIN = 50000,                          /* what has to come comes by then */
    LASTS_LEAST = 300, LASTS_MOST = 1500,    /* cycles that a port is down while requests come */
    CREDITS = 50,                            /* in which a GPU grants all that it has, or a request gets from it to its egress */
    GROUPS_END = 2500,                       /* in which a group has its answers, or its time is up */
    SILENT = 256,                            /* of 256: no answer ever comes */
    MISSED = 2,                              /* timeouts in a row: what comes late is not taken for silence */
};

/* The same for all: what waits for the port that goes down may keep a GPU from answering, and so from granting, but later. */
void plane_outage_prepare(struct plane_run *run)
{
    const uint32_t timeout = (uint32_t)random_range(&run->random, TIMEOUT_LEAST, TIMEOUT_MOST);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_command_good(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, timeout);
}

/* ---- requests ------------------------------------------------------------------------------------------------ */

/* What the GPUs send while no request is under way. */
struct pause {
    unsigned classes[MOEHUB_CROSSBAR_PORTS_MAX]; /* before */
};

static bool requests_come(const struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++) {
        const struct plane_uplink *uplink = &run->gpus[port].uplink;
        if (uplink->queues[MOEHUB_CLASS_REQUEST].count > 0 ||
            (uplink->sending && uplink->packet.packet_class == MOEHUB_CLASS_REQUEST))
            return true;
    }
    return false;
}

static void step_until(struct plane_run *run, uint64_t limit, const char *what)
{
    if (run->bench->cycle > limit)
        bench_fail(run->bench, BENCH_TIMEOUT, "%s for %u cycles", what, WITHIN);
    plane_run_step(run);
}

/* No GPU sends a request, and each that names the port has its group or its answer. */
static struct pause pause_requests(struct plane_run *run, unsigned victim)
{
    const uint64_t limit = run->bench->cycle + WITHIN;
    struct pause pause = {{0}};
    for (unsigned port = 0; port < run->config.ports; port++) {
        pause.classes[port] = run->gpus[port].traffic.classes;
        run->gpus[port].traffic.classes &= SCENE_NO_REQUESTS;
    }
    while (requests_come(run))
        step_until(run, limit, "a request does not find its way into the switch");
    bench_run(run->bench, CREDITS);
    while (moehub_switch_plane_undecided(&run->check.model, victim) > 0)
        step_until(run, limit, "a request has neither a group nor an answer");
    return pause;
}

static void resume_requests(struct plane_run *run, const struct pause *pause)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        run->gpus[port].traffic.classes = pause->classes[port];
}

/* ---- how a port goes down -------------------------------------------------------------------------------------- */

/* Its GPU returns no credits of some classes. */
static void lose_credits(struct plane_run *run, unsigned victim)
{
    const struct pause pause = pause_requests(run, victim);
    const unsigned either = random_chance(&run->random, 1, 2) ? 1u << MOEHUB_CLASS_STORE : 1u << MOEHUB_CLASS_RESPONSE;
    for (unsigned port = 0; port < run->config.ports; port++)
        run->gpus[port].traffic.classes = SCENE_NO_REQUESTS;
    plane_down_expect(run, victim);
    plane_scene_starve(run, victim, either | (unsigned)random_bits(&run->random, MOEHUB_CLASSES));
    plane_down_await(run, UINT64_C(1) << victim, WITHIN);
    resume_requests(run, &pause);
}

static uint32_t timeouts(struct plane_run *run, unsigned port)
{
    return plane_read(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_CSR_TIMEOUTS);
}

/* Its GPU answers no request, and sends no partial of its own. With nothing left to time out the limit comes down on it: one more
 * than it has missed leaves it up. */
static void miss_answers(struct plane_run *run, unsigned victim)
{
    struct plane_gpu *gpu = &run->gpus[victim];
    const uint64_t limit = run->bench->cycle + WITHIN;
    gpu->responder.manners.silent = SILENT;
    for (unsigned port = 0; port < run->config.ports; port++)
        run->gpus[port].traffic.classes = port == victim ? 1u << MOEHUB_CLASS_STORE | 1u << MOEHUB_CLASS_REQUEST : SCENE_ALL;
    while (timeouts(run, victim) < MISSED)
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_MISMATCH, "port %u is silent, and was not missing in %u timeouts within %u cycles",
                       victim, MISSED, WITHIN);
    const struct pause pause = pause_requests(run, victim);
    bench_run(run->bench, GROUPS_END);
    const uint32_t missed = timeouts(run, victim);
    plane_set_timeout_limit(run, missed + 1);
    plane_down_await(run, 0, 0);
    plane_down_expect(run, victim);
    plane_set_timeout_limit(run, missed);
    plane_down_await(run, UINT64_C(1) << victim, WITHIN);
    plane_set_timeout_limit(run, 0);
    gpu->responder.manners.silent = 0;
    resume_requests(run, &pause);
}

/* ---- the outage --------------------------------------------------------------------------------------------------- */

void plane_outage(struct plane_run *run, uint64_t events)
{
    const unsigned victim = plane_scene_port(run);
    if (run->outages++ % 2 == 0)
        lose_credits(run, victim);
    else
        miss_answers(run, victim);
    bench_run(run->bench, (uint64_t)random_range(&run->random, LASTS_LEAST, LASTS_MOST));
    if (run->bench->compared >= events && run->outages % 3 == 0)
        return;
    const struct pause pause = pause_requests(run, victim);
    plane_scene_starve(run, victim, 0);
    bench_run(run->bench, CREDITS);
    plane_revive(run, victim);
    resume_requests(run, &pause);
    run->revivals++;
}
