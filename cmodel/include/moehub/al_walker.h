/* SPDX-License-Identifier: Apache-2.0 */
/* Walker: the AL table in GPU memory, one 4-byte entry at a time (rtl/doc/address_path.md, section 4).
 *
 * The memory is either the walker's own, as windows of zeroed bytes (anything outside of them answers with an error, as
 * an interconnect does), or the caller's, behind two callbacks. A fault predicate injects AXI errors on top. */
#ifndef MOEHUB_AL_WALKER_H
#define MOEHUB_AL_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOEHUB_AL_WINDOWS_MAX 16

/* Memory of the caller. Each returns false for an AXI error; a failed write leaves the memory unchanged. */
struct moehub_al_memory {
    bool (*read)(void *user, uint64_t address, uint32_t *entry);
    bool (*write)(void *user, uint64_t address, uint32_t entry);
    void *user;
};

/* Whether this operation shall fail. Called once per table operation, in order. */
typedef bool moehub_al_fault(void *user, uint64_t address, bool write);

/* The image of `entries` table entries at byte address `base`, host order. */
struct moehub_al_window {
    uint64_t base;
    uint64_t entries;
    uint32_t *image;
};

struct moehub_al_walker {
    struct moehub_al_memory memory;  /* used when memory.read is set */
    moehub_al_fault *fault;          /* NULL: none */
    void *fault_user;
    struct moehub_al_window windows[MOEHUB_AL_WINDOWS_MAX];
    unsigned window_count;
    uint64_t reads;                  /* operations, failed ones included */
    uint64_t writes;
};

/* `memory` NULL: own windows, none yet. */
void moehub_al_walker_init(struct moehub_al_walker *walker, const struct moehub_al_memory *memory);
void moehub_al_walker_destroy(struct moehub_al_walker *walker);

/* Adds a window of zeros: `base` 4-byte aligned, `bytes` a multiple of 4, no wrap, no overlap with another.
 * 0, MOEHUB_E_ARGUMENT, MOEHUB_E_LIMIT (too many) or MOEHUB_E_MEMORY. */
int moehub_al_walker_map(struct moehub_al_walker *walker, uint64_t base, uint64_t bytes);

/* Fills all windows with zeros: what software does before ACKNOWLEDGE_CLEAR. */
void moehub_al_walker_clear(struct moehub_al_walker *walker);

/* The entry's place in a window, or NULL outside of all. */
uint32_t *moehub_al_walker_entry(const struct moehub_al_walker *walker, uint64_t address);

/* One table read: false is a read error (then *entry is 0). One table write: false is a write error. */
bool moehub_al_walker_read(struct moehub_al_walker *walker, uint64_t address, uint32_t *entry);
bool moehub_al_walker_write(struct moehub_al_walker *walker, uint64_t address, uint32_t entry);

#endif
