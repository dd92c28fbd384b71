/* SPDX-License-Identifier: Apache-2.0 */
/* What a sum must be, from GMP integers and MPFR's rounding; nothing of the model is used but the types' shapes. */
#ifndef MOEHUB_TESTS_SUM_ORACLE_H
#define MOEHUB_TESTS_SUM_ORACLE_H

#include "arithmetic/sum_case.h"

#include <gmp.h>
#include <mpfr.h>

/* Exponent of the smallest subnormal. */
static inline long smallest_exponent(unsigned element)
{
    return element == MOEHUB_ELEMENT_BF16 ? -133 : element == MOEHUB_ELEMENT_FP16 ? -24 : -149;
}

/* A finite element in units of its type's smallest subnormal. */
static inline void exact_value(mpz_t value, unsigned element, uint32_t x)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(element);
    const uint32_t exponent = exponent_field(element, x);
    mpz_set_ui(value, (x & ((1u << fraction_bits) - 1)) + (exponent ? 1u << fraction_bits : 0));
    mpz_mul_2exp(value, value, exponent ? exponent - 1 : 0);
    if (x & sign_bit(element))
        mpz_neg(value, value);
}

/* Lowest position of the final window: K bins below and including the largest nominal leading position's. */
static inline unsigned window_bottom(const struct sum_case *sum)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(sum->element);
    unsigned top = fraction_bits / 16;
    for (unsigned i = 0; i < sum->count; i++) {
        const uint32_t exponent = exponent_field(sum->element, sum->x[i]);
        const unsigned bin = ((exponent ? exponent : 1) - 1 + fraction_bits) / 16;
        top = bin > top ? bin : top;
    }
    return top + 1 > sum->bins ? 16 * (top + 1 - sum->bins) : 0;
}

/* total * 2^exponent rounded once to the type; +0 for zero. */
static inline uint32_t oracle_round(const mpz_t total, long exponent, unsigned type)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(type);
    const uint32_t sign = mpz_sgn(total) < 0 ? sign_bit(type) : 0;
    mpfr_t rounded;
    mpz_t integer;
    uint32_t word = infinity_of(type);

    mpfr_set_emin(smallest_exponent(type) + 1);
    mpfr_set_emax(type == MOEHUB_ELEMENT_FP16 ? 16 : 128);
    mpfr_init2(rounded, fraction_bits + 1);
    const int inexact = mpfr_set_z_2exp(rounded, total, exponent, MPFR_RNDN);
    mpfr_subnormalize(rounded, inexact, MPFR_RNDN);
    if (mpfr_zero_p(rounded)) {
        word = 0;
    } else if (!mpfr_inf_p(rounded)) {
        mpz_init(integer);
        const long unit = mpfr_get_z_2exp(integer, rounded) - smallest_exponent(type);
        if (unit >= 0)
            mpz_mul_2exp(integer, integer, (mp_bitcnt_t)unit);
        else
            mpz_tdiv_q_2exp(integer, integer, (mp_bitcnt_t)-unit);
        mpz_abs(integer, integer);
        const size_t length = mpz_sizeinbase(integer, 2);
        const size_t last = length > fraction_bits + 1 ? length - fraction_bits - 1 : 0;
        mpz_tdiv_q_2exp(integer, integer, last);
        word = (uint32_t)((last << fraction_bits) + mpz_get_ui(integer));
        mpz_clear(integer);
    }
    mpfr_clear(rounded);
    return word ? word | sign : 0;
}

/* The sum of the elements, each cut toward zero at position `bottom` (0: uncut), rounded once. */
static inline uint32_t oracle_sum(const struct sum_case *sum, unsigned bottom)
{
    mpz_t total;
    mpz_t value;
    mpz_inits(total, value, NULL);
    for (unsigned i = 0; i < sum->count; i++) {
        exact_value(value, sum->element, sum->x[i]);
        mpz_tdiv_q_2exp(value, value, bottom);
        mpz_mul_2exp(value, value, bottom);
        mpz_add(total, total, value);
    }
    const uint32_t word = oracle_round(total, smallest_exponent(sum->element), result_type(sum));
    mpz_clears(total, value, NULL);
    return word;
}

/* |result - exact sum| <= half an ulp of the result + count * 2^(-16 (K - 1)) * largest magnitude. Infinite results are
 * not judged here. Everything in units of 2^-200 of the input's smallest subnormal, so that halves stay integers. */
static inline bool oracle_within_bound(const struct sum_case *sum, uint32_t word)
{
    enum { SCALE = 200 };
    const unsigned type = result_type(sum);
    const long result_unit = smallest_exponent(type) - smallest_exponent(sum->element) + SCALE;
    const uint32_t exponent = exponent_field(type, word);
    mpz_t error;
    mpz_t value;
    mpz_t largest;
    mpz_inits(error, value, largest, NULL);
    for (unsigned i = 0; i < sum->count; i++) {
        exact_value(value, sum->element, sum->x[i]);
        mpz_mul_2exp(value, value, SCALE);
        mpz_add(error, error, value);
        if (mpz_cmpabs(value, largest) > 0)
            mpz_abs(largest, value);
    }
    exact_value(value, type, word);
    mpz_mul_2exp(value, value, (mp_bitcnt_t)result_unit);
    mpz_sub(error, error, value);

    mpz_mul_ui(largest, largest, sum->count);
    mpz_tdiv_q_2exp(largest, largest, 16 * (sum->bins - 1));
    mpz_set_ui(value, 1);
    mpz_mul_2exp(value, value, (mp_bitcnt_t)result_unit - 1 + (exponent ? exponent - 1 : 0));
    mpz_add(largest, largest, value);
    const bool within = mpz_cmpabs(error, largest) <= 0;
    mpz_clears(error, value, largest, NULL);
    return within;
}

#endif
