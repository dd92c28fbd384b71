/* SPDX-License-Identifier: Apache-2.0 */
/* bins_error TYPE BINS COUNT SPREAD SUMS: the C model's sums against exact ones (GMP). COUNT elements of both signs and of
 * exponents drawn from SPREAD neighbouring ones; the result is fp32. Errors in units of the largest input's magnitude; a
 * fp32 result's own rounding, 2^-24 of the result, is in them; "not_nearest" counts the sums that are not the exact one
 * rounded once. Prints JSON. */
#include "arithmetic/sum_oracle.h"

#include "moehub/element.h"
#include "moehub/finalize.h"

#include <math.h>
#include <stdlib.h>

static void draw(struct sum_case *sum, unsigned spread, uint64_t *random)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(sum->element);
    const uint32_t middle = exponent_max(sum->element) / 2;
    for (unsigned i = 0; i < sum->count; i++) {
        const uint32_t exponent = middle - spread / 2 + random_below(random, spread);
        const uint32_t fraction = (uint32_t)random_bits(random) & ((1u << fraction_bits) - 1);
        sum->x[i] = (random_bits(random) & 1 ? sign_bit(sum->element) : 0) | exponent << fraction_bits | fraction;
    }
}

static uint32_t model_sum(const struct moehub_arithmetic *arithmetic, const struct sum_case *sum)
{
    struct moehub_accumulator accumulator;
    moehub_accumulate_empty(&accumulator, sum->element);
    for (unsigned i = 0; i < sum->count; i++)
        moehub_accumulate_add(arithmetic, &accumulator, sum->element, sum->x[i]);
    return moehub_finalize(arithmetic, &accumulator, sum->element, true);
}

/* |word - exact sum| / largest magnitude. Everything in units of 2^-SCALE of the input's smallest subnormal. */
static double error_of(const struct sum_case *sum, uint32_t word)
{
    enum { SCALE = 200 };
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
    exact_value(value, MOEHUB_ELEMENT_FP32, word);
    mpz_mul_2exp(value, value, (mp_bitcnt_t)(SCALE + smallest_exponent(MOEHUB_ELEMENT_FP32) - smallest_exponent(sum->element)));
    mpz_sub(error, error, value);
    long error_exponent;
    long largest_exponent;
    const double mantissa = mpz_get_d_2exp(&error_exponent, error) / mpz_get_d_2exp(&largest_exponent, largest);
    const double relative = ldexp(fabs(mantissa), (int)(error_exponent - largest_exponent));
    mpz_clears(error, value, largest, NULL);
    return relative;
}

int main(int argc, char **argv)
{
    struct moehub_arithmetic arithmetic;
    struct sum_case sum = {.out_fp32 = true};
    if (argc != 6 || moehub_element_parse(argv[1]) < 0) {
        fprintf(stderr, "bins_error TYPE BINS COUNT SPREAD SUMS\n");
        return 2;
    }
    sum.element = (unsigned)moehub_element_parse(argv[1]);
    sum.bins = (unsigned)strtoul(argv[2], NULL, 10);
    sum.count = (unsigned)strtoul(argv[3], NULL, 10);
    const unsigned spread = (unsigned)strtoul(argv[4], NULL, 10);
    const unsigned long sums = strtoul(argv[5], NULL, 10);
    if (moehub_arithmetic_init(&arithmetic, sum.bins, 64) != 0 || sum.count < 1 || sum.count > 64 || spread < 1 ||
        spread > 200 || sums < 1) {
        fprintf(stderr, "bins_error: BINS 2..4, COUNT 1..64, SPREAD 1..200, SUMS 1..\n");
        return 2;
    }
    uint64_t random = 1;
    double most = 0;
    double total = 0;
    unsigned long not_nearest = 0;
    for (unsigned long i = 0; i < sums; i++) {
        draw(&sum, spread, &random);
        const uint32_t word = model_sum(&arithmetic, &sum);
        const double error = error_of(&sum, word);
        most = error > most ? error : most;
        total += error;
        not_nearest += word != oracle_sum(&sum, 0);
    }
    printf("{\"sums\": %lu, \"not_nearest\": %lu, \"error_max\": %.6g, \"error_mean\": %.6g}\n", sums, not_nearest, most,
           total / (double)sums);
    return 0;
}
