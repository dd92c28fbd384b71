/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded random numbers of the tests (xorshift64*). */
#ifndef MOEHUB_TESTS_RANDOM_H
#define MOEHUB_TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

static inline struct random random_from(uint64_t seed)
{
    return (struct random){seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
}

static inline uint64_t random_word(struct random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Uniform below `limit` (limit far below 2^64). */
static inline uint32_t random_below(struct random *random, uint32_t limit)
{
    return (uint32_t)((random_word(random) >> 32) * limit >> 32);
}

/* True once in `n` on average. */
static inline bool random_once_in(struct random *random, uint32_t n)
{
    return random_below(random, n) == 0;
}

#endif
