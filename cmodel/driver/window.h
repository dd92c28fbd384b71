/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that a hub has, for the calls that take any of them. */
#ifndef DRIVER_WINDOW_H
#define DRIVER_WINDOW_H

#include "moehub/driver.h"

/* 0, or MOEHUB_E_ARGUMENT with hub->message: this hub has no such window. */
int driver_check_window(struct moehub_hub *hub, unsigned window);

#endif
