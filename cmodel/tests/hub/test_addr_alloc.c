/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation against brute force: every slot once, every byte of a region's rows in one place, and every command in every
 * state of a context. */
#include "moehub/addr_alloc.h"

#include "hub/address_oracle.h"
#include "moehub/error.h"
#include "common/random.h"

#include <gmp.h>

static void command(struct moehub_addr_alloc *alloc, unsigned operation, unsigned index, uint64_t data0, uint64_t data1)
{
    struct moehub_hub_result result;
    moehub_addr_alloc_command(alloc, &(struct moehub_hub_command){data0, data1, (uint16_t)index, 0, (uint8_t)operation},
                              false, &result);
    assert_false(result.refused);
}

/* All bytes of all rows of all regions: no two at one address, none outside of its region. */
static void no_two_bytes_share_an_address(void **state)
{
    (void)state;
    enum { EXPERTS = 5, ROW_SIZE = 37, CAPACITY = 11 };
    struct moehub_addr_alloc alloc;
    struct moehub_address_path_config config = moehub_address_path_config_default();
    config.address_width = 32;
    assert_int_equal(moehub_addr_alloc_create(&alloc, &config), 0);
    command(&alloc, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, 100 | UINT64_C(37) << 32);
    static uint8_t owners[EXPERTS * ROW_SIZE * CAPACITY];
    for (unsigned expert = 0; expert < EXPERTS; expert++)
        command(&alloc, MOEHUB_HUB_COMMAND_REGION_SET, expert, expert * ROW_SIZE * CAPACITY, CAPACITY);
    memset(owners, 0, sizeof owners);
    for (unsigned expert = 0; expert < EXPERTS; expert++) {
        struct moehub_region *region = moehub_addr_alloc_region(&alloc, 0, expert);
        for (unsigned row = 0; row < CAPACITY; row++) {
            const uint32_t slot = moehub_addr_alloc_take(region);
            assert_int_equal(slot, row);
            for (unsigned offset = 0; offset < ROW_SIZE; offset++) {
                const uint64_t address = moehub_addr_alloc_address(&alloc, &alloc.contexts[0], region, 0, slot, offset);
                assert_in_range(address, region->base, region->base + ROW_SIZE * CAPACITY - 1);
                assert_int_equal(owners[address]++, 0);
            }
        }
    }
    for (size_t i = 0; i < sizeof owners; i++)
        assert_int_equal(owners[i], 1);
    moehub_addr_alloc_destroy(&alloc);
}

static void no_two_rows_share_a_table_entry(void **state)
{
    (void)state;
    enum { EXPERTS = 7, ROWS = 13 };
    struct moehub_addr_alloc alloc;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_addr_alloc_create(&alloc, &config), 0);
    command(&alloc, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 400, ROWS | UINT64_C(64) << 32);
    bool used[EXPERTS * ROWS] = {false};
    for (unsigned expert = 0; expert < EXPERTS; expert++)
        for (uint32_t row = 0; row < ROWS; row++) {
            const uint64_t address = moehub_addr_alloc_entry(&alloc, &alloc.contexts[0], expert, row);
            assert_int_equal(address % 4, 0);
            assert_in_range(address, 400, 400 + 4 * (EXPERTS * ROWS - 1));
            assert_false(used[(address - 400) / 4]);
            used[(address - 400) / 4] = true;
        }
    moehub_addr_alloc_destroy(&alloc);
}

/* (base + a * b + c * d) mod 2^width, in integers of any size. */
static uint64_t sum_of_products(uint64_t base, uint64_t a, uint64_t b, uint64_t c, uint64_t d, unsigned width)
{
    mpz_t sum;
    mpz_t factor;
    mpz_init_set_ui(sum, base);
    mpz_init_set_ui(factor, a);
    mpz_addmul_ui(sum, factor, b);
    mpz_set_ui(factor, c);
    mpz_addmul_ui(sum, factor, d);
    mpz_fdiv_r_2exp(sum, sum, width);
    const uint64_t result = mpz_get_ui(sum);
    mpz_clears(sum, factor, NULL);
    return result;
}

/* Address arithmetic is modulo 2^address_width. */
static void addresses_wrap(void **state)
{
    (void)state;
    struct random random = random_from(9);
    for (unsigned run = 0; run < 2000; run++) {
        struct moehub_address_path_config config = moehub_address_path_config_default();
        config.address_width = 32 + random_below(&random, 33);
        config.local_experts = 1024;
        config.row_index_width = 32;
        struct moehub_addr_alloc alloc;
        assert_int_equal(moehub_addr_alloc_create(&alloc, &config), 0);
        const struct moehub_context context = {.table_base = low_bits(random_word(&random), config.address_width) & ~UINT64_C(3),
                                               .row_limit = (uint32_t)random_word(&random),
                                               .row_size = 1 + random_below(&random, 65536)};
        const struct moehub_region region = {.base = low_bits(random_word(&random), config.address_width)};
        const uint32_t slot = random_below(&random, 1u << 31);
        const uint32_t offset = random_below(&random, 65536);
        const uint32_t expert = random_below(&random, 1024);
        const uint32_t row = (uint32_t)random_word(&random);
        assert_true(moehub_addr_alloc_address(&alloc, &context, &region, 0, slot, offset) ==
                    sum_of_products(region.base, slot, context.row_size, offset, 1, config.address_width));
        assert_true(moehub_addr_alloc_entry(&alloc, &context, expert, row) ==
                    sum_of_products(context.table_base, 4 * expert, context.row_limit, row, 4, config.address_width));
        moehub_addr_alloc_destroy(&alloc);
    }
}

/* All 16 operations in all states of a context (enabled, clear_needed, advance_needed, last epoch, in flight): refusal, the
 * state after it, and the effect on the cache are those of the oracle. */
static void every_command_in_every_state(void **state)
{
    (void)state;
    struct oracle *oracle = calloc(1, sizeof *oracle);
    assert_non_null(oracle);
    unsigned refusals = 0;
    for (unsigned bits = 0; bits < 32; bits++)
        for (unsigned operation = 0; operation < 16; operation++) {
            struct moehub_address_path_config config = moehub_address_path_config_default();
            config.slot_width = 30;
            struct moehub_addr_alloc alloc;
            assert_int_equal(moehub_addr_alloc_create(&alloc, &config), 0);
            struct moehub_context *context = &alloc.contexts[2];
            context->enabled = bits & 1;
            context->clear_needed = bits >> 1 & 1;
            context->advance_needed = bits >> 2 & 1;
            context->epoch = bits >> 3 & 1 ? 3 : 2;
            moehub_addr_alloc_region(&alloc, 2, 5)->next_slot = 4;
            oracle->config = config;
            oracle_restart(oracle);
            struct oracle_context *expected = &oracle->contexts[2];
            expected->enabled = context->enabled;
            expected->clear_needed = context->clear_needed;
            expected->advance_needed = context->advance_needed;
            expected->epoch = context->epoch;
            expected->regions[5].next = 4;
            const bool in_flight = bits >> 4;
            const struct moehub_hub_command step = {64, 9 | UINT64_C(100) << 32, 1, 2, (uint8_t)operation};
            struct moehub_hub_result got;
            struct moehub_hub_result wanted;
            const enum moehub_addr_alloc_effect effect = moehub_addr_alloc_command(&alloc, &step, in_flight, &got);
            oracle_command(oracle, &step, in_flight, &wanted);
            assert_int_equal(got.refused, wanted.refused);
            assert_int_equal(got.data0, wanted.data0);
            assert_int_equal(got.data1, wanted.data1);
            assert_int_equal(effect, got.refused      ? MOEHUB_ADDR_ALLOC_NO_EFFECT
                                     : operation == 6 ? MOEHUB_ADDR_ALLOC_DROP_CONTEXT
                                     : operation == 7 ? MOEHUB_ADDR_ALLOC_DROP_ALL
                                                      : MOEHUB_ADDR_ALLOC_NO_EFFECT);
            assert_int_equal(context->enabled, expected->enabled);
            assert_int_equal(context->clear_needed, expected->clear_needed);
            assert_int_equal(context->advance_needed, expected->advance_needed);
            assert_int_equal(context->epoch, expected->epoch);
            assert_int_equal(context->row_limit, expected->row_limit);
            assert_int_equal(context->row_size, expected->row_size);
            assert_int_equal(moehub_addr_alloc_region(&alloc, 2, 5)->next_slot, expected->regions[5].next);
            refusals += got.refused;
            moehub_addr_alloc_destroy(&alloc);
        }
    assert_in_range(refusals, 32 * 6 + 1, 32 * 16 - 1);
    free(oracle->offenders);
    free(oracle);
}

/* Every limit of a command's arguments from both sides. */
static void commands_at_their_limits(void **state)
{
    (void)state;
    struct moehub_address_path_config config = moehub_address_path_config_default();
    config.contexts = 3;
    config.local_experts = 5;
    config.gpus = 64;
    config.address_width = 40;
    static const uint64_t mib = UINT64_C(1) << 20;
    const uint64_t top = UINT64_C(1) << 40;
    const struct {
        struct moehub_hub_command command;
        bool refused;
    } cases[] = {
        {{top - 4, mib | UINT64_C(16384) << 32, 0, 2, 0}, false},
        {{top, mib | UINT64_C(16384) << 32, 0, 2, 0}, true},
        {{2, 1 | UINT64_C(1) << 32, 0, 0, 0}, true},
        {{0, (mib + 1) | UINT64_C(1) << 32, 0, 0, 0}, true},
        {{0, 1 | UINT64_C(16385) << 32, 0, 0, 0}, true},
        {{0, 1 | UINT64_C(65536) << 32, 0, 0, 0}, true},
        {{0, 1 | UINT64_C(0x20000) << 32, 0, 0, 0}, true},   /* bit 49 is ignored: row size 0 */
        {{0, 0 | UINT64_C(0xFFFE0001) << 32, 0, 0, 0}, false},
        {{1, 0, 1, 0, 1}, false},
        {{1, 0, 2, 0, 1}, true},
        {{top - 1, (UINT64_C(1) << 22) - 1, 4, 0, 2}, false},
        {{top - 1, UINT64_C(1) << 22, 4, 0, 2}, true},
        {{top, 1, 4, 0, 2}, true},
        {{0, 1, 5, 0, 2}, true},
        {{0, 0, 0, 3, 4}, true},
        {{0, 0, 0, 2, 4}, false},
        {{0, 0, 4, 0, 9}, false},
        {{0, 0, 5, 0, 9}, true},
        {{0, 0, 0, 255, 7}, false},
        {{0, 0, 0, 0, 10}, true},
    };
    struct oracle *oracle = calloc(1, sizeof *oracle);
    assert_non_null(oracle);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct moehub_addr_alloc alloc;
        struct moehub_hub_result result;
        assert_int_equal(moehub_addr_alloc_create(&alloc, &config), 0);
        oracle->config = config;
        oracle_restart(oracle);
        moehub_addr_alloc_command(&alloc, &cases[i].command, false, &result);
        assert_int_equal(result.refused, cases[i].refused);
        assert_int_equal(!oracle_may(oracle, &cases[i].command, false), cases[i].refused);
        moehub_addr_alloc_destroy(&alloc);
    }
    free(oracle);
}

static void broken_states_are_seen(void **state)
{
    (void)state;
    struct moehub_addr_alloc alloc;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_addr_alloc_create(&alloc, &config), 0);
    assert_true(moehub_addr_alloc_is_valid(&alloc));
    alloc.contexts[1].enabled = true;   /* enabled while a clear is needed */
    assert_false(moehub_addr_alloc_is_valid(&alloc));
    alloc.contexts[1].clear_needed = false;
    alloc.contexts[1].epoch = 1;
    assert_true(moehub_addr_alloc_is_valid(&alloc));
    moehub_addr_alloc_region(&alloc, 1, 3)->next_slot = 1;   /* more rows than slots */
    assert_false(moehub_addr_alloc_is_valid(&alloc));
    moehub_addr_alloc_reset(&alloc);
    alloc.contexts[0].epoch = 1024;     /* wider than 10 bits */
    assert_false(moehub_addr_alloc_is_valid(&alloc));
    moehub_addr_alloc_destroy(&alloc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_bytes_share_an_address),
        cmocka_unit_test(no_two_rows_share_a_table_entry),
        cmocka_unit_test(addresses_wrap),
        cmocka_unit_test(every_command_in_every_state),
        cmocka_unit_test(commands_at_their_limits),
        cmocka_unit_test(broken_states_are_seen),
    };
    return cmocka_run_group_tests_name("addr_alloc", tests, NULL, NULL);
}
