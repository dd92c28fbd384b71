/* SPDX-License-Identifier: Apache-2.0 */
/* The AL table as the model sees it: sparse over the whole address space, an entry that was never written holds what the
 * co-simulated memory started with. It implements moehub_al_memory, so the model needs no windows.
 *
 * Entries that either side wrote since the last comparison are remembered; comparing costs only those. */
#ifndef BENCH_TABLE_IMAGE_H
#define BENCH_TABLE_IMAGE_H

#include "kit/axi_memory.h"
#include "moehub/al_walker.h"

struct table_image {
    struct axi_memory *memory;       /* of the design: initial contents, and what to compare with */
    axi_memory_response *response;   /* the same error injection as the design's memory has; may be NULL */
    void *response_context;
    uint64_t *names;                 /* [capacity]: entry address + 1, 0: free */
    uint32_t *values;
    uint64_t capacity;               /* power of two */
    uint64_t count;
    uint64_t *touched;               /* addresses written since the last comparison */
    uint64_t touched_count, touched_capacity;
    uint64_t errors_read, errors_write;
};

void table_image_create(struct table_image *image, struct axi_memory *memory, axi_memory_response *response, void *context);
void table_image_destroy(struct table_image *image);

/* What the model is created with. */
struct moehub_al_memory table_image_memory(struct table_image *image);

/* Software writes an entry: in the model's image and in the design's memory. */
void table_image_store(struct table_image *image, uint64_t address, uint32_t value);

/* The design writes this entry: it takes part in the next comparison. */
void table_image_touch(struct table_image *image, uint64_t address);

/* Gives every entry ever seen a new value in both images (0 where `zero`): memory after a power cycle. */
void table_image_scramble(struct table_image *image, uint64_t seed, bool zero);

/* Zeroes every entry ever seen in [base, base + bytes) modulo `mask` + 1, in both images: what software does before it
 * acknowledges a clear. (An entry never seen has never been read or written.) */
void table_image_clear(struct table_image *image, uint64_t base, uint64_t bytes, uint64_t mask);

/* Calls `check` for the entries written since the last comparison (`all`: for every one ever seen), returns how many. */
typedef void table_image_check(void *user, uint64_t address, uint32_t expected, uint32_t got);
uint64_t table_image_compare(struct table_image *image, bool all, table_image_check *check, void *user);

#endif
