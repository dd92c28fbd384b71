/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks of sum_checks.h judge: the model, one element at a time or in rows, and a second, deliberately plain
 * summation with one bug chosen at run time, which shows that each check can fail. */
#ifndef MOEHUB_TESTS_SUM_SUBJECT_H
#define MOEHUB_TESTS_SUM_SUBJECT_H

#include "moehub/finalize.h"
#include "arithmetic/sum_case.h"

#include <assert.h>
#include <string.h>

enum sum_bug {
    BUG_NONE,
    BUG_TWOS_COMPLEMENT,    /* pieces of the shifted word's two's complement instead of signed pieces */
    BUG_STICKY_BIT,         /* what falls below the window leaves a one in the lowest bin */
    BUG_CARRY_CROSSES,      /* bins are normalised after every element */
    BUG_WINDOW_LOW,         /* the top bin from the significand's last position instead of its leading one */
    BUG_WINDOW_SHORT,       /* one bin fewer */
    BUG_TOP_STALE,          /* the empty state keeps a top bin of before */
    BUG_TRUNCATE,           /* no rounding */
    BUG_HALF_UP,            /* ties away from zero */
    BUG_CARRY_LOST,         /* a carry out of the fraction does not reach the exponent */
    BUG_FLUSH,              /* subnormals count as zero */
    BUG_MINUS_ZERO,         /* a sum of minus zeros is minus zero */
    BUG_LAST_SPECIAL,       /* the last infinity or NaN wins */
    BUG_SATURATE,           /* overflow gives the largest finite word */
    BUG_NARROW_BIN,         /* bins one bit too narrow */
    BUGS
};

struct subject {
    uint32_t (*sum)(const struct sum_case *sum, enum sum_bug bug);
    enum sum_bug bug;
};

/* ---- the model ---- */

static inline struct moehub_arithmetic case_arithmetic(const struct sum_case *sum)
{
    struct moehub_arithmetic arithmetic;
    const int error = moehub_arithmetic_init(&arithmetic, sum->bins, sum->max_contributors);
    assert(error == 0);
    (void)error;
    return arithmetic;
}

static inline uint32_t model_sum(const struct sum_case *sum, enum sum_bug bug)
{
    const struct moehub_arithmetic arithmetic = case_arithmetic(sum);
    struct moehub_accumulator accumulator;
    (void)bug;
    moehub_accumulate_empty(&accumulator, sum->element);
    for (unsigned i = 0; i < sum->count; i++)
        moehub_accumulate_add(&arithmetic, &accumulator, sum->element, sum->x[i]);
    return moehub_finalize(&arithmetic, &accumulator, sum->element, sum->out_fp32);
}

/* The case in one column of a row whose other columns hold something else; the row's length is no multiple of eight. */
static inline uint32_t model_row_sum(const struct sum_case *sum, enum sum_bug bug)
{
    enum { COLUMNS = 13 };
    const struct moehub_arithmetic arithmetic = case_arithmetic(sum);
    const unsigned column = sum->x[0] % COLUMNS;
    const bool wide = sum->element == MOEHUB_ELEMENT_FP32;
    struct moehub_accumulator_lanes row[(COLUMNS + MOEHUB_LANES - 1) / MOEHUB_LANES];
    uint32_t words[COLUMNS];
    uint16_t halves[COLUMNS];
    (void)bug;
    moehub_accumulate_empty_row(row, COLUMNS, sum->element);
    for (unsigned i = 0; i < sum->count; i++) {
        for (unsigned c = 0; c < COLUMNS; c++) {
            words[c] = c == column ? sum->x[i] : sum->x[i] * (c + 3);
            halves[c] = (uint16_t)words[c];
        }
        moehub_accumulate_add_row(&arithmetic, row, sum->element, wide ? (void *)words : (void *)halves, COLUMNS);
    }
    if (wide || sum->out_fp32) {
        moehub_finalize_row(&arithmetic, row, sum->element, sum->out_fp32, words, COLUMNS);
        return words[column];
    }
    moehub_finalize_row(&arithmetic, row, sum->element, sum->out_fp32, halves, COLUMNS);
    return halves[column];
}

/* ---- the plain summation with a bug ---- */

__extension__ typedef __int128 wide_t;

struct plain {
    int64_t bin[MOEHUB_BINS_MAX];
    int top;
    unsigned special;
    bool all_minus_zero;
};

static inline void plain_add(struct plain *plain, const struct sum_case *sum, uint32_t x, enum sum_bug bug)
{
    const int fraction_bits = (int)moehub_element_fraction_bits(sum->element);
    const int bins = (int)sum->bins;
    const int exponent = (int)exponent_field(sum->element, x);
    const int64_t fraction = x & ((1u << fraction_bits) - 1);
    const bool negative = x & sign_bit(sum->element);
    if (!is_finite(sum->element, x)) {
        const unsigned special = fraction ? 3 : negative ? 2 : 1;
        plain->special = bug == BUG_LAST_SPECIAL ? special : plain->special | special;
        return;
    }
    plain->all_minus_zero = plain->all_minus_zero && x == sign_bit(sum->element);
    int64_t significand = exponent ? fraction + (1 << fraction_bits) : bug == BUG_FLUSH ? 0 : fraction;
    const int lsb = (exponent ? exponent : 1) - 1;
    const int top = (bug == BUG_WINDOW_LOW ? lsb : lsb + fraction_bits) / 16;
    for (; plain->top < top; plain->top++) {
        memmove(&plain->bin[1], &plain->bin[0], sizeof plain->bin - sizeof plain->bin[0]);
        plain->bin[0] = 0;
    }
    /* The significand's place above the lowest bin's lowest position; below it when negative. */
    const int place = lsb - 16 * (plain->top - bins + 1);
    wide_t word = place >= 0 ? (wide_t)significand << (place < 100 ? place : 100)
                             : (wide_t)(significand >> (-place < 60 ? -place : 60));
    bool dropped = place < 0 && ((wide_t)word << (-place < 60 ? -place : 60)) != significand;
    const int64_t sign = negative ? -1 : 1;
    if (bug == BUG_TWOS_COMPLEMENT && negative)
        word = -word - dropped;
    for (int j = bins; j-- > 0; word >>= 16) {
        const int64_t piece = j == 0 ? (int64_t)word : (int64_t)(word & 0xffff);
        plain->bin[j] += bug == BUG_TWOS_COMPLEMENT ? piece : sign * piece;
    }
    if (bug == BUG_STICKY_BIT && dropped)
        plain->bin[bins - 1] += sign;
    for (int j = bins - 1; bug == BUG_CARRY_CROSSES && j > 0; j--) {
        plain->bin[j - 1] += plain->bin[j] >> 16;
        plain->bin[j] &= 0xffff;
    }
    if (bug == BUG_NARROW_BIN) {
        const unsigned drop = 64 - (case_arithmetic(sum).bin_width - 1);
        for (int j = 0; j < bins; j++)
            plain->bin[j] = (int64_t)((uint64_t)plain->bin[j] << drop) >> drop;
    }
}

static inline uint32_t plain_word(const struct plain *plain, const struct sum_case *sum, unsigned bins, enum sum_bug bug)
{
    const unsigned type = result_type(sum);
    const unsigned fraction_bits = moehub_element_fraction_bits(type);
    const uint32_t infinity = infinity_of(type);
    if (plain->special)
        return plain->special == 3 ? quiet_nan(type) : infinity | (plain->special == 2 ? sign_bit(type) : 0);
    wide_t total = 0;
    for (unsigned j = 0; j < bins; j++)
        total = total * 65536 + plain->bin[j];
    if (total == 0)
        return bug == BUG_MINUS_ZERO && plain->all_minus_zero ? sign_bit(type) : 0;
    const uint32_t sign = total < 0 ? sign_bit(type) : 0;
    wide_t rest = total < 0 ? -total : total;
    int unit = 16 * (plain->top - (int)bins + 1);
    if (type != sum->element)
        unit += sum->element == MOEHUB_ELEMENT_BF16 ? 16 : 125;
    /* One bit at a time: halve until the significand fits, remembering the last bit lost and whether any was before. */
    bool half = false;
    bool below = false;
    for (; rest >> (fraction_bits + 1) || unit < 0; unit++) {
        below = below || half;
        half = rest & 1;
        rest >>= 1;
    }
    for (; unit > 0 && !(rest >> fraction_bits); unit--)
        rest <<= 1;
    const bool up = half && (bug == BUG_HALF_UP || below || (rest & 1));
    if (up && bug != BUG_TRUNCATE)
        rest++;
    if (bug == BUG_CARRY_LOST && rest >> (fraction_bits + 1))
        rest = (wide_t)1 << fraction_bits;
    if ((uint32_t)unit >= exponent_max(type))
        return infinity | sign;
    const uint32_t word = ((uint32_t)unit << fraction_bits) + (uint32_t)rest;
    return (word < infinity ? word : bug == BUG_SATURATE ? infinity - 1 : infinity) | sign;
}

static inline uint32_t plain_sum(const struct sum_case *sum, enum sum_bug bug)
{
    struct sum_case shortened = *sum;
    struct plain plain = {.top = (int)moehub_element_fraction_bits(sum->element) / 16, .all_minus_zero = true};
    if (bug == BUG_WINDOW_SHORT)
        shortened.bins--;
    if (bug == BUG_TOP_STALE)
        plain.top = 5;
    for (unsigned i = 0; i < sum->count; i++)
        plain_add(&plain, &shortened, sum->x[i], bug);
    return plain_word(&plain, sum, shortened.bins, bug);
}

#endif
