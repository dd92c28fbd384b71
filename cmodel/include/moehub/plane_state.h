/* SPDX-License-Identifier: Apache-2.0 */
/* Which ports were missing in the timeouts of a switch plane, cycle by cycle (rtl/doc/plane/switch.md section 4; RTL:
 * moehub_plane_state). */
#ifndef MOEHUB_PLANE_STATE_H
#define MOEHUB_PLANE_STATE_H

#include "moehub/brief_command.h"

#define MOEHUB_PLANE_PORTS_MAX 64

/* What comes in a cycle. */
struct moehub_plane_state_cycle {
    uint64_t missing[MOEHUB_PLANE_PORTS_MAX]; /* the ports that each port's reduction buffer missed in a timeout; 0: none */
    struct moehub_brief_command_offer command; /* MOEHUB_SWITCH_PLANE_COMMAND_* */
};

struct moehub_plane_state {
    uint32_t ports;              /* 2..64 */
    /* registers: what a cycle brings shows in the next; all zero after reset */
    uint64_t missed;             /* ports that the buffer visited in the last cycle had missed since its visit before */
    uint16_t timeout_limit;      /* in force; 0: none */
    struct moehub_brief_command command;
    uint32_t visit;              /* the buffer that is visited in this cycle */
    /* private */
    uint64_t sticky[MOEHUB_PLANE_PORTS_MAX];
};

/* Buffer 0 is visited in the first cycle after it. */
void moehub_plane_state_reset(struct moehub_plane_state *plane, uint32_t ports);

void moehub_plane_state_step(struct moehub_plane_state *plane, const struct moehub_plane_state_cycle *cycle);

#endif
