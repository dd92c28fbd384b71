/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that only set registers, one at a time, cycle by cycle (rtl/doc/plane/switch.md section 8; RTL:
 * moehub_brief_command). */
#ifndef MOEHUB_BRIEF_COMMAND_H
#define MOEHUB_BRIEF_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_BRIEF_COMMAND_CYCLES 4   /* from the cycle in which a command is taken to `done` */

/* What is offered in a cycle: taken where `ready` is, and takes effect then. */
struct moehub_brief_command_offer {
    bool valid;
    uint8_t operation;
    uint32_t data;
};

/* Registers: what a cycle brings shows in the next. All zero after reset. */
struct moehub_brief_command {
    bool ready;                  /* low from a command's cycle on until it is done */
    bool done;
    bool refused;                /* of the last command taken */
    /* private */
    uint8_t left;                /* cycles until done; 0: no command is under way */
};

/* The offered command is taken in this cycle. */
static inline bool moehub_brief_command_takes(const struct moehub_brief_command *command,
                                              const struct moehub_brief_command_offer *offer)
{
    return offer->valid && command->ready;
}

/* One cycle. `good`: the command that is taken in it is accepted. */
void moehub_brief_command_step(struct moehub_brief_command *command, const struct moehub_brief_command_offer *offer, bool good);

#endif
