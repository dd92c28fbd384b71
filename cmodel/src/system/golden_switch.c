/* SPDX-License-Identifier: Apache-2.0 */
/* Combine of a golden run through the switch: a reduction buffer for the port to each GPU. */
#include "system/golden_run.h"

#include "moehub/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------- */

struct moehub_reduction_buffer_config golden_switch_config(unsigned gpus, const struct moehub_golden_options *options)
{
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    config.entries = options->entries;
    config.ports = gpus > 2 ? gpus : 2;
    config.payload_bytes = options->packet_bytes;
    config.payloads = options->payloads;
    return config;
}

int golden_switch_create(struct golden *golden)
{
    const unsigned gpus = golden->layer->gpus;
    struct moehub_reduction_buffer_config config = golden_switch_config(gpus, golden->options);
    golden->buffers = calloc(gpus, sizeof *golden->buffers);
    if (golden->buffers == NULL)
        return MOEHUB_E_MEMORY;
    int error = 0;
    for (unsigned gpu = 0; gpu < gpus && error == 0; gpu++) {
        config.own_port = gpu;
        error = moehub_reduction_buffer_create(&golden->buffers[gpu], &config);
    }
    return error;
}

void golden_switch_destroy(struct golden *golden)
{
    for (unsigned gpu = 0; gpu < golden->layer->gpus && golden->buffers != NULL; gpu++)
        moehub_reduction_buffer_destroy(&golden->buffers[gpu]);
    free(golden->buffers);
    golden->buffers = NULL;
}

/* ---- a request ---------------------------------------------------------------------- */

/* False: the buffer has no free entry, nothing happened. */
static bool reserve(struct golden *golden, struct golden_request *request)
{
    const struct moehub_packet *packet = request->packet;
    if (packet->remote_count == 0)
        return true;
    const struct moehub_reduction_reserve reservation =
        moehub_driver_reserve(golden->layer, packet, packet->row & MOEHUB_TAG_MASK);
    struct moehub_reduction_buffer *buffer = &golden->buffers[packet->gpu];
    if (moehub_reduction_buffer_reserve(buffer, &reservation, &request->grant) != 0)
        return false;
    const uint32_t occupancy = moehub_reduction_buffer_occupancy(buffer);
    if (occupancy > golden->report->occupancy)
        golden->report->occupancy = occupancy;
    if (request->grant.status != MOEHUB_STATUS_OK)
        golden_fail(golden, "row %u, offset %u: reservation refused with status %u", packet->row, packet->offset,
                    request->grant.status);
    return true;
}

/* The partial of the request's `rank`-th remote GPU reaches the switch. */
static void send_partial(struct golden *golden, const struct golden_request *request, unsigned rank)
{
    const struct moehub_packet *packet = request->packet;
    const unsigned gpu = packet->remotes[rank];
    struct moehub_reduction_partial partial = moehub_driver_partial(golden->layer, packet, &request->grant, gpu);
    union golden_payload sum;
    if (golden->options->payloads) {
        golden_partial(golden, request, gpu, &sum);
        if (golden_fault_due(golden, MOEHUB_GOLDEN_FAULT_PARTIAL))
            memmove(sum.bytes, sum.bytes + sizeof(uint32_t), sizeof sum - sizeof(uint32_t));
        partial.data = &sum;
    }
    if (golden_fault_due(golden, MOEHUB_GOLDEN_FAULT_PORT))
        partial.port = (uint8_t)packet->gpu;
    const unsigned cause = moehub_reduction_buffer_partial(&golden->buffers[packet->gpu], &partial);
    golden->report->packets++;
    if (cause != MOEHUB_REDUCTION_NO_CAUSE)
        golden_fail(golden, "row %u, offset %u: the partial of GPU %u was refused, cause %u", packet->row, packet->offset,
                    gpu, cause);
}

/* Takes the request's result off the switch and checks it. */
static void take_result(struct golden *golden, const struct golden_request *request)
{
    const struct moehub_packet *packet = request->packet;
    if (packet->remote_count == 0) {
        if (golden->options->payloads)
            golden_check_owner(golden, request, NULL);
        return;
    }
    struct moehub_reduction_result result;
    golden->report->checks++;
    if (moehub_reduction_buffer_result_taken(&golden->buffers[packet->gpu], request->grant.entry, &result) != 0 ||
        result.status != MOEHUB_STATUS_OK || result.tag != (packet->row & MOEHUB_TAG_MASK) ||
        result.requester != packet->gpu || result.length != packet->length) {
        golden_fail(golden, "row %u, offset %u: no result, or one that is not this request's", packet->row,
                    packet->offset);
        return;
    }
    if (!golden->options->payloads)
        return;
    union golden_payload words;
    memcpy(&words, result.data, packet->length);
    golden_check_result(golden, request, &words);
    golden_check_owner(golden, request, &words);
}

/* ---- a batch -------------------------------------------------------------------------- */

/* Requests on their way: partials arrive from all remote GPUs in turn, so that entries fill side by side. */
static void finish_requests(struct golden *golden, const struct golden_request *requests, size_t count)
{
    for (unsigned rank = 0; rank < golden->layer->topk; rank++)
        for (size_t i = 0; i < count; i++)
            if (rank < requests[i].packet->remote_count && requests[i].grant.status == MOEHUB_STATUS_OK)
                send_partial(golden, &requests[i], rank);
    for (size_t i = 0; i < count; i++)
        take_result(golden, &requests[i]);
}

/* As many requests at once as the buffers have entries. */
void golden_switch_combine(struct golden *golden, size_t count)
{
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        struct golden_request *request = &golden->requests[i];
        if (reserve(golden, request))
            continue;
        finish_requests(golden, golden->requests + first, i - first);
        first = i;
        if (!reserve(golden, request)) {
            golden_fail(golden, "row %u, offset %u: no entry is free and no result is due", request->packet->row,
                        request->packet->offset);
            first = i + 1;
        }
    }
    finish_requests(golden, golden->requests + first, count - first);
}
