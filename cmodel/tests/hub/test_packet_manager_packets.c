/* SPDX-License-Identifier: Apache-2.0 */
/* Packets to the bit, and which lines may be locked (rtl/doc/hub/packet_manager.md section 5). */
#include "hub/packet_manager_support.h"

#include "moehub/packet_check.h"

/* ---- fields ------------------------------------------------------------------------------ */

/* One byte a packet: unit 6 of line 1; its neighbours stay out. */
static void one_byte(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 1, FIRST_ROW + 5);
    assert_int_equal(store_with(&manager, handle, 224, (struct moehub_flit){{1u << 9, 0}}, true), MOEHUB_STORE_MERGED);
    assert_int_equal(store_with(&manager, handle, 224, (struct moehub_flit){{1u << 8, 0}}, false), MOEHUB_STORE_MERGED);
    assert_true(moehub_packet_manager_make_ready(&manager, 0, 1));
    const struct moehub_store_packet packet = locked(&manager, 0, 0, 1);
    const struct moehub_flit header = moehub_header_pack(&(struct moehub_header){
        .type = MOEHUB_PACKET_ROW_STORE, .first = true, .byte_enables = true, .nop = true, .length = 16, .source = OWN,
        .context = 1, .element = MOEHUB_ELEMENT_BYTES, .offset = 224, .row_index = FIRST_ROW + 5, .target_count = 1,
        .round = ROUND});
    assert_int_equal(packet.count, 4);
    assert_flit(packet.flits[0], header.half[1], header.half[0]);
    assert_flit(packet.flits[1], 0, 0x31);
    assert_flit(packet.flits[2], 0, 0x300);
    assert_flit(packet.flits[3], (uint64_t)byte_at(233) << 8 | byte_at(232), 0);
    moehub_packet_manager_destroy(&manager);
}

/* Each mask of units, with whole units and with a byte missing inside: what leaves is the least run of units. */
static void runs_of_units(void **state)
{
    (void)state;
    for (unsigned units = 1; units < 256; units++) {
        struct moehub_packet_manager manager;
        struct moehub_packet_manager_config config = small_config();
        config.store_bytes = 128;
        create_with(&manager, config);
        const unsigned handle = open_up(&manager, 0, 0, FIRST_ROW);
        struct moehub_flit mask = {{0, 0}};
        for (unsigned i = 0; i < 8; i++)
            mask.half[i / 4] |= (units >> i & 1) != 0 ? UINT64_C(0xFFFF) << i % 4 * 16 : 0;
        assert_int_equal(store_with(&manager, handle, 128, mask, false), MOEHUB_STORE_MERGED);
        if (units != 255)
            assert_true(moehub_packet_manager_make_ready(&manager, 0, 1));
        const struct moehub_store_packet packet = locked(&manager, 0, 0, 1);
        const unsigned first = (unsigned)__builtin_ctz(units);
        const unsigned run = 32 - (unsigned)__builtin_clz(units) - first;
        const bool holes = units >> first != (1u << run) - 1;
        assert_int_equal(header_of(&packet).offset, 128 + 16 * first);
        assert_int_equal(header_of(&packet).length, 16 * run);
        assert_int_equal(header_of(&packet).byte_enables, holes);
        assert_int_equal(packet.count, 2 + holes + run);
        for (unsigned i = 0; i < 16 * run; i++) {
            const bool held = (units >> (first + i / 16) & 1) != 0;
            uint8_t bytes[MOEHUB_FLIT_BYTES];
            moehub_flit_to_bytes(packet.flits[2 + holes + i / 16], bytes);
            assert_int_equal(bytes[i % 16], held ? byte_at(128 + 16 * first + i) : 0);
            if (holes)
                assert_int_equal(packet.flits[2].half[i / 64] >> i % 64 & 1, held);
        }
        moehub_packet_manager_destroy(&manager);
    }
}

/* What a buffer held for another row leaves no trace. */
static void no_old_bytes(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    unsigned handle = open_up(&manager, 0, 0, FIRST_ROW);
    send_up(&manager, 0, handle);
    handle = open_up(&manager, 0, 1, FIRST_ROW);
    merged(&manager, handle, 0, 0x80000001);
    assert_true(moehub_packet_manager_make_ready(&manager, 0, 0));
    const struct moehub_store_packet packet = locked(&manager, 0, 0, 0);
    assert_int_equal(packet.count, 5);
    assert_flit(packet.flits[3], 0, byte_at(0));
    assert_flit(packet.flits[4], (uint64_t)byte_at(31) << 56, 0);
    moehub_packet_manager_destroy(&manager);
}

/* The longest: 20 targets are three flits here, with byte enables and a line of eight. */
static void longest(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    uint16_t ids[20];
    for (unsigned i = 0; i < 20; i++)
        ids[i] = (uint16_t)(i < 16 ? i : 0x40 + i);
    const unsigned handle = open_listed(&manager, 0, 0, FIRST_ROW, ids, 20, 0);
    merged(&manager, handle, 0, 1);
    merged(&manager, handle, 96, 0x80000000);
    assert_true(moehub_packet_manager_make_ready(&manager, 0, 0));
    const struct moehub_store_packet packet = locked(&manager, 0, 0, 0);
    const struct moehub_check_config port = {.own = OWN, .ports = GPUS, .local_expert_bits = 4, .max_targets = 20,
                                             .request_lines = 8};
    const struct moehub_packet_verdict verdict =
        moehub_packet_check(&port, MOEHUB_CLASS_STORE, packet.flits, packet.count, false);
    assert_int_equal(verdict.cause, MOEHUB_PACKET_CAUSES);
    assert_int_equal(verdict.ports, 0x21);
    assert_int_equal(packet.count, 1 + 3 + 1 + 8);
    assert_int_equal(header_of(&packet).type, MOEHUB_PACKET_MULTIMEM_STORE);
    assert_flit(packet.flits[3], 0, 0x0053005200510050);
    moehub_packet_manager_destroy(&manager);
}

/* ---- kinds, FIRST ------------------------------------------------------------------------- */

/* Each kind has its own targets and its own first packet, whatever the other has sent. */
static void first_of_each_kind(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_both(&manager, 0, 0, FIRST_ROW);
    merged_bytes(&manager, handle, 0, ROW_SIZE);
    struct moehub_store_packet packet = locked(&manager, 1, 0, 2);
    assert_true(header_of(&packet).first);
    assert_int_equal(header_of(&packet).target_count, 3);
    assert_flit(packet.flits[1], 0, 0x0050000F0001);
    packet = locked(&manager, 1, 0, 0);
    assert_false(header_of(&packet).first);
    packet = locked(&manager, LOOP, 0, 0);
    assert_true(header_of(&packet).first);
    assert_int_equal(header_of(&packet).target_count, 2);
    assert_flit(packet.flits[1], 0, 0x00230020);
    packet = locked(&manager, LOOP, 0, 2);
    assert_false(header_of(&packet).first);
    assert_int_equal(manager.rows[0].sent[MOEHUB_KIND_UP], 2);
    assert_int_equal(manager.rows[0].sent[MOEHUB_KIND_LOOP], 2);
    moehub_packet_manager_destroy(&manager);
}

/* Own ids alone: an immediate one is a row store to the loop-back. */
static void own_targets_alone(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const struct moehub_row row = immediate_row(0, FIRST_ROW, 0x2F);
    take_row(&manager, 0, &row, NULL);
    const unsigned handle = decide(&manager, 0).handle;
    merged_bytes(&manager, handle, 0, 128);
    assert_false(can_lock(&manager, 0, 0, 0));
    const struct moehub_store_packet packet = locked(&manager, LOOP, 0, 0);
    assert_int_equal(header_of(&packet).type, MOEHUB_PACKET_ROW_STORE);
    assert_flit(packet.flits[1], 0, 0x2F);
    freed(&manager, 0, 0);
    moehub_packet_manager_destroy(&manager);
}

/* ---- what may be locked ---------------------------------------------------------------------- */

static void locks_that_cannot_be(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_both(&manager, 0, 0, FIRST_ROW);
    const unsigned up = open_up(&manager, 1, 0, FIRST_ROW + 1);
    merged(&manager, handle, 0, ALL);
    merged_bytes(&manager, up, 0, 128);
    assert_false(can_lock(&manager, 1, 0, 0));          /* filling */
    assert_false(can_lock(&manager, 1, 0, 1));          /* no buffer */
    assert_false(can_lock(&manager, 1, 0, 4));          /* no such line */
    assert_false(can_lock(&manager, 1, 2, 0));          /* not open */
    assert_false(can_lock(&manager, 1, ROWS, 0));
    merged_bytes(&manager, handle, 32, 128);
    assert_false(can_lock(&manager, 0, 0, 0));          /* its link is 1 */
    assert_false(can_lock(&manager, LOOP, 1, 0));       /* no own targets */
    locked(&manager, 1, 0, 0);
    assert_false(can_lock(&manager, 1, 0, 0));          /* twice */
    locked(&manager, LOOP, 0, 0);
    assert_false(can_lock(&manager, LOOP, 0, 0));
    freed(&manager, 0, 0);
    assert_false(can_lock(&manager, LOOP, 0, 0));
    assert_false(moehub_packet_manager_free_line(&manager, 0, 0));
    assert_false(moehub_packet_manager_free_line(&manager, 1, 0));      /* ready, not read */
    moehub_packet_manager_destroy(&manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_byte),
        cmocka_unit_test(runs_of_units),
        cmocka_unit_test(no_old_bytes),
        cmocka_unit_test(longest),
        cmocka_unit_test(first_of_each_kind),
        cmocka_unit_test(own_targets_alone),
        cmocka_unit_test(locks_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
