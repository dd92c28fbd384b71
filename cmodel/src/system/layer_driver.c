/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/layer_driver.h"

#include "moehub/element.h"
#include "moehub/error.h"
#include "moehub/ingress.h"
#include "moehub/payload.h"

/* ---- one packet ------------------------------------------------------------------ */

struct moehub_hub_request moehub_driver_request(const struct moehub_packet *packet, const struct moehub_target *target,
                                                unsigned stage, unsigned context, unsigned ports, uint64_t tag)
{
    const bool dispatch = stage == MOEHUB_STAGE_DISPATCH;
    return (struct moehub_hub_request){
        .tag = tag,
        .row_index = packet->row,
        .expert = target->local,
        .offset = (uint16_t)packet->offset,
        .length = packet->length,
        .source = packet->gpu,
        .operation = dispatch ? MOEHUB_REQUEST_WRITE_TOUCH : MOEHUB_REQUEST_READ_LOOKUP,
        .context = (uint8_t)context,
        .port = (uint8_t)moehub_ingress_port(context, packet->row, ports),
        .first = dispatch && packet->first,
    };
}

struct moehub_reduction_reserve moehub_driver_reserve(const struct moehub_layer *layer, const struct moehub_packet *packet,
                                                      uint64_t tag)
{
    uint64_t contributors = 0;
    for (unsigned i = 0; i < packet->remote_count; i++)
        contributors |= UINT64_C(1) << packet->remotes[i];
    return (struct moehub_reduction_reserve){
        .tag = tag,
        .contributors = contributors,
        .requester = packet->gpu,
        .length = packet->length,
        .element = (uint8_t)layer->combine_element,
    };
}

struct moehub_reduction_partial moehub_driver_partial(const struct moehub_layer *layer, const struct moehub_packet *packet,
                                                      const struct moehub_reduction_grant *grant, unsigned gpu)
{
    return (struct moehub_reduction_partial){
        .flits = moehub_payload_flits(packet->length),
        .entry = grant->entry,
        .length = packet->length,
        .generation = grant->generation,
        .port = (uint8_t)gpu,
        .status = MOEHUB_STATUS_OK,
        .element = (uint8_t)layer->combine_element,
    };
}

/* ---- its elements ---------------------------------------------------------------- */

static void fill(unsigned element, uint32_t key, uint32_t offset, unsigned length, void *out)
{
    const unsigned size = moehub_element_size(element);
    moehub_payload_fill(element, key, offset / size, length / size, out);
}

void moehub_driver_dispatched(const struct moehub_layer *layer, uint32_t row, uint32_t offset, unsigned length, void *out)
{
    fill(layer->dispatch_element, moehub_payload_key(row, MOEHUB_PAYLOAD_DISPATCH), offset, length, out);
}

void moehub_driver_returned(const struct moehub_layer *layer, uint32_t row, unsigned expert, uint32_t offset,
                            unsigned length, void *out)
{
    fill(layer->combine_element, moehub_payload_key(row, expert), offset, length, out);
}

void moehub_driver_pre_reduced(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic,
                               const struct moehub_packet *packet, unsigned gpu, void *out)
{
    uint32_t pieces[MOEHUB_LAYER_TOPK_MAX][MOEHUB_LENGTH_MAX / sizeof(uint32_t)];
    const void *inputs[MOEHUB_LAYER_TOPK_MAX];
    unsigned count = 0;
    const struct moehub_target *targets = moehub_targets_on(packet->targets, layer->topk, gpu, &count);
    for (unsigned i = 0; i < count; i++) {
        moehub_driver_returned(layer, packet->row, targets[i].expert, packet->offset, packet->length, pieces[i]);
        inputs[i] = pieces[i];
    }
    moehub_pre_reduce(arithmetic, layer->combine_element, inputs, count,
                      packet->length / moehub_element_size(layer->combine_element), out);
}

/* ---- all requests of one hub in one stage ------------------------------------------- */

int moehub_hub_requests_create(struct moehub_hub_requests *requests, const struct moehub_layer *layer, unsigned stage,
                               unsigned gpu, unsigned inflight, unsigned payload, unsigned context, unsigned ports)
{
    *requests = (struct moehub_hub_requests){
        .layer = layer, .stage = stage, .gpu = gpu, .context = context, .ports = ports,
        .packets = moehub_packets_create(layer, stage, inflight, payload),
    };
    return requests->packets != NULL ? 0 : MOEHUB_E_ARGUMENT;
}

void moehub_hub_requests_destroy(struct moehub_hub_requests *requests)
{
    moehub_packets_destroy(requests->packets);
    requests->packets = NULL;
}

bool moehub_hub_requests_next(struct moehub_hub_requests *requests, struct moehub_hub_request *request)
{
    while (requests->target_count == 0) {
        if (moehub_packets_next(requests->packets, &requests->packet, 1) == 0)
            return false;
        requests->targets = moehub_targets_on(requests->packet.targets, requests->layer->topk, requests->gpu,
                                              &requests->target_count);
    }
    *request = moehub_driver_request(&requests->packet, requests->targets, requests->stage, requests->context,
                                     requests->ports, requests->count++);
    requests->targets++;
    requests->target_count--;
    return true;
}

/* ---- all requests of one owner in combine -------------------------------------------- */

int moehub_owner_requests_create(struct moehub_owner_requests *requests, const struct moehub_layer *layer, unsigned owner,
                                 unsigned inflight, unsigned payload)
{
    *requests = (struct moehub_owner_requests){
        .layer = layer, .owner = owner,
        .packets = moehub_packets_create(layer, MOEHUB_STAGE_COMBINE, inflight, payload),
    };
    return requests->packets != NULL ? 0 : MOEHUB_E_ARGUMENT;
}

void moehub_owner_requests_destroy(struct moehub_owner_requests *requests)
{
    moehub_packets_destroy(requests->packets);
    requests->packets = NULL;
}

bool moehub_owner_requests_next(struct moehub_owner_requests *requests, struct moehub_packet *packet,
                                struct moehub_reduction_reserve *reserve)
{
    do
        if (moehub_packets_next(requests->packets, packet, 1) == 0)
            return false;
    while (packet->gpu != requests->owner || packet->remote_count == 0);
    *reserve = moehub_driver_reserve(requests->layer, packet, requests->count++ & MOEHUB_TAG_MASK);
    return true;
}
