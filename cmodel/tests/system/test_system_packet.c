/* SPDX-License-Identifier: Apache-2.0 */
/* What the layer asks for crosses each link, counted here from the targets alone; closed forms; no layer beats its bound; the
 * same twice; smallest pools end; bad arguments are refused. */
#include "common/support.h"
#include "moehub/defines.h"
#include "moehub/system_packet.h"

enum { LINE = 9, LINES = 8 };  /* flits of a line without a list; lines of a row */

static struct moehub_system_constants constants;

static void set(const char *name, unsigned value)
{
    char text[80];
    struct moehub_message message;
    snprintf(text, sizeof text, "%s=%u", name, value);
    assert_int_equal(moehub_system_set(&constants, text, &message), 0);
}

static int load(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    constants = (struct moehub_system_constants){0};
    assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_PACKET, "cmodel/machines/rtl.packet", &message), 0);
    return 0;
}

static void draw(struct moehub_layer *layer, unsigned gpus, size_t tokens, unsigned experts, unsigned topk, uint64_t seed)
{
    const struct moehub_layer_options options = {.gpus = gpus, .tokens = tokens, .experts = experts, .topk = topk, .hidden = 64,
                                                 .seed = seed};
    struct moehub_message message;
    assert_int_equal(moehub_layer_create(layer, &options, &message), 0);
}

static struct moehub_system_packet_options phase_of(enum moehub_system_packet_phase phase)
{
    return (struct moehub_system_packet_options){.phase = phase, .dispatch_lines = LINES, .combine_lines = LINES, .planes = 1};
}

static void run_as(const struct moehub_layer *layer, const struct moehub_system_packet_options *options,
                   struct moehub_system_packet_result *result)
{
    struct moehub_message message = {""};
    const int error = moehub_system_packet_run(&constants, layer, options, result, &message);
    assert_string_equal(message.text, "");
    assert_int_equal(error, 0);
}

static void run(const struct moehub_layer *layer, enum moehub_system_packet_phase phase,
                struct moehub_system_packet_result *result)
{
    const struct moehub_system_packet_options options = phase_of(phase);
    run_as(layer, &options, result);
}

/* Pairs of row and remote GPU at each end, rows that cross a link. */
struct pairs {
    uint64_t from[64], to[64], rows[64], all;
};

static void count_pairs(const struct moehub_layer *layer, struct pairs *pairs)
{
    *pairs = (struct pairs){.all = 0};
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        const unsigned gpu = moehub_layer_row_gpu(layer, row);
        pairs->rows[gpu] += layer->remote_counts[row] > 0;
        pairs->from[gpu] += layer->remote_counts[row];
        pairs->all += layer->remote_counts[row];
        for (unsigned i = 0; i < layer->remote_counts[row]; i++)
            pairs->to[layer->remotes[(size_t)row * layer->topk + i]]++;
    }
}

/* Packets in are packets out, in each class and on each link: multiplied by the switch for stores and requests, added up there
 * for partials. */
static void check_packets(const struct moehub_layer *layer, const struct moehub_system_packet_result *result, bool dispatches,
                          bool combines)
{
    struct pairs pairs;
    const unsigned asked = (unsigned)moehub_system_value(&constants, MOEHUB_SYSTEM_plane_request_lines);
    const uint64_t requests = combines ? (LINES + asked - 1) / asked : 0, lines = combines ? LINES : 0;
    const uint64_t stores = dispatches ? LINES : 0;
    count_pairs(layer, &pairs);
    assert_true(pairs.all > 0);
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        const struct moehub_system_packet_counts *up = &result->up[gpu], *down = &result->down[gpu];
        assert_int_equal(up->packets[MOEHUB_CLASS_STORE], stores * pairs.rows[gpu]);
        assert_int_equal(down->packets[MOEHUB_CLASS_STORE], stores * pairs.to[gpu]);
        assert_int_equal(up->packets[MOEHUB_CLASS_REQUEST], requests * pairs.rows[gpu]);
        assert_int_equal(down->packets[MOEHUB_CLASS_REQUEST], requests * pairs.to[gpu]);
        assert_int_equal(up->packets[MOEHUB_CLASS_RESPONSE], lines * pairs.to[gpu]);
        assert_int_equal(down->packets[MOEHUB_CLASS_RESPONSE], lines * pairs.rows[gpu]);
        assert_int_equal(up->flits[MOEHUB_CLASS_RESPONSE], LINE * up->packets[MOEHUB_CLASS_RESPONSE]);
        assert_int_equal(down->flits[MOEHUB_CLASS_RESPONSE], LINE * down->packets[MOEHUB_CLASS_RESPONSE]);
    }
}

static void check_phases(const struct moehub_layer *layer)
{
    for (int phase = 0; phase < 3; phase++) {
        static struct moehub_system_packet_result result;
        run(layer, (enum moehub_system_packet_phase)phase, &result);
        check_packets(layer, &result, phase != MOEHUB_SYSTEM_PACKET_COMBINE, phase != MOEHUB_SYSTEM_PACKET_DISPATCH);
        assert_int_equal(result.busiest_flits, result.ideal_cycles);
        assert_true(result.cycles >= result.ideal_cycles);
        assert_true(result.payload > 0 && result.payload < 1);
    }
}

static void all_packets_cross(void **state)
{
    (void)state;
    static const unsigned shapes[][4] = {{2, 5, 8, 2}, {8, 16, 256, 8}, {8, 16, 8, 2}, {5, 7, 31, 31},
                                         {32, 3, 256, 8}, {64, 2, 64, 32}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct moehub_layer layer;
        draw(&layer, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], i + 1);
        check_phases(&layer);
        moehub_layer_destroy(&layer);
    }
}

/* The same packets cross, and of a dispatch no crossbar is faster. */
static void an_ideal_plane_bounds_a_dispatch(void **state)
{
    (void)state;
    static const unsigned shapes[][4] = {{2, 5, 8, 2}, {8, 16, 256, 8}, {8, 64, 8, 2}, {5, 7, 31, 31}, {32, 3, 256, 8}};
    static struct moehub_system_packet_result real, ideal;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int phase = 0; phase < 3; phase++) {
            struct moehub_system_packet_options options = phase_of((enum moehub_system_packet_phase)phase);
            struct moehub_layer layer;
            draw(&layer, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], i + 1);
            run_as(&layer, &options, &real);
            options.ideal_plane = true;
            run_as(&layer, &options, &ideal);
            check_packets(&layer, &ideal, phase != MOEHUB_SYSTEM_PACKET_COMBINE, phase != MOEHUB_SYSTEM_PACKET_DISPATCH);
            assert_memory_equal(real.up, ideal.up, sizeof real.up);
            assert_memory_equal(real.down, ideal.down, sizeof real.down);
            assert_int_equal(real.events, ideal.events);
            assert_true(ideal.cycles >= ideal.ideal_cycles);
            if (phase == MOEHUB_SYSTEM_PACKET_DISPATCH)
                assert_true(ideal.cycles <= real.cycles);
            moehub_layer_destroy(&layer);
        }
}

/* Every token of both GPUs goes to both experts. Nothing waits: the time is the sum of what is on the way, whatever the plane. */
static void one_row_takes_its_latencies(void **state)
{
    (void)state;
    static struct moehub_system_packet_result result;
    struct moehub_system_packet_options options = {.dispatch_lines = 1, .combine_lines = 1, .planes = 1};
    struct moehub_layer layer;
    draw(&layer, 2, 1, 2, 2, 1);
    set("plane_loop", 101);
    set("plane_copy_latency", 7);
    set("plane_request_latency", 11);
    set("plane_sum_latency", 5);
    set("plane_notice_latency", 3);
    set("plane_answer_latency", 13);
    for (int ideal = 0; ideal < 2; ideal++) {
        options.ideal_plane = ideal != 0;
        options.phase = MOEHUB_SYSTEM_PACKET_DISPATCH;
        run_as(&layer, &options, &result);
        assert_int_equal(result.cycles, 10 + 50 + 7 + LINE);
        options.phase = MOEHUB_SYSTEM_PACKET_COMBINE;
        run_as(&layer, &options, &result);
        assert_int_equal(result.cycles, (2 + 50 + 11) + (1 + 51 + 13) + (LINE + 50) + 3 + LINE + 5 + LINE);
    }
    moehub_layer_destroy(&layer);
}

/* Both GPUs send to one other: the uplinks, whose packets have a list, never pause. */
static void one_to_one_other_fills_the_uplink(void **state)
{
    (void)state;
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    const uint64_t tokens = 20;
    draw(&layer, 2, tokens, 2, 2, 1);
    set("plane_loop", 20);
    set("plane_copy_latency", 7);
    run(&layer, MOEHUB_SYSTEM_PACKET_DISPATCH, &result);
    assert_int_equal(result.ideal_cycles, tokens * LINES * (LINE + 1));
    assert_int_equal(result.cycles, result.ideal_cycles + 10 + 7 + LINE);
    moehub_layer_destroy(&layer);
}

static void smallest_pools_end(void **state)
{
    (void)state;
    static const char *const names[] = {"plane_places_store", "plane_places_request", "plane_places_response",
                                        "plane_gpu_places"};
    static const unsigned places[] = {14, 5, 9, 14};
    struct moehub_layer layer;
    draw(&layer, 8, 4, 64, 32, 3);
    for (size_t i = 0; i < 4; i++)
        set(names[i], places[i]);
    set("plane_groups", 1);
    set("plane_slots", 2);
    set("plane_request_slots", 2);
    set("plane_overtake_bound", 1);
    set("plane_loop", 0);
    for (unsigned lines = 1; lines <= 8; lines++) {
        set("plane_request_lines", lines);
        check_phases(&layer);
    }
    moehub_layer_destroy(&layer);
}

/* Rows in turn are the same packets in another order. */
static void rows_take_turns(void **state)
{
    (void)state;
    static struct moehub_system_packet_result apart, one, turned;
    struct moehub_system_packet_options options = phase_of(MOEHUB_SYSTEM_PACKET_FUSED);
    struct moehub_message message;
    struct moehub_layer layer;
    draw(&layer, 8, 13, 8, 2, 1);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, &apart);
    options.rows_in_turn = 1;
    assert_int_equal(moehub_system_packet_run(&constants, &layer, &options, &one, &message), 0);
    assert_memory_equal(&apart, &one, sizeof apart);
    for (options.rows_in_turn = 2; options.rows_in_turn <= 14; options.rows_in_turn += 4) {
        assert_int_equal(moehub_system_packet_run(&constants, &layer, &options, &turned, &message), 0);
        check_packets(&layer, &turned, true, true);
        assert_memory_equal(apart.up, turned.up, sizeof apart.up);
        assert_memory_equal(apart.down, turned.down, sizeof apart.down);
        assert_int_not_equal(apart.cycles, turned.cycles);
    }
    moehub_layer_destroy(&layer);
}

static void the_same_twice(void **state)
{
    (void)state;
    static struct moehub_system_packet_result first, second;
    struct moehub_layer layer;
    draw(&layer, 8, 16, 256, 8, 1);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, &first);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, &second);
    assert_memory_equal(&first, &second, sizeof first);
    moehub_layer_destroy(&layer);
}

/* All planes together carry what one does, and none is busier than it was. */
static void planes_share_the_rows(void **state)
{
    (void)state;
    static struct moehub_system_packet_result one, four;
    struct moehub_system_packet_options options = phase_of(MOEHUB_SYSTEM_PACKET_FUSED);
    struct moehub_message message;
    struct moehub_layer layer;
    draw(&layer, 8, 32, 256, 8, 1);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, &one);
    options.planes = 4;
    assert_int_equal(moehub_system_packet_run(&constants, &layer, &options, &four, &message), 0);
    assert_memory_equal(one.up, four.up, sizeof one.up);
    assert_memory_equal(one.down, four.down, sizeof one.down);
    assert_true(4 * four.ideal_cycles >= one.ideal_cycles && four.ideal_cycles < one.ideal_cycles);
    moehub_layer_destroy(&layer);
}

static struct moehub_system_packet_options of(enum moehub_system_packet_phase phase, uint32_t dispatch_lines,
                                              uint32_t combine_lines, unsigned planes)
{
    return (struct moehub_system_packet_options){
        .phase = phase, .dispatch_lines = dispatch_lines, .combine_lines = combine_lines, .planes = planes};
}

static void refuse(const struct moehub_layer *layer, struct moehub_system_packet_options options)
{
    static struct moehub_system_packet_result result;
    struct moehub_message message = {""};
    assert_int_equal(moehub_system_packet_run(&constants, layer, &options, &result, &message), MOEHUB_E_ARGUMENT);
    assert_true(message.text[0] != '\0');
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    struct moehub_layer layer;
    draw(&layer, 8, 1, 64, 8, 1);
    refuse(&layer, of((enum moehub_system_packet_phase)3, 1, 1, 1));
    refuse(&layer, of(MOEHUB_SYSTEM_PACKET_FUSED, 0, 1, 1));
    refuse(&layer, of(MOEHUB_SYSTEM_PACKET_FUSED, 129, 1, 1));
    refuse(&layer, of(MOEHUB_SYSTEM_PACKET_FUSED, 1, 0, 1));
    refuse(&layer, of(MOEHUB_SYSTEM_PACKET_FUSED, 1, 1, 0));
    refuse(&layer, of(MOEHUB_SYSTEM_PACKET_FUSED, 1, 1, 65));
    struct moehub_system_packet_options options = phase_of(MOEHUB_SYSTEM_PACKET_FUSED);
    options.rows_in_turn = 100001;
    refuse(&layer, options);
    options.rows_in_turn = 2;
    options.hubs = true;
    refuse(&layer, options);
    constants.entries[MOEHUB_SYSTEM_plane_loop].value = 0.5;
    refuse(&layer, phase_of(MOEHUB_SYSTEM_PACKET_FUSED));
    constants = (struct moehub_system_constants){0};
    refuse(&layer, phase_of(MOEHUB_SYSTEM_PACKET_FUSED));
    moehub_layer_destroy(&layer);
    load(NULL);
    draw(&layer, 65, 1, 65, 1, 1);
    refuse(&layer, phase_of(MOEHUB_SYSTEM_PACKET_FUSED));
    moehub_layer_destroy(&layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_packets_cross, load),
        cmocka_unit_test_setup(an_ideal_plane_bounds_a_dispatch, load),
        cmocka_unit_test_setup(one_row_takes_its_latencies, load),
        cmocka_unit_test_setup(one_to_one_other_fills_the_uplink, load),
        cmocka_unit_test_setup(smallest_pools_end, load),
        cmocka_unit_test_setup(rows_take_turns, load),
        cmocka_unit_test_setup(the_same_twice, load),
        cmocka_unit_test_setup(planes_share_the_rows, load),
        cmocka_unit_test_setup(bad_arguments_are_refused, load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
