/* SPDX-License-Identifier: Apache-2.0 */
/* A layer against its rows: names, cuts, targets and remote GPUs recomputed by brute force. */
#include "moehub/defines.h"
#include "moehub/layer.h"
#include "moehub/trace.h"
#include "common/support.h"

#include <sys/resource.h>
#include <time.h>

/* Differences between a layer's row and the experts it should go to. */
static unsigned wrong_row(const struct moehub_layer *layer, unsigned gpu, uint32_t token, const uint16_t *experts)
{
    const uint32_t row = gpu * layer->tokens_per_gpu + token;
    const struct moehub_target *targets = moehub_layer_targets(layer, row);
    unsigned wrong = !moehub_layer_row_exists(layer, row);
    wrong += moehub_layer_row(layer, gpu, token) != row;
    wrong += moehub_layer_row_gpu(layer, row) != gpu || moehub_layer_row_token(layer, row) != token;
    unsigned found = 0;
    for (unsigned i = 0; i < layer->topk; i++) {
        const struct moehub_place place = layer->placement.places[experts[i]];
        for (unsigned j = 0; j < layer->topk; j++)
            found += targets[j].expert == experts[i] && targets[j].gpu == place.gpu && targets[j].local == place.local;
    }
    wrong += found != layer->topk;
    for (unsigned j = 1; j < layer->topk; j++)
        wrong += targets[j - 1].gpu * 65536 + targets[j - 1].local >= targets[j].gpu * 65536 + targets[j].local;
    unsigned remotes = 0;
    for (unsigned other = 0; other < layer->gpus; other++) {
        unsigned on_other = 0;
        for (unsigned i = 0; i < layer->topk; i++)
            on_other += layer->placement.places[experts[i]].gpu == other;
        unsigned count = 0;
        moehub_targets_on(targets, layer->topk, other, &count);
        wrong += count != on_other;
        if (on_other > 0 && other != gpu)
            wrong += remotes >= layer->remote_counts[row] ||
                     layer->remotes[(size_t)row * layer->topk + remotes++] != other;
    }
    return wrong + (remotes != layer->remote_counts[row]);
}

static unsigned wrong_rows(const struct moehub_layer *layer, const uint16_t *rows)
{
    unsigned wrong = 0;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        for (uint32_t token = 0; token < layer->gpu_tokens[gpu]; token++)
            wrong += wrong_row(layer, gpu, token, rows + ((size_t)gpu * layer->tokens_per_gpu + token) * layer->topk);
    return wrong;
}

static const unsigned shapes[][4] = {/* gpus, experts, topk, tokens */
                                     {1, 8, 2, 50},    {2, 3, 3, 40},    {8, 60, 4, 100}, {32, 256, 8, 60},
                                     {64, 8, 2, 10},   {7, 896, 16, 30}, {3, 64, 64, 5},  {1024, 32, 4, 2}};

static void synthetic_rows_arrive_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct moehub_layer_options options = {.gpus = shapes[i][0], .experts = shapes[i][1], .topk = shapes[i][2],
                                                     .tokens = shapes[i][3], .hidden = 16, .seed = 5};
        struct moehub_message message;
        struct moehub_layer layer;
        assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
        assert_int_equal(layer.tokens, options.gpus * options.tokens);
        assert_int_equal(layer.row_limit, layer.tokens);
        assert_int_equal(layer.warmup_rows, 0);
        uint16_t *rows = calloc(layer.tokens * layer.topk, sizeof *rows);
        assert_int_equal(moehub_routing_draw(&options.routing, options.experts, options.topk, layer.tokens, 5, rows, NULL), 0);
        assert_int_equal(wrong_rows(&layer, rows), 0);
        layer.remote_counts[1] ^= 1;
        assert_int_not_equal(wrong_rows(&layer, rows), 0);
        layer.remote_counts[1] ^= 1;
        layer.targets[0].expert ^= 1;
        assert_int_not_equal(wrong_rows(&layer, rows), 0);
        free(rows);
        moehub_layer_destroy(&layer);
    }
}

static void row_sizes_follow_the_types(void **state)
{
    (void)state;
    const struct {
        unsigned element;
        unsigned dispatch;
        unsigned combine;
        unsigned combine_element;
    } cases[] = {{MOEHUB_ELEMENT_BF16, 5760, 5760, MOEHUB_ELEMENT_BF16},
                 {MOEHUB_ELEMENT_FP16, 5760, 5760, MOEHUB_ELEMENT_FP16},
                 {MOEHUB_ELEMENT_FP32, 11520, 11520, MOEHUB_ELEMENT_FP32},
                 {MOEHUB_ELEMENT_BYTES, 2880, 5760, MOEHUB_ELEMENT_BF16}};
    for (int i = 0; i < 4; i++) {
        const struct moehub_layer_options options = {
            .gpus = 2, .experts = 4, .topk = 2, .tokens = 3, .hidden = 2880, .element = cases[i].element};
        struct moehub_message message;
        struct moehub_layer layer;
        assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
        assert_int_equal(layer.dispatch_row_bytes, cases[i].dispatch);
        assert_int_equal(layer.combine_row_bytes, cases[i].combine);
        assert_int_equal(layer.combine_element, cases[i].combine_element);
        moehub_layer_destroy(&layer);
    }
}

enum { RECORDED = 23 };

/* A trace of 23 rows, row i going to experts i and i + 23. */
static char *numbered_trace(void)
{
    char text[1024] = "";
    for (int i = 0; i < RECORDED; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "2,\"%d %d\"\n", i + RECORDED, i);
    return text_path(text);
}

static unsigned wrong_cut(enum moehub_cut cut, enum moehub_cut expected, unsigned gpus, const char *path)
{
    const struct moehub_layer_options options = {.gpus = gpus, .experts = 60, .hidden = 16, .cut = cut,
                                                 .trace_layer = MOEHUB_TRACE_ANY_LAYER,
                                                 .routing = {.kind = MOEHUB_ROUTING_TRACE, .trace = path}};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    unsigned wrong = layer.tokens != RECORDED || layer.topk != 2;
    unsigned next = 0;
    unsigned seen = 0;
    for (unsigned gpu = 0; gpu < gpus; gpu++) {
        wrong += layer.gpu_tokens[gpu] > layer.tokens_per_gpu || layer.gpu_tokens[gpu] < RECORDED / gpus;
        for (uint32_t token = 0; token < layer.gpu_tokens[gpu]; token++, next++, seen++) {
            const unsigned number = expected == MOEHUB_CUT_BLOCK ? next : token * gpus + gpu;
            const uint16_t experts[] = {(uint16_t)(number % RECORDED), (uint16_t)(number % RECORDED + RECORDED)};
            wrong += wrong_row(&layer, gpu, token, experts);
        }
        for (uint32_t token = layer.gpu_tokens[gpu]; token < layer.tokens_per_gpu; token++)
            wrong += moehub_layer_row_exists(&layer, moehub_layer_row(&layer, gpu, token));
    }
    wrong += seen != RECORDED || moehub_layer_row_exists(&layer, layer.row_limit);
    moehub_layer_destroy(&layer);
    return wrong;
}

static void traces_are_cut_by_block_and_round_robin(void **state)
{
    (void)state;
    char *path = numbered_trace();
    const unsigned gpus[] = {1, 2, 3, 8, 22, 23, 24, 60};
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        assert_int_equal(wrong_cut(MOEHUB_CUT_BLOCK, MOEHUB_CUT_BLOCK, gpus[i], path), 0);
        assert_int_equal(wrong_cut(MOEHUB_CUT_ROUND_ROBIN, MOEHUB_CUT_ROUND_ROBIN, gpus[i], path), 0);
    }
    assert_int_not_equal(wrong_cut(MOEHUB_CUT_BLOCK, MOEHUB_CUT_ROUND_ROBIN, 4, path), 0);
    assert_int_not_equal(wrong_cut(MOEHUB_CUT_ROUND_ROBIN, MOEHUB_CUT_BLOCK, 4, path), 0);
    remove_path(path);
}

static void a_trace_is_used_as_far_as_asked(void **state)
{
    (void)state;
    char *path = numbered_trace();
    struct moehub_layer_options options = {.gpus = 4, .tokens = 5, .experts = 60, .hidden = 16, .trace_layer = 2,
                                           .routing = {.kind = MOEHUB_ROUTING_TRACE, .trace = path}};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    assert_int_equal(layer.tokens, 20);
    assert_int_equal(layer.tokens_per_gpu, 5);
    assert_int_equal(moehub_layer_targets(&layer, 19)[0].expert, 19);
    moehub_layer_destroy(&layer);
    options.tokens = 6;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "too few for 6 on each of 4 GPUs"));
    options.tokens = 0;
    options.topk = 3;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "its tokens go to 2 experts, not to 3"));
    options.topk = 0;
    options.experts = 0;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "does not say the number of experts"));
    options.experts = 40;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), MOEHUB_E_FORMAT);
    assert_non_null(strstr(message.text, ":18: expert 40: legal are 0..39"));
    remove_path(path);
}

static void a_placement_file_places(void **state)
{
    (void)state;
    char *path = text_path("0 1\n1 0\n2 1\n3 0\n");
    const struct moehub_layer_options options = {
        .gpus = 2, .experts = 4, .topk = 4, .tokens = 1, .hidden = 16, .placement = path};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    const uint16_t expected[] = {1, 3, 0, 2};
    for (int i = 0; i < 4; i++)
        assert_int_equal(moehub_layer_targets(&layer, 0)[i].expert, expected[i]);
    moehub_layer_destroy(&layer);
    remove_path(path);
}

static void options_out_of_range_are_named(void **state)
{
    (void)state;
    const struct moehub_layer_options good = {.gpus = 2, .experts = 4, .topk = 2, .tokens = 3, .hidden = 16};
    struct moehub_layer_options bad[10];
    const char *const words[] = {"GPUs: 0", "GPUs: 1025", "experts: 0", "experts: 4097", "top-k: 0",
                                 "top-k 5 of 4", "tokens per GPU: 0", "hidden: 0", "hidden: 32769", "unknown element type 9"};
    for (int i = 0; i < 10; i++)
        bad[i] = good;
    bad[0].gpus = 0;
    bad[1].gpus = 1025;
    bad[2].experts = 0;
    bad[3].experts = 4097;
    bad[4].topk = 0;
    bad[5].topk = 5;
    bad[6].tokens = 0;
    bad[7].hidden = 0;
    bad[8].hidden = 32769;
    bad[9].element = 9;
    struct moehub_message message;
    struct moehub_layer layer;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(moehub_layer_create(&layer, &bad[i], &message), MOEHUB_E_ARGUMENT);
        assert_non_null(strstr(message.text, words[i]));
    }
    assert_int_equal(moehub_layer_create(&layer, &good, &message), 0);
    moehub_layer_destroy(&layer);
    moehub_layer_destroy(NULL);
}

/* Experts of a row on the GPU that is so many behind the row's own. */
static unsigned on_turned(const struct moehub_layer *layer, unsigned gpu, uint32_t token, unsigned behind)
{
    unsigned count = 0;
    moehub_targets_on(moehub_layer_targets(layer, moehub_layer_row(layer, gpu, token)), layer->topk,
                      (gpu + behind) % layer->gpus, &count);
    return count;
}

/* Each GPU has GPU 0's tokens, turned: so what it sends to the one behind it is what GPU 0 sends to GPU 1. */
static void turned_layers_are_equal_work(void **state)
{
    (void)state;
    struct moehub_layer_options options = {.gpus = 4, .experts = 8, .topk = 3, .tokens = 20, .hidden = 16, .seed = 7};
    struct moehub_message message;
    struct moehub_layer drawn, turned;
    assert_int_equal(moehub_layer_create(&drawn, &options, &message), 0);
    options.turned = true;
    assert_int_equal(moehub_layer_create(&turned, &options, &message), 0);
    unsigned differ = 0;
    for (unsigned gpu = 0; gpu < 4; gpu++)
        for (uint32_t token = 0; token < 20; token++)
            for (unsigned behind = 0; behind < 4; behind++) {
                assert_int_equal(on_turned(&turned, gpu, token, behind), on_turned(&drawn, 0, token, behind));
                differ += on_turned(&drawn, gpu, token, behind) != on_turned(&drawn, 0, token, behind);
            }
    assert_int_not_equal(differ, 0);
    moehub_layer_destroy(&drawn);
    moehub_layer_destroy(&turned);
    options.experts = 9;
    assert_int_equal(moehub_layer_create(&turned, &options, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "equal work"));
}

/* Of two wrong files the placement is named: it is read before any row. */
static void a_wrong_placement_is_told_before_a_row_is_read(void **state)
{
    (void)state;
    char *placement = text_path("0 0\n0 0\n");
    char *trace = text_path("no trace\n");
    struct moehub_layer_options options = {.gpus = 2, .experts = 4, .hidden = 16, .placement = placement,
                                           .routing = {.kind = MOEHUB_ROUTING_TRACE, .trace = trace},
                                           .trace_layer = MOEHUB_TRACE_ANY_LAYER};
    struct moehub_message message;
    struct moehub_layer layer;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), MOEHUB_E_FORMAT);
    assert_non_null(strstr(message.text, ":2: expert 0 is placed a second time"));
    remove_path(placement);
    remove_path(trace);
}

/* What the memory cannot hold is refused at once: drawing these rows would take half a minute. */
static void a_layer_that_the_memory_cannot_hold_is_refused_at_once(void **state)
{
    (void)state;
#if defined __SANITIZE_ADDRESS__
    skip();   /* its shadow memory is larger than any limit */
#endif
    const struct moehub_layer_options options = {.gpus = 1000, .experts = 64, .topk = 8, .tokens = 40000, .hidden = 16};
    struct moehub_message message;
    struct moehub_layer layer;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit limited = {.rlim_cur = UINT64_C(1500) << 20, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limited), 0);
    const clock_t start = clock();
    const int error = moehub_layer_create(&layer, &options, &message);
    const clock_t taken = clock() - start;
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(error, MOEHUB_E_MEMORY);
    assert_string_equal(message.text, "out of memory: 1000 x 40000 tokens to 8 experts each take 3.3 GB");
    assert_true(taken < CLOCKS_PER_SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthetic_rows_arrive_whole),
        cmocka_unit_test(row_sizes_follow_the_types),
        cmocka_unit_test(traces_are_cut_by_block_and_round_robin),
        cmocka_unit_test(a_trace_is_used_as_far_as_asked),
        cmocka_unit_test(a_placement_file_places),
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(turned_layers_are_equal_work),
        cmocka_unit_test(a_wrong_placement_is_told_before_a_row_is_read),
        cmocka_unit_test(a_layer_that_the_memory_cannot_hold_is_refused_at_once),
    };
    return cmocka_run_group_tests_name("layer", tests, NULL, NULL);
}
