/* SPDX-License-Identifier: Apache-2.0 */
/* Tile flows beside packets on small layers; a wrong share and a wrong constant are noticed. */
#include "common/support.h"
#include "moehub/system_levels.h"
#include "moehub/system_load.h"

#include <math.h>

static struct moehub_system_constants constants;

static const struct moehub_system_level_case small = {"small", 16, 256, 8, 128, "normal:0.256", 56, 56, 1};

static int load(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    constants = (struct moehub_system_constants){0};
    return moehub_system_read_path(&constants, MOEHUB_SYSTEM_MACHINE, "cmodel/machines/h200-nvl32.machine", &message) |
           moehub_system_read_path(&constants, MOEHUB_SYSTEM_ASSUMPTION, "cmodel/machines/measured.assumptions", &message) |
           moehub_system_read_path(&constants, MOEHUB_SYSTEM_PACKET, "cmodel/machines/rtl.packet", &message);
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
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++) {
        const struct moehub_system_level_result result = run(&small, (enum moehub_system_pattern)i);
        assert_true(result.share > 0.5 && result.share <= 1);
        assert_true(error_of(&result) <= 0.03);
    }
}

/* Each pattern uses its own constant, and no other. */
static void share_moves_flows_alone(void **state)
{
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++) {
        load(state);
        const enum moehub_system_pattern pattern = (enum moehub_system_pattern)i;
        const struct moehub_system_level_result before = run(&small, pattern);
        constants.entries[moehub_system_hardware_constant(pattern)].value *= 0.9;
        const struct moehub_system_level_result after = run(&small, pattern);
        assert_int_equal(after.packet_cycles, before.packet_cycles);
        assert_true(error_of(&after) > 0.03);
        assert_true(after.flow_cycles > before.flow_cycles);
    }
}

static void constant_must_be_the_slices(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    struct moehub_system_level_result slice = {.share = moehub_system_hardware_share(&constants, MOEHUB_SYSTEM_BOTH)};
    assert_int_equal(moehub_system_level_check(&constants, MOEHUB_SYSTEM_BOTH, &slice, &message), 0);
    slice.share += 0.001;
    assert_int_equal(moehub_system_level_check(&constants, MOEHUB_SYSTEM_BOTH, &slice, &message), MOEHUB_E_STATE);
    assert_non_null(strstr(message.text, "hardware_fused"));
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
    struct moehub_system_level_case bad = small;
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
        cmocka_unit_test_setup(constant_must_be_the_slices, load),
        cmocka_unit_test(load_counts_what_crosses),
        cmocka_unit_test_setup(bad_case_is_refused, load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
