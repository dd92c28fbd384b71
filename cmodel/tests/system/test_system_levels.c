/* SPDX-License-Identifier: Apache-2.0 */
/* Tile flows beside packets on small layers; wrong shares and links that are taken for one are noticed. */
#include "common/system_support.h"
#include "moehub/system_levels.h"
#include "moehub/system_load.h"

#include <math.h>

static struct moehub_system_constants constants;

static const struct moehub_system_level_case small[] = {
    {"many copies", 16, 256, 8, 128, "normal:0.256", 56, 56, 1, 2},
    {"few copies", 8, 8, 2, 256, "normal:0.256", 32, 32, 1, 8},
    {"planes", 8, 256, 8, 256, "normal:0.256", 32, 32, 4, 4},
};

static int load(void **state)
{
    (void)state;
    load_system(&constants, "h200-nvl32", "measured");
    return 0;
}

static struct moehub_system_level_result run(const struct moehub_system_level_case *one, enum moehub_system_pattern pattern)
{
    struct moehub_system_level_result result;
    struct moehub_message message = {""};
    const int error = moehub_system_level_run(&constants, one, pattern, &result, &message);
    assert_string_equal(message.text, "");
    assert_int_equal(error, 0);
    return result;
}

static double error_of(const struct moehub_system_level_result *result)
{
    return fabs(result->flow_cycles / (double)result->packet_cycles - 1);
}

static void flows_take_as_long_as_packets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_PATTERNS; j++) {
            const struct moehub_system_level_result result = run(&small[i], (enum moehub_system_pattern)j);
            print_message("%s, %d: %+.2f %%, worst %.2f %%\n", small[i].name, j,
                          100 * (result.flow_cycles / (double)result.packet_cycles - 1), 100 * result.worst);
            assert_true(result.share > 0.5 && result.share <= 1);
            assert_true(error_of(&result) <= 0.03 && result.worst >= error_of(&result));
        }
}

/* Each pattern uses its own constant, and no other. */
static void share_moves_flows_alone(void **state)
{
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++) {
        load(state);
        const enum moehub_system_pattern pattern = (enum moehub_system_pattern)i;
        const struct moehub_system_level_result before = run(&small[0], pattern);
        constants.entries[moehub_system_hardware_constant(pattern)].value *= 0.9;
        const struct moehub_system_level_result after = run(&small[0], pattern);
        assert_int_equal(after.packet_cycles, before.packet_cycles);
        assert_true(error_of(&after) > 0.03);
        assert_true(after.flow_cycles > before.flow_cycles);
    }
}

/* The shares of one slice for all layers, as they were once: few copies and several planes are missed by more than is wanted. */
static void one_share_for_all_is_noticed(void **state)
{
    (void)state;
    static const double slice[MOEHUB_SYSTEM_PATTERNS] = {0.999, 0.969, 0.966};
    constants.entries[MOEHUB_SYSTEM_hardware_packets].value = 0;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++)
        constants.entries[moehub_system_hardware_constant((enum moehub_system_pattern)i)].value = slice[i];
    const struct moehub_system_level_result few = run(&small[1], MOEHUB_SYSTEM_BOTH);
    const struct moehub_system_level_result planes = run(&small[2], MOEHUB_SYSTEM_DISPATCH_ALONE);
    assert_true(error_of(&few) > 0.03 && few.flow_cycles < (double)few.packet_cycles);
    assert_true(error_of(&planes) > 0.03 && planes.flow_cycles < (double)planes.packet_cycles);
}

static void load_counts_what_crosses(void **state)
{
    (void)state;
    struct moehub_layer layer;
    struct moehub_system_load loads;
    struct moehub_message message;
    const struct moehub_layer_options options = {.gpus = 5, .tokens = 40, .experts = 11, .topk = 2, .hidden = 64, .seed = 3};
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    moehub_system_load_from_layer(&loads, &layer);
    double expected = 0;
    double rows = 0;
    double sent = 0;
    for (uint32_t row = 0; row < layer.row_limit; row++) {
        expected += layer.remote_counts[row];
        sent += layer.remote_counts[row] > 0;
    }
    for (unsigned i = 0; i < loads.count; i++)
        rows += loads.classes[i].arrivals;
    assert_int_equal(loads.count, 5);
    assert_true(expected > 0 && rows == expected);
    assert_true(fabs(loads.copies - expected / sent) < 1e-12);
    moehub_layer_destroy(&layer);
}

static void bad_case_is_refused(void **state)
{
    (void)state;
    struct moehub_system_level_case bad = small[0];
    struct moehub_system_level_result result;
    struct moehub_message message = {""};
    bad.routing = "sideways";
    assert_int_equal(moehub_system_level_run(&constants, &bad, MOEHUB_SYSTEM_BOTH, &result, &message), MOEHUB_E_ARGUMENT);
    bad.routing = "uniform";
    bad.topk = 300;
    assert_int_equal(moehub_system_level_run(&constants, &bad, MOEHUB_SYSTEM_BOTH, &result, &message), MOEHUB_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(flows_take_as_long_as_packets, load),
        cmocka_unit_test_setup(share_moves_flows_alone, load),
        cmocka_unit_test_setup(one_share_for_all_is_noticed, load),
        cmocka_unit_test(load_counts_what_crosses),
        cmocka_unit_test_setup(bad_case_is_refused, load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
