/* SPDX-License-Identifier: Apache-2.0 */
/* The packet level's crossbars: an output serves the inputs that ask in turn, without gaps; an input's oldest packet goes first;
 * a packet is read once for outputs that are open together; an output that has just granted is asked in vain; the fullest inputs
 * come first, but not always; copies of requests wait for one another. */
#include "common/support.h"
#include "system/system_packet_crossbar.h"

enum { PORTS = 3, MANY = 40, LINE = 9 };

static struct moehub_system_constants constants;
static struct packet_rows rows;
static struct packet_plane plane;
static struct moehub_system_packet_result result;

static uint32_t value(enum moehub_system_constant constant)
{
    return (uint32_t)moehub_system_value(&constants, constant);
}

/* A plane whose GPUs send nothing: the tests give it its packets. */
static int create(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    struct moehub_layer layer;
    result = (struct moehub_system_packet_result){0};
    const struct moehub_layer_options options = {.gpus = PORTS, .tokens = 1, .experts = PORTS, .topk = PORTS, .hidden = 64,
                                                 .seed = 1};
    assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_PACKET, "cmodel/machines/rtl.packet", &message), 0);
    assert_int_equal(moehub_layer_create(&layer, &options, &message), 0);
    assert_int_equal(packet_rows_create(&rows, &layer, 1, 0, false), 0);
    moehub_layer_destroy(&layer);
    plane = (struct packet_plane){.options = {.phase = MOEHUB_SYSTEM_PACKET_DISPATCH, .dispatch_lines = 1, .combine_lines = 1},
                                  .result = &result, .groups_of_port = 1, .request_lines = 1, .bound = 1};
    for (int i = 0; i < CLASSES; i++)
        plane.places[i] = plane.gpu_places[i] = 4096;
    plane.slots = value(MOEHUB_SYSTEM_plane_slots);
    plane.request_slots = value(MOEHUB_SYSTEM_plane_request_slots);
    plane.ahead = value(MOEHUB_SYSTEM_plane_ahead);
    plane.ahead_response = value(MOEHUB_SYSTEM_plane_ahead_response);
    assert_int_equal(packet_plane_create(&plane, &rows), 0);
    for (unsigned port = 0; port < PORTS; port++)
        plane.ports[port].stores_left = 0;
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    packet_plane_destroy(&plane);
    packet_rows_destroy(&rows);
    return 0;
}

/* The cycle in which an input's packet of a class had passed, the first, second, ... one: its credits went back then. */
static uint64_t passed(unsigned input, unsigned packet_class, unsigned number)
{
    const struct packet_credits *credits = &plane.ports[input].up_credits[packet_class];
    assert_true(number < credits->count);
    return credits->away[(credits->head + number) & credits->mask] >> CREDIT_FLITS_BITS;
}

/* A packet that arrives at a cycle; the item of a store is the test's. */
static void put(unsigned input, uint64_t outputs, uint32_t item, uint32_t cycle)
{
    const uint32_t number = packet_plane_take(&plane);
    plane.packets[number] = (struct packet){.outputs = outputs, .row = input, .item = item, .flits = LINE + 1,
                                            .packet_class = STORE, .source = (uint8_t)input};
    packet_plane_schedule(&plane, cycle, ARRIVED, input, number);
}

/* Packets by their ends, the last one first: places are given out last in, first out. */
static const struct packet *ended(unsigned before_last)
{
    uint32_t number = plane.free_packet;
    for (unsigned i = 0; i < before_last; i++)
        number = plane.packets[number].next;
    return &plane.packets[number];
}

static void an_output_serves_inputs_in_turn(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        for (unsigned input = 0; input < 2; input++)
            put(input, 4, i, 0);
    packet_plane_run(&plane);
    for (unsigned i = 0; i + 1 < 2 * MANY; i++) {
        assert_true(ended(i)->source != ended(i + 1)->source);
        assert_int_equal(ended(i)->item, MANY - 1 - i / 2);
    }
    assert_true(plane.now <= 2 * MANY * LINE + LINE + 8);
}

/* Both outputs open in the same cycles. Input 0's second packet is older than all behind it, whose output is free, too. */
static void the_oldest_packet_goes_first(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        put(1, 4, i, i);
    put(0, 2, 0, 0);
    put(0, 4, MANY, 1);
    for (uint32_t i = 1; i < MANY; i++)
        put(0, 2, i, 1 + i);
    packet_plane_run(&plane);
    for (unsigned i = 0; i < 2 * MANY - 4; i++)
        assert_int_not_equal(ended(i)->item, MANY);
}

/* A packet is read once for outputs that are open together, and for one that joins. */
static void a_packet_is_read_once_for_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        put(0, 6, i, 0);
    put(1, 4, 0, 0);
    packet_plane_run(&plane);
    assert_true(plane.now <= MANY * LINE + 3 * LINE);
    for (unsigned port = 1; port < PORTS; port++)
        assert_int_equal(result.down[port].packets[STORE], MANY + (port == 2));
}

/* An output that decides late joins a pass that has just begun, and need not wait for its end. */
static void a_pass_is_joined_before_its_end(void **state)
{
    (void)state;
    plane.stores.ahead = 3;
    put(1, 4, 0, 0);
    put(0, 6, 0, LINE - 2);
    packet_plane_run(&plane);
    assert_true(plane.now <= 2 * LINE + 4);
}

/* Input 2's packets are of one cycle, and the lowest output is chosen: input 1 has just got it. */
static void who_asks_in_vain_asks_again_later(void **state)
{
    (void)state;
    put(1, 1, 0, 0);
    put(2, 1, 0, 1);
    put(2, 2, 0, 1);
    packet_plane_run(&plane);
    assert_int_equal(passed(1, STORE, 0), LINE);
    assert_int_equal(passed(2, STORE, 0), 1 + AGAIN_REFUSED + LINE);
}

/* Of input 1's `notices` as many have passed when so many of input 0 have. */
static unsigned passed_beside(unsigned of_first, unsigned notices)
{
    const uint64_t cycle = passed(0, RESPONSE, of_first - 1);
    unsigned count = 0;
    while (count < notices && passed(1, RESPONSE, count) < cycle)
        count++;
    return count;
}

static void notices(unsigned input, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        packet_plane_schedule(&plane, 0, ARRIVED_RESPONSE, packet_ports(input, 2), NOTICE | i);
}

/* Every fourth grant is in turn of both inputs, so that every eighth is the other one's, until input 0 holds no more than a
 * level, which is what input 1 has begun: all are in turn then. */
static void the_fullest_inputs_go_first(void **state)
{
    (void)state;
    const unsigned level = 1u << plane.responses.level_shift, of_second = level / 2;
    notices(0, 3 * level);
    notices(1, of_second);
    packet_plane_run(&plane);
    const unsigned beside = passed_beside(2 * level, of_second);
    assert_in_range(beside, 2 * level / 7 - 1, 2 * level / 7 + 1);
    assert_in_range(passed_beside(2 * level + 20, of_second), beside + 19, beside + 21);
}

/* Input 1's turn would be next, but its partial comes when the output has decided: as soon as input 0's pass has begun, at the
 * earliest. */
static void responses_are_decided_further_ahead(void **state)
{
    (void)state;
    const uint32_t early = 2 * LINE - (value(MOEHUB_SYSTEM_plane_ahead_response) - DECISION), begun = LINE + SPAN_LEAST;
    const uint32_t decided = early > begun ? early : begun;
    for (unsigned i = 0; i < 3; i++)
        packet_plane_schedule(&plane, 0, ARRIVED_RESPONSE, packet_ports(0, 2), 0);
    packet_plane_schedule(&plane, decided + 1, ARRIVED_RESPONSE, packet_ports(1, 2), 0);
    packet_plane_run(&plane);
    assert_int_equal(passed(0, RESPONSE, 2), 3 * LINE);
    assert_int_equal(passed(1, RESPONSE, 0), 4 * LINE);
}

/* All ask at once, each for both others: an output takes a copy after the other, and places are free with the last one. */
static void copies_of_requests_wait(void **state)
{
    (void)state;
    static const uint64_t ends[PORTS] = {REQUEST_ROWS, OUTPUT_AGAIN + REQUEST_ROWS, OUTPUT_AGAIN + REQUEST_ROWS};
    for (unsigned input = 0; input < PORTS; input++) {
        const uint32_t number = packet_plane_take(&plane);
        plane.packets[number] = (struct packet){.row = input, .flits = 2, .packet_class = REQUEST, .source = (uint8_t)input};
        packet_plane_schedule(&plane, 0, ARRIVED, input, number);
    }
    packet_plane_run(&plane);
    for (unsigned input = 0; input < PORTS; input++) {
        assert_int_equal(passed(input, REQUEST, 0), ends[input]);
        assert_int_equal(result.down[input].packets[REQUEST], PORTS - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_output_serves_inputs_in_turn, create, destroy),
        cmocka_unit_test_setup_teardown(the_oldest_packet_goes_first, create, destroy),
        cmocka_unit_test_setup_teardown(a_packet_is_read_once_for_all, create, destroy),
        cmocka_unit_test_setup_teardown(a_pass_is_joined_before_its_end, create, destroy),
        cmocka_unit_test_setup_teardown(who_asks_in_vain_asks_again_later, create, destroy),
        cmocka_unit_test_setup_teardown(the_fullest_inputs_go_first, create, destroy),
        cmocka_unit_test_setup_teardown(responses_are_decided_further_ahead, create, destroy),
        cmocka_unit_test_setup_teardown(copies_of_requests_wait, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
