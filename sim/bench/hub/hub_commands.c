/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_commands.h"

#include "kit/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { TO_SEND_MAX = 1 << 12, EXPECTED_MAX = 4 };

void hub_commands_create(struct hub_commands *commands, struct bench *bench, struct hub_flight *flight, bool has_stream)
{
    *commands = (struct hub_commands){
        .bench = bench,
        .flight = flight,
        .has_stream = has_stream,
        .to_send = allocate(TO_SEND_MAX, sizeof *commands->to_send),
    };
    if (!has_stream)
        return;
    source_create(&commands->command, bench, "command", RECORD_NAMES(HUB_COMMAND_FIELDS), STALL_NONE);
    sink_create(&commands->result, bench, "result", RECORD_NAMES(HUB_RESULT_FIELDS), STALL_NONE);
    scoreboard_create_for(&commands->results, bench, "command result", &commands->result.stream.table, 1, EXPECTED_MAX);
}

void hub_commands_destroy(struct hub_commands *commands)
{
    free(commands->to_send);
}

void hub_commands_send(struct hub_commands *commands, const struct moehub_hub_command *command)
{
    if (commands->send_tail - commands->send_head == TO_SEND_MAX)
        bench_fail(commands->bench, BENCH_CONFIGURATION, "more than %d commands to send", TO_SEND_MAX);
    commands->to_send[commands->send_tail++ % TO_SEND_MAX] = *command;
}

void hub_commands_drive(struct hub_commands *commands)
{
    if (!commands->has_stream)
        return;
    if (commands->send_head != commands->send_tail && source_free(&commands->command) && !commands->bench->reset)
        hub_command_pack(source_offer(&commands->command), &commands->to_send[commands->send_head++ % TO_SEND_MAX]);
    source_drive(&commands->command);
    sink_drive(&commands->result);
}

bool hub_commands_accepted(struct hub_commands *commands, bool behind, struct moehub_hub_command *command)
{
    const uint64_t *item = commands->has_stream ? source_sample(&commands->command) : NULL;
    if (item == NULL)
        return false;
    *command = hub_command_unpack(item);
    struct hub_flight_mark mark = hub_flight_mark(commands->flight, command->context,
                                                  command->operation == MOEHUB_HUB_COMMAND_FLUSH, commands->bench->cycle);
    mark.idle = mark.idle && !behind;
    if (commands->open_tail - commands->open_head == HUB_COMMANDS_OPEN)
        bench_fail(commands->bench, BENCH_MISMATCH, "%d commands accepted and no result", HUB_COMMANDS_OPEN);
    commands->open[commands->open_tail++ % HUB_COMMANDS_OPEN] = (struct hub_command_open){.command = *command, .mark = mark};
    return true;
}

void hub_commands_sample_result(struct hub_commands *commands)
{
    const uint64_t *item = commands->has_stream ? sink_sample(&commands->result) : NULL;
    if (item == NULL)
        return;
    if (commands->open_head == commands->open_tail)
        bench_fail(commands->bench, BENCH_MISMATCH, "a result without a command");
    const struct hub_command_open *open = &commands->open[commands->open_head++ % HUB_COMMANDS_OPEN];
    struct hub_result_seen *seen = &commands->seen[commands->seen_tail++ % HUB_COMMANDS_OPEN];
    memcpy(seen->item, item, sizeof seen->item);
    seen->bound = hub_flight_result(commands->flight, open->command.context,
                                    open->command.operation == MOEHUB_HUB_COMMAND_FLUSH, open->mark);
}

const struct hub_result_seen *hub_commands_next_result(const struct hub_commands *commands)
{
    return commands->seen_head == commands->seen_tail ? NULL : &commands->seen[commands->seen_head % HUB_COMMANDS_OPEN];
}

bool hub_commands_take_in_flight(struct hub_commands *commands, const struct hub_result_seen *seen)
{
    const bool said = seen->item[hub_result_at_in_flight] != 0;
    commands->copied++;
    if (seen->bound == HUB_FLIGHT_EITHER)
        return said;
    commands->bounded++;
    if (said != (seen->bound == HUB_FLIGHT_YES))
        bench_fail(commands->bench, BENCH_MISMATCH, "result_in_flight is %d, but %s of the context was in flight all the time",
                   said, said ? "nothing" : "something");
    return said;
}

void hub_commands_compare(struct hub_commands *commands, const struct moehub_hub_result *result)
{
    uint64_t item[hub_result_words];
    hub_result_pack(item, result);
    scoreboard_expect(&commands->results, 0, item);
    scoreboard_check(&commands->results, 0, commands->seen[commands->seen_head++ % HUB_COMMANDS_OPEN].item);
    commands->last = *result;
    commands->done++;
}

bool hub_commands_quiet(const struct hub_commands *commands)
{
    return commands->send_head == commands->send_tail && commands->done == commands->send_tail;
}

void hub_commands_forget(struct hub_commands *commands)
{
    commands->seen_head = commands->seen_tail;
    commands->open_head = commands->open_tail;
    commands->send_head = commands->done = commands->send_tail;
}
