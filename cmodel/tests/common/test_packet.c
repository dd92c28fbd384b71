/* SPDX-License-Identifier: Apache-2.0 */
/* Packet layout against the tables of rtl/doc/packet.md, typed in here once more, and its worked examples. */
#include "moehub/packet.h"

#include "common/examples.h"
#include "common/random.h"
#include "common/support.h"

/* Every field as a number, in the order of its bits; the command half is the same in both formats. */
enum { COMMAND_FIELDS = 13, FIELDS_MAX = COMMAND_FIELDS + 8 };
struct place {
    unsigned lsb;
    unsigned msb;
};
static const struct place command_places[COMMAND_FIELDS] = {
    {0, 3}, {4, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}, {10, 18}, {19, 28}, {29, 31}, {32, 55}, {56, 59}, {60, 61}, {62, 63}};
static const struct place full_places[] = {{64, 79}, {80, 111}, {112, 112}, {113, 118}, {119, 122}, {123, 127}};
static const struct place compact_places[] = {{64, 70},   {71, 74},   {75, 100},  {101, 101},
                                              {102, 103}, {104, 111}, {112, 119}, {120, 127}};

static unsigned to_places(bool compact, struct place places[FIELDS_MAX])
{
    memcpy(places, command_places, sizeof command_places);
    if (compact)
        memcpy(places + COMMAND_FIELDS, compact_places, sizeof compact_places);
    else
        memcpy(places + COMMAND_FIELDS, full_places, sizeof full_places);
    return COMMAND_FIELDS + (compact ? 8 : 6);
}

static void to_numbers(const struct moehub_header *header, uint32_t numbers[FIELDS_MAX])
{
    const uint32_t command[COMMAND_FIELDS] = {
        header->type, header->format, header->first, header->byte_enables, header->nop, header->out_fp32,
        header->length, header->source, header->context, header->tag, header->status, header->element, header->operation};
    const uint32_t full[] = {header->offset, header->row_index, header->stage, header->target_count, header->round,
                             header->zero};
    const uint32_t compact[] = {header->offset / 128u, header->round, header->row_index, header->stage,
                                header->target_count, header->local_targets[0], header->local_targets[1],
                                header->local_targets[2]};
    memcpy(numbers, command, sizeof command);
    if (header->format == 1)
        memcpy(numbers + COMMAND_FIELDS, compact, sizeof compact);
    else
        memcpy(numbers + COMMAND_FIELDS, full, sizeof full);
}

static bool bit_of(struct moehub_flit flit, unsigned bit)
{
    uint8_t bytes[MOEHUB_FLIT_BYTES];
    moehub_flit_to_bytes(flit, bytes);
    return bytes[bit / 8] >> bit % 8 & 1;
}

/* One bit of the flit at a time, besides the format's: it belongs to one field, at one place in it, and packs back. */
static void check_every_bit(uint64_t format)
{
    struct place places[FIELDS_MAX];
    const unsigned fields = to_places(format == 1, places);
    for (unsigned bit = 0; bit < 128; bit++) {
        if (bit == 4 || bit == 5)
            continue;
        struct moehub_flit flit = {{format << 4, 0}};
        flit.half[bit / 64] |= UINT64_C(1) << bit % 64;
        const struct moehub_header header = moehub_header_unpack(flit);
        assert_int_equal(header.format, format);
        uint32_t numbers[FIELDS_MAX];
        to_numbers(&header, numbers);
        for (unsigned field = 0; field < fields; field++) {
            const bool mine = bit >= places[field].lsb && bit <= places[field].msb;
            if (field != 1)
                assert_int_equal(numbers[field], mine ? 1u << (bit - places[field].lsb) : 0);
        }
        const struct moehub_flit again = moehub_header_pack(&header);
        assert_memory_equal(&again, &flit, sizeof flit);
        assert_true(bit_of(flit, bit));
    }
}

static void every_bit_has_its_place(void **state)
{
    (void)state;
    for (uint64_t format = 0; format < 4; format++)
        check_every_bit(format);
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

static void worked_examples(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EXAMPLES; i++) {
        const struct example *example = &examples[i];
        const struct moehub_flit flit = moehub_header_pack(&example->header);
        assert_true(flit.half[1] == example->flit.half[1]);
        assert_true(flit.half[0] == example->flit.half[0]);
        const struct moehub_header header = moehub_header_unpack(example->flit);
        uint32_t numbers[FIELDS_MAX] = {0};
        uint32_t expected[FIELDS_MAX] = {0};
        to_numbers(&header, numbers);
        to_numbers(&example->header, expected);
        assert_memory_equal(numbers, expected, sizeof expected);
        assert_int_equal(moehub_packet_flits(&example->header), example->flits);
        assert_int_equal(moehub_header_target_flits(&example->header), example->target_count > 0 ? 1 : 0);
        if (example->target_count > 0) {
            const struct moehub_flit list = moehub_targets_pack(example->targets, example->target_count, 0);
            assert_memory_equal(&list, &example->list, sizeof list);
        }
    }
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
    struct moehub_header header = {.type = MOEHUB_PACKET_PARTIAL, .length = 112};
    assert_int_equal(moehub_packet_flits(&header), 1 + 7);
    header = (struct moehub_header){.type = MOEHUB_PACKET_LD_REDUCE, .length = 64, .target_count = 9};
    assert_int_equal(moehub_packet_flits(&header), 3);
    header = (struct moehub_header){.type = MOEHUB_PACKET_ROW_STORE, .length = 16, .byte_enables = true, .target_count = 1};
    assert_int_equal(moehub_packet_flits(&header), MOEHUB_STORE_SHORTEST + 1);
    header.format = MOEHUB_FORMAT_COMPACT;
    assert_int_equal(moehub_packet_flits(&header), MOEHUB_STORE_COPY_SHORTEST + 1);
    for (uint8_t type = MOEHUB_PACKET_CLOSE; type <= MOEHUB_PACKET_NOTIFY; type++) {
        header = (struct moehub_header){.type = type, .length = 64};
        assert_int_equal(moehub_packet_flits(&header), MOEHUB_RESPONSE_SHORTEST);
    }
}

static void longest_packets(void **state)
{
    (void)state;
    const struct moehub_header store = {.type = MOEHUB_PACKET_MULTIMEM_STORE, .length = MOEHUB_LINE_BYTES,
                                        .byte_enables = true, .target_count = MOEHUB_TARGETS_MAX};
    assert_int_equal(moehub_packet_flits(&store), MOEHUB_STORE_LONGEST);
    const struct moehub_header request = {.type = MOEHUB_PACKET_LD_REDUCE, .target_count = MOEHUB_TARGETS_MAX};
    assert_int_equal(moehub_packet_flits(&request), MOEHUB_REQUEST_LONGEST);
    const struct moehub_header result = {.type = MOEHUB_PACKET_RESULT, .length = MOEHUB_LENGTH_MAX};
    assert_int_equal(moehub_packet_flits(&result), MOEHUB_RESPONSE_LONGEST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_has_its_place), cmocka_unit_test(packing_inverts_unpacking),
        cmocka_unit_test(worked_examples),         cmocka_unit_test(target_lists_survive),
        cmocka_unit_test(packet_lengths),          cmocka_unit_test(longest_packets),
    };
    return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}
