/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/brief_command_port.h"

enum { AT_OPERATION, AT_DATA };

void brief_command_port_create(struct brief_command_port *port, struct bench *bench)
{
    static const struct field fields[] = {{"ready", 1}, {"done", 1}, {"refused", 1}};
    *port = (struct brief_command_port){.bench = bench};
    source_create(&port->commands, bench, "command", "operation .", STALL_MIXED);
    port->done = bench_pin(bench, "command_done");
    port->refused = bench_pin(bench, "command_refused");
    scoreboard_create(&port->states, bench, "commands", fields, 3, 1, 1);
}

void brief_command_port_destroy(struct brief_command_port *port)
{
    scoreboard_destroy(&port->states);
}

void brief_command_port_offer(struct brief_command_port *port, unsigned operation, uint32_t data)
{
    uint64_t *item = source_offer(&port->commands);
    item[AT_OPERATION] = operation;
    item[AT_DATA] = data;
}

void brief_command_port_drive(struct brief_command_port *port)
{
    source_drive(&port->commands);
}

struct moehub_brief_command_offer brief_command_port_sample(struct brief_command_port *port,
                                                            const struct moehub_brief_command *model)
{
    const struct moehub_brief_command_offer offer = {port->commands.driving, (uint8_t)port->commands.item[AT_OPERATION],
                                                     (uint32_t)port->commands.item[AT_DATA]};
    const uint64_t expected[3] = {model->ready, model->done, model->done && model->refused};
    const uint64_t got[3] = {pin_get(port->commands.stream.ready), pin_get(port->done),
                             pin_get(port->done) && pin_get(port->refused)};
    source_sample(&port->commands);
    if (port->bench->reset)
        return (struct moehub_brief_command_offer){.valid = false};
    scoreboard_expect(&port->states, 0, expected);
    scoreboard_check(&port->states, 0, got);
    port->accepted += model->done && !model->refused;
    port->refusals += model->done && model->refused;
    return offer;
}
