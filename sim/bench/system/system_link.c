/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/system_link.h"

#include "kit/allocate.h"

#include <stdlib.h>

void system_link_create(struct system_link *link, unsigned latency)
{
    *link = (struct system_link){.latency = latency, .moments = allocate(2 * (size_t)latency, sizeof *link->moments)};
}

void system_link_destroy(struct system_link *link)
{
    free(link->moments);
}
