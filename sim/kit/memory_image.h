/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse memory of 4-byte entries over the whole 64-bit address space, in 4-KB pages that come into being at first use. */
#ifndef KIT_MEMORY_IMAGE_H
#define KIT_MEMORY_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_ENTRIES = 1024 };

struct memory_page {
    uint64_t number; /* address / 4096 */
    uint32_t entries[PAGE_ENTRIES];
};

struct memory_image {
    struct memory_page **pages; /* open hash by number; capacity is a power of two, at most half full */
    size_t capacity, count;
    struct memory_page *last; /* the page used last */
    uint64_t seed;
    bool zero; /* what was never written is 0 instead of a hash of seed and address */
};

void memory_image_create(struct memory_image *image, uint64_t seed, bool zero);
void memory_image_destroy(struct memory_image *image);

/* Addresses of entries are multiples of 4. */
uint32_t memory_image_read(struct memory_image *image, uint64_t address);
void memory_image_write(struct memory_image *image, uint64_t address, uint32_t value);
uint32_t memory_image_initial(const struct memory_image *image, uint64_t address);

/* Single bytes; an entry's first byte is its least significant. */
uint8_t memory_image_read_byte(struct memory_image *image, uint64_t address);
void memory_image_write_byte(struct memory_image *image, uint64_t address, uint8_t value);

#endif
