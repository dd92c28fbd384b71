/* SPDX-License-Identifier: Apache-2.0 */
/* The AL-TLB: index polynomials, set index, both replacement policies, against the oracle's plain forms. */
#include "moehub/al_tlb.h"

#include "hub/address_oracle.h"
#include "moehub/error.h"
#include "common/random.h"

/* x generates all 2^n - 1 non-zero residues: the polynomial is primitive, so runs of rows spread over all sets. */
static void the_polynomials_are_primitive(void **state)
{
    (void)state;
    for (unsigned degree = 1; degree <= 12; degree++) {
        uint32_t residue = 1;
        uint32_t order = 0;
        do {
            residue = moehub_al_index((uint64_t)residue << 1, degree);
            order++;
        } while (residue != 1 && order <= 1u << degree);
        assert_int_equal(order, (1u << degree) - 1);
    }
}

static void al_index_equals_long_division(void **state)
{
    (void)state;
    struct random random = random_from(3);
    for (unsigned log2_sets = 0; log2_sets <= 12; log2_sets++) {
        struct moehub_address_path_config config = moehub_address_path_config_default();
        config.sets = 1u << log2_sets;
        config.row_index_width = 32;
        for (unsigned i = 0; i < 2000; i++) {
            const uint64_t row = random_word(&random) >> 32;
            assert_int_equal(moehub_al_index(row, log2_sets), oracle_set(&config, 0, 0, row));
        }
    }
}

static void the_set_of_a_name_equals_al_index(void **state)
{
    (void)state;
    struct random random = random_from(4);
    for (unsigned run = 0; run < 60; run++) {
        struct moehub_address_path_config config = moehub_address_path_config_default();
        config.sets = 1u << random_below(&random, 13);
        config.local_experts = 1 + random_below(&random, 1024);
        config.row_index_width = 1 + random_below(&random, 32);
        config.contexts = 1 + random_below(&random, 8);
        struct moehub_al_tlb tlb;
        assert_int_equal(moehub_al_tlb_create(&tlb, &config), 0);
        for (unsigned i = 0; i < 500; i++) {
            const unsigned context = random_below(&random, config.contexts);
            const unsigned expert = random_below(&random, config.local_experts);
            const uint32_t row = (uint32_t)low_bits(random_word(&random), config.row_index_width);
            assert_int_equal(moehub_al_tlb_set(&tlb, moehub_al_name(context, expert, row)),
                             oracle_set(&config, context, expert, row));
        }
        moehub_al_tlb_destroy(&tlb);
    }
}

/* An example to implement from: 128 sets, 64 experts, 20 row bits. */
static void worked_example(void **state)
{
    (void)state;
    struct moehub_al_tlb tlb;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_al_tlb_create(&tlb, &config), 0);
    assert_int_equal(moehub_al_tlb_set(&tlb, moehub_al_name(0, 0, 1)), 1);
    assert_int_equal(moehub_al_tlb_set(&tlb, moehub_al_name(0, 0, 127)), 127);
    assert_int_equal(moehub_al_tlb_set(&tlb, moehub_al_name(0, 0, 128)), 75);   /* x^7 = x^6 + x^3 + x + 1 */
    assert_int_equal(moehub_al_tlb_set(&tlb, moehub_al_name(0, 0, 256)), 93);
    moehub_al_tlb_destroy(&tlb);
}

/* A set of `ways` under a random string of keys, flushed and robbed of a context now and then. */
static void compare_policy(unsigned ways, unsigned replacement, uint64_t seed)
{
    struct random random = random_from(seed);
    struct moehub_address_path_config config = moehub_address_path_config_default();
    config.sets = 4;
    config.ways = ways;
    config.replacement = replacement;
    struct moehub_al_tlb tlb;
    struct oracle *oracle = calloc(1, sizeof *oracle);
    assert_non_null(oracle);
    oracle->config = config;
    assert_int_equal(moehub_al_tlb_create(&tlb, &config), 0);
    for (unsigned i = 0; i < 3000; i++) {
        const struct moehub_hub_request request = {.context = (uint8_t)random_below(&random, 3),
                                                   .expert = (uint16_t)random_below(&random, 2),
                                                   .row_index = random_below(&random, 2 * ways)};
        const uint32_t epoch = 1 + random_below(&random, 2);
        oracle->contexts[request.context].epoch = epoch;
        bool hit;
        const uint64_t evictions = oracle->events[4];
        const struct oracle_line *expected = oracle_lookup(oracle, &request, &hit);
        enum moehub_al_found found;
        const struct moehub_al_line *got =
            moehub_al_tlb_lookup(&tlb, moehub_al_name(request.context, request.expert, request.row_index), epoch, &found);
        assert_int_equal(found == MOEHUB_AL_HIT, hit);
        assert_int_equal(found == MOEHUB_AL_EVICTED, oracle->events[4] != evictions);
        const size_t line = (size_t)(got - tlb.lines);
        assert_ptr_equal(expected, &oracle->sets[line / ways].lines[line % ways]);
        if (random_once_in(&random, 200)) {
            moehub_al_tlb_drop_context(&tlb, 1);
            oracle_drop(oracle, 1);
        }
        if (random_once_in(&random, 500)) {
            moehub_al_tlb_flush(&tlb);
            memset(oracle->sets, 0, sizeof oracle->sets);
        }
        assert_true(moehub_al_tlb_is_valid(&tlb));
    }
    moehub_al_tlb_destroy(&tlb);
    free(oracle);
}

static void tree_pseudo_lru_equals_the_recursive_tree(void **state)
{
    (void)state;
    for (unsigned ways = 1; ways <= 8; ways *= 2)
        compare_policy(ways, MOEHUB_REPLACEMENT_PLRU, ways);
}

static void fifo_equals_the_pointer(void **state)
{
    (void)state;
    for (unsigned ways = 1; ways <= 8; ways++)
        compare_policy(ways, MOEHUB_REPLACEMENT_FIFO, ways);
}

static void broken_caches_are_seen(void **state)
{
    (void)state;
    struct moehub_al_tlb tlb;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_al_tlb_create(&tlb, &config), 0);
    enum moehub_al_found found;
    struct moehub_al_line *line = moehub_al_tlb_lookup(&tlb, moehub_al_name(0, 1, 2), 1, &found);
    assert_true(moehub_al_tlb_is_valid(&tlb));
    line[1] = line[0];                    /* a key twice */
    assert_false(moehub_al_tlb_is_valid(&tlb));
    line[1].name = MOEHUB_AL_NO_NAME;
    assert_true(moehub_al_tlb_is_valid(&tlb));
    line[0].name ^= 1;                    /* a key in a set that is not its own */
    assert_false(moehub_al_tlb_is_valid(&tlb));
    line[0].name ^= 1;
    tlb.order[0] = 8;                     /* a tree bit that no four-way tree has */
    assert_false(moehub_al_tlb_is_valid(&tlb));
    moehub_al_tlb_destroy(&tlb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_polynomials_are_primitive),
        cmocka_unit_test(al_index_equals_long_division),
        cmocka_unit_test(the_set_of_a_name_equals_al_index),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(tree_pseudo_lru_equals_the_recursive_tree),
        cmocka_unit_test(fifo_equals_the_pointer),
        cmocka_unit_test(broken_caches_are_seen),
    };
    return cmocka_run_group_tests_name("al_tlb", tests, NULL, NULL);
}
