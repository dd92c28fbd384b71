/* SPDX-License-Identifier: Apache-2.0 */
/* One reduction as a test case, and where its random elements come from. */
#ifndef MOEHUB_TESTS_SUM_CASE_H
#define MOEHUB_TESTS_SUM_CASE_H

#include "moehub/accumulate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CASE_ELEMENTS_MAX = 1024 };

struct sum_case {
    unsigned element;
    bool out_fp32;
    unsigned bins;
    unsigned max_contributors;
    unsigned count;
    uint32_t x[CASE_ELEMENTS_MAX];
};

/* splitmix64 */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static inline unsigned random_below(uint64_t *state, unsigned bound)
{
    return (unsigned)(random_bits(state) % bound);
}

static inline unsigned result_type(const struct sum_case *sum)
{
    return sum->out_fp32 ? MOEHUB_ELEMENT_FP32 : sum->element;
}

static inline unsigned word_bits(unsigned element)
{
    return element == MOEHUB_ELEMENT_FP32 ? 32 : 16;
}

static inline uint32_t exponent_max(unsigned element)
{
    return (1u << moehub_element_exponent_bits(element)) - 1;
}

static inline uint32_t exponent_field(unsigned element, uint32_t x)
{
    return (x >> moehub_element_fraction_bits(element)) & exponent_max(element);
}

static inline uint32_t sign_bit(unsigned element)
{
    return 1u << (word_bits(element) - 1);
}

static inline uint32_t infinity_of(unsigned element)
{
    return exponent_max(element) << moehub_element_fraction_bits(element);
}

static inline uint32_t quiet_nan(unsigned element)
{
    return infinity_of(element) | 1u << (moehub_element_fraction_bits(element) - 1);
}

static inline bool is_finite(unsigned element, uint32_t x)
{
    return exponent_field(element, x) != exponent_max(element);
}

/* A finite element with exponent field lowest..highest; fractions are random, all ones, all zeros or a single one. */
static inline uint32_t random_element(uint64_t *state, unsigned element, uint32_t lowest, uint32_t highest)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(element);
    const uint32_t all_ones = (1u << fraction_bits) - 1;
    const uint32_t exponent = lowest + random_below(state, highest - lowest + 1);
    uint32_t fraction = (uint32_t)random_bits(state) & all_ones;
    switch (random_below(state, 8)) {
    case 0: fraction = all_ones; break;
    case 1: fraction = 0; break;
    case 2: fraction = 1u << random_below(state, fraction_bits); break;
    default: break;
    }
    return (random_bits(state) & 1 ? sign_bit(element) : 0) | exponent << fraction_bits | fraction;
}

/* `count` finite elements: exponents over the whole range, within a narrow band anywhere, at the subnormals or at the
 * largest; sometimes in cancelling pairs, with something small left over. */
static inline void random_sum(uint64_t *state, struct sum_case *sum, unsigned count)
{
    const uint32_t largest = exponent_max(sum->element) - 1;
    uint32_t lowest = 0;
    uint32_t highest = largest;
    switch (random_below(state, 4)) {
    case 0: break;
    case 1: highest = random_below(state, 4); break;
    case 2: lowest = largest - random_below(state, 4); break;
    default:
        lowest = random_below(state, largest);
        highest = lowest + random_below(state, 45);
        highest = highest < largest ? highest : largest;
        break;
    }
    const bool cancel = random_below(state, 3) == 0;
    sum->count = count;
    for (unsigned i = 0; i < count; i++)
        sum->x[i] = cancel && i % 2 ? sum->x[i - 1] ^ sign_bit(sum->element)
                                    : random_element(state, sum->element, lowest, highest);
    if (cancel && count > 2)
        sum->x[count - 1] = random_element(state, sum->element, 0, highest);
}

static inline void print_sum(const char *what, const struct sum_case *sum, uint32_t expected, uint32_t got)
{
    fprintf(stderr, "%s: element %u, fp32 out %d, %u bins, expected %x, got %x, words", what, sum->element,
            sum->out_fp32, sum->bins, expected, got);
    for (unsigned i = 0; i < sum->count && i < 70; i++)
        fprintf(stderr, " %x", sum->x[i]);
    fprintf(stderr, "\n");
}

#endif
