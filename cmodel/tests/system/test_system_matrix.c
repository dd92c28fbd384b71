/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic matrices at packet level against what arithmetic says of their busiest link. */
#include "moehub/system_matrix.h"
#include "common/support.h"

enum { UP_FLITS = 10, DOWN_FLITS = 9, LINE = 128 };  /* header, target list, 8 of data; copies have no list */

static struct moehub_system_constants constants;

static int read_constants(void **state)
{
    (void)state;
    return moehub_system_read_path(&constants, MOEHUB_SYSTEM_PACKET, "cmodel/machines/rtl.packet", NULL);
}

static struct moehub_system_matrix_result run(const struct moehub_traffic_matrix *matrix, uint32_t lines, unsigned planes)
{
    const struct moehub_system_matrix_options options = {.lines = lines, .planes = planes, .seed = 1};
    struct moehub_system_matrix_result result;
    assert_int_equal(moehub_system_matrix_run(&constants, matrix, &options, &result, NULL), 0);
    return result;
}

/* What no link's rate explains: both directions of a link and the switch. */
static uint64_t latency(void)
{
    return (uint64_t)(moehub_system_value(&constants, MOEHUB_SYSTEM_plane_loop) +
                      moehub_system_value(&constants, MOEHUB_SYSTEM_plane_copy_latency) + 2 * UP_FLITS);
}

/* One flow: its uplink's flits and the way; the second plane takes half of it. */
static void one_flow_takes_its_link(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 2), 0);
    matrix.bytes[1] = 1000 * LINE;
    for (unsigned planes = 1; planes <= 2; planes++) {
        const struct moehub_system_matrix_result result = run(&matrix, 4, planes);
        const uint64_t flits = 1000 * UP_FLITS / planes;
        assert_int_equal(result.bytes, 1000 * LINE);
        assert_int_equal(result.busiest_bytes, 1000 * LINE);
        assert_int_equal(result.packets, 1000);
        assert_int_equal(result.lines, 4);
        assert_int_equal(result.ideal_cycles, flits);
        assert_in_range(result.cycles, flits, flits + latency());
    }
    moehub_traffic_matrix_destroy(&matrix);
}

/* Fewer pieces than planes: some planes have nothing to do. */
static void few_packets_many_planes(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 3), 0);
    matrix.bytes[5] = 7 * LINE;
    const struct moehub_system_matrix_result result = run(&matrix, 1, 64);
    assert_int_equal(result.packets, 7);
    assert_int_equal(result.ideal_cycles, (7 * UP_FLITS + 63) / 64);
    assert_in_range(result.cycles, UP_FLITS, latency());
    moehub_traffic_matrix_destroy(&matrix);
}

/* Three send to one: its downlink decides. A last piece that is not full counts as one. */
static void incast_takes_the_receivers_link(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 4), 0);
    for (unsigned i = 1; i < 4; i++)
        matrix.bytes[i * 4] = 2000 * LINE - 100;
    const struct moehub_system_matrix_result result = run(&matrix, 128, 1);
    assert_int_equal(result.busiest_bytes, 3 * (2000 * LINE - 100));
    assert_int_equal(result.packets, 6000);
    assert_int_equal(result.ideal_cycles, 6000 * DOWN_FLITS);
    assert_in_range(result.cycles, result.ideal_cycles, result.ideal_cycles + latency());
    moehub_traffic_matrix_destroy(&matrix);
}

/* An output queue is never empty once its first packet has come, as three sources fill it. */
static void an_ideal_plane_has_no_gap(void **state)
{
    (void)state;
    const struct moehub_system_matrix_options options = {.lines = 128, .planes = 1, .seed = 1, .ideal_plane = true};
    struct moehub_system_matrix_result result;
    struct moehub_traffic_matrix matrix;
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 4), 0);
    for (unsigned i = 1; i < 4; i++)
        matrix.bytes[i * 4] = 2000 * LINE;
    assert_int_equal(moehub_system_matrix_run(&constants, &matrix, &options, &result, NULL), 0);
    const uint64_t first = UP_FLITS + (uint64_t)moehub_system_value(&constants, MOEHUB_SYSTEM_plane_loop) / 2 +
                           (uint64_t)moehub_system_value(&constants, MOEHUB_SYSTEM_plane_copy_latency);
    assert_int_equal(result.cycles, first + 6000 * DOWN_FLITS);
    moehub_traffic_matrix_destroy(&matrix);
}

static void same_seed_same_result(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 8), 0);
    for (unsigned i = 0; i < 64; i++)
        matrix.bytes[i] = i % 9 == 0 ? 0 : (100 + 7 * i) * LINE;
    const struct moehub_system_matrix_result first = run(&matrix, 8, 2), second = run(&matrix, 8, 2);
    assert_memory_equal(&first, &second, sizeof first);
    moehub_traffic_matrix_destroy(&matrix);
}

static void refuses_in_a_sentence(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    struct moehub_system_matrix_result result;
    struct moehub_message message = {""};
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 2), 0);
    struct moehub_system_matrix_options options = {.lines = 8, .planes = 1, .seed = 1};
    assert_int_equal(moehub_system_matrix_run(&constants, &matrix, &options, &result, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "no flow"));
    matrix.bytes[2] = 1;
    options.planes = 65;
    assert_int_equal(moehub_system_matrix_run(&constants, &matrix, &options, &result, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "planes: 65"));
    moehub_traffic_matrix_destroy(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_flow_takes_its_link),
        cmocka_unit_test(few_packets_many_planes),
        cmocka_unit_test(incast_takes_the_receivers_link),
        cmocka_unit_test(an_ideal_plane_has_no_gap),
        cmocka_unit_test(same_seed_same_result),
        cmocka_unit_test(refuses_in_a_sentence),
    };
    return cmocka_run_group_tests_name("system_matrix", tests, read_constants, NULL);
}
