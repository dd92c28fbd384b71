/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target without libFuzzer: mutations of its seeds, from a fixed random seed.
 *
 *     fuzz_X [SEED [RUNS]]          default 1, 20000; prints how many inputs ran
 *     fuzz_X --write-seeds FOLDER   the seeds as files, for libFuzzer's corpus */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 8192, MOST_MUTATIONS = 8 };

struct input {
    uint8_t bytes[ROOM];
    size_t size;
};

/* xorshift64*: the driver needs no library. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}

static size_t below(uint64_t *state, size_t limit)
{
    return limit > 0 ? (size_t)(next_random(state) % limit) : 0;
}

static size_t count_seeds(void)
{
    size_t count = 0;
    while (fuzz_seeds[count] != NULL)
        count++;
    return count;
}

static void insert(struct input *input, size_t at, const void *bytes, size_t size)
{
    if (input->size + size > ROOM)
        return;
    memmove(input->bytes + at + size, input->bytes + at, input->size - at);
    memcpy(input->bytes + at, bytes, size);
    input->size += size;
}

static void erase(struct input *input, size_t at, size_t size)
{
    if (size > input->size - at)
        size = input->size - at;
    memmove(input->bytes + at, input->bytes + at + size, input->size - at - size);
    input->size -= size;
}

static void insert_word(uint64_t *state, struct input *input)
{
    static const char *const words[] = {"-1",  "0",  "65535", "4294967296", "99999999999999999999", "1e9", "\"", "{",
                                        "[[]", "}]", "\n",    "\r\n",       "null",                 ",",   " ",  "#"};
    const char *word = words[below(state, sizeof words / sizeof words[0])];
    insert(input, below(state, input->size + 1), word, strlen(word));
}

/* A piece of the input itself, at another place. */
static void repeat_piece(uint64_t *state, struct input *input)
{
    uint8_t piece[64];
    const size_t from = below(state, input->size);
    size_t size = 1 + below(state, sizeof piece);
    if (size > input->size - from)
        size = input->size - from;
    memcpy(piece, input->bytes + from, size);
    insert(input, below(state, input->size + 1), piece, size);
}

static void mutate(uint64_t *state, struct input *input)
{
    const size_t at = below(state, input->size);
    switch (below(state, 6)) {
    case 0:
        if (input->size > 0)
            input->bytes[at] ^= (uint8_t)(1u << below(state, 8));
        break;
    case 1:
        if (input->size > 0)
            input->bytes[at] = (uint8_t)next_random(state);
        break;
    case 2:
        erase(input, at, 1 + below(state, 16));
        break;
    case 3:
        repeat_piece(state, input);
        break;
    case 4:
        insert_word(state, input);
        break;
    default:
        input->size = at;
    }
}

static void run_one(uint64_t *state, size_t seeds)
{
    static struct input input;
    const char *seed = fuzz_seeds[below(state, seeds)];
    input.size = strlen(seed) < ROOM ? strlen(seed) : ROOM;
    memcpy(input.bytes, seed, input.size);
    for (size_t i = below(state, MOST_MUTATIONS + 1); i > 0; i--)
        mutate(state, &input);
    LLVMFuzzerTestOneInput(input.bytes, input.size);
}

static int write_seeds(const char *folder)
{
    for (size_t i = 0; fuzz_seeds[i] != NULL; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/seed-%zu", folder, i);
        FILE *file = fopen(path, "w");
        if (file == NULL || fputs(fuzz_seeds[i], file) < 0 || fclose(file) != 0) {
            perror(path);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write-seeds") == 0)
        return write_seeds(argv[2]);
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const unsigned long long runs = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000;
    uint64_t state = seed * 2 + 1;
    const size_t seeds = count_seeds();
    for (size_t i = 0; i < seeds; i++)
        LLVMFuzzerTestOneInput((const uint8_t *)fuzz_seeds[i], strlen(fuzz_seeds[i]));
    for (unsigned long long i = 0; i < runs; i++)
        run_one(&state, seeds);
    printf("%s: %llu inputs, seed %llu\n", argv[0], runs + seeds, (unsigned long long)seed);
    return runs + seeds > 0 ? 0 : 1;
}
