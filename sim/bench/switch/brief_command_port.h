/* SPDX-License-Identifier: Apache-2.0 */
/* The command port of a block that has moehub_brief_command, as a bench sees it: offers commands, and compares ready, done and
 * refused with the model in every cycle.
 *
 * In a cycle: drive; bench_settle; sample with the model's registers of this cycle. */
#ifndef BENCH_BRIEF_COMMAND_PORT_H
#define BENCH_BRIEF_COMMAND_PORT_H

#include "kit/scoreboard.h"
#include "kit/stream.h"
#include "moehub/brief_command.h"

struct brief_command_port {
    struct bench *bench;
    struct source commands;
    const struct pin *done, *refused;
    struct scoreboard states;
    uint64_t accepted, refusals;
};

void brief_command_port_create(struct brief_command_port *port, struct bench *bench);
void brief_command_port_destroy(struct brief_command_port *port);

/* An operation may be offered. */
static inline bool brief_command_port_free(const struct brief_command_port *port)
{
    return source_free(&port->commands);
}
void brief_command_port_offer(struct brief_command_port *port, unsigned operation, uint32_t data);

void brief_command_port_drive(struct brief_command_port *port);

/* What was offered in this cycle. */
struct moehub_brief_command_offer brief_command_port_sample(struct brief_command_port *port,
                                                            const struct moehub_brief_command *model);

#endif
