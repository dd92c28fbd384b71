/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the packet manager (rtl/doc/hub/packet_manager.md, section 8): reset values, the command, what a refused one
 * leaves, counters. */
#include "hub/packet_manager_support.h"
#include "moehub/packet_manager_csr.h"

enum { REDUCES = 5, REFUSED = MOEHUB_CSR_COMMAND_STATUS_REFUSED };

struct block {
    struct moehub_packet_manager manager;
    struct moehub_packet_manager_csr csr;
};

static void block_create(struct block *block)
{
    create(&block->manager);
    moehub_packet_manager_csr_init(&block->csr, &block->manager, REDUCES);
}

static uint32_t get(struct block *block, uint32_t address)
{
    const struct moehub_csr_word word = moehub_packet_manager_csr_read(&block->csr, address);
    assert_int_equal(word.response, MOEHUB_CSR_OKAY);
    return word.data;
}

static void set(struct block *block, uint32_t address, uint32_t data)
{
    assert_int_equal(moehub_packet_manager_csr_write(&block->csr, address, data, 0xF, false), MOEHUB_CSR_OKAY);
}

static uint32_t command(struct block *block, uint32_t operation, uint32_t data)
{
    set(block, MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA, data);
    set(block, MOEHUB_CSR_COMMAND, operation);
    return get(block, MOEHUB_CSR_COMMAND_STATUS);
}

static void values_at_reset(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    assert_int_equal(get(&block, MOEHUB_CSR_ID), 1297040717);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_PARAMETER_ROWS), ROWS);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_PARAMETER_LINES), LINES);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_PARAMETER_STORE_BYTES), STORE_BYTES);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_PARAMETER_REDUCES), REDUCES);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT), 16384);
    assert_int_equal(get(&block, MOEHUB_CSR_STATUS), 0);
    assert_int_equal(moehub_packet_manager_csr_read(&block.csr, 0x030).response, MOEHUB_CSR_SLVERR);
    assert_int_equal(moehub_packet_manager_csr_write(&block.csr, MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT, 1, 0xF, false),
                     MOEHUB_CSR_SLVERR);
    moehub_packet_manager_destroy(&block.manager);
}

static void line_timeout(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    assert_int_equal(command(&block, 0, 1), 0);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT), 1);
    assert_int_equal(command(&block, 0, 32768), 0);
    assert_int_equal(command(&block, 0, 0), REFUSED);
    assert_int_equal(command(&block, 0, 32769), REFUSED);
    assert_int_equal(command(&block, 0, UINT32_C(1) << 16 | 1), REFUSED);
    assert_int_equal(command(&block, 1, 1), REFUSED);
    assert_int_equal(get(&block, MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT), 32768);
    assert_int_equal(moehub_packet_manager_csr_write(&block.csr, MOEHUB_CSR_COMMAND, 0, 0xF, true), MOEHUB_CSR_SLVERR);
    moehub_packet_manager_destroy(&block.manager);
}

/* Cause 0, TYPE the operation. */
static void refused_command(void **state)
{
    (void)state;
    struct block block;
    block_create(&block);
    assert_int_equal(command(&block, 9, 1), REFUSED);
    assert_int_equal(get(&block, MOEHUB_CSR_INTERRUPT_STATUS),
                     MOEHUB_CSR_INTERRUPT_STATUS_LATCHED | MOEHUB_CSR_INTERRUPT_STATUS_REFUSED);
    const uint32_t header[4] = {9, 0, 0, 0}, other[4] = {8, 0, 0, 0};
    assert_true(moehub_packet_manager_csr_latch_possible(&block.csr, 1, header, 0));
    assert_false(moehub_packet_manager_csr_latch_possible(&block.csr, 1, other, 0));
    assert_int_equal(get(&block, MOEHUB_CSR_COUNTER_LOW), 0);
    set(&block, MOEHUB_CSR_SNAPSHOT, 0);
    assert_int_equal(get(&block, MOEHUB_CSR_COUNTER_LOW), 1);
    set(&block, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
    assert_true(moehub_packet_manager_csr_latch_possible(&block.csr, 0, header, 0));
    moehub_packet_manager_destroy(&block.manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_at_reset),
        cmocka_unit_test(line_timeout),
        cmocka_unit_test(refused_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
