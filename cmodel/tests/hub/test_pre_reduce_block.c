/* SPDX-License-Identifier: Apache-2.0 */
/* pre_reduce of a way: the worked example of its page, which status comes first, short lines. Sums have a test of their own. */
#include "moehub/pre_reduce.h"

#include "common/support.h"

#include <string.h>

static void begin(struct moehub_pre_reduce_block *block, uint32_t with_fp32)
{
    const struct moehub_pre_reduce_config config = {
        .max_targets = 32, .address_width = 48, .with_fp32 = with_fp32, .own = 2};
    assert_int_equal(moehub_pre_reduce_init(block, &config), 0);
}

static struct moehub_pre_reduce_request two_targets(unsigned length)
{
    return (struct moehub_pre_reduce_request){
        .asked = {.source = 2, .context = 2, .round = 6, .targets = 2, .tag = 0x003000, .offset = 64, .length = (uint16_t)length},
        .answers = {{.address = 0x10008C00}, {.address = 0xFFFFFFFFFF80}}};
}

/* rtl/doc/hub/reduce.md, section 6: the loop-back of GPU 2, here with two own ids. */
static void the_worked_example(void **state)
{
    (void)state;
    struct moehub_pre_reduce_block block;
    struct moehub_pre_reduce_request request = two_targets(64);
    struct moehub_line_data data[2] = {0};
    struct moehub_partial_packet packet;
    struct moehub_line_read read;
    begin(&block, 1);
    memset(data[0].bytes, 0x40, sizeof data[0].bytes); /* 3.00390625 in bf16 */
    assert_int_equal(moehub_pre_reduce_status(&block, &request), MOEHUB_STATUS_OK);
    assert_int_equal(moehub_pre_reduce_lines(&request), 8);
    for (unsigned line = 0; line < 8; line++) {
        moehub_pre_reduce_read(&block, &request, line, 0, &read);
        assert_int_equal(read.address, 0x10008C00 + 128 * line);
        assert_int_equal(read.beats, 4);
        moehub_pre_reduce_read(&block, &request, line, 1, &read);
        assert_int_equal(read.address, line == 0 ? 0xFFFFFFFFFF80 : 128 * (line - 1));
        moehub_pre_reduce_partial(&block, &request, line, data, &packet);
        const struct moehub_header header = moehub_header_unpack(packet.flits[0]);
        assert_int_equal(header.type, MOEHUB_PACKET_PARTIAL);
        assert_int_equal(header.tag, 0x3000 + 0x100 * line);
        assert_int_equal(header.offset, 2);
        assert_int_equal(header.source, 2);
        assert_int_equal(header.length, 128);
        assert_int_equal(header.round, 6);
        assert_int_equal(packet.count, 9);
        assert_int_equal(packet.flits[8].half[1], UINT64_C(0x4040404040404040));
    }
    assert_int_equal(block.lines_read, 16);
    assert_int_equal(block.partials, 8);
    assert_int_equal(block.partial_errors, 0);
    assert_true(moehub_pre_reduce_counts(&request));
}

static void a_short_last_line(void **state)
{
    (void)state;
    struct moehub_pre_reduce_block block;
    const struct moehub_pre_reduce_request request = two_targets(11);
    const struct moehub_line_data data[2] = {0};
    struct moehub_partial_packet packet;
    struct moehub_line_read read;
    begin(&block, 1);
    assert_int_equal(moehub_pre_reduce_lines(&request), 2);
    moehub_pre_reduce_read(&block, &request, 1, 0, &read);
    assert_int_equal(read.beats, 2);
    moehub_pre_reduce_partial(&block, &request, 1, data, &packet);
    assert_int_equal(packet.count, 4);
    assert_int_equal(moehub_header_unpack(packet.flits[0]).length, 48);
}

static void check_status(const struct moehub_pre_reduce_request *request, uint32_t with_fp32, unsigned status)
{
    struct moehub_pre_reduce_block block;
    struct moehub_partial_packet packet;
    begin(&block, with_fp32);
    assert_int_equal(moehub_pre_reduce_status(&block, request), status);
    moehub_pre_reduce_partial(&block, request, 0, NULL, &packet);
    assert_int_equal(packet.count, 1);
    assert_false(packet.read_error);
    assert_int_equal(moehub_header_unpack(packet.flits[0]).status, status);
    assert_int_equal(moehub_header_unpack(packet.flits[0]).length, 0);
    assert_int_equal(block.partial_errors, 1);
}

static void the_first_status_counts(void **state)
{
    (void)state;
    struct moehub_pre_reduce_request request = two_targets(8);
    request.asked.element = MOEHUB_ELEMENT_FP32;
    check_status(&request, 0, MOEHUB_STATUS_TYPE);
    request.answers[1].status = MOEHUB_STATUS_RANGE;
    check_status(&request, 0, MOEHUB_STATUS_RANGE);
    request.answers[0].status = MOEHUB_STATUS_UNMAPPED;
    check_status(&request, 0, MOEHUB_STATUS_UNMAPPED);
    request.asked.status = MOEHUB_STATUS_PEER;
    check_status(&request, 0, MOEHUB_STATUS_PEER);
    assert_false(moehub_pre_reduce_counts(&request));
}

static void a_read_error_fails_one_line(void **state)
{
    (void)state;
    struct moehub_pre_reduce_block block;
    const struct moehub_pre_reduce_request request = two_targets(16);
    struct moehub_line_data data[2] = {0};
    struct moehub_partial_packet packet;
    begin(&block, 1);
    data[1].error = true;
    moehub_pre_reduce_partial(&block, &request, 1, data, &packet);
    assert_true(packet.read_error);
    assert_int_equal(packet.count, 1);
    assert_int_equal(moehub_header_unpack(packet.flits[0]).status, MOEHUB_STATUS_MEMORY);
    const struct moehub_header header = moehub_header_unpack(packet.error_header);
    assert_int_equal(header.context, 2);
    assert_int_equal(header.offset, 2);
    assert_int_equal(header.tag, 0x3100);
    assert_int_equal(header.source + header.status + header.stage + header.round + header.type, 0);
    assert_int_equal(block.read_errors, 1);
    assert_int_equal(block.partial_errors, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(a_short_last_line),
        cmocka_unit_test(the_first_status_counts),
        cmocka_unit_test(a_read_error_fails_one_line),
    };
    return cmocka_run_group_tests_name("pre_reduce_block", tests, NULL, NULL);
}
