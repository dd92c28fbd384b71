/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_request: the worked example of its page, each row of its table of statuses, answers, groups, what is in flight. */
#include "moehub/reduce_request.h"

#include "common/support.h"

static const uint16_t list[] = {0x0001, 0x0003, 0x0200, 0x0500, 0x0602, 0x0607};

enum { LIST = sizeof list / sizeof *list };

static void begin(struct moehub_reduce_request *request)
{
    const struct moehub_reduce_request_config config = {.links = 2, .gpus = 8, .contexts = 4, .local_expert_bits = 8,
                                                        .max_targets = 32, .request_lines = 8, .address_width = 48,
                                                        .final_groups = 2, .with_fp32 = 0, .own = 2};
    assert_int_equal(moehub_reduce_request_init(request, &config), 0);
    request->contexts[2] = (struct moehub_reduce_context){
        .enabled = true, .round = 6, .owner_shift = 15, .row_size = 7168, .peers = 0xFF};
}

static struct moehub_reduce example(void)
{
    return (struct moehub_reduce){.address = 0x1000, .row_index = 0x12345, .tag = 0xABCDEF, .line = 8, .length = 64,
                                  .context = 2, .count = LIST};
}

static void give_list(struct moehub_reduce_request *request, const uint16_t *ids, unsigned count, bool error)
{
    for (unsigned i = 0; i < (count + 7) / 8; i++)
        assert_true(moehub_reduce_request_list_data(request, moehub_targets_pack(ids, count, i), error));
}

static void take(struct moehub_reduce_request *request, const struct moehub_reduce *reduce, unsigned reads)
{
    struct moehub_reduce_reads asked;
    assert_true(moehub_reduce_request_take(request, reduce, &asked));
    assert_int_equal(asked.count, reads);
    for (unsigned i = 0; i < reads; i++)
        assert_int_equal(asked.address[i], reduce->address + 16 * i);
}

static void assert_flit(struct moehub_flit flit, uint64_t high, uint64_t low)
{
    assert_int_equal(flit.half[1], high);
    assert_int_equal(flit.half[0], low);
}

/* rtl/doc/hub/reduce.md, section 6; and the same on link 1, whose loop-back tag says so. */
static void the_worked_example(void **state)
{
    (void)state;
    const struct moehub_reduction_grant grant = {.entry = 48};
    for (unsigned link = 0; link < 2; link++) {
        struct moehub_reduce_request request;
        struct moehub_reduce_reservation reservation;
        struct moehub_reduce_copies copies;
        struct moehub_reduce_answer answer;
        const struct moehub_reduce reduce = example();
        begin(&request);
        take(&request, &reduce, 1);
        assert_int_equal(moehub_reduce_request_next(&request), MOEHUB_REDUCE_LIST);
        give_list(&request, list, LIST, false);
        assert_int_equal(moehub_reduce_request_next(&request), MOEHUB_REDUCE_GROUP);
        assert_false(moehub_reduce_request_reserve(&request, 2, &reservation));
        assert_true(moehub_reduce_request_reserve(&request, link, &reservation));
        assert_false(moehub_reduce_request_reserve(&request, link, &reservation));
        assert_int_equal(reservation.tag, 0xABCDEF);
        assert_int_equal(reservation.context, 2);
        assert_int_equal(reservation.lines_less_1, 7);
        assert_int_equal(reservation.length, 128);
        assert_int_equal(reservation.contributors, 3);
        assert_true(moehub_reduce_request_grant(&request, &grant, &copies, &answer));
        assert_int_equal(answer.count, 0);
        assert_int_equal(copies.up.count, 2);
        assert_flit(copies.up.flits[0], UINT64_C(0x030B000123450400), UINT64_C(0x4000003040110003));
        assert_flit(copies.up.flits[1], UINT64_C(0x0000000000000607), UINT64_C(0x0602050000030001));
        assert_int_equal(copies.loop.count, 2);
        assert_flit(copies.loop.flits[0], UINT64_C(0x0303000123450400),
                    UINT64_C(0x4000300040110003) | (uint64_t)link << 54);
        assert_flit(copies.loop.flits[1], 0, 0x0200);
        assert_int_equal(request.lines_in_flight[2], 8);
        assert_int_equal(request.lines, 8);
        assert_int_equal(request.free_groups[link], 1);
        assert_true(moehub_reduce_request_freed(&request, link));
        assert_false(moehub_reduce_request_freed(&request, link));
        for (unsigned line = 0; line < 8; line++)
            assert_true(moehub_reduce_request_line_taken(&request, 2));
        assert_false(moehub_reduce_request_line_taken(&request, 2));
    }
}

static void check_answer(struct moehub_reduce_request *request, const struct moehub_reduce *reduce, unsigned status,
                         unsigned lines)
{
    struct moehub_reduce_answer answer;
    assert_int_equal(moehub_reduce_request_next(request), MOEHUB_REDUCE_ANSWER);
    assert_true(moehub_reduce_request_answer(request, &answer));
    assert_int_equal(answer.status, status);
    assert_int_equal(answer.count, lines);
    for (unsigned line = 0; line < lines; line++) {
        assert_int_equal(answer.lines[line].line, line);
        assert_int_equal(answer.lines[line].status, status);
        assert_int_equal(answer.lines[line].tag, reduce->tag);
        assert_int_equal(answer.lines[line].context, reduce->context);
        assert_int_equal(answer.lines[line].element, reduce->element);
        if (status != MOEHUB_STATUS_OK)
            assert_int_equal(answer.lines[line].flits + answer.lines[line].length, 1);
    }
    const struct moehub_header header = moehub_header_unpack(answer.header);
    assert_int_equal(header.context, reduce->context);
    assert_int_equal(header.row_index, reduce->row_index);
    assert_int_equal(header.tag, reduce->tag);
    assert_int_equal(header.status, status);
}

static void refuse(const struct moehub_reduce *reduce, unsigned status, unsigned lines)
{
    struct moehub_reduce_request request;
    begin(&request);
    take(&request, reduce, 0);
    check_answer(&request, reduce, status, lines);
    assert_int_equal(request.answered, 1);
}

/* Each makes one thing wrong more than the next, from the last check to the first. */
static void checks_at_the_taking(void **state)
{
    (void)state;
    struct moehub_reduce reduce = example();
    reduce.address += 8;
    refuse(&reduce, MOEHUB_STATUS_RANGE, 8);
    reduce = example();
    reduce.count = 33;
    refuse(&reduce, MOEHUB_STATUS_RANGE, 8);
    reduce = example();
    reduce.line = 49;
    refuse(&reduce, MOEHUB_STATUS_RANGE, 8);
    reduce = example();
    reduce.count = 0;
    reduce.row_index += 1u << 15;
    refuse(&reduce, MOEHUB_STATUS_RANGE, 8);
    reduce.length = 65;
    refuse(&reduce, MOEHUB_STATUS_LENGTH, 8);
    reduce.length = 0;
    refuse(&reduce, MOEHUB_STATUS_LENGTH, 1);
    reduce.element = MOEHUB_ELEMENT_FP32;
    refuse(&reduce, MOEHUB_STATUS_TYPE, 1);
    reduce.element = MOEHUB_ELEMENT_BYTES;
    refuse(&reduce, MOEHUB_STATUS_TYPE, 1);
    reduce.context = 1;
    refuse(&reduce, MOEHUB_STATUS_CONTEXT, 1);
    reduce.context = 5;
    refuse(&reduce, MOEHUB_STATUS_CONTEXT, 1);
}

static void refuse_list(const uint16_t *ids, unsigned count, bool error, unsigned status)
{
    struct moehub_reduce_request request;
    struct moehub_reduce reduce = example();
    reduce.count = (uint8_t)count;
    reduce.length = 9;
    begin(&request);
    request.contexts[2].peers = 0x7F;
    take(&request, &reduce, 1);
    give_list(&request, ids, count, error);
    check_answer(&request, &reduce, status, 2);
}

static void checks_of_the_list(void **state)
{
    (void)state;
    static const uint16_t twice[] = {0x0703, 0x0703}, stranger[] = {0x0700}, nobody[] = {0x0900};
    refuse_list(twice, 2, true, MOEHUB_STATUS_MEMORY);
    refuse_list(twice, 2, false, MOEHUB_STATUS_MALFORMED);
    refuse_list(stranger, 1, false, MOEHUB_STATUS_PEER);
    refuse_list(nobody, 1, false, MOEHUB_STATUS_PEER);
}

static void no_target_is_a_sum_of_zeros(void **state)
{
    (void)state;
    struct moehub_reduce_request request;
    struct moehub_reduce_answer answer;
    struct moehub_reduce_reads reads;
    struct moehub_reduce reduce = example();
    reduce.count = 0;
    reduce.length = 11;
    begin(&request);
    assert_true(moehub_reduce_request_take(&request, &reduce, &reads));
    assert_int_equal(reads.count, 0);
    assert_true(moehub_reduce_request_answer(&request, &answer));
    assert_int_equal(answer.status, MOEHUB_STATUS_OK);
    assert_int_equal(answer.count, 2);
    assert_int_equal(answer.lines[0].flits, 8);
    assert_int_equal(answer.lines[0].length, 128);
    assert_int_equal(answer.lines[1].flits, 3);
    assert_int_equal(answer.lines[1].length, 48);
    assert_int_equal(answer.lines[1].data[2].half[0], 0);
}

/* Immediate: count and address are not looked at. A grant that is refused is answered, and holds no group. */
static void immediate_and_a_refused_grant(void **state)
{
    (void)state;
    struct moehub_reduce_request request;
    struct moehub_reduce_reservation reservation;
    struct moehub_reduce_copies copies;
    struct moehub_reduce_answer answer;
    struct moehub_reduce reduce = example();
    const struct moehub_reduction_grant grant = {.status = MOEHUB_STATUS_DRAINING};
    reduce.immediate = true;
    reduce.id = 0x0207;
    reduce.count = 63;
    reduce.address = 3;
    begin(&request);
    take(&request, &reduce, 0);
    assert_true(moehub_reduce_request_reserve(&request, 1, &reservation));
    assert_int_equal(reservation.contributors, 2);
    assert_true(moehub_reduce_request_grant(&request, &grant, &copies, &answer));
    assert_int_equal(copies.up.count + copies.loop.count, 0);
    assert_int_equal(answer.status, MOEHUB_STATUS_DRAINING);
    assert_int_equal(answer.count, 8);
    assert_int_equal(request.free_groups[1], 2);
    assert_int_equal(moehub_reduce_request_next(&request), MOEHUB_REDUCE_NOTHING);
}

static void data_come_in_the_order_of_the_reads(void **state)
{
    (void)state;
    struct moehub_reduce_request request;
    struct moehub_reduce_reservation reservation;
    struct moehub_reduce reduce = example();
    uint16_t ids[9];
    for (unsigned i = 0; i < 9; i++)
        ids[i] = (uint16_t)(0x0300 + i);
    begin(&request);
    reduce.count = 9;
    take(&request, &reduce, 2);
    reduce.count = 1;
    take(&request, &reduce, 1);
    give_list(&request, ids, 9, false);
    assert_int_equal(moehub_reduce_request_next(&request), MOEHUB_REDUCE_GROUP);
    assert_true(moehub_reduce_request_list_data(&request, (struct moehub_flit){{0x0200, 0}}, false));
    assert_false(moehub_reduce_request_list_data(&request, (struct moehub_flit){{0, 0}}, false));
    assert_true(moehub_reduce_request_reserve(&request, 0, &reservation));
    assert_int_equal(reservation.contributors, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(checks_at_the_taking),
        cmocka_unit_test(checks_of_the_list),
        cmocka_unit_test(no_target_is_a_sum_of_zeros),
        cmocka_unit_test(immediate_and_a_refused_grant),
        cmocka_unit_test(data_come_in_the_order_of_the_reads),
    };
    return cmocka_run_group_tests_name("reduce_request", tests, NULL, NULL);
}
