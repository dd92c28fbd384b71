/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_manners.h"

#include <string.h>

int gpu_withheld_of(const char *name)
{
    static const char *const names[GPU_WITHHELD_KINDS] = {"nothing", "handles", "events", "sums", "done",
                                                              "memory",  "credits", "links"};
    for (int i = 0; i < GPU_WITHHELD_KINDS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

struct gpu_manners gpu_manners_beside(const struct gpu_manners *manners, bool begun)
{
    struct gpu_manners beside = *manners;
    beside.aborts = false;
    beside.short_slots = 0;
    if (!begun)
        beside.idle |= manners->silent;
    return beside;
}

/* For a while nobody else sees more than a delay. */
struct gpu_manners gpu_manners_of(unsigned gpu, enum gpu_withheld withheld, uint64_t cycles)
{
    struct gpu_manners manners = {.gpu = gpu, .withheld = withheld, .cycles = cycles};
    if (!gpu_manners_for_ever(&manners))
        return manners;
    const uint64_t itself = UINT64_C(1) << gpu;
    if (withheld == GPU_WITHHELD_HANDLES || withheld == GPU_WITHHELD_MEMORY || withheld == GPU_WITHHELD_LINKS)
        manners.silent = itself;
    if (withheld != GPU_WITHHELD_HANDLES && withheld != GPU_WITHHELD_SUMS)
        manners.idle = itself;
    return manners;
}
