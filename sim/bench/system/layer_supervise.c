/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_supervise.h"

enum { QUIET_CYCLES = 500 };

typedef bool hub_property(const struct system_hub *hub);

static bool all(const struct layer_system *system, hub_property *holds)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        if (!holds(&system->hubs[gpu]))
            return false;
    return true;
}

static bool has_started(const struct system_hub *hub)
{
    return hub->started;
}

static bool is_served(const struct system_hub *hub)
{
    return gpu_rounds_served(&hub->rounds);
}

static bool was_read(const struct system_hub *hub)
{
    return hub->served_read || gpu_idle(hub->rounds.gpus);
}

static bool has_finished(const struct system_hub *hub)
{
    return gpu_rounds_finished(&hub->rounds);
}

static bool has_stopped(const struct system_hub *hub)
{
    return hub->stopped;
}

static bool has_ended(const struct system_hub *hub)
{
    return hub->software.ended;
}

/* Sums may be asked for: what the links have carried so far is the dispatch, unless both go at once. */
static void begin_combine(struct layer_system *system)
{
    system->phases.asked = system->bench.cycle;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        for (unsigned link = 0; link < system->shape.links; link++) {
            system->phases.up[link][gpu] = system->planes[link].up[gpu].sent.flits;
            system->phases.down[link][gpu] = system->planes[link].down[gpu].sent.flits;
        }
        gpu_rounds_may_ask(&system->hubs[gpu].rounds, system->phases.sums);
    }
}

/* All, but who withholds something for ever and has what it needs. */
static bool all_others(const struct layer_system *system, hub_property *holds)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        if (!holds(&system->hubs[gpu]) && !(gpu == system->manners.gpu && system->hubs[gpu].withholds))
            return false;
    return true;
}

static bool planes_have_started(const struct layer_system *system)
{
    for (unsigned link = 0; link < system->shape.links; link++)
        if (!system->planes[link].started)
            return false;
    return true;
}

static void begin(struct layer_system *system)
{
    system->phases.begun = system->bench.cycle;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        struct system_hub *hub = &system->hubs[gpu];
        hub->may_start = true;
        const struct gpu_manners *manners = &hub->options.gpu.manners;
        hub->withholds = gpu_withholds(hub->rounds.gpus, manners->withheld) && !gpu_manners_fall(manners);
    }
}

/* A link that falls before the first packet has no flit to lose. */
static void cut_link(struct layer_system *system, unsigned gpu, unsigned plane)
{
    struct system_link *up = &system->planes[plane].up[gpu], *down = &system->planes[plane].down[gpu];
    system_link_cut(up, system->bench.cycle, system->hubs[gpu].withholds);
    system_link_cut(down, system->bench.cycle, system->hubs[gpu].withholds);
    if (!gpu_manners_fall(&system->manners) && up->lost + down->lost != 0)
        bench_fail(&system->bench, BENCH_MISMATCH, "GPU %u, plane %u: a flit was sent while the link was down", gpu, plane);
}

/* Between two turns: in the same cycle at both ends. */
static void cut_links(struct layer_system *system)
{
    if (system->manners.withheld != GPU_WITHHELD_LINKS)
        return;
    for (unsigned plane = 0; plane < system->shape.links; plane++)
        if (system->manners.plane < 0 || (unsigned)system->manners.plane == plane)
            cut_link(system, system->manners.gpu, plane);
}

/* Links that fall are down for a while. Sums that are not taken hold up nobody else, and come when they are: so they must, and
 * the others have to wait with their ends. All else that is withheld for ever is given when the others have ended: their rounds
 * must not need it. */
static void give(struct layer_system *system)
{
    const struct gpu_manners *manners = &system->manners;
    struct system_hub *hub = &system->hubs[manners->gpu];
    if (gpu_manners_fall(&hub->options.gpu.manners)) {
        const uint64_t since = system->phases.begun == 0 ? 0 : system->bench.cycle - system->phases.begun;
        hub->withholds = since >= manners->after && since < manners->after + manners->cycles;
        return;
    }
    if (!hub->withholds)
        return;
    if (!gpu_manners_for_ever(manners))
        hub->withholds = system->bench.cycle - system->phases.begun < manners->cycles;
    else if (manners->withheld == GPU_WITHHELD_SUMS)
        hub->withholds = !all_others(system, has_finished);
    else
        hub->withholds = !all_others(system, has_stopped);
}

/* Nothing has been sent for long enough that nothing is on its way, nor inside a switch or hub. */
static bool is_quiet(const struct layer_system *system)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links; i++) {
        const struct system_plane *plane = &system->planes[i % system->shape.links];
        const uint64_t up = plane->up[i / system->shape.links].came.last, down = plane->down[i / system->shape.links].came.last;
        last = up > last ? up : last;
        last = down > last ? down : last;
    }
    return system->bench.cycle - last > 2 * (uint64_t)system->arguments->latency + QUIET_CYCLES;
}

/* From the first row on until all have finished. What they count must be there when the contexts stop. */
static void allow_bad_packets(struct layer_system *system)
{
    const bool active = system->phases.begun != 0 && system->phases.ended == 0;
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links && system->arguments->bad_packets != 0; i++) {
        const unsigned gpu = i / system->shape.links;
        struct system_plane *plane = &system->planes[i % system->shape.links];
        plane->up[gpu].injector->active = plane->down[gpu].injector->active = active;
        plane->down[gpu].injector->arrived = system->hubs[gpu].rounds.gpus->arrived;
    }
}

static void end_all(struct layer_system *system)
{
    system->phases.over = true;
    for (unsigned link = 0; link < system->shape.links; link++)
        system->planes[link].round_over = true;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system->hubs[gpu].may_count = true;
}

void layer_supervise(struct layer_system *system)
{
    const uint64_t now = system->bench.cycle;
    if (system->phases.begun == 0 && all(system, has_started) && planes_have_started(system))
        begin(system);
    give(system);
    cut_links(system);
    if (system->phases.begun != 0 && system->phases.served == 0 && (system->phases.fused || all(system, is_served)))
        system->phases.served = now;
    if (system->phases.served != 0 && system->phases.asked == 0 && (system->phases.fused || all(system, was_read)))
        begin_combine(system);
    if (system->phases.begun != 0 && system->phases.ended == 0 && all(system, has_finished))
        system->phases.ended = now;
    allow_bad_packets(system);
    const bool may_stop = system->phases.ended != 0 && (system->arguments->bad_packets == 0 || is_quiet(system));
    for (unsigned gpu = 0; gpu < system->shape.gpus && may_stop; gpu++)
        system->hubs[gpu].may_stop = !system->hubs[gpu].withholds || !gpu_manners_for_ever(&system->manners);
    if (all(system, has_stopped) && !system->phases.over && is_quiet(system))
        end_all(system);
}

bool layer_supervise_over(const struct layer_system *system)
{
    bool over = system->phases.over && all(system, has_ended);
    for (unsigned link = 0; link < system->shape.links; link++)
        over = over && !system->planes[link].round_over;
    return over;
}
