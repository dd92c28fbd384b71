/* SPDX-License-Identifier: Apache-2.0 */
/* Packet layout against the table of rtl/doc/packet.md, typed in here once more, and its worked example. */
#include "moehub/packet.h"

#include "common/random.h"
#include "common/support.h"

/* Every field as a number, in the order of its bits. */
enum { FIELDS = 17 };
static const struct { unsigned lsb, msb; } places[FIELDS] = {
    {0, 3}, {4, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}, {10, 18}, {19, 28}, {29, 31}, {32, 55}, {56, 59}, {60, 61}, {62, 63},
    {64, 79}, {80, 111}, {112, 112}, {113, 127}};

static void to_numbers(const struct moehub_header *header, uint32_t numbers[FIELDS])
{
    const uint32_t fields[FIELDS] = {header->type, header->format, header->first, header->byte_enables, header->nop,
                                     header->out_fp32, header->length, header->source, header->context, header->tag,
                                     header->status, header->element, header->operation, header->offset,
                                     header->row_index, header->stage, header->target_count};
    memcpy(numbers, fields, sizeof fields);
}

static bool bit_of(struct moehub_flit flit, unsigned bit)
{
    uint8_t bytes[MOEHUB_FLIT_BYTES];
    moehub_flit_to_bytes(flit, bytes);
    return bytes[bit / 8] >> bit % 8 & 1;
}

/* One bit of the flit at a time: it belongs to one field, at one place in it, and packs back to itself. */
static void every_bit_has_its_place(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 128; bit++) {
        struct moehub_flit flit = {{0, 0}};
        flit.half[bit / 64] = UINT64_C(1) << bit % 64;
        const struct moehub_header header = moehub_header_unpack(flit);
        uint32_t numbers[FIELDS];
        to_numbers(&header, numbers);
        for (unsigned field = 0; field < FIELDS; field++) {
            const bool mine = bit >= places[field].lsb && bit <= places[field].msb;
            assert_int_equal(numbers[field], mine ? 1u << (bit - places[field].lsb) : 0);
        }
        const struct moehub_flit again = moehub_header_pack(&header);
        assert_memory_equal(&again, &flit, sizeof flit);
        assert_true(bit_of(flit, bit));
    }
}

static void packing_inverts_unpacking(void **state)
{
    (void)state;
    struct random random = random_from(1);
    for (unsigned i = 0; i < 100000; i++) {
        const struct moehub_flit flit = {{random_word(&random), random_word(&random)}};
        const struct moehub_header header = moehub_header_unpack(flit);
        const struct moehub_flit again = moehub_header_pack(&header);
        assert_memory_equal(&again, &flit, sizeof flit);
        uint8_t bytes[MOEHUB_FLIT_BYTES];
        moehub_flit_to_bytes(flit, bytes);
        const struct moehub_flit wired = moehub_flit_from_bytes(bytes);
        assert_memory_equal(&wired, &flit, sizeof flit);
    }
}

static void worked_example(void **state)
{
    (void)state;
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_MULTIMEM_STORE, .first = true, .length = 128, .source = 9, .context = 2, .tag = 0x00ABCD,
        .element = MOEHUB_ELEMENT_BF16, .operation = MOEHUB_OPERATION_NONE, .offset = 256, .row_index = 0x12345,
        .stage = MOEHUB_STAGE_DISPATCH, .target_count = 2};
    const uint16_t targets[] = {17, 200};
    const struct moehub_flit flit = moehub_header_pack(&header);
    assert_true(flit.half[0] == UINT64_C(0x0000ABCD404A0042));
    assert_true(flit.half[1] == UINT64_C(0x0004000123450100));
    const struct moehub_flit list = moehub_targets_pack(targets, 2, 0);
    assert_true(list.half[0] == 0x00C80011);
    assert_true(list.half[1] == 0);
    assert_int_equal(moehub_packet_flits(&header), 10);
    assert_false(moehub_header_malformed(&header));
}

static void target_lists_survive(void **state)
{
    (void)state;
    struct random random = random_from(2);
    for (unsigned count = 0; count <= 40; count++) {
        uint16_t targets[48];
        uint16_t again[48];
        for (unsigned i = 0; i < 48; i++)
            targets[i] = (uint16_t)random_word(&random);
        memset(again, 0xEE, sizeof again);
        for (unsigned flit = 0; flit < (count + 7) / 8; flit++) {
            const struct moehub_flit word = moehub_targets_pack(targets, count, flit);
            for (unsigned i = 0; i < 8; i++) {
                const uint64_t id = word.half[i / 4] >> 16 * (i % 4) & 0xFFFF;
                assert_int_equal(id, 8 * flit + i < count ? targets[8 * flit + i] : 0);
            }
            moehub_targets_unpack(word, flit, again, count);
        }
        assert_memory_equal(again, targets, count * sizeof *targets);
        assert_int_equal(again[count], 0xEEEE);
    }
}

static void packet_lengths(void **state)
{
    (void)state;
    struct moehub_header header = {.type = MOEHUB_PACKET_PARTIAL, .length = 100};
    assert_int_equal(moehub_packet_flits(&header), 1 + 7);
    header.status = MOEHUB_STATUS_MEMORY;
    assert_int_equal(moehub_packet_flits(&header), 1);
    header = (struct moehub_header){.type = MOEHUB_PACKET_LD_REDUCE, .length = 128, .target_count = 9};
    assert_int_equal(moehub_packet_flits(&header), 3);
    header = (struct moehub_header){.type = MOEHUB_PACKET_UNICAST_WRITE, .length = 1, .byte_enables = true};
    assert_int_equal(moehub_packet_flits(&header), 3);
    for (uint8_t type = MOEHUB_PACKET_WRITE_ACKNOWLEDGE; type <= MOEHUB_PACKET_ERROR; type++) {
        header = (struct moehub_header){.type = type, .length = 64};
        assert_int_equal(moehub_packet_flits(&header), 1);
    }
}

static void malformed_headers(void **state)
{
    (void)state;
    const struct moehub_header good = {.type = MOEHUB_PACKET_ROW_STORE, .length = 128, .byte_enables = true, .operation = 1};
    assert_false(moehub_header_malformed(&good));
    for (unsigned wrong = 0; wrong < 5; wrong++) {
        struct moehub_header header = good;
        switch (wrong) {
        case 0: header.type = 10; break;
        case 1: header.format = 1; break;
        case 2: header.operation = 2; break;
        case 3: header.length = 129; break;
        default: header.length = 257; header.byte_enables = false; break;
        }
        assert_true(moehub_header_malformed(&header));
    }
    struct moehub_header header = good;
    header.length = 256;
    header.byte_enables = false;
    assert_false(moehub_header_malformed(&header));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_has_its_place), cmocka_unit_test(packing_inverts_unpacking),
        cmocka_unit_test(worked_example),          cmocka_unit_test(target_lists_survive),
        cmocka_unit_test(packet_lengths),          cmocka_unit_test(malformed_headers),
    };
    return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}
