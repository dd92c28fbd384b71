/* SPDX-License-Identifier: Apache-2.0 */
/* Payload contents: legal values, well spread, and different wherever something is misplaced. */
#include "moehub/element.h"
#include "moehub/payload.h"
#include "common/support.h"

#include <stdbool.h>

enum { PACKET = 64 };

/* Significand bits, exponent bits, and the exponents that may occur. */
static const struct {
    unsigned type;
    unsigned significand;
    unsigned exponent;
    unsigned lowest;
    unsigned highest;
} formats[] = {
    {MOEHUB_ELEMENT_BF16, 7, 8, 111, 142},
    {MOEHUB_ELEMENT_FP16, 10, 5, 4, 19},
    {MOEHUB_ELEMENT_FP32, 23, 8, 111, 142},
};

static void elements_are_finite_and_well_spread(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++) {
        double signs[2] = {0};
        double exponents[32] = {0};
        double leading[16] = {0};
        double expected[32];
        const unsigned classes = formats[f].highest - formats[f].lowest + 1;
        const unsigned total = 1u << 18;
        for (uint32_t i = 0; i < total; i++) {
            const uint32_t key = moehub_payload_key(i / 4096, i % 3);
            const uint32_t word = moehub_payload_element(formats[f].type, key, i % 4096);
            const unsigned exponent = word >> formats[f].significand & ((1u << formats[f].exponent) - 1);
            assert_in_range(exponent, formats[f].lowest, formats[f].highest);
            assert_int_equal((uint64_t)word >> (1 + formats[f].exponent + formats[f].significand), 0);
            signs[word >> (formats[f].exponent + formats[f].significand)]++;
            exponents[exponent - formats[f].lowest]++;
            leading[word >> (formats[f].significand - 4) & 15]++;
        }
        for (unsigned i = 0; i < 32; i++)
            expected[i] = total / 2.0;
        assert_true(chi_square_chance(signs, expected, 2) > UNLIKELY);
        for (unsigned i = 0; i < 32; i++)
            expected[i] = (double)total / classes;
        assert_true(chi_square_chance(exponents, expected, classes) > UNLIKELY);
        exponents[3] *= 1.1;
        assert_true(chi_square_chance(exponents, expected, classes) < UNLIKELY);
        for (unsigned i = 0; i < 32; i++)
            expected[i] = total / 16.0;
        assert_true(chi_square_chance(leading, expected, 16) > UNLIKELY);
    }
}

/* One element of an array of the type. */
static uint32_t element_of(unsigned type, const void *array, size_t index)
{
    if (type == MOEHUB_ELEMENT_BYTES)
        return ((const uint8_t *)array)[index];
    return type == MOEHUB_ELEMENT_FP32 ? ((const uint32_t *)array)[index] : ((const uint16_t *)array)[index];
}

static unsigned wrong_elements(unsigned type, uint32_t key, uint32_t first, size_t count, const void *array)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += element_of(type, array, i) != moehub_payload_element(type, key, first + (uint32_t)i);
    return wrong;
}

static void filling_gives_the_elements(void **state)
{
    (void)state;
    for (unsigned type = 0; type < 4; type++)
        for (uint32_t first = 0; first < 7168; first += 61)
            for (size_t count = 0; count <= 133; count += 19) {
                uint32_t array[160];
                memset(array, 0xA5, sizeof array);
                const uint32_t key = moehub_payload_key(first, type);
                moehub_payload_fill(type, key, first, count, array);
                assert_int_equal(wrong_elements(type, key, first, count, array), 0);
                assert_int_equal(((const uint8_t *)array)[count * moehub_element_size(type)], 0xA5);
                if (count > 0) {
                    assert_int_not_equal(wrong_elements(type, key ^ 1, first, count, array), 0);
                    assert_int_not_equal(wrong_elements(type, key, first + 1, count, array), 0);
                }
            }
}

static bool same_packet(uint32_t key_a, uint32_t first_a, uint32_t key_b, uint32_t first_b)
{
    uint16_t a[PACKET];
    uint16_t b[PACKET];
    moehub_payload_fill(MOEHUB_ELEMENT_BF16, key_a, first_a, PACKET, a);
    moehub_payload_fill(MOEHUB_ELEMENT_BF16, key_b, first_b, PACKET, b);
    unsigned same = 0;
    for (int i = 0; i < PACKET; i++)
        same += a[i] == b[i];
    return same > PACKET / 2;
}

/* A packet against those of neighbouring rows, rows a power of two apart, other experts and other offsets. */
static void misplaced_packets_differ(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 2000; row += 37)
        for (uint32_t first = 0; first < 1024; first += PACKET) {
            const uint32_t key = moehub_payload_key(row, 5);
            assert_true(same_packet(key, first, key, first));
            assert_false(same_packet(key, first, moehub_payload_key(row, 6), first));
            assert_false(same_packet(key, first, moehub_payload_key(row, MOEHUB_PAYLOAD_DISPATCH), first));
            for (int bit = 0; bit < 20; bit++)
                assert_false(same_packet(key, first, moehub_payload_key(row ^ 1u << bit, 5), first));
            for (uint32_t other = 0; other < 1024; other += 8)
                assert_true(other == first || !same_packet(key, first, key, other));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_finite_and_well_spread),
        cmocka_unit_test(filling_gives_the_elements),
        cmocka_unit_test(misplaced_packets_differ),
    };
    return cmocka_run_group_tests_name("payload", tests, NULL, NULL);
}
