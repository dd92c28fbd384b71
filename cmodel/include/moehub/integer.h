/* SPDX-License-Identifier: Apache-2.0 */
/* Small questions about whole numbers that models and benches share. */
#ifndef MOEHUB_INTEGER_H
#define MOEHUB_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

/* Bits that name `count` things: the least n with 2^n >= count; 0 for 0 and 1, 64 beyond 2^63. */
static inline unsigned moehub_log2_ceiling(uint64_t count)
{
    return count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0;
}

static inline uint64_t moehub_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Whether lowest <= value <= highest. */
static inline bool moehub_within(uint64_t value, uint64_t lowest, uint64_t highest)
{
    return value >= lowest && value <= highest;
}

static inline bool moehub_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

#endif
