/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_gpu.h"

#include "bench/switch/switch_plane_config.h"

enum { RESPONSES_MOST = 64 }; /* packets that may wait for the uplink before the GPU answers no request */

void plane_gpu_create(struct plane_gpu *gpu, const struct bench *bench, const struct moehub_switch_plane_config *config,
                      unsigned port)
{
    const struct moehub_check_config check = switch_plane_check_config(config, port);
    *gpu = (struct plane_gpu){.sends = false};
    plane_uplink_create(&gpu->uplink, bench, &check, config->places, port);
    plane_downlink_create(&gpu->downlink, bench, port);
    plane_responder_create(&gpu->responder, bench, port);
    plane_traffic_create(&gpu->traffic, bench, config, port);
}

void plane_gpu_destroy(struct plane_gpu *gpu)
{
    plane_uplink_destroy(&gpu->uplink);
    plane_downlink_destroy(&gpu->downlink);
}

void plane_gpu_reset(struct plane_gpu *gpu, unsigned latency, unsigned cycles)
{
    plane_uplink_reset(&gpu->uplink);
    plane_downlink_reset(&gpu->downlink);
    link_wires_restart(&gpu->up, latency, cycles);
    link_wires_restart(&gpu->down, latency, cycles);
}

void plane_gpu_fall(struct plane_gpu *gpu, struct random_source *random)
{
    link_wires_fall(&gpu->up, random);
    gpu->down.sender = gpu->up.receiver;
    gpu->down.receiver = gpu->up.sender;
    gpu->down.falls++;
}

/* ---- inside the GPU ------------------------------------------------------------------------------------ */

/* Requests wait for room among the answers, responses and stores for nothing. */
static void consume(struct plane_gpu *gpu, uint64_t cycle)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        struct plane_queue *responses = &gpu->uplink.queues[MOEHUB_CLASS_RESPONSE];
        const struct made_packet *packet = plane_downlink_offer(&gpu->downlink, i);
        if (packet == NULL || (i == MOEHUB_CLASS_REQUEST && responses->count >= RESPONSES_MOST))
            continue;
        if (i == MOEHUB_CLASS_REQUEST)
            plane_responder_answer(&gpu->responder, packet, responses);
        plane_downlink_consume(&gpu->downlink, i, cycle);
    }
}

/* ---- its link -------------------------------------------------------------------------------------------- */

static void take(struct plane_gpu *gpu, const struct moehub_link_flit *flit, const struct moehub_link_grant *grant)
{
    const bool up = gpu->up.sender.up;
    if (!up)
        plane_uplink_down(&gpu->uplink);
    plane_downlink_link(&gpu->downlink, up);
    if (!up)
        return;
    plane_uplink_grant(&gpu->uplink, grant);
    if (flit->valid)
        plane_downlink_take(&gpu->downlink, flit);
}

void plane_gpu_step(struct plane_gpu *gpu, struct plane_gpu_cycle *now, uint64_t cycle)
{
    struct moehub_link_flit arrives = now->out;
    struct moehub_link_grant granted = now->in_grant;
    if (gpu->sends)
        plane_traffic_draw(&gpu->traffic, gpu->uplink.queues);
    consume(gpu, cycle);
    now->in = plane_uplink_send(&gpu->uplink, cycle);
    now->out_grant = plane_downlink_grant(&gpu->downlink);
    link_wires_step(&gpu->up, &now->in, &granted);
    link_wires_step(&gpu->down, &arrives, &now->out_grant);
    now->link_up = gpu->up.receiver.up;
    take(gpu, &arrives, &granted);
}

bool plane_gpu_idle(const struct plane_gpu *gpu, uint64_t cycle)
{
    const uint64_t moved = gpu->uplink.moved > gpu->downlink.moved ? gpu->uplink.moved : gpu->downlink.moved;
    return plane_uplink_idle(&gpu->uplink) && plane_downlink_idle(&gpu->downlink) && cycle - moved > 2 * gpu->up.latency;
}
