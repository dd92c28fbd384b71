/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/offenders.h"

#include "moehub/error.h"

#include <stdlib.h>

int moehub_offenders_create(struct moehub_offenders *offenders, size_t capacity)
{
    offenders->list = calloc(capacity, sizeof *offenders->list);
    offenders->count = 0;
    offenders->capacity = capacity;
    return offenders->list == NULL ? MOEHUB_E_MEMORY : 0;
}

void moehub_offenders_destroy(struct moehub_offenders *offenders)
{
    free(offenders->list);
    offenders->list = NULL;
    offenders->count = 0;
    offenders->capacity = 0;
}

void moehub_offenders_add(struct moehub_offenders *offenders, const struct moehub_offender *offender)
{
    if (offenders->count < offenders->capacity)
        offenders->list[offenders->count++] = *offender;
}

void moehub_offenders_clear(struct moehub_offenders *offenders)
{
    offenders->count = 0;
}

static bool equal(const struct moehub_offender *a, const struct moehub_offender *b)
{
    return moehub_flit_equal(a->header, b->header) && a->expert == b->expert && a->port == b->port && a->cause == b->cause;
}

bool moehub_offenders_contain(const struct moehub_offenders *offenders, const struct moehub_offender *offender)
{
    for (size_t i = 0; i < offenders->count; i++)
        if (equal(&offenders->list[i], offender))
            return true;
    return false;
}

const struct moehub_offender *moehub_offenders_smallest(const struct moehub_offenders *offenders)
{
    const struct moehub_offender *smallest = NULL;
    for (size_t i = 0; i < offenders->count; i++)
        if (smallest == NULL || offenders->list[i].cause < smallest->cause)
            smallest = &offenders->list[i];
    return smallest;
}
