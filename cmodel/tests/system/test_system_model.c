/* SPDX-License-Identifier: Apache-2.0 */
/* Closed forms exactly; no layer beats its bounds; same input, same bytes. */
#include "common/system_support.h"
#include "moehub/presets.h"
#include "moehub/system_bounds.h"
#include "moehub/system_claims.h"
#include "moehub/system_gemm.h"
#include "moehub/system_rates.h"
#include "moehub/system_tensor.h"
#include "moehub/system_transfer.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define NEAR(value, expected, error) assert_true(fabs((value) - (expected)) <= (error))

/* Copies are 1 - a hypergeometric chance of none, GSL's this time. */
static void copies_are_hypergeometric(void **state)
{
    (void)state;
    static const unsigned cases[][3] = {{256, 32, 8}, {256, 32, 32}, {8, 8, 2}, {64, 32, 8}, {8, 2, 8}, {16, 4, 13}, {5, 5, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned *c = cases[i];
        const unsigned here = c[0] / c[1];
        const double none = gsl_ran_hypergeometric_pdf(0, here, c[0] - here, c[2]);
        NEAR(moehub_system_copies(c[0], c[1], c[2]), (c[1] - 1) * (1 - none), 1e-9);
    }
}

static void closed_forms_are_the_printed_ones(void **state)
{
    (void)state;
    const double copies = moehub_system_copies(256, 32, 8);
    NEAR(copies, 7.04, 0.005);
    NEAR(moehub_system_useless_share(32, copies), 3.40, 0.005);
    NEAR(moehub_system_traffic_cut(copies), 0.429, 0.0005);
    NEAR(moehub_system_traffic_cut(moehub_system_copies(256, 32, 16)), 0.460, 0.0005);
    NEAR(moehub_system_traffic_cut(moehub_system_copies(256, 32, 32)), 0.476, 0.0005);
    NEAR(moehub_system_fused_bound(copies, 1, 1), 2 * copies / (1 + copies), 1e-12);
    NEAR(moehub_system_fused_bound(copies, 2, 1), 3 * copies / (1 + 2 * copies), 1e-12);
    NEAR(moehub_system_fused_bound(3, 1, 2), 12.0 / 7, 1e-12);
    const double unicast = moehub_system_unicast_flits(copies, 9);
    NEAR(unicast, 126.7, 0.05);
    NEAR(moehub_system_fused_flits(copies, 9, 1, 1, 2), 93.5, 0.05);
    NEAR(unicast / moehub_system_fused_flits(copies, 9, 1, 1, 2), 1.36, 0.006);
    NEAR(unicast / moehub_system_fused_flits(copies, 9, 1, 1, 2 / 112.0), 1.59, 0.005);
    NEAR(unicast / moehub_system_fused_flits(copies, 9, 0, 0, 0), 1.75, 0.005);
    NEAR(moehub_system_fused_flits(0.5, 9, 3, 0, 0), 4.5 + 9 + 3, 1e-12);  /* few copies: up is the busier direction */
    assert_true(moehub_system_payload_share(1) == 0.8 && moehub_system_payload_share(8) == 0.8);
    assert_true(moehub_system_payload_share(9) == 8.0 / 11);
    NEAR(moehub_system_payload_share_of_addresses(1, 48), 8.0 / 9, 1e-9);
    NEAR(moehub_system_payload_share_of_addresses(9, 64), 8.0 / 13, 1e-9);
}

/* Expected largest of binomial counts, GSL's chances this time. */
static void hashed_rows_are_binomial(void **state)
{
    (void)state;
    static const unsigned cases[][3] = {{450, 18, 32}, {3604, 18, 32}, {100, 2, 1}, {1, 4, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned rows = cases[i][0], links = cases[i][1], gpus = cases[i][2];
        double largest = 0;
        for (unsigned k = 0; k < rows; k++)
            largest += 1 - pow(gsl_cdf_binomial_P(k, 1.0 / links, rows), (double)links * gpus);
        NEAR(moehub_system_hash_excess(rows, links, gpus), largest * links / rows - 1, 1e-6);
    }
    assert_true(moehub_system_hash_excess(1000, 1, 8) == 0);
}

static void links_carry_their_framing(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h200-nvl32", "measured");
    NEAR(moehub_system_copy_rate(&constants), 360e9, 1);
    NEAR(moehub_system_allreduce_rate(&constants, 8), 450e9 * 8 / 13.25, 1);
    NEAR(moehub_system_rows_time(&constants, 1000, 129), 1000 * 2 * 160 / 450e9, 1e-15);
}

/* Spread routing of 8 experts on 16 GPUs: every GPU has a half of all tokens, an own one never counts. */
static void spread_copies_leave_out_the_own_gpu(void **state)
{
    (void)state;
    NEAR(moehub_system_spread_copies(8, 8), 7, 1e-12);
    NEAR(moehub_system_spread_copies(16, 8), 15 * 0.5, 1e-12);
    NEAR(moehub_system_spread_copies(4, 8), 3, 1e-12);
    for (unsigned gpus = 2; gpus <= 64; gpus *= 2)  /* as different as they can be: no fewer than uniform routing hits */
        assert_true(moehub_system_spread_copies(gpus, 8) >= moehub_system_copies(256, gpus, 8));
}

static void small_all_reduces_have_a_start(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h200-nvl32", "measured");
    NEAR(moehub_system_small_allreduce_time(&constants, 0), 5.41e-6, 1e-12);
    NEAR(moehub_system_small_allreduce_time(&constants, 25e3), 6.41e-6, 1e-12);
}

/* An overlapped GEMM is not shorter than its parts, and not longer than both after one another. */
static void overlap_lies_between_its_bounds(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h200-nvl32", "measured");
    const struct moehub_system_gemm gemm = {8, 1024, 1024, 4096, 2};
    const double alone = moehub_system_gemm_time(&constants, &gemm, 132);
    for (unsigned rows = 1; rows < 1000000; rows *= 4) {
        const double wire = moehub_system_tensor_wire(&constants, 8, rows, 4096);
        NEAR(wire, 7.0 * rows * 64 * 160 / 450e9, 1e-9 * wire);
        const double both = moehub_system_tensor_overlapped(&constants, &gemm, 132, 8, wire);
        assert_true(both >= alone && both > wire && both <= alone + wire);
    }
    NEAR(moehub_system_tensor_overlapped(&constants, &gemm, 132, 8, 1), 1 + 2e-6 + (alone - 2e-6) / 8, 1e-9);
}

/* Nothing to hide on links without end; never more than what the collectives take. */
static void tensor_gain_comes_from_collectives(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_message message = {""};
    load_system(&constants, "h200-nvl32", "measured");
    const double gain = moehub_system_tensor_gain(&constants);
    assert_true(gain > 1.2 && gain < 2);
    assert_int_equal(moehub_system_set(&constants, "nvls_start=0", &message), 0);
    const double without_start = moehub_system_tensor_gain(&constants);
    assert_true(without_start > 1.2 && without_start < gain);
    assert_int_equal(moehub_system_set(&constants, "link_rate=1e13", &message), 0);
    const double fast = moehub_system_tensor_gain(&constants);
    assert_true(fast >= 1 && fast < 1.05);
}

static void gemm_is_never_faster_than_its_parts(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h200-nvl32", "measured");
    for (unsigned m = 1; m < 3000; m = m * 2 + 1) {
        const struct moehub_system_gemm gemm = {8, m, 4096, 7168, 1};
        const double time = moehub_system_gemm_time(&constants, &gemm, 132);
        assert_true(time >= moehub_system_gemm_flops(&gemm) / (0.9 * 1979e12));
        assert_true(time >= 8 * 4096.0 * 7168 / 4.8e12);
        assert_true(moehub_system_gemm_time(&constants, &gemm, 100) >= time);
    }
}

static bool bounds(enum moehub_system_scheme bound, enum moehub_system_scheme scheme)
{
    static const enum moehub_system_scheme unicast[] = {
        MOEHUB_SYSTEM_SCHEME_DEEPEP, MOEHUB_SYSTEM_SCHEME_FASTERMOE, MOEHUB_SYSTEM_SCHEME_TUTEL, MOEHUB_SYSTEM_SCHEME_CCFUSER,
        MOEHUB_SYSTEM_SCHEME_COMET,  MOEHUB_SYSTEM_SCHEME_FUSION,    MOEHUB_SYSTEM_SCHEME_COMET_TILES,
        MOEHUB_SYSTEM_SCHEME_MEGAMOE, MOEHUB_SYSTEM_SCHEME_DUALPIPE, MOEHUB_SYSTEM_SCHEME_MEGATRON};
    bool found = bound == MOEHUB_SYSTEM_SCHEME_IDEAL;
    for (size_t i = 0; i < sizeof unicast / sizeof unicast[0]; i++)
        found = found || (bound == MOEHUB_SYSTEM_SCHEME_PERFECT && scheme == unicast[i]);
    return found || (bound == MOEHUB_SYSTEM_SCHEME_HUB_IDEAL && scheme >= MOEHUB_SYSTEM_SCHEME_HUB_BASE &&
                     scheme <= MOEHUB_SYSTEM_SCHEME_HUB);
}

static void check_row(const char *name, const double *seconds)
{
    for (int i = 0; i < MOEHUB_SYSTEM_SCHEME_COUNT; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_SCHEME_COUNT; j++) {
            const enum moehub_system_scheme bound = (enum moehub_system_scheme)i, scheme = (enum moehub_system_scheme)j;
            if (!moehub_system_is_bound(bound) || !bounds(bound, scheme) || seconds[j] >= seconds[i] * (1 - 1e-9))
                continue;
            print_message("%s: %s, %g s, beats %s, %g s\n", name, moehub_system_scheme_name(scheme), seconds[j],
                          moehub_system_scheme_name(bound), seconds[i]);
            fail();
        }
}

static void check_grid(const struct moehub_system_constants *constants, const struct moehub_system_work *works, size_t count)
{
    struct moehub_message message = {""};
    static struct moehub_system_grid grid;
    assert_int_equal(moehub_system_grid_make(&grid, constants, works, count, true, &message), 0);
    for (size_t i = 0; i < count; i++) {
        check_row(works[i].name, grid.forward[i]);
        check_row(works[i].name, grid.backward[i]);
    }
}

/* All layers of both papers, under both sets, in both directions. */
static void no_scheme_beats_a_bound(void **state)
{
    (void)state;
    static const char *const sets[] = {"measured", "paper"};
    static const char *const machines[] = {"h800-8", "h800-8-paper"};
    for (int set = 0; set < 2; set++) {
        struct moehub_system_constants constants;
        size_t count;
        load_system(&constants, "h200-nvl32", sets[set]);
        const struct moehub_system_work *works = moehub_system_training(&count);
        assert_int_equal(count, 9);
        check_grid(&constants, works, count);
        load_system(&constants, machines[set], sets[set]);
        works = moehub_system_hub_cases(&count);
        check_grid(&constants, works, count);
    }
}

/* The same with every model on links that lose nothing, where least is between a scheme and its bound: 60 experts on 8 GPUs, few
 * and many tokens, even and uneven loads; and one expert a token with hardly any products, where a list costs more than it
 * saves. */
static void no_model_beats_a_bound(void **state)
{
    (void)state;
    static const char *const lossless[] = {"hardware_packets=0", "software_efficiency=1", "hardware_dispatch=1",
                                           "hardware_combine=1", "hardware_fused=1", "mediation=0", "mediation_least=0"};
    struct moehub_message message = {""};
    for (int set = 0; set < 2; set++) {
        struct moehub_system_constants constants;
        load_system(&constants, "h200-8", set == 0 ? "measured" : "paper");
        for (size_t i = 0; i < sizeof lossless / sizeof lossless[0]; i++)
            assert_int_equal(moehub_system_set(&constants, lossless[i], &message), 0);
        assert_int_equal(moehub_system_set(&constants, set == 0 ? "load_variation=1" : "load_variation=0", &message), 0);
        static const struct moehub_system_work alone = {"top-1", 8, 1, 4096, 64, 4096, 2, 1};
        check_grid(&constants, &alone, 1);
        size_t count;
        const struct moehub_preset *presets = moehub_presets(&count);
        assert_true(count > 10);
        for (size_t i = 0; i < count; i++)
            for (unsigned tokens = 16; tokens <= 4096; tokens *= 16) {
                const struct moehub_system_work work = {presets[i].name, presets[i].experts, presets[i].topk,
                                                        presets[i].hidden, presets[i].intermediate, tokens, 2, 1};
                check_grid(&constants, &work, 1);
            }
    }
}

/* A layer by rates is not shorter than its wire or its products. Fusion gains at most 2hd / (1 + hd) on the wire; grows with h,
 * and any h here is below 2. */
static void layers_are_not_shorter_than_their_parts(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_message message = {""};
    load_system(&constants, "h200-nvl32", "measured");
    const struct moehub_system_plan_options *forward = &moehub_system_forward;
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < MOEHUB_SYSTEM_SCHEME_COUNT; j++) {
            const enum moehub_system_scheme scheme = (enum moehub_system_scheme)j;
            const double layer = moehub_system_rates_time(&constants, &works[i], scheme, forward, &message);
            assert_true(layer >= moehub_system_wire_time(&constants, &works[i], scheme, forward, &message));
            assert_true(layer >= moehub_system_compute_time(&constants, &works[i], scheme, forward));
        }
        const double copies = moehub_system_copies(works[i].experts, 32, works[i].topk);
        const double gain =
            moehub_system_wire_time(&constants, &works[i], MOEHUB_SYSTEM_SCHEME_ADDRESSING, forward, &message) /
            moehub_system_wire_time(&constants, &works[i], MOEHUB_SYSTEM_SCHEME_DYSHARP, forward, &message);
        assert_true(gain > 1 && gain <= moehub_system_fused_bound(copies, 1, 2));
    }
}

/* Layers of a few hundred tokens, so that the grid is quick; as many as the claims look at. */
static void make_set(struct moehub_system_evidence_set *set, const struct moehub_system_constants *constants,
                     struct moehub_system_work *works)
{
    struct moehub_message message = {""};
    size_t count;
    const struct moehub_system_work *training = moehub_system_training(&count);
    for (size_t i = 0; i < count; i++) {
        works[i] = training[i];
        works[i].tokens = 256;
        works[i].hidden = 1024;
    }
    assert_int_equal(moehub_system_grid_make(&set->training, constants, works, count, true, &message), 0);
    assert_int_equal(moehub_system_grid_make(&set->hub, constants, works, 2, true, &message), 0);
    set->figures = (struct moehub_system_figures){0.91, 0.95, 0.9, 0.92, 0.9, 0.99, 0.98, 0.96, 0.97};
}

/* Whether a claim names the most that its gain can be in each set; then it must not be passed. */
static bool within_its_limit(const struct moehub_system_claim *claim)
{
    static const char first[] = " it is ", second[] = " and ";
    const double rounding = 0.005;
    const char *limits = strstr(claim->reason, first);
    if (limits == NULL)
        return false;
    char *rest;
    assert_true(claim->measured <= strtod(limits + strlen(first), &rest) + rounding);
    assert_true(strncmp(rest, second, strlen(second)) == 0);
    assert_true(claim->paper_set <= strtod(rest + strlen(second), &rest) + rounding);
    assert_true(strncmp(rest, ", the most there is", 19) == 0);
    return true;
}

static void no_verdict_without_a_run(void **state)
{
    (void)state;
    struct moehub_system_constants constants[2];
    static struct moehub_system_evidence_set sets[2];
    struct moehub_system_work works[2][MOEHUB_SYSTEM_GRID_MAX];
    load_system(&constants[0], "h200-nvl32", "measured");
    load_system(&constants[1], "h200-nvl32", "paper");
    for (int i = 0; i < 2; i++)
        make_set(&sets[i], &constants[i], works[i]);
    static struct moehub_system_claim claims[256];
    const size_t count = moehub_system_claims(&sets[0], &sets[1], claims, 256);
    size_t run = 0, limited = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(claims[i].run, strcmp(claims[i].verdict, "not run") != 0);
        assert_true(claims[i].reason[0] != '\0');
        assert_true(!claims[i].run || (claims[i].measured > 0 && claims[i].paper_set > 0));
        limited += within_its_limit(&claims[i]);
        run += claims[i].run;
    }
    assert_true(run >= 40 && run < count);
    assert_int_equal(limited, 13);
    assert_int_equal(moehub_system_claims(&sets[0], &sets[1], claims, 0), count);
}

static void schemes_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < MOEHUB_SYSTEM_SCHEME_COUNT; i++)
        assert_int_equal(moehub_system_scheme_find(moehub_system_scheme_name((enum moehub_system_scheme)i)), i);
    assert_int_equal(moehub_system_scheme_find("magic"), MOEHUB_SYSTEM_SCHEME_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_hypergeometric),
        cmocka_unit_test(closed_forms_are_the_printed_ones),
        cmocka_unit_test(spread_copies_leave_out_the_own_gpu),
        cmocka_unit_test(small_all_reduces_have_a_start),
        cmocka_unit_test(overlap_lies_between_its_bounds),
        cmocka_unit_test(tensor_gain_comes_from_collectives),
        cmocka_unit_test(hashed_rows_are_binomial),
        cmocka_unit_test(links_carry_their_framing),
        cmocka_unit_test(gemm_is_never_faster_than_its_parts),
        cmocka_unit_test(no_scheme_beats_a_bound),
        cmocka_unit_test(no_model_beats_a_bound),
        cmocka_unit_test(layers_are_not_shorter_than_their_parts),
        cmocka_unit_test(no_verdict_without_a_run),
        cmocka_unit_test(schemes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
