/* SPDX-License-Identifier: Apache-2.0 */
/* What a port makes of responses and of results, by the examples of rtl/doc/packet.md section 8. */
#include "moehub/response_output.h"
#include "moehub/result_packer.h"

#include "common/support.h"

enum { NOTICES = 4 };

/* GPU 0's partial for line 5 of entry 0x28, a close of GPU 2. */
static const struct moehub_flit partial = {{UINT64_C(0x00002D0940020004), UINT64_C(0x0301000000000002)}};
static const struct moehub_flit close_5 = {{UINT64_C(0x0000000040100007), UINT64_C(0x0300000010000005)}};

static struct moehub_response_output begin(void)
{
    struct moehub_response_output output;
    moehub_response_output_reset(&output, NOTICES);
    assert_false(output.room);
    const struct moehub_response_output_cycle first = {.initialised = true};
    assert_true(moehub_response_output_step(&output, &first));
    assert_true(output.room);
    return output;
}

static void grant(struct moehub_response_output *output)
{
    const struct moehub_response_output_cycle cycle = {.initialised = true, .granted = true};
    assert_true(moehub_response_output_step(output, &cycle));
}

static bool give(struct moehub_response_output *output, struct moehub_flit row, bool first, bool last)
{
    const struct moehub_response_output_cycle cycle = {
        .initialised = true, .row = true, .row_first = first, .row_last = last, .row_data = row};
    return moehub_response_output_step(output, &cycle);
}

static void a_partial(void **state)
{
    (void)state;
    struct moehub_response_output output = begin();
    grant(&output);
    assert_int_equal(output.reserved, 1);
    assert_true(give(&output, partial, true, false));
    assert_false(output.partial.valid);
    assert_int_equal(output.reserved, 0);
    for (unsigned i = 1; i <= 8; i++) {
        assert_true(give(&output, (struct moehub_flit){{i, ~(uint64_t)i}}, false, i == 8));
        assert_true(output.partial.valid);
        assert_int_equal(output.partial.last, i == 8);
        assert_int_equal(output.partial.entry, 0x2D);
        assert_int_equal(output.partial.generation, 9);
        assert_int_equal(output.partial.port, 0);
        assert_int_equal(output.partial.length, 128);
        assert_int_equal(output.partial.data.half[0], i);
    }
    assert_false(give(&output, partial, false, true)); /* no copy is inside */
}

static void without_payload(void **state)
{
    (void)state;
    struct moehub_response_output output = begin();
    struct moehub_header header = moehub_header_unpack(partial);
    header.length = 0;
    header.status = MOEHUB_STATUS_MEMORY;
    grant(&output);
    assert_true(give(&output, moehub_header_pack(&header), true, true));
    assert_true(output.partial.valid && output.partial.last);
    assert_int_equal(output.partial.status, MOEHUB_STATUS_MEMORY);
    assert_int_equal(output.partial.data.half[0] | output.partial.data.half[1], 0);
}

static void notices_fill_up(void **state)
{
    (void)state;
    struct moehub_response_output output = begin();
    for (unsigned i = 0; i < NOTICES; i++) {
        assert_true(output.room);
        grant(&output);
    }
    assert_false(output.room);
    for (unsigned i = 0; i < NOTICES; i++)
        assert_true(give(&output, close_5, true, true));
    assert_true(output.notice);
    assert_int_equal(output.notice_data.half[1], close_5.half[1]);
    assert_false(output.room);
    struct moehub_response_output_cycle cycle = {.initialised = true, .notice_taken = true};
    assert_true(moehub_response_output_step(&output, &cycle));
    assert_true(output.room);
    cycle.notice_taken = false;
    cycle.granted = true;
    assert_true(moehub_response_output_step(&output, &cycle));
    assert_false(moehub_response_output_step(&output, &cycle)); /* no room */
}

static void two_cycles_to_the_link(void **state)
{
    (void)state;
    struct moehub_response_output output = begin();
    grant(&output);
    assert_true(give(&output, close_5, true, true));
    assert_false(output.notice);
    const struct moehub_response_output_cycle cycle = {.initialised = true};
    assert_true(moehub_response_output_step(&output, &cycle));
    assert_true(output.notice);
}

/* The result of line 5 of the request with TAG 48. */
static void a_result(void **state)
{
    (void)state;
    struct moehub_reduction_result result = {
        .tag = moehub_result_tag(6, 2, 48), .entry = 0x2D, .length = 128, .flits = 8, .element = MOEHUB_ELEMENT_BF16};
    for (unsigned i = 0; i < 128; i++)
        result.data[i] = (uint8_t)i;
    struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST];
    assert_int_equal(moehub_result_pack(2, 8, &result, flits), 9);
    assert_int_equal(flits[0].half[0], UINT64_C(0x0000003540120005));
    assert_int_equal(flits[0].half[1], UINT64_C(0x0301000000000002));
    assert_int_equal(flits[8].half[1], UINT64_C(0x7F7E7D7C7B7A7978));
}

static void an_error(void **state)
{
    (void)state;
    const struct moehub_reduction_result result = {
        .tag = moehub_result_tag(0, 0, 0xFFFFFF), .entry = 7, .flits = 1, .status = MOEHUB_STATUS_TIMEOUT};
    struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST];
    assert_int_equal(moehub_result_pack(1, 4, &result, flits), 1);
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    assert_int_equal(header.status, MOEHUB_STATUS_TIMEOUT);
    assert_int_equal(header.tag, 2); /* the last tag + line 3 */
    assert_int_equal(header.round | header.context, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_partial),  cmocka_unit_test(without_payload),        cmocka_unit_test(notices_fill_up),
        cmocka_unit_test(a_result),   cmocka_unit_test(two_cycles_to_the_link), cmocka_unit_test(an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
