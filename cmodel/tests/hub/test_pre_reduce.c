/* SPDX-License-Identifier: Apache-2.0 */
/* The local reduction against the element-by-element model of the arithmetic, which has its own oracle. */
#include "common/random.h"
#include "common/support.h"

#include "moehub/element.h"
#include "moehub/finalize.h"
#include "moehub/pre_reduce.h"

enum { PIECES = 64, TRIALS = 3000 };

static const unsigned types[] = {MOEHUB_ELEMENT_BF16, MOEHUB_ELEMENT_FP16, MOEHUB_ELEMENT_FP32};

union piece {
    uint8_t bytes[MOEHUB_LENGTH_MAX];
    uint16_t halves[MOEHUB_LENGTH_MAX / 2];
    uint32_t words[MOEHUB_LENGTH_MAX / 4];
};

static uint32_t element_at(const union piece *piece, unsigned type, size_t index)
{
    return type == MOEHUB_ELEMENT_FP32 ? piece->words[index] : piece->halves[index];
}

/* Any bits at all: infinities, NaNs, subnormals and both zeros come by themselves in 16 bits, in 32 by clearing some. */
static void draw(struct random *random, union piece *piece)
{
    const uint32_t keep = random_once_in(random, 4) ? 0xFF800001 : UINT32_MAX;
    for (unsigned i = 0; i < MOEHUB_LENGTH_MAX / 4; i++)
        piece->words[i] = (uint32_t)random_word(random) & keep;
}

static uint32_t expected(const struct moehub_arithmetic *arithmetic, unsigned type, const union piece *pieces,
                         unsigned count, size_t index)
{
    struct moehub_accumulator sum;
    moehub_accumulate_empty(&sum, type);
    for (unsigned i = 0; i < count; i++)
        moehub_accumulate_add(arithmetic, &sum, type, element_at(&pieces[i], type, index));
    return moehub_finalize(arithmetic, &sum, type, false);
}

static void several_pieces_are_summed_and_rounded_once(void **state)
{
    (void)state;
    struct random random = random_from(1);
    struct moehub_arithmetic arithmetic;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, PIECES), 0);
    static union piece pieces[PIECES];
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const unsigned type = types[trial % 3];
        const unsigned count = 2 + random_below(&random, trial % 50 == 0 ? PIECES - 1 : 7);
        const size_t elements = 1 + random_below(&random, MOEHUB_LENGTH_MAX / moehub_element_size(type));
        const void *inputs[PIECES];
        for (unsigned i = 0; i < count; i++) {
            draw(&random, &pieces[i]);
            inputs[i] = &pieces[i];
        }
        union piece sum;
        union piece untouched;
        memset(&sum, 0xA5, sizeof sum);
        memset(&untouched, 0xA5, sizeof untouched);
        moehub_pre_reduce(&arithmetic, type, inputs, count, elements, &sum);
        for (size_t i = 0; i < elements; i++)
            assert_int_equal(element_at(&sum, type, i), expected(&arithmetic, type, pieces, count, i));
        const size_t bytes = elements * moehub_element_size(type);
        assert_memory_equal(sum.bytes + bytes, untouched.bytes + bytes, sizeof sum - bytes);
    }
}

static void one_piece_is_a_sum_of_one(void **state)
{
    (void)state;
    struct moehub_arithmetic arithmetic;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, PIECES), 0);
    /* -0 becomes +0 and a NaN the canonical one; a subnormal stays. */
    const uint16_t halves[] = {0x8000, 0xFFC5, 0x0001, 0x7F81};
    const uint32_t words[] = {0x80000000, 0xFFC00123, 1, 0x7F800001};
    const uint16_t half_sums[] = {0x0000, 0x7FC0, 0x0001, 0x7FC0};
    const uint32_t word_sums[] = {0, 0x7FC00000, 1, 0x7FC00000};
    union piece sum;
    moehub_pre_reduce(&arithmetic, MOEHUB_ELEMENT_BF16, (const void *const[]){halves}, 1, 4, &sum);
    assert_memory_equal(&sum, half_sums, sizeof half_sums);
    moehub_pre_reduce(&arithmetic, MOEHUB_ELEMENT_FP32, (const void *const[]){words}, 1, 4, &sum);
    assert_memory_equal(&sum, word_sums, sizeof word_sums);
    const uint16_t zeros[4] = {0};
    moehub_pre_reduce(&arithmetic, MOEHUB_ELEMENT_BF16, (const void *const[]){halves, zeros}, 2, 4, &sum);
    assert_int_equal(sum.halves[0], 0);
    assert_int_equal(sum.halves[1], 0x7FC0);
}

static void the_order_does_not_matter_and_the_sum_may_replace_a_piece(void **state)
{
    (void)state;
    struct random random = random_from(2);
    struct moehub_arithmetic arithmetic;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, PIECES), 0);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const unsigned type = types[trial % 3];
        union piece pieces[3];
        for (unsigned i = 0; i < 3; i++)
            draw(&random, &pieces[i]);
        const size_t elements = MOEHUB_LENGTH_MAX / moehub_element_size(type);
        union piece sum;
        moehub_pre_reduce(&arithmetic, type, (const void *const[]){&pieces[0], &pieces[1], &pieces[2]}, 3, elements, &sum);
        const unsigned into = trial % 3;
        moehub_pre_reduce(&arithmetic, type, (const void *const[]){&pieces[2], &pieces[0], &pieces[1]}, 3, elements,
                          &pieces[into]);
        assert_memory_equal(&pieces[into], &sum, sizeof sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_pieces_are_summed_and_rounded_once),
        cmocka_unit_test(one_piece_is_a_sum_of_one),
        cmocka_unit_test(the_order_does_not_matter_and_the_sum_may_replace_a_piece),
    };
    return cmocka_run_group_tests_name("pre_reduce", tests, NULL, NULL);
}
