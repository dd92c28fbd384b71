/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/random.h"

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* FNV-1a: the sub-streams' names become numbers. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t random_hash(uint64_t seed, uint64_t index)
{
    uint64_t state = seed ^ (index * UINT64_C(0xd1342543de82ef95));
    return splitmix(&state);
}

void random_init(struct random_source *random, uint64_t seed, const char *name)
{
    uint64_t state = random_hash(seed, hash_name(name));
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix(&state);
}
