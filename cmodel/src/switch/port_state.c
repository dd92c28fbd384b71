/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/port_state.h"

static bool limit_reached(const struct moehub_port_state *port, const struct moehub_port_state_cycle *cycle)
{
    bool reached = cycle->timeout_limit != 0 && port->timeouts >= cycle->timeout_limit;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        reached |= port->port_timeout != 0 && port->blocked[i] > UINT64_C(4) * port->port_timeout;
    return reached;
}

static bool command_good(const struct moehub_port_state *port, const struct moehub_port_state_cycle *cycle)
{
    switch (cycle->command.operation) {
    case MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET:
        return cycle->group_timeout == 0 || cycle->command.data <= cycle->group_timeout;
    case MOEHUB_SWITCH_PORT_COMMAND_REVIVE:
        return port->down;
    default:
        return false;
    }
}

static void count_blocked(struct moehub_port_state *port, const struct moehub_port_state_cycle *cycle)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        uint64_t *count = &port->blocked[i];
        if ((cycle->blocked >> i & 1) == 0)
            *count -= *count > 0;
        else if (*count < MOEHUB_PORT_BLOCKED_MAX - 4)
            *count += 4;
        else
            *count = MOEHUB_PORT_BLOCKED_MAX;
    }
}

static void count_timeouts(struct moehub_port_state *port, const struct moehub_port_state_cycle *cycle)
{
    if (cycle->answered)
        port->timeouts = 0;
    else if (cycle->missed && port->timeouts < UINT16_MAX)
        port->timeouts++;
}

static void revive(struct moehub_port_state *port)
{
    port->down = port->went_down = false;
    port->timeouts = 0;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        port->blocked[i] = 0;
}

void moehub_port_state_step(struct moehub_port_state *port, const struct moehub_port_state_cycle *cycle)
{
    const bool good = command_good(port, cycle);
    const bool takes_effect = moehub_brief_command_takes(&port->command, &cycle->command) && good;
    const bool reached = limit_reached(port, cycle);
    port->went_down = reached && !port->down;
    port->down |= reached;
    count_blocked(port, cycle);
    count_timeouts(port, cycle);
    if (takes_effect && cycle->command.operation == MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET)
        port->port_timeout = cycle->command.data;
    else if (takes_effect)
        revive(port);
    moehub_brief_command_step(&port->command, &cycle->command, good);
}
