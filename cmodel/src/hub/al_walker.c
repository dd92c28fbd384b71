/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/al_walker.h"

#include "moehub/error.h"

#include <stdlib.h>
#include <string.h>

void moehub_al_walker_init(struct moehub_al_walker *walker, const struct moehub_al_memory *memory)
{
    memset(walker, 0, sizeof *walker);
    if (memory != NULL)
        walker->memory = *memory;
}

void moehub_al_walker_destroy(struct moehub_al_walker *walker)
{
    if (walker == NULL)
        return;
    for (unsigned i = 0; i < walker->window_count; i++)
        free(walker->windows[i].image);
    walker->window_count = 0;
}

static uint64_t window_last(const struct moehub_al_window *window)
{
    return window->base + (4 * window->entries - 1);
}

int moehub_al_walker_map(struct moehub_al_walker *walker, uint64_t base, uint64_t bytes)
{
    if (base % 4 != 0 || bytes == 0 || bytes % 4 != 0 || bytes - 1 > UINT64_MAX - base)
        return MOEHUB_E_ARGUMENT;
    const struct moehub_al_window fresh = {base, bytes / 4, NULL};
    for (unsigned i = 0; i < walker->window_count; i++)
        if (base <= window_last(&walker->windows[i]) && walker->windows[i].base <= window_last(&fresh))
            return MOEHUB_E_ARGUMENT;
    if (walker->window_count == MOEHUB_AL_WINDOWS_MAX)
        return MOEHUB_E_LIMIT;
    uint32_t *image = calloc(fresh.entries, sizeof *image);
    if (image == NULL)
        return MOEHUB_E_MEMORY;
    walker->windows[walker->window_count] = fresh;
    walker->windows[walker->window_count++].image = image;
    return 0;
}

void moehub_al_walker_clear(struct moehub_al_walker *walker)
{
    for (unsigned i = 0; i < walker->window_count; i++)
        memset(walker->windows[i].image, 0, walker->windows[i].entries * sizeof *walker->windows[i].image);
}

uint32_t *moehub_al_walker_entry(const struct moehub_al_walker *walker, uint64_t address)
{
    for (unsigned i = 0; i < walker->window_count; i++) {
        const struct moehub_al_window *window = &walker->windows[i];
        const uint64_t entry = (address - window->base) / 4;   /* huge when below the base */
        if (entry < window->entries)
            return window->image + entry;
    }
    return NULL;
}

bool moehub_al_walker_read(struct moehub_al_walker *walker, uint64_t address, uint32_t *entry)
{
    *entry = 0;
    walker->reads++;
    if (walker->fault != NULL && walker->fault(walker->fault_user, address, false))
        return false;
    if (walker->memory.read != NULL)
        return walker->memory.read(walker->memory.user, address, entry);
    const uint32_t *place = moehub_al_walker_entry(walker, address);
    if (place == NULL)
        return false;
    *entry = *place;
    return true;
}

bool moehub_al_walker_write(struct moehub_al_walker *walker, uint64_t address, uint32_t entry)
{
    walker->writes++;
    if (walker->fault != NULL && walker->fault(walker->fault_user, address, true))
        return false;
    if (walker->memory.read != NULL)
        return walker->memory.write(walker->memory.user, address, entry);
    uint32_t *place = moehub_al_walker_entry(walker, address);
    if (place == NULL)
        return false;
    *place = entry;
    return true;
}
