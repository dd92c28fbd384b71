/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_waits.h"

#include "kit/allocate.h"

#include <stdlib.h>

void crossbar_waits_create(struct crossbar_waits *waits, unsigned ports)
{
    const size_t lines = (size_t)ports * ports;
    *waits = (struct crossbar_waits){
        .ports = ports, .since = allocate(lines, sizeof *waits->since), .left = allocate(lines, sizeof *waits->left)};
}

void crossbar_waits_destroy(struct crossbar_waits *waits)
{
    free(waits->since);
    free(waits->left);
    *waits = (struct crossbar_waits){0};
}

void crossbar_waits_mark(struct crossbar_waits *waits, uint64_t now)
{
    for (unsigned line = 0; line < waits->ports * waits->ports; line++)
        waits->since[line] = now;
    waits->longest = 0;
}

void crossbar_waits_come(struct crossbar_waits *waits, unsigned input, unsigned output, uint64_t now)
{
    waits->since[input * waits->ports + output] = now;
}

void crossbar_waits_leave(struct crossbar_waits *waits, unsigned input, unsigned output, uint64_t now)
{
    const unsigned line = input * waits->ports + output;
    uint64_t *since = &waits->since[line];
    waits->left[line]++;
    if (now - *since > waits->longest)
        waits->longest = now - *since;
    *since = now;
}

uint64_t crossbar_waits_watch(const struct crossbar_config *config)
{
    return 512 * (uint64_t)config->ports;
}

uint64_t crossbar_waits_bound(const struct crossbar_config *config, unsigned starving)
{
    enum { LONGEST_COPY = 17, WAY = 16 }; /* flits; cycles from the grant to the first of them */
    return crossbar_waits_watch(config) * (2 * starving + 1) + (config->slots + 1) * LONGEST_COPY + WAY;
}
