/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and commands of a hub, as all calls of the driver use them. */
#ifndef DRIVER_ACCESS_H
#define DRIVER_ACCESS_H

#include "moehub/driver.h"

struct driver_command {
    unsigned window, operation;
    const char *name;            /* for messages */
    unsigned context, index;
    uint64_t data[2];
};

int driver_read(struct moehub_hub *hub, unsigned window, uint32_t offset, uint32_t *data);
int driver_write(struct moehub_hub *hub, unsigned window, uint32_t offset, uint32_t data);

/* A command of window 0 or 1, and its two results (NULL: not read). */
int driver_command(struct moehub_hub *hub, const struct driver_command *command, uint64_t *results);

/* A command of a window with one operand of 32 bits. */
int driver_brief_command(struct moehub_hub *hub, const struct driver_command *command);

/* Reads the register until the bits of `mask` are `value`. */
int driver_await(struct moehub_hub *hub, unsigned window, uint32_t offset, uint32_t mask, uint32_t value, const char *what);

int driver_error(struct moehub_hub *hub, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
