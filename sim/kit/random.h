/* SPDX-License-Identifier: Apache-2.0 */
/* The one source of randomness of a bench: a seed is split into named sub-streams, so that adding a consumer
 * does not change what the others draw. Generator: xoshiro256** (Blackman, Vigna), seeded by splitmix64. */
#ifndef KIT_RANDOM_H
#define KIT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random_source {
    uint64_t state[4];
};

/* The sub-stream `name` of `seed`: same seed and name, same sequence. */
void random_init(struct random_source *random, uint64_t seed, const char *name);

/* 64 fresh bits. */
static inline uint64_t random_next(struct random_source *random)
{
    uint64_t *s = random->state;
    uint64_t product = s[1] * 5;
    uint64_t result = ((product << 7) | (product >> 57)) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* 0 .. bound-1; bound 1 .. 2^32. */
static inline uint64_t random_below(struct random_source *random, uint64_t bound)
{
    return ((random_next(random) >> 32) * bound) >> 32;
}

/* minimum .. maximum, both included; at most 2^32 values. */
static inline uint64_t random_range(struct random_source *random, uint64_t minimum, uint64_t maximum)
{
    return minimum + random_below(random, maximum - minimum + 1);
}

/* True `numerator` times out of `denominator`. */
static inline bool random_chance(struct random_source *random, uint32_t numerator, uint32_t denominator)
{
    return random_below(random, denominator) < numerator;
}

/* `bits` (0..64) random bits. */
static inline uint64_t random_bits(struct random_source *random, unsigned bits)
{
    return bits == 0 ? 0 : random_next(random) >> (64 - bits);
}

/* A stateless hash of (seed, index): contents of things too large to draw in order, such as a memory's. */
uint64_t random_hash(uint64_t seed, uint64_t index);

#endif
