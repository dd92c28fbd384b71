/* SPDX-License-Identifier: Apache-2.0 */
/* Link bytes against a count link by link, and against the figures of arXiv 2605.05607. */
#include "moehub/defines.h"
#include "moehub/traffic.h"
#include "common/support.h"

#include <math.h>
#include <stdbool.h>

/* Bytes that cross each GPU's links, counted copy by copy. */
struct links {
    uint64_t dispatch_up[1024];
    uint64_t dispatch_down[1024];
    uint64_t combine_up[1024];
    uint64_t combine_down[1024];
};

enum scheme { UNICAST, IN_SWITCH, NVLS };

/* Whether GPU `gpu` gets the row: by the placement's definition, not by the layer's lists. */
static bool goes_to(const struct moehub_layer *layer, uint32_t row, unsigned gpu)
{
    for (unsigned i = 0; i < layer->topk; i++)
        if (layer->targets[(size_t)row * layer->topk + i].expert * layer->gpus / layer->experts == gpu)
            return true;
    return false;
}

static void count_row(const struct moehub_layer *layer, enum scheme scheme, unsigned source, uint32_t row,
                      struct links *links)
{
    const uint64_t dispatch = layer->dispatch_row_bytes;
    const uint64_t combine = layer->combine_row_bytes;
    bool sent = false;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        if (gpu == source || (scheme != NVLS && !goes_to(layer, row, gpu)))
            continue;
        const bool copy_leaves = scheme == UNICAST || !sent;
        links->dispatch_up[source] += copy_leaves ? dispatch : 0;
        links->dispatch_down[gpu] += dispatch;
        links->combine_up[gpu] += combine;
        links->combine_down[source] += copy_leaves ? combine : 0;
        sent = true;
    }
}

static struct moehub_link_bytes count_links(const struct moehub_layer *layer, enum scheme scheme)
{
    static struct links links;
    memset(&links, 0, sizeof links);
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        for (uint32_t token = 0; token < layer->gpu_tokens[gpu]; token++)
            count_row(layer, scheme, gpu, moehub_layer_row(layer, gpu, token), &links);
    struct moehub_link_bytes total = {0};
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        total.dispatch_up += links.dispatch_up[gpu];
        total.dispatch_down += links.dispatch_down[gpu];
        total.combine_up += links.combine_up[gpu];
        total.combine_down += links.combine_down[gpu];
    }
    return total;
}

static unsigned wrong_bytes(const struct moehub_layer *layer, const struct moehub_traffic *traffic)
{
    const struct moehub_link_bytes *got[] = {&traffic->unicast, &traffic->in_switch, &traffic->nvls};
    unsigned wrong = 0;
    for (int scheme = UNICAST; scheme <= NVLS; scheme++) {
        const struct moehub_link_bytes counted = count_links(layer, (enum scheme)scheme);
        wrong += counted.dispatch_up != got[scheme]->dispatch_up;
        wrong += counted.dispatch_down != got[scheme]->dispatch_down;
        wrong += counted.combine_up != got[scheme]->combine_up;
        wrong += counted.combine_down != got[scheme]->combine_down;
    }
    return wrong;
}

/* Means and the load ratio, counted with no help from the library. */
static unsigned wrong_means(const struct moehub_layer *layer, const struct moehub_traffic *traffic)
{
    double fanout = 0;
    double remote = 0;
    double *loads = calloc(layer->experts, sizeof *loads);
    double most = 0;
    for (unsigned source = 0; source < layer->gpus; source++)
        for (uint32_t token = 0; token < layer->gpu_tokens[source]; token++) {
            const uint32_t row = source * layer->tokens_per_gpu + token;
            for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
                fanout += goes_to(layer, row, gpu);
                remote += gpu != source && goes_to(layer, row, gpu);
            }
            for (unsigned i = 0; i < layer->topk; i++)
                most = fmax(most, ++loads[layer->targets[(size_t)row * layer->topk + i].expert]);
        }
    free(loads);
    const double tokens = (double)layer->tokens;
    const double mean = tokens * layer->topk / layer->experts;
    return (unsigned)(fabs(traffic->fanout_mean - fanout / tokens) > 1e-12) +
           (fabs(traffic->remote_fanout_mean - remote / tokens) > 1e-12) +
           (fabs(traffic->expert_load_max_over_mean - most / mean) > 1e-9) +
           (traffic->assignments != layer->tokens * layer->topk);
}

static const struct moehub_layer_options shapes[] = {
    {.gpus = 1, .experts = 8, .topk = 2, .tokens = 100, .hidden = 64},
    {.gpus = 2, .experts = 2, .topk = 2, .tokens = 10, .hidden = 64, .element = MOEHUB_ELEMENT_FP32},
    {.gpus = 8, .experts = 60, .topk = 4, .tokens = 300, .hidden = 2048, .element = MOEHUB_ELEMENT_BYTES},
    {.gpus = 7, .experts = 60, .topk = 4, .tokens = 300, .hidden = 2880,
     .routing = {.kind = MOEHUB_ROUTING_ZIPF, .parameter = 1.5}},
    {.gpus = 32, .experts = 256, .topk = 8, .tokens = 100, .hidden = 7168,
     .routing = {.kind = MOEHUB_ROUTING_GROUP, .groups = 8, .groups_kept = 4}},
    {.gpus = 64, .experts = 8, .topk = 2, .tokens = 20, .hidden = 4096},
    {.gpus = 4, .experts = 8, .topk = 1, .tokens = 50, .hidden = 5120},
};

static void bytes_are_those_of_a_count_link_by_link(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct moehub_message message;
        struct moehub_layer layer;
        struct moehub_traffic traffic;
        assert_int_equal(moehub_layer_create(&layer, &shapes[i], &message), 0);
        assert_int_equal(moehub_traffic_measure(&layer, &traffic), 0);
        assert_int_equal(wrong_bytes(&layer, &traffic), 0);
        assert_int_equal(wrong_means(&layer, &traffic), 0);
        moehub_layer_destroy(&layer);
    }
}

static void a_lost_remote_gpu_is_noticed(void **state)
{
    (void)state;
    struct moehub_message message;
    struct moehub_layer layer;
    struct moehub_traffic traffic;
    assert_int_equal(moehub_layer_create(&layer, &shapes[2], &message), 0);
    assert_true(layer.remote_counts[17]-- > 0);
    assert_int_equal(moehub_traffic_measure(&layer, &traffic), 0);
    assert_int_not_equal(wrong_bytes(&layer, &traffic), 0);
    assert_int_not_equal(wrong_means(&layer, &traffic), 0);
    moehub_layer_destroy(&layer);
}

static struct moehub_traffic measure(unsigned topk, uint64_t seed)
{
    const struct moehub_layer_options options = {
        .gpus = 32, .experts = 256, .topk = topk, .tokens = 1024, .hidden = 7168, .seed = seed};
    struct moehub_message message;
    struct moehub_layer layer;
    struct moehub_traffic traffic;
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    assert_int_equal(moehub_traffic_measure(&layer, &traffic), 0);
    moehub_layer_destroy(&layer);
    return traffic;
}

/* Remote fan-out of k different experts out of 256 on 32 GPUs of 8: 31 * (1 - C(248, k) / C(256, k)). */
static double exact_remote_fanout(unsigned topk)
{
    double none = 1;
    for (unsigned i = 0; i < topk; i++)
        none *= (248.0 - i) / (256.0 - i);
    return 31 * (1 - none);
}

static void published_figures_come_out(void **state)
{
    (void)state;
    const unsigned topk[] = {8, 16, 32};
    const double cut[] = {0.429, 0.460, 0.476};
    for (int i = 0; i < 3; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            const struct moehub_traffic traffic = measure(topk[i], seed);
            assert_true(fabs(traffic.traffic_cut - cut[i]) < 0.0015);
            assert_true(fabs(traffic.remote_fanout_mean - exact_remote_fanout(topk[i])) < 0.03);
            assert_false(fabs(traffic.traffic_cut - cut[(i + 1) % 3]) < 0.0015);
        }
    const struct moehub_traffic traffic = measure(8, 1);
    assert_true(fabs(traffic.nvls_useless - 3.40) < 0.02);
    assert_true(fabs(traffic.remote_fanout_mean - 7.04) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_a_count_link_by_link),
        cmocka_unit_test(a_lost_remote_gpu_is_noticed),
        cmocka_unit_test(published_figures_come_out),
    };
    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
