/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/memory_image.h"

#include "kit/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 64, PAGE_BYTES = 4 * PAGE_ENTRIES };

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "memory image: out of memory\n");
        abort();
    }
    return memory;
}

void memory_image_create(struct memory_image *image, uint64_t seed, bool zero)
{
    *image = (struct memory_image){.seed = seed, .zero = zero, .capacity = FIRST_CAPACITY};
    image->pages = allocate(image->capacity, sizeof *image->pages);
}

void memory_image_destroy(struct memory_image *image)
{
    for (size_t i = 0; i < image->capacity; i++)
        free(image->pages[i]);
    free(image->pages);
    *image = (struct memory_image){0};
}

uint32_t memory_image_initial(const struct memory_image *image, uint64_t address)
{
    return image->zero ? 0 : (uint32_t)random_hash(image->seed, address / 4);
}

/* Where the page is, or would be. */
static struct memory_page **place_of(const struct memory_image *image, uint64_t number)
{
    size_t i = (size_t)random_hash(0, number) & (image->capacity - 1);
    while (image->pages[i] != NULL && image->pages[i]->number != number)
        i = (i + 1) & (image->capacity - 1);
    return &image->pages[i];
}

static void grow(struct memory_image *image)
{
    struct memory_page **old = image->pages;
    size_t old_capacity = image->capacity;
    image->capacity *= 2;
    image->pages = allocate(image->capacity, sizeof *image->pages);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i] != NULL)
            *place_of(image, old[i]->number) = old[i];
    free(old);
}

static struct memory_page *new_page(struct memory_image *image, uint64_t number)
{
    if (2 * ++image->count > image->capacity)
        grow(image);
    struct memory_page *page = allocate(1, sizeof *page);
    page->number = number;
    for (unsigned i = 0; i < PAGE_ENTRIES; i++)
        page->entries[i] = memory_image_initial(image, number * PAGE_BYTES + 4 * i);
    *place_of(image, number) = page;
    return page;
}

static uint32_t *entry_of(struct memory_image *image, uint64_t address)
{
    uint64_t number = address / PAGE_BYTES;
    if (image->last == NULL || image->last->number != number) {
        struct memory_page *page = *place_of(image, number);
        image->last = page != NULL ? page : new_page(image, number);
    }
    return &image->last->entries[address % PAGE_BYTES / 4];
}

uint32_t memory_image_read(struct memory_image *image, uint64_t address)
{
    return *entry_of(image, address);
}

void memory_image_write(struct memory_image *image, uint64_t address, uint32_t value)
{
    *entry_of(image, address) = value;
}

uint8_t memory_image_read_byte(struct memory_image *image, uint64_t address)
{
    return (uint8_t)(*entry_of(image, address) >> 8 * (address % 4));
}

void memory_image_write_byte(struct memory_image *image, uint64_t address, uint8_t value)
{
    uint32_t *entry = entry_of(image, address);
    unsigned shift = 8 * (unsigned)(address % 4);
    *entry = (*entry & ~(UINT32_C(0xff) << shift)) | (uint32_t)value << shift;
}
