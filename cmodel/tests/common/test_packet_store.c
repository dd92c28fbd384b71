/* SPDX-License-Identifier: Apache-2.0 */
/* Packet store by hand: what shows when, what is refused; and random cycles against plain counts. */
#include "moehub/error.h"
#include "moehub/packet_store.h"

#include "common/random.h"
#include "common/support.h"

static const struct moehub_packet_store_config small = {.longest = 5, .shortest = 1, .places = 8, .target_queue = 4};

static struct moehub_packet_store store_of(const struct moehub_packet_store_config *config)
{
    struct moehub_packet_store store;
    assert_int_equal(moehub_packet_store_create(&store, config), 0);
    return store;
}

static struct moehub_packet_store_cycle writing(uint64_t data, bool first, uint8_t targets)
{
    return (struct moehub_packet_store_cycle){
        .write = true, .write_first = first, .write_targets = targets, .write_data = {{data, ~data}}};
}

static void do_step(struct moehub_packet_store *store, struct moehub_packet_store_cycle cycle)
{
    assert_true(moehub_packet_store_end(store, &cycle) && moehub_packet_store_step(store, &cycle));
}

static void refuse_step(struct moehub_packet_store *store, struct moehub_packet_store_cycle cycle)
{
    assert_false(moehub_packet_store_end(store, &cycle) && moehub_packet_store_step(store, &cycle));
}

/* Flits 100, 101, ..., then the end. */
static void put_packet(struct moehub_packet_store *store, unsigned flits, uint8_t targets, bool good)
{
    for (unsigned i = 0; i < flits; i++)
        do_step(store, writing(100 + i, i == 0, targets));
    do_step(store, (struct moehub_packet_store_cycle){.end = true, .end_good = good, .end_mark = {7, 8}});
}

static void configurations(void **state)
{
    (void)state;
    static const struct moehub_packet_store_config wrong[] = {
        {0, 0, 8, 4}, {32, 1, 64, 4}, {5, 0, 8, 4}, {5, 6, 8, 4}, {5, 1, 4, 4}, {5, 1, 8192, 4}, {5, 1, 8, 3}, {5, 1, 8, 65}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct moehub_packet_store store;
        assert_int_equal(moehub_packet_store_create(&store, &wrong[i]), MOEHUB_E_ARGUMENT);
    }
    struct moehub_packet_store store = store_of(&(struct moehub_packet_store_config){14, 3, 37, 0});
    assert_int_equal(store.names, 12);
    assert_int_equal(store.free_places, 37);
    moehub_packet_store_destroy(&store);
    moehub_packet_store_destroy(NULL);
}

static void a_packet_from_write_to_free(void **state)
{
    (void)state;
    struct moehub_packet_store store = store_of(&small);
    put_packet(&store, 3, 1, true);
    assert_int_equal(store.free_places, 5);
    const struct moehub_stored_packet *packet = moehub_packet_store_waiting(&store);
    assert_int_equal(packet->count, 3);
    assert_int_equal(packet->mark[1], 8);
    assert_true(packet->listed);
    assert_int_equal(moehub_packet_store_target(&store)->half[0], 101);
    do_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true, .packet_name = 6, .target_taken = true});
    assert_null(moehub_packet_store_waiting(&store));
    assert_null(moehub_packet_store_target(&store));
    assert_int_equal(moehub_packet_store_find(&store, 6)->flits[2].half[0], 102);
    do_step(&store, (struct moehub_packet_store_cycle){.free = true, .free_name = 6});
    assert_null(moehub_packet_store_find(&store, 6));
    assert_int_equal(store.free_places, 5); /* spliced in this cycle */
    do_step(&store, (struct moehub_packet_store_cycle){.write = false});
    assert_int_equal(store.free_places, 8);
    assert_int_equal(store.freed, 3);
    do_step(&store, (struct moehub_packet_store_cycle){.write = false});
    assert_int_equal(store.freed, 0);
    moehub_packet_store_destroy(&store);
}

/* A packet and its target flits show in the cycle in which it ends, and may be taken in it. */
static void taken_as_it_ends(void **state)
{
    (void)state;
    struct moehub_packet_store store = store_of(&small);
    do_step(&store, writing(1, true, 1));
    do_step(&store, writing(2, false, 0));
    do_step(&store, writing(3, false, 0));
    assert_null(moehub_packet_store_target(&store));
    const struct moehub_packet_store_cycle cycle = {
        .end = true, .end_good = true, .packet_taken = true, .packet_name = 3, .target_taken = true};
    assert_true(moehub_packet_store_end(&store, &cycle));
    assert_int_equal(moehub_packet_store_waiting(&store)->count, 3);
    assert_int_equal(moehub_packet_store_target(&store)->half[0], 2);
    assert_true(moehub_packet_store_step(&store, &cycle));
    assert_null(moehub_packet_store_waiting(&store));
    assert_null(moehub_packet_store_target(&store));
    assert_non_null(moehub_packet_store_find(&store, 3));
    do_step(&store, writing(4, true, 1)); /* the last flit is a target flit: too late for the cycle of the end */
    do_step(&store, writing(5, false, 0));
    const struct moehub_packet_store_cycle end = {.end = true, .end_good = true};
    assert_true(moehub_packet_store_end(&store, &end));
    assert_null(moehub_packet_store_target(&store));
    assert_true(moehub_packet_store_step(&store, &end));
    assert_int_equal(moehub_packet_store_target(&store)->half[0], 5);
    moehub_packet_store_destroy(&store);
}

static void a_rejected_packet(void **state)
{
    (void)state;
    struct moehub_packet_store store = store_of(&small);
    put_packet(&store, 4, 2, false);
    assert_int_equal(store.freed, 4);
    assert_int_equal(store.free_places, 8);
    assert_null(moehub_packet_store_waiting(&store));
    assert_null(moehub_packet_store_target(&store));
    put_packet(&store, 2, 1, true);
    assert_int_equal(moehub_packet_store_target(&store)->half[0], 101);
    moehub_packet_store_destroy(&store);
}

/* Listed only with places for all target flits; what leaves in the header's own cycle still counts. */
static void target_queue_is_full(void **state)
{
    (void)state;
    struct moehub_packet_store store = store_of(&(struct moehub_packet_store_config){5, 1, 40, 4});
    put_packet(&store, 4, 3, true);
    put_packet(&store, 3, 2, true);
    put_packet(&store, 2, 1, true);
    struct moehub_packet_store_cycle cycle = writing(1, true, 1);
    cycle.target_taken = true;
    do_step(&store, cycle); /* four are inside */
    do_step(&store, writing(2, false, 0));
    do_step(&store, (struct moehub_packet_store_cycle){.end = true, .end_good = true});
    static const bool listed[] = {true, false, true, false};
    for (uint32_t name = 0; name < 4; name++) {
        assert_int_equal(moehub_packet_store_waiting(&store)->listed, listed[name]);
        do_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true, .packet_name = name});
    }
    static const uint64_t targets[] = {102, 103, 101};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(moehub_packet_store_target(&store)->half[0], targets[i]);
        do_step(&store, (struct moehub_packet_store_cycle){.target_taken = true});
    }
    assert_null(moehub_packet_store_target(&store));
    moehub_packet_store_destroy(&store);
}

static void what_may_not_be(void **state)
{
    (void)state;
    struct moehub_packet_store store = store_of(&(struct moehub_packet_store_config){3, 2, 5, 0});
    refuse_step(&store, writing(1, false, 0));                                            /* no packet is open */
    refuse_step(&store, (struct moehub_packet_store_cycle){.end = true});
    refuse_step(&store, (struct moehub_packet_store_cycle){.free = true});
    refuse_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true});
    refuse_step(&store, (struct moehub_packet_store_cycle){.target_taken = true});
    do_step(&store, writing(1, true, 0));
    refuse_step(&store, writing(1, true, 0));                                             /* it has not ended */
    refuse_step(&store, (struct moehub_packet_store_cycle){.end = true, .end_good = true}); /* too short */
    do_step(&store, writing(2, false, 0));
    do_step(&store, writing(3, false, 0));
    refuse_step(&store, writing(4, false, 0));                                            /* too long */
    struct moehub_packet_store_cycle both = writing(5, true, 0);
    both.end = both.end_good = true;
    do_step(&store, both);
    do_step(&store, writing(6, false, 0));
    refuse_step(&store, writing(7, false, 0));                                            /* no place */
    do_step(&store, (struct moehub_packet_store_cycle){.end = true, .end_good = true});
    refuse_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true, .packet_name = 2}); /* no such name */
    do_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true, .packet_name = 1});
    refuse_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true, .packet_name = 1}); /* it is in use */
    moehub_packet_store_destroy(&store);
}

static void places_belong_to_one_flit(void **state)
{
    (void)state;
    struct moehub_packet_store store = store_of(&small);
    for (uint32_t name = 0; name < 2; name++) {
        put_packet(&store, 2, 0, true);
        do_step(&store, (struct moehub_packet_store_cycle){.packet_taken = true, .packet_name = name});
    }
    assert_true(moehub_packet_store_tell_place(&store, 0, 0, 8)); /* the memory has one word more than places */
    assert_true(moehub_packet_store_tell_place(&store, 0, 0, 8));
    assert_false(moehub_packet_store_tell_place(&store, 0, 0, 7));
    assert_false(moehub_packet_store_tell_place(&store, 0, 1, 8));
    assert_false(moehub_packet_store_tell_place(&store, 1, 1, 8));
    assert_false(moehub_packet_store_tell_place(&store, 1, 1, 9));
    assert_false(moehub_packet_store_tell_place(&store, 1, 2, 3));
    assert_false(moehub_packet_store_tell_place(&store, 5, 0, 3));
    do_step(&store, (struct moehub_packet_store_cycle){.free = true, .free_name = 0});
    assert_true(moehub_packet_store_tell_place(&store, 1, 1, 8));
    moehub_packet_store_destroy(&store);
}

/* The places in use are those of the packets inside and of what is being freed. */
static void random_cycles(void **state)
{
    (void)state;
    const struct moehub_packet_store_config config = {.longest = 5, .shortest = 2, .places = 23, .target_queue = 5};
    struct moehub_packet_store store = store_of(&config);
    struct random random = random_from(5);
    unsigned flits[11] = {0}; /* by name; 0: no such packet */
    unsigned freed = 0;
    unsigned waiting = 0;     /* places of packets that were not taken */
    unsigned open = 0;
    unsigned leaving = 0;
    for (unsigned i = 0; i < 100000; i++) {
        struct moehub_packet_store_cycle cycle = {.write = false};
        const struct moehub_stored_packet *packet = moehub_packet_store_waiting(&store);
        const unsigned name = random_below(&random, 11);
        cycle.end = open > 0 && (open == 5 || random_once_in(&random, 5));
        cycle.end_good = open >= 2 && !random_once_in(&random, 4);
        if (store.free_places > 0 && (cycle.end || open < 5) && !random_once_in(&random, 3))
            cycle = (struct moehub_packet_store_cycle){.end = cycle.end, .end_good = cycle.end_good, .write = true,
                                                       .write_first = cycle.end || open == 0};
        cycle.packet_taken = packet != NULL && flits[name] == 0;
        cycle.packet_name = name;
        cycle.free = flits[(name + 1) % 11] > 0 && random_once_in(&random, 2);
        cycle.free_name = (name + 1) % 11;
        if (cycle.packet_taken) {
            flits[name] = packet->count;
            waiting -= packet->count;
        }
        freed = leaving + (cycle.end && !cycle.end_good ? open : 0);
        leaving = cycle.free ? flits[(name + 1) % 11] : 0;
        if (cycle.free)
            flits[(name + 1) % 11] = 0;
        waiting += cycle.end && cycle.end_good ? open : 0;
        open = (cycle.end ? 0 : open) + cycle.write;
        do_step(&store, cycle);
        unsigned used = waiting + open + leaving;
        for (unsigned j = 0; j < 11; j++)
            used += flits[j];
        assert_int_equal(store.free_places + used, 23);
        assert_int_equal(store.freed, freed);
    }
    moehub_packet_store_destroy(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations),       cmocka_unit_test(a_packet_from_write_to_free),
        cmocka_unit_test(taken_as_it_ends),     cmocka_unit_test(a_rejected_packet),
        cmocka_unit_test(target_queue_is_full), cmocka_unit_test(what_may_not_be),
        cmocka_unit_test(places_belong_to_one_flit), cmocka_unit_test(random_cycles),
    };
    return cmocka_run_group_tests_name("packet_store", tests, NULL, NULL);
}
