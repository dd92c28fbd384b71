/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/brief_command.h"

void moehub_brief_command_step(struct moehub_brief_command *command, const struct moehub_brief_command_offer *offer, bool good)
{
    const bool taken = moehub_brief_command_takes(command, offer);
    if (taken) {
        command->left = MOEHUB_BRIEF_COMMAND_CYCLES;
        command->refused = !good;
    } else if (command->left > 0)
        command->left--;
    command->done = command->left == 1;
    command->ready = command->left == 0;
}
