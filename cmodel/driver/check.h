/* SPDX-License-Identifier: Apache-2.0 */
/* What the hub could not refuse: values for which a command has too few bits, so that it would see others, and what no part of
 * the hardware sees as a whole. All else is the hub's to refuse. 0, or MOEHUB_E_ARGUMENT with hub->message. */
#ifndef DRIVER_CHECK_H
#define DRIVER_CHECK_H

#include "moehub/driver.h"

/* `name` of the value for the message; `most` is its greatest. */
int driver_check_most(struct moehub_hub *hub, const char *name, uint64_t value, uint64_t most);

int driver_check_shape(struct moehub_hub *hub, const struct moehub_context_shape *shape);
int driver_check_region(struct moehub_hub *hub, const struct moehub_hub_region *region);

#endif
