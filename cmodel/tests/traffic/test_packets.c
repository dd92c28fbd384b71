/* SPDX-License-Identifier: Apache-2.0 */
/* The packet order against a plain reading of its definition: whole sequences per source, then the steps. */
#include "moehub/defines.h"
#include "moehub/packets.h"
#include "common/support.h"

struct expected {
    uint32_t row;
    uint32_t offset;
    uint32_t length;
    unsigned gpu;
};

/* All packets of one source in its order: `inflight` places served round robin, a place closing for good at the end. */
static size_t source_sequence(const struct moehub_layer *layer, unsigned gpu, unsigned inflight, uint32_t row_bytes,
                              uint32_t payload, struct expected *sequence)
{
    const uint32_t tokens = layer->gpu_tokens[gpu];
    long *tokens_in = calloc(inflight, sizeof *tokens_in);
    uint32_t *offsets = calloc(inflight, sizeof *offsets);
    uint32_t next = 0;
    size_t count = 0;
    for (unsigned place = 0; place < inflight; place++)
        tokens_in[place] = next < tokens ? (long)next++ : -1;
    for (size_t before = count + 1; before != count;) {
        before = count;
        for (unsigned place = 0; place < inflight; place++) {
            if (tokens_in[place] < 0)
                continue;
            const uint32_t left = row_bytes - offsets[place];
            sequence[count++] = (struct expected){gpu * layer->tokens_per_gpu + (uint32_t)tokens_in[place], offsets[place],
                                                  left < payload ? left : payload, gpu};
            offsets[place] += payload;
            if (offsets[place] >= row_bytes) {
                offsets[place] = 0;
                tokens_in[place] = next < tokens ? (long)next++ : -1;
            }
        }
    }
    free(tokens_in);
    free(offsets);
    return count;
}

/* The whole order; the caller frees it. */
static struct expected *global_sequence(const struct moehub_layer *layer, unsigned inflight, uint32_t row_bytes,
                                        uint32_t payload, size_t *total)
{
    const size_t per_row = (row_bytes + payload - 1) / payload;
    const size_t most = layer->tokens_per_gpu * per_row;
    struct expected *sources = calloc(most * layer->gpus, sizeof *sources);
    size_t *counts = calloc(layer->gpus, sizeof *counts);
    struct expected *order = calloc(layer->tokens * per_row + 1, sizeof *order);
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        counts[gpu] = source_sequence(layer, gpu, inflight, row_bytes, payload, sources + gpu * most);
    *total = 0;
    for (size_t step = 0; step < most; step++)
        for (unsigned i = 0; i < layer->gpus; i++) {
            const unsigned gpu = (unsigned)((step + i) % layer->gpus);
            if (step < counts[gpu])
                order[(*total)++] = sources[gpu * most + step];
        }
    free(sources);
    free(counts);
    return order;
}

static int wrong_packet(const struct moehub_layer *layer, const struct moehub_packet *packet,
                        const struct expected *expected, uint32_t row_bytes)
{
    return packet->row != expected->row || packet->offset != expected->offset || packet->length != expected->length ||
           packet->gpu != expected->gpu || packet->first != (expected->offset == 0) ||
           packet->last != (expected->offset + expected->length == row_bytes) ||
           packet->targets != layer->targets + (size_t)expected->row * layer->topk ||
           packet->remotes != layer->remotes + (size_t)expected->row * layer->topk ||
           packet->remote_count != layer->remote_counts[expected->row];
}

static size_t drain(struct moehub_packets *packets, struct moehub_packet *all, size_t room, size_t batch)
{
    size_t count = 0;
    size_t got;
    while (count < room && (got = moehub_packets_next(packets, all + count, room - count < batch ? room - count : batch)) > 0)
        count += got;
    struct moehub_packet rest;
    return count + moehub_packets_next(packets, &rest, 1);
}

struct order_case {
    unsigned gpus;
    unsigned tokens;
    unsigned hidden;
    unsigned element;
    unsigned inflight;
    unsigned payload;
    size_t batch;
};

/* Packets that differ between the iterator's order and the definition's at `definition_inflight`. */
static size_t wrong_packets(const struct order_case *c, unsigned stage, unsigned definition_inflight)
{
    const struct moehub_layer_options options = {.gpus = c->gpus, .tokens = c->tokens, .experts = 16, .topk = 4,
                                                 .hidden = c->hidden, .element = c->element, .seed = 2};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    layer.gpu_tokens[0] -= layer.gpu_tokens[0] > 1; /* GPUs need not have equally many */
    layer.tokens -= c->tokens > 1;
    const uint32_t row_bytes = stage == MOEHUB_STAGE_DISPATCH ? layer.dispatch_row_bytes : layer.combine_row_bytes;
    struct moehub_packets *packets = moehub_packets_create(&layer, stage, c->inflight, c->payload);
    assert_non_null(packets);
    size_t total = 0;
    struct expected *order = global_sequence(&layer, definition_inflight, row_bytes, c->payload, &total);
    struct moehub_packet *all = calloc(total + 1, sizeof *all);
    assert_true(total > 0);
    size_t wrong = moehub_packets_total(packets) != total;
    for (int round = 0; round < 2; round++) {
        wrong += drain(packets, all, total, c->batch) != total;
        for (size_t i = 0; i < total; i++)
            wrong += (size_t)wrong_packet(&layer, &all[i], &order[i], row_bytes);
        moehub_packets_rewind(packets);
    }
    free(all);
    free(order);
    moehub_packets_destroy(packets);
    moehub_layer_destroy(&layer);
    return wrong;
}

static const struct order_case cases[] = {
    {1, 1, 64, MOEHUB_ELEMENT_BF16, 1, 128, 1},      {1, 5, 100, MOEHUB_ELEMENT_BF16, 2, 128, 3},
    {3, 7, 100, MOEHUB_ELEMENT_BF16, 3, 128, 64},    {8, 20, 2880, MOEHUB_ELEMENT_BF16, 4, 128, 100},
    {8, 20, 7168, MOEHUB_ELEMENT_BYTES, 4, 128, 77}, {5, 9, 333, MOEHUB_ELEMENT_FP32, 16, 256, 7},
    {4, 3, 65, MOEHUB_ELEMENT_FP16, 64, 2, 1000},    {16, 33, 300, MOEHUB_ELEMENT_BF16, 5, 128, 1},
    {2, 40, 64, MOEHUB_ELEMENT_BF16, 65536, 128, 9}, {7, 13, 129, MOEHUB_ELEMENT_BYTES, 12, 256, 1 << 20},
};

static void order_is_that_of_the_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(wrong_packets(&cases[i], MOEHUB_STAGE_DISPATCH, cases[i].inflight), 0);
        assert_int_equal(wrong_packets(&cases[i], MOEHUB_STAGE_COMBINE, cases[i].inflight), 0);
    }
}

static void another_order_is_noticed(void **state)
{
    (void)state;
    assert_int_not_equal(wrong_packets(&cases[3], MOEHUB_STAGE_DISPATCH, 5), 0);
    assert_int_not_equal(wrong_packets(&cases[3], MOEHUB_STAGE_COMBINE, 3), 0);
}

static void every_corrupted_field_is_noticed(void **state)
{
    (void)state;
    const struct moehub_layer_options options = {.gpus = 2, .tokens = 2, .experts = 16, .topk = 4, .hidden = 100};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    struct moehub_packets *packets = moehub_packets_create(&layer, MOEHUB_STAGE_DISPATCH, 1, 128);
    struct moehub_packet packet;
    assert_int_equal(moehub_packets_next(packets, &packet, 1), 1);
    const struct expected expected = {0, 0, 128, 0};
    assert_false(wrong_packet(&layer, &packet, &expected, 200));
    for (int field = 0; field < 9; field++) {
        struct moehub_packet bad = packet;
        bad.row ^= field == 0;
        bad.offset += field == 1;
        bad.length ^= field == 2;
        bad.gpu ^= field == 3;
        bad.first ^= field == 4;
        bad.last ^= field == 5;
        bad.remote_count ^= field == 6;
        bad.targets += field == 7;
        bad.remotes += field == 8;
        assert_true(wrong_packet(&layer, &bad, &expected, 200));
    }
    moehub_packets_destroy(packets);
    moehub_layer_destroy(&layer);
}

static void arguments_out_of_range_give_null(void **state)
{
    (void)state;
    const struct moehub_layer_options options = {.gpus = 2, .tokens = 2, .experts = 16, .topk = 4, .hidden = 100};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    assert_null(moehub_packets_create(&layer, 2, 1, 128));
    assert_null(moehub_packets_create(&layer, MOEHUB_STAGE_DISPATCH, 0, 128));
    assert_null(moehub_packets_create(&layer, MOEHUB_STAGE_DISPATCH, 65537, 128));
    assert_null(moehub_packets_create(&layer, MOEHUB_STAGE_DISPATCH, 1, 0));
    assert_null(moehub_packets_create(&layer, MOEHUB_STAGE_DISPATCH, 1, 127));
    assert_null(moehub_packets_create(&layer, MOEHUB_STAGE_DISPATCH, 1, 258));
    moehub_layer_destroy(&layer);
    moehub_packets_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_that_of_the_definition),
        cmocka_unit_test(another_order_is_noticed),
        cmocka_unit_test(every_corrupted_field_is_noticed),
        cmocka_unit_test(arguments_out_of_range_give_null),
    };
    return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
