/* SPDX-License-Identifier: Apache-2.0 */
/* Machines that `moehub system` computes, from the files of its folder. 0, or an error with a sentence. */
#ifndef MOEHUB_CLI_SYSTEM_MACHINES_H
#define MOEHUB_CLI_SYSTEM_MACHINES_H

#include "moehub/system_shares.h"
#include "system_arguments.h"

/* Machines under `measured` and under `paper`. */
struct system_machines {
    struct moehub_system_constants training[2];
    struct moehub_system_constants hub[2];
};

/* MACHINE.machine under ASSUMPTIONS.assumptions, with the user's values last. */
int system_machine_load(const struct system_arguments *arguments, const char *machine, const char *assumptions,
                        struct moehub_system_constants *constants, struct moehub_message *message);

int system_machines_load(const struct system_arguments *arguments, struct moehub_system_shares *shares,
                         struct system_machines *machines, struct moehub_message *message);

/* Whether the layers of all tables can lie on it: their experts in equal blocks. */
int system_machines_check(const struct moehub_system_constants *constants, struct moehub_message *message);

#endif
