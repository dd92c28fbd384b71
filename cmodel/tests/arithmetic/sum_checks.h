/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of a sum. Each check runs a subject over many cases and counts what it compared and what was wrong;
 * the first wrong case is printed unless the check is meant to fail. */
#ifndef MOEHUB_TESTS_SUM_CHECKS_H
#define MOEHUB_TESTS_SUM_CHECKS_H

#include "arithmetic/sum_oracle.h"
#include "arithmetic/sum_subject.h"

struct tally {
    unsigned long compared;
    unsigned long wrong;
    bool quiet;
};

typedef void check_function(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed);

static inline void judge(struct tally *tally, const char *what, const struct sum_case *sum, uint32_t expected, uint32_t got)
{
    tally->compared++;
    if (got == expected)
        return;
    if (tally->wrong++ == 0 && !tally->quiet)
        print_sum(what, sum, expected, got);
}

static inline uint32_t subject_sum(const struct subject *subject, const struct sum_case *sum)
{
    return subject->sum(sum, subject->bug);
}

static inline void random_configuration(uint64_t *state, struct sum_case *sum)
{
    sum->element = random_below(state, 3);
    sum->out_fp32 = random_bits(state) & 1;
    sum->bins = 2 + random_below(state, 3);
    sum->max_contributors = 64;
}

/* Equality with the exact sum of the elements, each cut toward zero at the final window, rounded once. */
static inline void check_exact(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    struct sum_case sum;
    for (unsigned long i = 0; i < cases; i++) {
        random_configuration(&seed, &sum);
        random_sum(&seed, &sum, 1 + random_below(&seed, i % 4 ? 9 : 64));
        judge(tally, "exact sum of the cut elements", &sum, oracle_sum(&sum, window_bottom(&sum)),
              subject_sum(subject, &sum));
    }
}

/* The error bound against the uncut sum: one rounding and count * 2^(-16 (K - 1)) of the largest element. */
static inline void check_bound(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    struct sum_case sum;
    for (unsigned long i = 0; i < cases; i++) {
        random_configuration(&seed, &sum);
        random_sum(&seed, &sum, 1 + random_below(&seed, i % 4 ? 9 : 64));
        const uint32_t word = subject_sum(subject, &sum);
        if (!is_finite(result_type(&sum), word))
            continue;
        tally->compared++;
        if (!oracle_within_bound(&sum, word) && tally->wrong++ == 0 && !tally->quiet)
            print_sum("error bound", &sum, oracle_sum(&sum, 0), word);
    }
}

/* Pairs of 16-bit elements equal the correctly rounded sum. */
static inline void check_pairs(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    struct sum_case sum;
    for (unsigned long i = 0; i < cases; i++) {
        random_configuration(&seed, &sum);
        sum.element %= 2;
        sum.bins = 3 + sum.bins % 2;
        random_sum(&seed, &sum, 2);
        judge(tally, "correctly rounded pair", &sum, oracle_sum(&sum, 0), subject_sum(subject, &sum));
    }
}

/* Every order of up to six elements gives the bits of the first; some of the elements are specials. */
static inline void check_orders(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    struct sum_case sum;
    for (unsigned long i = 0; i < cases; i++) {
        unsigned counter[6] = {0};
        random_configuration(&seed, &sum);
        random_sum(&seed, &sum, 2 + random_below(&seed, 5));
        for (unsigned k = 0; k < 2 && random_below(&seed, 4) == 0; k++)
            sum.x[k] = infinity_of(sum.element) | random_below(&seed, 2) | (random_bits(&seed) & 1 ? sign_bit(sum.element) : 0);
        const uint32_t expected = subject_sum(subject, &sum);
        /* Heap's algorithm: each step swaps two elements and gives a new order. */
        for (unsigned k = 1; k < sum.count;) {
            if (counter[k] == k) {
                counter[k++] = 0;
                continue;
            }
            const unsigned other = k % 2 ? counter[k] : 0;
            const uint32_t swapped = sum.x[k];
            sum.x[k] = sum.x[other];
            sum.x[other] = swapped;
            counter[k]++;
            k = 1;
            judge(tally, "another order", &sum, expected, subject_sum(subject, &sum));
        }
    }
}

/* What one element alone must give in its own type, and in fp32. */
static inline uint32_t single_expected(const struct sum_case *sum, uint32_t x)
{
    const unsigned type = result_type(sum);
    if (!is_finite(sum->element, x))
        return x % sign_bit(sum->element) != infinity_of(sum->element)
                   ? quiet_nan(type)
                   : infinity_of(type) | (x & sign_bit(sum->element) ? sign_bit(type) : 0);
    if (x == sign_bit(sum->element))
        return 0;
    return sum->out_fp32 ? oracle_sum(sum, 0) : x;
}

/* Every single element gives itself: all 16-bit words, and fp32 at random and at the borders of its fields. */
static inline void check_singles(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    struct sum_case sum = {.count = 1, .max_contributors = 64};
    for (sum.bins = 3; sum.bins <= 4; sum.bins++)
        for (unsigned configuration = 0; configuration < 4; configuration++)
            for (uint32_t x = 0; x < 0x10000; x++) {
                sum.element = configuration / 2;
                sum.out_fp32 = configuration % 2;
                sum.x[0] = x;
                judge(tally, "a single element", &sum, single_expected(&sum, x), subject_sum(subject, &sum));
            }
    sum.element = MOEHUB_ELEMENT_FP32;
    sum.bins = 3;
    for (unsigned long i = 0; i < cases; i++) {
        const uint32_t random = (uint32_t)random_bits(&seed);
        const uint32_t border = (random & 0xff800000) + random_below(&seed, 5) - 2;
        sum.out_fp32 = i & 1;
        sum.x[0] = i & 2 ? random : border;
        judge(tally, "a single element", &sum, single_expected(&sum, sum.x[0]), subject_sum(subject, &sum));
    }
}

/* Hand-made sums of infinities, NaN, signed zeros and overflow, in every type. */
static inline void check_specials(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    (void)cases;
    (void)seed;
    struct sum_case sum = {.bins = 3, .max_contributors = 64};
    for (unsigned configuration = 0; configuration < 6; configuration++) {
        sum.element = configuration / 2;
        sum.out_fp32 = configuration % 2;
        const unsigned type = result_type(&sum);
        const uint32_t minus = sign_bit(sum.element);
        const uint32_t infinity = infinity_of(sum.element);
        const uint32_t largest = infinity - 1;
        const uint32_t result_infinity = infinity_of(type);
        const uint32_t nan = quiet_nan(type);
        const struct {
            uint32_t x[3];
            unsigned count;
            uint32_t expected;
        } table[] = {
            {{0}, 0, 0},
            {{0, 0}, 2, 0},
            {{minus, minus}, 2, 0},
            {{minus, 0}, 2, 0},
            {{1, minus | 1}, 2, 0},
            {{largest, minus | largest}, 2, 0},
            {{infinity}, 1, result_infinity},
            {{minus | infinity}, 1, result_infinity | sign_bit(type)},
            {{infinity, largest, 1}, 3, result_infinity},
            {{infinity, infinity}, 2, result_infinity},
            {{minus | infinity, largest}, 2, result_infinity | sign_bit(type)},
            {{infinity, minus | infinity}, 2, nan},
            {{minus | infinity, 1, infinity}, 3, nan},
            {{infinity + 1}, 1, nan},
            {{minus | (infinity + 1), 0}, 2, nan},
            {{infinity + 1, infinity}, 2, nan},
            {{infinity, infinity + 1}, 2, nan},
            {{1, infinity | (infinity >> 1), minus | infinity}, 3, nan},
        };
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            sum.count = table[i].count;
            memcpy(sum.x, table[i].x, sizeof table[i].x);
            judge(tally, "specials and zeros", &sum, table[i].expected, subject_sum(subject, &sum));
        }
        /* Two of the largest overflow, except fp16 in fp32. */
        sum.count = 2;
        for (unsigned s = 0; s < 2; s++) {
            sum.x[0] = sum.x[1] = largest | (s ? minus : 0);
            judge(tally, "overflow", &sum, oracle_sum(&sum, 0), subject_sum(subject, &sum));
        }
    }
}

/* MAX_CONTRIBUTORS elements that fill a bin the most: equal to the exact sum, so nothing overflows. */
static inline void check_extremes(const struct subject *subject, struct tally *tally, unsigned long cases, uint64_t seed)
{
    static const unsigned contributors[] = {1, 2, 3, 5, 8, 63, 64, 65, 255, 256, 1000, 1024};
    struct sum_case sum;
    (void)cases;
    (void)seed;
    for (size_t c = 0; c < sizeof contributors / sizeof contributors[0]; c++)
        for (unsigned configuration = 0; configuration < 18; configuration++)
            for (uint32_t exponent = 1; exponent < 28; exponent++) {
                sum.max_contributors = contributors[c];
                sum.bins = 2 + configuration % 3;
                sum.element = configuration / 3 % 3;
                sum.out_fp32 = configuration / 9;
                sum.count = contributors[c];
                const unsigned fraction_bits = moehub_element_fraction_bits(sum.element);
                const uint32_t word = exponent << fraction_bits | ((1u << fraction_bits) - 1);
                for (unsigned i = 0; i < sum.count; i++)
                    sum.x[i] = exponent % 2 ? word : word | sign_bit(sum.element);
                judge(tally, "the most that fits", &sum, oracle_sum(&sum, window_bottom(&sum)), subject_sum(subject, &sum));
            }
}

/* ---- for the tests ---- */

static inline const struct subject *subjects(size_t *count)
{
    static const struct subject list[] = {{model_sum, BUG_NONE}, {model_row_sum, BUG_NONE}, {plain_sum, BUG_NONE}};
    *count = sizeof list / sizeof list[0];
    return list;
}

/* The number of subjects that pass, each having compared something. */
static inline size_t passing(check_function *check, unsigned long cases, uint64_t seed)
{
    size_t count;
    size_t passed = 0;
    const struct subject *list = subjects(&count);
    for (size_t i = 0; i < count; i++) {
        struct tally tally = {0, 0, false};
        check(&list[i], &tally, cases, seed);
        passed += tally.compared > 0 && tally.wrong == 0;
    }
    return passed;
}

/* Whether the check finds the bug. */
static inline bool catches(check_function *check, enum sum_bug bug, unsigned long cases, uint64_t seed)
{
    struct tally tally = {0, 0, true};
    check(&(struct subject){plain_sum, bug}, &tally, cases, seed);
    return tally.wrong > 0;
}

#endif
