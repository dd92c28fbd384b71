/* SPDX-License-Identifier: Apache-2.0 */
/* The layer driver against the layer itself: who is asked what, in which order, and what the packets carry. */
#include "common/support.h"

#include "moehub/element.h"
#include "moehub/finalize.h"
#include "moehub/ingress.h"
#include "moehub/layer_driver.h"
#include "moehub/payload.h"

enum { PAYLOAD = 128, INFLIGHT = 3, PORTS = 5, CONTEXT = 2 };

static void layer_create(struct moehub_layer *layer, unsigned gpus, unsigned element)
{
    const struct moehub_layer_options options = {.gpus = gpus, .tokens = 11, .experts = 24, .topk = 6, .hidden = 200,
                                                 .element = element, .seed = 8};
    assert_int_equal(moehub_layer_create(layer, &options, NULL), 0);
}

/* The request that one target of a packet makes, from the packet's fields. */
static void check_request(const struct moehub_hub_request *request, const struct moehub_packet *packet,
                          const struct moehub_target *target, unsigned stage)
{
    assert_int_equal(request->row_index, packet->row);
    assert_int_equal(request->expert, target->local);
    assert_int_equal(request->offset, packet->offset);
    assert_int_equal(request->length, packet->length);
    assert_int_equal(request->source, packet->gpu);
    assert_int_equal(request->context, CONTEXT);
    assert_int_equal(request->port, moehub_ingress_port(CONTEXT, packet->row, PORTS));
    assert_int_equal(request->operation,
                     stage == MOEHUB_STAGE_DISPATCH ? MOEHUB_REQUEST_WRITE_TOUCH : MOEHUB_REQUEST_READ_LOOKUP);
    assert_int_equal(request->first, stage == MOEHUB_STAGE_DISPATCH && packet->offset == 0);
}

/* Walks the stage's packets once and takes each target's request from its hub: none is left, none is missing. */
static void check_stage(const struct moehub_layer *layer, unsigned stage)
{
    struct moehub_hub_requests hubs[8];
    uint64_t asked[8] = {0};
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        assert_int_equal(moehub_hub_requests_create(&hubs[gpu], layer, stage, gpu, INFLIGHT, PAYLOAD, CONTEXT, PORTS), 0);
    struct moehub_packets *packets = moehub_packets_create(layer, stage, INFLIGHT, PAYLOAD);
    assert_non_null(packets);
    struct moehub_packet packet;
    struct moehub_hub_request request;
    while (moehub_packets_next(packets, &packet, 1) == 1)
        for (unsigned i = 0; i < layer->topk; i++) {
            const unsigned gpu = packet.targets[i].gpu;
            assert_true(moehub_hub_requests_next(&hubs[gpu], &request));
            assert_int_equal(request.tag, asked[gpu]++);
            check_request(&request, &packet, &packet.targets[i], stage);
        }
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        assert_false(moehub_hub_requests_next(&hubs[gpu], &request));
        assert_int_equal(hubs[gpu].count, asked[gpu]);
        moehub_hub_requests_destroy(&hubs[gpu]);
    }
    moehub_packets_destroy(packets);
}

static void every_target_is_asked_for_once_in_the_global_order(void **state)
{
    (void)state;
    for (unsigned gpus = 1; gpus <= 8; gpus++) {
        struct moehub_layer layer;
        layer_create(&layer, gpus, gpus % 2 == 0 ? MOEHUB_ELEMENT_BYTES : MOEHUB_ELEMENT_FP32);
        check_stage(&layer, MOEHUB_STAGE_DISPATCH);
        check_stage(&layer, MOEHUB_STAGE_COMBINE);
        moehub_layer_destroy(&layer);
    }
}

static void check_reserve(const struct moehub_layer *layer, const struct moehub_packet *packet,
                          const struct moehub_reduction_reserve *reserve)
{
    uint64_t contributors = 0;
    for (unsigned i = 0; i < layer->topk; i++)
        contributors |= UINT64_C(1) << packet->targets[i].gpu;
    contributors &= ~(UINT64_C(1) << packet->gpu);
    assert_true(contributors != 0);
    assert_true(reserve->contributors == contributors);
    assert_int_equal(reserve->requester, packet->gpu);
    assert_int_equal(reserve->length, packet->length);
    assert_int_equal(reserve->element, layer->combine_element);
    assert_false(reserve->out_fp32);
}

/* Owners without remote targets ask nobody: one GPU of one is never asked for anything. */
static void owners_ask_for_every_row_that_has_remote_targets(void **state)
{
    (void)state;
    for (unsigned gpus = 1; gpus <= 8; gpus++) {
        struct moehub_layer layer;
        layer_create(&layer, gpus, MOEHUB_ELEMENT_BF16);
        for (unsigned owner = 0; owner < gpus; owner++) {
            uint64_t wanted = 0;
            for (uint32_t token = 0; token < layer.gpu_tokens[owner]; token++)
                if (layer.remote_counts[moehub_layer_row(&layer, owner, token)] > 0)
                    wanted += (layer.combine_row_bytes + PAYLOAD - 1) / PAYLOAD;
            struct moehub_owner_requests requests;
            assert_int_equal(moehub_owner_requests_create(&requests, &layer, owner, INFLIGHT, PAYLOAD), 0);
            struct moehub_packet packet;
            struct moehub_reduction_reserve reserve;
            uint64_t count = 0;
            for (; moehub_owner_requests_next(&requests, &packet, &reserve); count++) {
                assert_int_equal(packet.gpu, owner);
                assert_int_equal(reserve.tag, count);
                check_reserve(&layer, &packet, &reserve);
            }
            assert_int_equal(count, wanted);
            assert_int_equal(requests.count, wanted);
            moehub_owner_requests_destroy(&requests);
        }
        moehub_layer_destroy(&layer);
    }
}

static uint32_t element_at(const uint8_t *bytes, unsigned size, unsigned index)
{
    uint32_t word = 0;
    memcpy(&word, bytes + (size_t)index * size, size);
    return word;
}

/* A partial's elements, one by one: the sum over the targets on the GPU of what payload.h says that they return. */
static void check_partial(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic,
                          const struct moehub_packet *packet, unsigned gpu)
{
    const unsigned type = layer->combine_element;
    const unsigned size = moehub_element_size(type);
    uint8_t partial[MOEHUB_LENGTH_MAX];
    moehub_driver_pre_reduced(layer, arithmetic, packet, gpu, partial);
    for (unsigned i = 0; i < packet->length / size; i++) {
        struct moehub_accumulator sum;
        moehub_accumulate_empty(&sum, type);
        for (const struct moehub_target *target = packet->targets; target < packet->targets + layer->topk; target++) {
            const uint32_t key = moehub_payload_key(packet->row, target->expert);
            if (target->gpu == gpu)
                moehub_accumulate_add(arithmetic, &sum, type, moehub_payload_element(type, key, packet->offset / size + i));
        }
        assert_int_equal(element_at(partial, size, i), moehub_finalize(arithmetic, &sum, type, false));
    }
}

static void partials_carry_what_the_targets_return(void **state)
{
    (void)state;
    static const unsigned types[] = {MOEHUB_ELEMENT_BF16, MOEHUB_ELEMENT_FP16, MOEHUB_ELEMENT_FP32, MOEHUB_ELEMENT_BYTES};
    struct moehub_arithmetic arithmetic;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, 64), 0);
    for (unsigned i = 0; i < 4; i++) {
        struct moehub_layer layer;
        layer_create(&layer, 3, types[i]);
        struct moehub_packets *packets = moehub_packets_create(&layer, MOEHUB_STAGE_COMBINE, INFLIGHT, PAYLOAD);
        struct moehub_packet packet;
        while (moehub_packets_next(packets, &packet, 1) == 1)
            for (unsigned remote = 0; remote < packet.remote_count; remote++) {
                const unsigned gpu = packet.remotes[remote];
                const struct moehub_reduction_grant grant = {.entry = 77, .generation = 5};
                const struct moehub_reduction_partial partial = moehub_driver_partial(&layer, &packet, &grant, gpu);
                assert_int_equal(partial.entry, 77);
                assert_int_equal(partial.generation, 5);
                assert_int_equal(partial.port, gpu);
                assert_int_equal(partial.length, packet.length);
                assert_int_equal(partial.flits, (packet.length + 15) / 16);
                assert_int_equal(partial.status, MOEHUB_STATUS_OK);
                assert_int_equal(partial.element, layer.combine_element);
                assert_null(partial.data);
                check_partial(&layer, &arithmetic, &packet, gpu);
            }
        moehub_packets_destroy(packets);
        moehub_layer_destroy(&layer);
    }
}

static void dispatched_rows_are_the_same_for_every_expert(void **state)
{
    (void)state;
    struct moehub_layer layer;
    layer_create(&layer, 2, MOEHUB_ELEMENT_BYTES);
    uint8_t piece[PAYLOAD];
    const uint32_t key = moehub_payload_key(7, MOEHUB_PAYLOAD_DISPATCH);
    moehub_driver_dispatched(&layer, 7, 64, PAYLOAD, piece);
    for (unsigned i = 0; i < PAYLOAD; i++)
        assert_int_equal(piece[i], moehub_payload_element(MOEHUB_ELEMENT_BYTES, key, 64 + i));
    moehub_layer_destroy(&layer);
}

static void packets_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct moehub_layer layer;
    struct moehub_hub_requests hub;
    struct moehub_owner_requests owner;
    layer_create(&layer, 2, MOEHUB_ELEMENT_BF16);
    assert_int_equal(moehub_hub_requests_create(&hub, &layer, MOEHUB_STAGE_DISPATCH, 0, INFLIGHT, 127, 0, 1), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_hub_requests_create(&hub, &layer, 9, 0, INFLIGHT, 128, 0, 1), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_owner_requests_create(&owner, &layer, 0, 0, 128), MOEHUB_E_ARGUMENT);
    moehub_layer_destroy(&layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_target_is_asked_for_once_in_the_global_order),
        cmocka_unit_test(owners_ask_for_every_row_that_has_remote_targets),
        cmocka_unit_test(partials_carry_what_the_targets_return),
        cmocka_unit_test(dispatched_rows_are_the_same_for_every_expert),
        cmocka_unit_test(packets_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("layer_driver", tests, NULL, NULL);
}
