/* SPDX-License-Identifier: Apache-2.0 */
/* What an error latch may hold.
 *
 * The hardware latches the offender that it detects first; the model knows the order of acceptance, not the cycle of
 * detection. It therefore keeps every offender since the last clear that can still be the first one detected:
 * at most as many as can be in flight beside the first, so the list is bounded. */
#ifndef MOEHUB_OFFENDERS_H
#define MOEHUB_OFFENDERS_H

#include "moehub/packet.h"

#include <stddef.h>

struct moehub_offender {
    struct moehub_flit header;  /* the layout of a packet header: rtl/doc, sections on errors */
    uint16_t expert;            /* hub only */
    uint8_t port;
    uint8_t cause;              /* MOEHUB_HUB_CAUSE_* or MOEHUB_REDUCTION_CAUSE_* */
};

struct moehub_offenders {
    struct moehub_offender *list;  /* in the order of acceptance */
    size_t count;
    size_t capacity;
};

/* Room for `capacity` offenders. 0 or MOEHUB_E_MEMORY. */
int moehub_offenders_create(struct moehub_offenders *offenders, size_t capacity);
void moehub_offenders_destroy(struct moehub_offenders *offenders);

/* Adds one; those beyond the capacity cannot be the first and are left out. */
void moehub_offenders_add(struct moehub_offenders *offenders, const struct moehub_offender *offender);

/* The latch was cleared. */
void moehub_offenders_clear(struct moehub_offenders *offenders);

/* Whether a latch may hold `offender` (all fields equal). */
bool moehub_offenders_contain(const struct moehub_offenders *offenders, const struct moehub_offender *offender);

/* The one with the smallest cause, of several the first: what a block tells that finds them in one cycle. NULL: there is none. */
const struct moehub_offender *moehub_offenders_smallest(const struct moehub_offenders *offenders);

#endif
