/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/plane_state.h"

#include "moehub/defines.h"

void moehub_plane_state_reset(struct moehub_plane_state *plane, uint32_t ports)
{
    *plane = (struct moehub_plane_state){.ports = ports};
}

void moehub_plane_state_step(struct moehub_plane_state *plane, const struct moehub_plane_state_cycle *cycle)
{
    const bool good =
        cycle->command.operation == MOEHUB_SWITCH_PLANE_COMMAND_TIMEOUT_LIMIT_SET && cycle->command.data <= UINT16_MAX;
    if (good && moehub_brief_command_takes(&plane->command, &cycle->command))
        plane->timeout_limit = (uint16_t)cycle->command.data;
    moehub_brief_command_step(&plane->command, &cycle->command, good);
    plane->missed = plane->sticky[plane->visit];
    plane->sticky[plane->visit] = 0;
    for (unsigned i = 0; i < plane->ports; i++)
        plane->sticky[i] |= cycle->missing[i];
    plane->visit = plane->visit + 1 < plane->ports ? plane->visit + 1 : 0;
}
