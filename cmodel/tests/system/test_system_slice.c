/* SPDX-License-Identifier: Apache-2.0 */
/* Slices: each GPU gets exactly its rows, in another order each draw; the links' excess against draws; what shares follow. */
#include "common/system_support.h"
#include "moehub/system_bounds.h"

#include <gsl/gsl_randist.h>
#include <math.h>

static const struct moehub_system_work few = {"few", 8, 2, 4096, 14336, 2304, 2, 2};

static struct moehub_system_slice slice_of(const struct moehub_system_work *work, const char *machine, bool in_switch)
{
    struct moehub_system_constants constants;
    struct moehub_system_load load;
    struct moehub_system_slice slice;
    load_system(&constants, machine, "measured");
    moehub_system_load_make(&load, &constants, work, MOEHUB_SYSTEM_CLASSES_MAX);
    moehub_system_slice_of(&slice, &constants, &load, work, in_switch);
    return slice;
}

static void slice_is_of_the_layers_shape(void **state)
{
    (void)state;
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    const struct moehub_system_slice large = slice_of(&works[6], "h200-nvl32", true);
    assert_int_equal(large.gpus, 32);
    assert_int_equal(large.dispatch_lines, 112);
    assert_int_equal(large.combine_lines, 112);
    assert_int_equal(large.rows, 147);  /* 16384 lines of a GPU */
    const struct moehub_system_slice small = slice_of(&works[0], "h200-nvl32", true);
    assert_int_equal(small.rows, 114);  /* 2048 on 18 links: all that there are */
    double copies = 0;
    for (unsigned i = 0; i < small.gpus; i++)
        copies += small.hits[i] * (small.gpus - 1) / small.gpus;
    assert_true(fabs(copies - moehub_system_copies(64, 32, 8)) < 1e-3);
}

/* Copies stay where 64 GPUs stand for more. */
static void many_gpus_are_stood_for(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_load load;
    struct moehub_system_slice slice;
    size_t count;
    const struct moehub_system_work *work = &moehub_system_training(&count)[6];
    load_system(&constants, "h200-nvl32", "measured");
    constants.entries[MOEHUB_SYSTEM_gpus].value = 256;
    constants.entries[MOEHUB_SYSTEM_load_variation].value = 0;
    moehub_system_load_make(&load, &constants, work, MOEHUB_SYSTEM_CLASSES_MAX);
    moehub_system_slice_of(&slice, &constants, &load, work, true);
    double copies = 0;
    assert_int_equal(slice.gpus, 64);
    for (unsigned i = 0; i < slice.gpus; i++)
        copies += slice.hits[i] * 63 / 64;
    assert_true(fabs(copies - load.copies) < 1e-3);
}

static void count_rows(const struct moehub_layer *layer, unsigned *rows)
{
    for (unsigned i = 0; i < layer->gpus; i++)
        rows[i] = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        for (unsigned i = 0; i < layer->remote_counts[row]; i++)
            rows[layer->remotes[(size_t)row * layer->topk + i]]++;
}

/* Two draws: the loads of both are the slice's, to some rows that the last ones could not take; their order is another; the same
 * seed gives the same. */
static void draws_have_the_loads_exactly(void **state)
{
    (void)state;
    const struct moehub_system_slice slice = slice_of(&few, "h800-8", true);
    struct moehub_layer layers[3];
    unsigned rows[3][MOEHUB_SYSTEM_SLICE_GPUS_MAX];
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(moehub_system_slice_draw(&slice, 1 + i % 2, &layers[i]), 0);
        count_rows(&layers[i], rows[i]);
    }
    for (unsigned i = 0; i < slice.gpus; i++) {
        const double expected = slice.hits[i] * slice.rows * (slice.gpus - 1);
        assert_true(expected > 200 && fabs(rows[0][i] - expected) <= 3 && fabs(rows[1][i] - expected) <= 3);
    }
    const size_t bytes = (size_t)layers[0].row_limit * layers[0].topk * sizeof *layers[0].targets;
    assert_memory_equal(layers[0].targets, layers[2].targets, bytes);
    assert_memory_not_equal(layers[0].targets, layers[1].targets, bytes);
    for (int i = 0; i < 3; i++)
        moehub_layer_destroy(&layers[i]);
}

/* Each row names its k targets by GPU, in order, and those that are remote once. */
static void rows_are_rows_of_a_layer(void **state)
{
    (void)state;
    size_t count;
    struct moehub_layer layer;
    const struct moehub_system_slice slice = slice_of(&moehub_system_training(&count)[0], "h200-nvl32", true);
    assert_int_equal(moehub_system_slice_draw(&slice, 5, &layer), 0);
    for (uint32_t row = 0; row < layer.row_limit; row++) {
        const struct moehub_target *targets = moehub_layer_targets(&layer, row);
        const unsigned own = moehub_layer_row_gpu(&layer, row);
        unsigned remote = 0;
        for (unsigned i = 0; i < layer.topk; i++) {
            const bool new_gpu = i == 0 || targets[i].gpu != targets[i - 1].gpu;
            assert_true(targets[i].gpu < layer.gpus && (i == 0 || targets[i].gpu >= targets[i - 1].gpu));
            assert_true(new_gpu || targets[i].local == targets[i - 1].local + 1);
            if (new_gpu && targets[i].gpu != own)
                assert_int_equal(layer.remotes[(size_t)row * layer.topk + remote++], targets[i].gpu);
        }
        assert_int_equal(layer.remote_counts[row], remote);
    }
    moehub_layer_destroy(&layer);
}

/* Few copies cost more than many; one receiver that has most of all costs nothing. */
static void shares_follow_the_loads(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_slice_result even, hot;
    struct moehub_message message = {""};
    load_system(&constants, "h800-8", "measured");
    struct moehub_system_slice slice = {8, 2, 32, 32, 128, 2, true, {0}};
    for (int i = 0; i < 8; i++)
        slice.hits[i] = 0.25;
    assert_int_equal(moehub_system_slice_run(&constants, &slice, &even, &message), 0);
    slice.hits[0] = 0.9;
    for (int i = 1; i < 8; i++)
        slice.hits[i] = 0.15;
    assert_int_equal(moehub_system_slice_run(&constants, &slice, &hot, &message), 0);
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++) {
        assert_true(even.share[i] > 0.5 && even.share[i] < 0.99 && even.spread[i] < 0.1);
        assert_true(hot.share[i] > even.share[i] && hot.share[i] <= 1);
    }
    assert_true(hot.share[MOEHUB_SYSTEM_DISPATCH_ALONE] > 0.995);
    slice.in_switch = false;
    assert_int_equal(moehub_system_slice_run(&constants, &slice, &hot, &message), 0);
    assert_true(hot.share[0] > 0.9 && hot.share[1] > 0.9 && hot.share[2] <= hot.share[0] && hot.share[2] <= hot.share[1]);
}

/* Rows of each source, dealt to the links in turn: the fullest link of all GPUs over the mean; each GPU has the same rows. */
static double drawn_excess(gsl_rng *random, unsigned gpus, unsigned rows, unsigned links, double chance)
{
    const double mean = (gpus - 1.0) * rows * chance / links;
    double largest = 0;
    for (unsigned gpu = 0; gpu < gpus; gpu++) {
        unsigned counts[64] = {0};
        double own = 0;
        for (unsigned row = 0; row < (gpus - 1) * rows; row++) {
            const unsigned here = gsl_rng_uniform(random) < chance;
            counts[row % links] += here;
            own += (double)here / links;
        }
        for (unsigned i = 0; i < links; i++)
            largest = fmax(largest, mean + counts[i] - own);
    }
    return largest / mean;
}

/* The closed form against draws, 8 GPUs of the same load. It takes a GPU's links as independent: above draws where they are
 * few. */
static void excess_is_that_of_draws(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_load load = {.count = 1, .classes = {{.gpus = 8, .experts = 1, .arrivals = 7 * 512 * 0.66}},
                                      .copies = 4.62};
    const struct moehub_system_work work = {"", 256, 8, 7168, 1, 512, 1, 1};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    load_system(&constants, "h200-8", "measured");
    for (unsigned links = 1; links <= 16; links *= 4) {
        constants.entries[MOEHUB_SYSTEM_links].value = links;
        double sum = 0;
        for (int i = 0; i < 200; i++)
            sum += drawn_excess(random, 8, work.tokens, links, 0.66) / 200;
        const double excess = moehub_system_links_excess(&constants, &load, &work, MOEHUB_SYSTEM_DISPATCH_ALONE);
        print_message("%u links: excess %.4f, %.4f by draws\n", links, excess, sum);
        assert_true(excess >= sum - 0.03 * (sum - 1) - 1e-9 && excess - sum <= 0.15 * (sum - 1) + 1e-9);
        /* What is sent back is the same on all links, but for what asks for it. */
        assert_true(moehub_system_links_excess(&constants, &load, &work, MOEHUB_SYSTEM_BOTH) <= excess);
    }
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slice_is_of_the_layers_shape),
        cmocka_unit_test(many_gpus_are_stood_for),
        cmocka_unit_test(draws_have_the_loads_exactly),
        cmocka_unit_test(rows_are_rows_of_a_layer),
        cmocka_unit_test(shares_follow_the_loads),
        cmocka_unit_test(excess_is_that_of_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
