/* SPDX-License-Identifier: Apache-2.0 */
/* Decisions of a way: the worked example of its page, each row of the table of causes, and lines against an array of bytes. */
#include "moehub/way.h"

#include "common/random.h"
#include "common/support.h"

#include <string.h>

enum { OFFENDERS = 64, LINE = 128 };

/* rtl/doc/hub/ingress.md, section 11: the hub of GPU 6. */
static void begin(struct moehub_way *way)
{
    const struct moehub_way_config config = {.way = 1, .own = 6, .contexts = 4, .local_expert_bits = 8, .address_width = 48};
    assert_int_equal(moehub_way_create(way, &config, OFFENDERS), 0);
    way->contexts[2] = (struct moehub_way_context){
        .enabled = true, .round = 6, .owner_shift = 15, .list_shift = 12, .peers = 0xFF, .list_base = 0x40000000};
}

static struct moehub_header store_header(void)
{
    return (struct moehub_header){.type = MOEHUB_PACKET_MULTIMEM_STORE, .format = MOEHUB_FORMAT_COMPACT, .first = true,
                                  .context = 2, .round = 6, .source = 2, .offset = 256, .length = LINE, .row_index = 0x12345,
                                  .target_count = 2, .local_targets = {2, 7}};
}

static void check_bytes(const struct moehub_way_write *line)
{
    for (unsigned i = 0; i < LINE; i++)
        assert_int_equal(line->data[i / 32][i % 32], i + 1);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(line->strobes[i], UINT32_MAX);
}

static void check_target(struct moehub_way *way, const struct moehub_way_packet *packet, unsigned target,
                         const struct moehub_way_answer *answer, uint64_t word, uint32_t strobes)
{
    struct moehub_way_question question;
    struct moehub_way_outcome outcome;
    moehub_way_ask(way, packet, target, &question);
    assert_true(question.first && !question.read);
    assert_int_equal(question.context, 2);
    assert_int_equal(question.expert, answer->expert);
    assert_int_equal(question.row_index, 0x12345);
    assert_int_equal(question.offset, 256);
    assert_int_equal(question.length, LINE);
    assert_int_equal(question.source, 2);
    assert_int_equal(question.port, 2);
    moehub_way_answered(way, packet, answer, target == 1, &outcome);
    assert_int_equal(outcome.writes, 2);
    assert_int_equal(outcome.records, 2);
    assert_int_equal(outcome.write[0].address, word);
    assert_int_equal(outcome.write[0].strobes[0], strobes);
    assert_int_equal(outcome.write[1].address, answer->address);
    assert_int_equal(outcome.write[1].beats, 4);
    check_bytes(&outcome.write[1]);
    assert_int_equal(outcome.record[0].kind, MOEHUB_COMPLETED_WORD);
    assert_int_equal(outcome.record[1].kind, MOEHUB_COMPLETED_BYTES);
    assert_int_equal(outcome.record[1].value, LINE);
    assert_int_equal(outcome.record[1].slot, answer->slot);
    assert_int_equal(outcome.record[1].last, target == 1);
}

static void the_worked_example(void **state)
{
    (void)state;
    static const struct moehub_way_answer answers[2] = {
        {.status = MOEHUB_STATUS_OK, .expert = 2, .allocated = true, .slot = 5, .address = 0x10008D00},
        {.status = MOEHUB_STATUS_OK, .expert = 7, .allocated = true, .slot = 0, .address = 0x11000100}};
    struct moehub_way way;
    struct moehub_way_packet packet;
    struct moehub_flit flits[9];
    const struct moehub_header header = store_header();
    begin(&way);
    flits[0] = moehub_header_pack(&header);
    for (unsigned i = 0; i < 8; i++) {
        uint8_t bytes[MOEHUB_FLIT_BYTES];
        for (unsigned b = 0; b < MOEHUB_FLIT_BYTES; b++)
            bytes[b] = (uint8_t)(16 * i + b + 1);
        flits[1 + i] = moehub_flit_from_bytes(bytes);
    }
    moehub_way_packet_read(&packet, flits, 9);
    assert_int_equal(moehub_way_check(&way, flits[0]), 0);
    check_target(&way, &packet, 0, &answers[0], 0x40008000, 0x00F00000);
    check_target(&way, &packet, 1, &answers[1], 0x4001C000, 0x0000000F);
    assert_int_equal(way.counters[MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN], 2);
    assert_int_equal(way.counters[MOEHUB_HUB_WAY_EVENT_WORDS_WRITTEN], 2);
    moehub_way_destroy(&way);
}

static void check_cause(const struct moehub_header *header, bool arrived, unsigned expected, unsigned failed)
{
    struct moehub_way way;
    begin(&way);
    way.contexts[2].arrived = arrived;
    way.contexts[2].peers &= ~UINT64_C(16);
    const struct moehub_flit flit = moehub_header_pack(header);
    assert_int_equal(moehub_way_check(&way, flit), expected);
    assert_int_equal(way.failed, failed);
    assert_int_equal(way.offenders.count, expected != 0);
    if (expected != 0) {
        const struct moehub_offender offender = {.header = flit, .port = 1, .cause = (uint8_t)expected};
        assert_true(moehub_offenders_contain(&way.offenders, &offender));
        assert_int_equal(way.counters[expected], 1);
    }
    moehub_way_destroy(&way);
}

/* Each makes one thing wrong more than the next, from the last cause to the first: the first that fails is told. */
static void first_cause_of_several(void **state)
{
    (void)state;
    struct moehub_header header = store_header();
    check_cause(&header, false, 0, 0);
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_ARRIVED, 4);
    header.row_index += 1u << 15;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_OWNER, 4);
    header.round = 5;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_ROUND, 0);
    header.source = 4;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_PEER, 0);
    header.context = 1;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_CONTEXT, 0);
    header.context = 5;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_CONTEXT, 0);
}

/* A request and a notify do not mind that all arrived; a notify's row is the own GPU's, a close has none; a request flags
 * nobody. */
static void other_types(void **state)
{
    (void)state;
    struct moehub_header header = {.type = MOEHUB_PACKET_LD_REDUCE, .context = 2, .round = 6, .source = 2, .row_index = 0x12345};
    check_cause(&header, true, 0, 0);
    header.row_index = 6u << 15;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_OWNER, 0);
    header.type = MOEHUB_PACKET_NOTIFY;
    check_cause(&header, true, 0, 0);
    header.row_index = 0x12345;
    check_cause(&header, true, MOEHUB_HUB_WAY_CAUSE_OWNER, 4);
    header.type = MOEHUB_PACKET_CLOSE;
    check_cause(&header, true, 0, 0);
}

static void statuses_of_requests(void **state)
{
    (void)state;
    static const unsigned statuses[][2] = {{0, MOEHUB_STATUS_OK}, {MOEHUB_HUB_WAY_CAUSE_CONTEXT, MOEHUB_STATUS_CONTEXT},
                                           {MOEHUB_HUB_WAY_CAUSE_ROUND, MOEHUB_STATUS_CONTEXT},
                                           {MOEHUB_HUB_WAY_CAUSE_PEER, MOEHUB_STATUS_PEER},
                                           {MOEHUB_HUB_WAY_CAUSE_OWNER, MOEHUB_STATUS_PEER}};
    struct moehub_way_packet packet = {.header = {.offset = 0x230, .length = 24, .tag = 0x123456, .target_count = 3}};
    struct moehub_way_request request;
    for (unsigned i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        moehub_way_requested(&packet, statuses[i][0], &request);
        assert_int_equal(request.status, statuses[i][1]);
        assert_int_equal(request.offset, 0x23);
        assert_int_equal(request.length, 24);
        assert_int_equal(request.targets, 3);
    }
}

/* All lines: what memory holds afterwards is what bytes put there one by one. */
static void lines_byte_by_byte(void **state)
{
    (void)state;
    struct random random = random_from(7);
    struct moehub_way way;
    begin(&way);
    for (unsigned run = 0; run < 5000; run++) {
        const unsigned units = 1 + random_below(&random, 8), offset = random_below(&random, 9 - units);
        const bool masked = random_below(&random, 2) != 0;
        struct moehub_flit flits[11];
        struct moehub_header header = store_header();
        header.format = 0;
        header.offset = (uint16_t)(1024 + 16 * offset);
        header.length = (uint16_t)(16 * units);
        header.byte_enables = masked;
        flits[0] = moehub_header_pack(&header);
        for (unsigned i = 1; i < 2 + units + masked; i++)
            flits[i] = (struct moehub_flit){{random_word(&random), random_word(&random)}};
        struct moehub_way_packet packet;
        struct moehub_way_outcome outcome;
        const struct moehub_way_answer answer = {.expert = 3, .slot = 9, .address = 0x5000 + 16 * offset};
        moehub_way_packet_read(&packet, flits, 2 + units + masked);
        moehub_way_answered(&way, &packet, &answer, true, &outcome);
        assert_int_equal(outcome.writes, 1);
        unsigned written = 0;
        for (unsigned byte = 0; byte < LINE; byte++) {
            const unsigned at = byte - 16 * offset;
            const bool inside = byte >= 16 * offset && at < 16 * units;
            const bool enabled = inside && (!masked || (flits[2].half[at / 64] >> (at % 64) & 1));
            const uint64_t place = 0x5000 + byte - outcome.write[0].address;
            const bool strobe = place < 32 * outcome.write[0].beats && (outcome.write[0].strobes[place / 32] >> (place % 32) & 1);
            assert_int_equal(strobe, enabled);
            if (!enabled)
                continue;
            const struct moehub_flit flit = flits[2 + masked + at / 16];
            assert_int_equal(outcome.write[0].data[place / 32][place % 32],
                             flit.half[at % 16 / 8] >> at % 8 * 8 & 0xFF);
            written++;
        }
        assert_int_equal(outcome.record[0].value, written);
    }
    moehub_way_destroy(&way);
}

/* Pairs that are refused, by the address path or at once; writes that failed. */
static void refused_and_failed(void **state)
{
    (void)state;
    struct moehub_way way;
    begin(&way);
    struct moehub_way_packet packet = {.header = store_header()};
    struct moehub_way_outcome outcome;
    struct moehub_way_completed record;
    const struct moehub_way_answer answer = {.status = MOEHUB_STATUS_FULL, .expert = 7, .slot = 3};
    moehub_way_answered(&way, &packet, &answer, false, &outcome);
    assert_int_equal(outcome.writes, 0);
    assert_int_equal(outcome.records, 1);
    assert_int_equal(outcome.record[0].value, 1);
    assert_int_equal(outcome.record[0].slot, 0);
    assert_int_equal(way.failed, 4);
    assert_false(moehub_way_refused(&packet, MOEHUB_HUB_WAY_CAUSE_ROUND, &record));
    assert_true(moehub_way_refused(&packet, MOEHUB_HUB_WAY_CAUSE_OWNER, &record));
    assert_int_equal(record.value, 2);
    moehub_way_completed_taken(&way, &record, true);
    assert_false(record.error);
    record.kind = MOEHUB_COMPLETED_WORD;
    moehub_way_completed_taken(&way, &record, true);
    assert_true(record.error);
    assert_int_equal(way.counters[MOEHUB_HUB_WAY_CAUSE_WRITE], 1);
    assert_int_equal(way.counters[MOEHUB_HUB_WAY_EVENT_REFUSED], 1);
    moehub_way_destroy(&way);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(first_cause_of_several),
        cmocka_unit_test(other_types),
        cmocka_unit_test(statuses_of_requests),
        cmocka_unit_test(lines_byte_by_byte),
        cmocka_unit_test(refused_and_failed),
    };
    return cmocka_run_group_tests_name("way", tests, NULL, NULL);
}
