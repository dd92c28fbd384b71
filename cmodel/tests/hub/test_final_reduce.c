/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of a sum: the worked example of its page, and where fields of packets go. The buffer has tests of its own. */
#include "moehub/final_reduce.h"

#include "common/support.h"

static const struct moehub_final_reduce_config config = {.final_groups = 13, .request_lines = 8, .with_fp32 = 1, .own = 2};

/* Two ones of bf16 in each word. */
static void fill(struct moehub_line_part *part, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        part->data[i] = (struct moehub_flit){{word, word}};
}

/* rtl/doc/hub/reduce.md, section 6: group 6 after six others. */
static void the_worked_example(void **state)
{
    (void)state;
    struct moehub_final_reduce final;
    struct moehub_reduction_grant grant;
    struct moehub_reduced reduced;
    const struct moehub_reduce_reservation reservation = {
        .tag = 0xABCDEF, .length = 128, .context = 2, .element = MOEHUB_ELEMENT_BF16, .lines_less_1 = 7, .contributors = 3};
    assert_int_equal(moehub_final_reduce_create(&final, &config), 0);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(moehub_final_reduce_reserve(&final, &reservation, &grant), 0);
    assert_int_equal(grant.status, MOEHUB_STATUS_OK);
    assert_int_equal(grant.entry, 48);
    assert_int_equal(grant.generation, 0);
    for (unsigned line = 0; line < 8; line++) {
        struct moehub_line_part part = {.flits = 8, .entry = (uint16_t)(48 + line), .length = 128};
        fill(&part, UINT64_C(0x3F803F803F803F80));
        assert_int_equal(moehub_final_reduce_part(&final, MOEHUB_FINAL_REDUCE_OWN, &part), MOEHUB_REDUCTION_NO_CAUSE);
        assert_int_equal(moehub_final_reduce_part(&final, MOEHUB_FINAL_REDUCE_OWN, &part), MOEHUB_REDUCTION_CAUSE_DUPLICATE);
        assert_int_not_equal(moehub_final_reduce_taken(&final, 48 + line, &reduced), 0);
        assert_int_equal(moehub_final_reduce_part(&final, MOEHUB_FINAL_REDUCE_NETWORK, &part), MOEHUB_REDUCTION_NO_CAUSE);
        assert_int_equal(moehub_final_reduce_taken(&final, 48 + line, &reduced), 0);
        assert_int_equal(reduced.line, line);
        assert_int_equal(reduced.flits, 8);
        assert_int_equal(reduced.data[7].half[1], UINT64_C(0x4000400040004000));
        assert_int_equal(moehub_reduced_user(&reduced),
                         UINT64_C(2) << 42 | UINT64_C(0xABCDEF) << 18 | (uint64_t)line << 15 | 128u << 6);
    }
    assert_int_equal(moehub_reduction_buffer_freed(&final.buffer, 48), 0);
    moehub_final_reduce_destroy(&final);
}

static void a_failed_part_makes_the_sum_partial(void **state)
{
    (void)state;
    struct moehub_final_reduce final;
    struct moehub_reduction_grant grant;
    struct moehub_reduced reduced;
    const struct moehub_reduce_reservation reservation = {.length = 16, .context = 7, .element = 1, .contributors = 2};
    const struct moehub_line_part part = {.flits = 1, .status = MOEHUB_STATUS_UNMAPPED, .element = 1};
    assert_int_equal(moehub_final_reduce_create(&final, &config), 0);
    assert_int_equal(moehub_final_reduce_reserve(&final, &reservation, &grant), 0);
    assert_int_equal(moehub_final_reduce_part(&final, MOEHUB_FINAL_REDUCE_NETWORK, &part), MOEHUB_REDUCTION_CAUSE_FOREIGN);
    assert_int_equal(moehub_final_reduce_part(&final, MOEHUB_FINAL_REDUCE_OWN, &part), MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS);
    assert_int_equal(moehub_final_reduce_taken(&final, 0, &reduced), 0);
    assert_int_equal(reduced.status, MOEHUB_STATUS_PARTIAL);
    assert_int_equal(reduced.length, 0);
    assert_int_equal(reduced.flits, 1);
    assert_int_equal(reduced.context, 7);
    assert_int_equal(reduced.data[0].half[0] | reduced.data[0].half[1], 0);
    moehub_final_reduce_destroy(&final);
}

static void tags_name_entry_generation_and_link(void **state)
{
    (void)state;
    struct moehub_line_part part;
    struct moehub_header header = {.type = MOEHUB_PACKET_RESULT, .tag = 0x051234, .length = 16, .element = 2};
    struct moehub_flit flits[2] = {moehub_header_pack(&header), {{3, 4}}};
    moehub_result_part(flits, 2, &part);
    assert_int_equal(part.entry, 0x1234);
    assert_int_equal(part.generation, 5);
    assert_int_equal(part.flits, 1);
    assert_int_equal(part.data[0].half[1], 4);
    assert_int_equal(part.element, 2);
    header = (struct moehub_header){.type = MOEHUB_PACKET_PARTIAL, .tag = 3u << 22 | 0x2345u << 8 | 9, .status = 7};
    flits[0] = moehub_header_pack(&header);
    assert_int_equal(moehub_own_part(flits, 1, &part), 3);
    assert_int_equal(part.entry, 0x2345);
    assert_int_equal(part.generation, 9);
    assert_int_equal(part.status, 7);
    assert_int_equal(part.flits, 1);
    assert_int_equal(part.data[0].half[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(a_failed_part_makes_the_sum_partial),
        cmocka_unit_test(tags_name_entry_generation_and_link),
    };
    return cmocka_run_group_tests_name("final_reduce", tests, NULL, NULL);
}
