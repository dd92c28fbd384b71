/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the events that hub and switch count: lower case, words joined by underscores, for reports and JSON keys.
 * A cause has the same name as the event that counts it. */
#ifndef MOEHUB_EVENT_NAMES_H
#define MOEHUB_EVENT_NAMES_H

#include "moehub/defines.h"

/* Of MOEHUB_HUB_EVENT_* and MOEHUB_REDUCTION_EVENT_*; "?" for any other number. */
const char *moehub_hub_event_name(unsigned event);
const char *moehub_reduction_event_name(unsigned event);

static inline const char *moehub_hub_cause_name(unsigned cause)
{
    return cause < MOEHUB_HUB_ORDER_CAUSES ? moehub_hub_event_name(MOEHUB_HUB_EVENT_CAUSES + cause)
         : cause == MOEHUB_HUB_CAUSE_PARITY ? moehub_hub_event_name(MOEHUB_HUB_EVENT_PARITY) : "?";
}

static inline const char *moehub_reduction_cause_name(unsigned cause)
{
    if (cause == MOEHUB_REDUCTION_CAUSE_PARITY) /* the one whose event does not follow the others' */
        return moehub_reduction_event_name(MOEHUB_REDUCTION_EVENT_PARITY);
    return cause < MOEHUB_REDUCTION_ORDER_CAUSES ? moehub_reduction_event_name(MOEHUB_REDUCTION_EVENT_CAUSES + cause) : "?";
}

#endif
