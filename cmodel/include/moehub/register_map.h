/* SPDX-License-Identifier: Apache-2.0 */
/* A block's registers as a table (rtl/doc/registers.md): for its model, its bench, a driver. The tables themselves are
 * named in registers.h, e.g. moehub_hub_registers. */
#ifndef MOEHUB_REGISTER_MAP_H
#define MOEHUB_REGISTER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One register, or `count` equal ones, `stride` bytes apart. */
struct moehub_register {
    const char *name;
    uint32_t offset;    /* bytes, of the first */
    uint32_t stride;
    uint32_t count;
    bool readable;
    bool writable;
    uint32_t fields;    /* bits that mean something; the others read 0 */
    uint32_t kept;      /* those that read as written */
    uint32_t cleared;   /* those that writing 1 clears */
    bool has_reset;     /* reads `reset` after reset; else a constant, or the block's condition */
    uint32_t reset;
};

struct moehub_register_map {
    const struct moehub_register *registers; /* in the order of their offsets; those with a stride of 8 interleave */
    size_t count;
};

/* The register at a byte address, `index` (may be NULL) of its count; NULL where there is none. */
const struct moehub_register *moehub_register_find(const struct moehub_register_map *map, uint32_t address, uint32_t *index);

/* A field of a word, named by its mask (registers.h): its value, and a word that has this value there. */
static inline uint32_t moehub_field(uint32_t mask, uint32_t word)
{
    return (word & mask) / (mask & (~mask + 1));
}

static inline uint32_t moehub_field_word(uint32_t mask, uint32_t value)
{
    return value * (mask & (~mask + 1)) & mask;
}

#endif
