/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/table_image.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 16 };

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(BENCH_CONFIGURATION);
    }
    return memory;
}

/* Where the address is, or the free place where it belongs. */
static uint64_t find(const struct table_image *image, uint64_t address)
{
    uint64_t place = random_hash(0, address) & (image->capacity - 1);
    while (image->names[place] != 0 && image->names[place] != address + 1)
        place = (place + 1) & (image->capacity - 1);
    return place;
}

static void grow(struct table_image *image)
{
    struct table_image old = *image;
    image->capacity *= 2;
    image->names = must(calloc(image->capacity, sizeof *image->names));
    image->values = must(calloc(image->capacity, sizeof *image->values));
    for (uint64_t i = 0; i < old.capacity; i++)
        if (old.names[i] != 0) {
            uint64_t place = find(image, old.names[i] - 1);
            image->names[place] = old.names[i];
            image->values[place] = old.values[i];
        }
    free(old.names);
    free(old.values);
}

/* The entry's value, which starts as the memory's initial contents. Valid until the next call. */
static uint32_t *entry_of(struct table_image *image, uint64_t address)
{
    if (2 * image->count >= image->capacity)
        grow(image);
    uint64_t place = find(image, address);
    if (image->names[place] == 0) {
        image->names[place] = address + 1;
        image->values[place] = axi_memory_initial(image->memory, address);
        image->count++;
    }
    return &image->values[place];
}

static void remember(struct table_image *image, uint64_t address)
{
    if (image->touched_count == image->touched_capacity) {
        image->touched_capacity *= 2;
        image->touched = must(realloc(image->touched, image->touched_capacity * sizeof *image->touched));
    }
    image->touched[image->touched_count++] = address;
}

static bool fails(const struct table_image *image, uint64_t address, bool is_write)
{
    return image->response != NULL && image->response(image->response_context, address, is_write) >= AXI_SLVERR;
}

static bool model_read(void *user, uint64_t address, uint32_t *entry)
{
    struct table_image *image = user;
    *entry = 0;
    if (fails(image, address, false)) {
        image->errors_read++;
        return false;
    }
    *entry = *entry_of(image, address);
    return true;
}

static bool model_write(void *user, uint64_t address, uint32_t entry)
{
    struct table_image *image = user;
    table_image_touch(image, address);
    if (fails(image, address, true)) {
        image->errors_write++;
        return false;
    }
    *entry_of(image, address) = entry;
    return true;
}

void table_image_create(struct table_image *image, struct axi_memory *memory, axi_memory_response *response, void *context)
{
    *image = (struct table_image){.memory = memory, .response = response, .response_context = context};
    image->capacity = FIRST_CAPACITY;
    image->names = must(calloc(image->capacity, sizeof *image->names));
    image->values = must(calloc(image->capacity, sizeof *image->values));
    image->touched_capacity = FIRST_CAPACITY;
    image->touched = must(malloc(image->touched_capacity * sizeof *image->touched));
}

void table_image_destroy(struct table_image *image)
{
    free(image->names);
    free(image->values);
    free(image->touched);
}

struct moehub_al_memory table_image_memory(struct table_image *image)
{
    return (struct moehub_al_memory){.read = model_read, .write = model_write, .user = image};
}

void table_image_store(struct table_image *image, uint64_t address, uint32_t value)
{
    *entry_of(image, address) = value;
    axi_memory_write(image->memory, address, value);
}

void table_image_touch(struct table_image *image, uint64_t address)
{
    (void)entry_of(image, address);
    remember(image, address);
}

void table_image_scramble(struct table_image *image, uint64_t seed, bool zero)
{
    for (uint64_t i = 0; i < image->capacity; i++)
        if (image->names[i] != 0) {
            image->values[i] = zero ? 0 : (uint32_t)random_hash(seed, image->names[i]);
            axi_memory_write(image->memory, image->names[i] - 1, image->values[i]);
        }
    image->touched_count = 0;
}

void table_image_clear(struct table_image *image, uint64_t base, uint64_t bytes, uint64_t mask)
{
    for (uint64_t i = 0; i < image->capacity; i++)
        if (image->names[i] != 0 && ((image->names[i] - 1 - base) & mask) < bytes) {
            image->values[i] = 0;
            axi_memory_write(image->memory, image->names[i] - 1, 0);
        }
}

static void compare_entry(struct table_image *image, uint64_t address, table_image_check *check, void *user)
{
    check(user, address, *entry_of(image, address), axi_memory_read(image->memory, address));
}

uint64_t table_image_compare(struct table_image *image, bool all, table_image_check *check, void *user)
{
    uint64_t compared = image->touched_count;
    for (uint64_t i = 0; i < image->touched_count; i++)
        compare_entry(image, image->touched[i], check, user);
    image->touched_count = 0;
    for (uint64_t i = 0; all && i < image->capacity; i++)
        if (image->names[i] != 0) {
            compare_entry(image, image->names[i] - 1, check, user);
            compared++;
        }
    return compared;
}
