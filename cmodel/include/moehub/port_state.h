/* SPDX-License-Identifier: Apache-2.0 */
/* When a switch port is down, cycle by cycle (rtl/doc/plane/switch.md section 4; RTL: moehub_port_state). */
#ifndef MOEHUB_PORT_STATE_H
#define MOEHUB_PORT_STATE_H

#include "moehub/brief_command.h"
#include "moehub/defines.h"

#define MOEHUB_PORT_BLOCKED_MAX ((UINT64_C(1) << 34) - 1)

/* What comes in a cycle. */
struct moehub_port_state_cycle {
    uint8_t blocked;             /* a bit a class */
    bool missed;                 /* the port was missing in a group's timeout */
    bool answered;               /* a partial of the port passed its header check */
    uint16_t timeout_limit;      /* of the plane; 0: none */
    uint32_t group_timeout;      /* in force in the port's reduction buffer; 0: none */
    struct moehub_brief_command_offer command; /* MOEHUB_SWITCH_PORT_COMMAND_* */
};

/* Registers: what a cycle brings shows in the next. All zero after reset. */
struct moehub_port_state {
    bool down;
    bool went_down;              /* in the first cycle in which it is down */
    uint32_t port_timeout;       /* in force; 0: none */
    uint16_t timeouts;           /* in a row */
    struct moehub_brief_command command;
    uint64_t blocked[MOEHUB_CLASSES]; /* 4 for each blocked cycle, less 1 for each other */
};

void moehub_port_state_step(struct moehub_port_state *port, const struct moehub_port_state_cycle *cycle);

#endif
