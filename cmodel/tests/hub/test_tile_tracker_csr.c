/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the tile tracker (rtl/doc/hub/tile_tracker.md, section 9): reset values, what each command reads, what is
 * refused, counters and latch. */
#include "hub/tile_tracker_support.h"
#include "moehub/tile_tracker_csr.h"

enum { REFUSED = MOEHUB_CSR_COMMAND_STATUS_REFUSED };

struct block {
    struct moehub_tile_tracker tracker;
    struct moehub_tile_tracker_csr csr;
};

static void block_create(struct block *block)
{
    create(&block->tracker);
    moehub_tile_tracker_csr_init(&block->csr, &block->tracker);
}

static uint32_t get(struct block *block, uint32_t address)
{
    const struct moehub_csr_word word = moehub_tile_tracker_csr_read(&block->csr, address);
    assert_int_equal(word.response, MOEHUB_CSR_OKAY);
    return word.data;
}

static void set(struct block *block, uint32_t address, uint32_t data)
{
    assert_int_equal(moehub_tile_tracker_csr_write(&block->csr, address, data, 0xF, false), MOEHUB_CSR_OKAY);
}

static uint32_t command(struct block *block, uint32_t operation, uint32_t context, uint32_t index)
{
    set(block, MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT, context);
    set(block, MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX, index);
    set(block, MOEHUB_CSR_COMMAND, operation);
    return get(block, MOEHUB_CSR_COMMAND_STATUS);
}

static void assert_result(struct block *block, uint32_t data0_low, uint32_t data0_high, uint32_t data1_low, uint32_t data1_high)
{
    assert_int_equal(get(block, MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_LOW), data0_low);
    assert_int_equal(get(block, MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_HIGH), data0_high);
    assert_int_equal(get(block, MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_LOW), data1_low);
    assert_int_equal(get(block, MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_HIGH), data1_high);
}

static void values_at_reset(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    assert_int_equal(get(&block, MOEHUB_CSR_ID), 1297040724);
    assert_int_equal(get(&block, MOEHUB_TILE_TRACKER_CSR_PARAMETER_TILES), 3 * TILES_EACH);
    assert_int_equal(get(&block, MOEHUB_TILE_TRACKER_CSR_PARAMETER_TOKENS), 3 * TOKENS_EACH);
    assert_int_equal(get(&block, MOEHUB_CSR_STATUS), 0);
    assert_result(&block, 0, 0, 0, 0);
    assert_int_equal(moehub_tile_tracker_csr_read(&block.csr, 0x028).response, MOEHUB_CSR_SLVERR);
    assert_int_equal(moehub_tile_tracker_csr_write(&block.csr, MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_LOW, 1, 0xF, false),
                     MOEHUB_CSR_SLVERR);
    moehub_tile_tracker_destroy(&block.tracker);
}

/* Operands keep their fields only. */
static void operands(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    set(&block, MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT, UINT32_MAX);
    set(&block, MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX, UINT32_MAX);
    assert_int_equal(get(&block, MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT), 0xFF);
    assert_int_equal(get(&block, MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX), 0xFFFF);
    moehub_tile_tracker_destroy(&block.tracker);
}

/* A row of which half came, a peer that announced 7, a token that waits for 3 notifies, one of which failed. */
static void what_commands_read(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    word(&block.tracker, 1, 0, 3, 0);
    bytes(&block.tracker, 1, 0, 3, 0, HALF);
    bytes(&block.tracker, 1, 0, 3, 1, HALF);
    bytes(&block.tracker, 1, 0, 3, 1, HALF);
    moehub_tile_tracker_close(&block.tracker, 1, 0, 7);
    moehub_tile_tracker_expect(&block.tracker, 1, 2, 4);
    moehub_tile_tracker_notify(&block.tracker, 1, 0, OWN << OWNER_SHIFT | 2, true);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, TILES_EACH + 1), 0);
    assert_result(&block, 1, 4, (uint32_t)-HALF, UINT32_MAX);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 1, 0), 0);
    assert_result(&block, 3, 7, 1, 0);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, TOKENS_EACH + 2), 0);
    assert_result(&block, 3 | 1 << 16 | 1 << 17, 0, 0, 0);
    moehub_tile_tracker_destroy(&block.tracker);
}

static void refused_commands(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, 3 * TILES_EACH), REFUSED);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 3, 0), REFUSED);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 2), REFUSED);
    assert_int_equal(command(&block, MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, 3 * TOKENS_EACH), REFUSED);
    assert_int_equal(command(&block, 3, 0, 0), REFUSED);
    assert_result(&block, 0, 0, 0, 0);
    assert_int_equal(get(&block, MOEHUB_CSR_INTERRUPT_STATUS), MOEHUB_CSR_INTERRUPT_STATUS_REFUSED);
    assert_int_equal(moehub_tile_tracker_csr_write(&block.csr, MOEHUB_CSR_COMMAND, 0, 0xF, true), MOEHUB_CSR_SLVERR);
    moehub_tile_tracker_destroy(&block.tracker);
}

/* A slot beyond the region's tiles: cause TILE; the latch and a counter tell it, and STATUS who has arrived. */
static void events(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    word(&block.tracker, 1, 0, 1, 2);
    assert_int_equal(get(&block, MOEHUB_CSR_INTERRUPT_STATUS), MOEHUB_CSR_INTERRUPT_STATUS_LATCHED);
    set(&block, MOEHUB_CSR_SNAPSHOT, 0);
    assert_int_equal(get(&block, MOEHUB_CSR_COUNTER_LOW + 8 * MOEHUB_TILE_TRACKER_CAUSE_TILE), 1);
    block.tracker.contexts[2].arrived = true;
    assert_int_equal(get(&block, MOEHUB_CSR_STATUS), 4 << 8);
    moehub_tile_tracker_destroy(&block.tracker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_at_reset),
        cmocka_unit_test(operands),
        cmocka_unit_test(what_commands_read),
        cmocka_unit_test(refused_commands),
        cmocka_unit_test(events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
