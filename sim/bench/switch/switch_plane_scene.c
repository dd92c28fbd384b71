/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_scene.h"

enum { GRANTS = 150 }; /* cycles in which all places are granted */

/* ---- the GPUs -------------------------------------------------------------------------------------------- */

void plane_scene_starve(struct plane_run *run, unsigned port, unsigned classes)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        run->gpus[port].downlink.starves[i] = (classes >> i & 1) != 0;
}

void plane_scene_reset(struct plane_run *run, uint32_t places, uint64_t starving)
{
    struct plane_links links[MOEHUB_CROSSBAR_PORTS_MAX];
    plane_run_calm(run);
    for (unsigned port = 0; port < run->config.ports; port++) {
        links[port] = (struct plane_links){.latency = 0, .places = {places, places, places}};
        plane_scene_starve(run, port, (starving >> port & 1) != 0 ? SCENE_ALL : 0);
    }
    plane_run_reset(run, 2, links);
    bench_run(run->bench, GRANTS);
}

void plane_scene_send(struct plane_run *run, unsigned port, unsigned classes)
{
    run->gpus[port].sends = classes != 0;
    run->gpus[port].traffic.classes = classes;
    run->gpus[port].traffic.malformed = 0;
}

void plane_scene_traffic(struct plane_run *run, unsigned classes, unsigned cycles)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_send(run, port, classes);
    bench_run(run->bench, cycles);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_send(run, port, 0);
}

void plane_scene_run_until_still(struct plane_run *run)
{
    do
        plane_run_step(run);
    while (run->bench->cycle - run->check.waiting_since < SCENE_STILL);
}

/* ---- packets ---------------------------------------------------------------------------------------------- */

void plane_scene_add(struct plane_run *run, unsigned port, unsigned packet_class)
{
    struct plane_gpu *gpu = &run->gpus[port];
    const unsigned before = gpu->uplink.queues[packet_class].count;
    gpu->traffic.malformed = 0;
    gpu->traffic.classes = 1u << packet_class;
    while (gpu->uplink.queues[packet_class].count == before)
        plane_traffic_draw(&gpu->traffic, gpu->uplink.queues);
}

void plane_scene_packet(struct plane_run *run, unsigned port, unsigned packet_class, const struct moehub_header *header,
                        const struct crossbar_targets *targets)
{
    struct crossbar_packet built;
    crossbar_build_packet(header, targets, &run->random, &built);
    plane_queue_add_built(&run->gpus[port].uplink.queues[packet_class], packet_class, &built);
}

/* An id of each port of the set, as many as fit. */
static struct crossbar_targets draw_targets(struct plane_run *run, uint64_t to)
{
    const unsigned bits = run->config.local_expert_bits;
    struct crossbar_targets targets = {.count = 0};
    for (unsigned i = 0; i < run->config.ports && targets.count < run->config.max_targets; i++)
        if ((to >> i & 1) != 0)
            targets.ids[targets.count++] = (uint16_t)(i << bits | (unsigned)random_bits(&run->random, bits));
    return targets;
}

void plane_scene_store(struct plane_run *run, unsigned port, uint64_t to)
{
    const struct crossbar_targets targets = draw_targets(run, to);
    const uint32_t row = (uint32_t)random_next(&run->random);
    const struct moehub_header header =
        crossbar_line_header(port, row, (unsigned)random_below(&run->random, MOEHUB_ROW_LINES), targets.count);
    plane_scene_packet(run, port, MOEHUB_CLASS_STORE, &header, &targets);
}

void plane_scene_request(struct plane_run *run, unsigned port, uint64_t to, unsigned units)
{
    struct plane_traffic *traffic = &run->gpus[port].traffic;
    const struct crossbar_targets targets = draw_targets(run, to);
    const uint32_t row = (uint32_t)random_next(&run->random);
    struct moehub_header header = crossbar_sum_header(port, row, 0, units, traffic->next_tag, targets.count);
    header.context = (uint8_t)random_bits(&run->random, 3);
    header.round = (uint8_t)random_bits(&run->random, 4);
    traffic->next_tag = (traffic->next_tag + MOEHUB_REQUEST_LINES_MAX) & MOEHUB_TAG_MASK;
    plane_scene_packet(run, port, MOEHUB_CLASS_REQUEST, &header, &targets);
}

const struct moehub_switch_plane_request *plane_scene_open_request(const struct plane_run *run, unsigned port)
{
    for (unsigned i = 0; i < run->config.groups; i++)
        if (run->check.model.ports[port].groups[i].user != NULL)
            return run->check.model.ports[port].groups[i].user;
    return NULL;
}

/* ---- ports -------------------------------------------------------------------------------------------------- */

unsigned plane_scene_port(struct plane_run *run)
{
    return (unsigned)random_below(&run->random, run->config.ports);
}

unsigned plane_scene_other(struct plane_run *run, unsigned port)
{
    const unsigned other = (unsigned)random_below(&run->random, run->config.ports - 1);
    return other + (other >= port);
}

uint64_t plane_scene_all_but(const struct plane_run *run, unsigned port)
{
    return ((UINT64_C(2) << (run->config.ports - 1)) - 1) & ~(UINT64_C(1) << port);
}
