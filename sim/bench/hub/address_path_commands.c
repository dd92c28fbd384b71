/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: what they refuse, keep and forget, and how long they take. */
#include "bench/hub/address_path_tests.h"

/* REGION_SET and PEERS_SET with an index of one bit that is too high. */
static void refused_indices(struct address_path_run *run, unsigned operation, unsigned count)
{
    hub_software_must_not(&run->software, operation, 0, count, 0, 1);
    /* With two stages bit 15 of REGION_GET's index is no part of the expert. */
    const unsigned bits = run->path.config.stages == 2 && operation == MOEHUB_HUB_COMMAND_REGION_GET ? 15 : 16;
    for (unsigned bit = 0; bit < bits; bit++)
        if (1u << bit >= count)
            hub_software_must_not(&run->software, operation, 0, 1u << bit, 0, 1);
}

/* A disabled context takes no layout, region or index with a bit that is too high, whichever it is. */
void test_refused_data(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    struct hub_software *software = &run->software;
    const struct hub_layout layout = script_open(run, 4, 4);
    const uint64_t base = layout.table_base, limit = layout.row_limit, size = (uint64_t)layout.row_size << 32;
    hub_software_close(software, 0);
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, base | 1, size | limit);
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, base | 2, size | limit);
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, base, limit);
    for (unsigned bit = config->address_width; bit < 64; bit++) {
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, base | UINT64_C(1) << bit, size | limit);
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0, UINT64_C(1) << bit, 1);
    }
    for (unsigned bit = config->offset_width; bit < 17; bit++)
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, base, ((UINT64_C(1) << bit) + 1) << 32 | limit);
    for (unsigned bit = config->row_index_width; bit < 32; bit++)
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, base, size | ((UINT64_C(1) << bit) + 1));
    for (unsigned bit = config->slot_width; bit < 32; bit++)
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0, 0, UINT64_C(1) << bit);
    refused_indices(run, MOEHUB_HUB_COMMAND_REGION_SET, config->local_experts);
    refused_indices(run, MOEHUB_HUB_COMMAND_REGION_GET, config->local_experts);
    refused_indices(run, MOEHUB_HUB_COMMAND_PEERS_SET, (config->gpus + 31) / 32);
}

/* Any layout comes back as it was set, in every context, and is used by none. A region that has changed asks for ADVANCE before
 * its context is enabled, every time. */
void test_layouts_kept(struct address_path_run *run)
{
    enum { DRAWS = 16 };
    const struct moehub_address_path_config *config = &run->path.config;
    struct hub_software *software = &run->software;
    for (unsigned i = 0; i < DRAWS * config->contexts; i++) {
        const unsigned context = i % config->contexts;
        const uint64_t base = random_bits(&run->random, config->address_width) & ~UINT64_C(3);
        const uint64_t limit = random_range(&run->random, 0, UINT64_C(1) << config->row_index_width) & UINT32_MAX;
        hub_software_close(software, context);
        const uint64_t size = random_range(&run->random, 1, UINT64_C(1) << config->offset_width);
        hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, context, 0, base,
                          (uint64_t)hub_software_size(software, size) << 32 | limit);
        hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
    }
    for (unsigned context = 0; context < config->contexts && config->local_experts <= EXPERTS_FEW; context++) {
        const struct hub_layout layout = {
            .table_base = hub_flight_table(&run->path.flight, context), .row_limit = 1, .row_size = 1, .capacity = 1};
        hub_software_open(software, context, &layout);
        hub_software_close(software, context);
        hub_software_must(software, MOEHUB_HUB_COMMAND_REGION_SET, context, 0, 0, 1);
        hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_ENABLE, context, 0, 0, 0);
        hub_software_advance(software, context);
        hub_software_must(software, MOEHUB_HUB_COMMAND_ENABLE, context, 0, 0, 0);
    }
}

/* Every change of an enabled context is refused; so is one while something of it is in flight. */
void test_refused_changes(struct address_path_run *run)
{
    static const unsigned changes[] = {MOEHUB_HUB_COMMAND_CONTEXT_SET,       MOEHUB_HUB_COMMAND_PEERS_SET,
                                       MOEHUB_HUB_COMMAND_REGION_SET,        MOEHUB_HUB_COMMAND_ENABLE,
                                       MOEHUB_HUB_COMMAND_ADVANCE,           MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR,
                                       MOEHUB_HUB_COMMAND_FLUSH,             MOEHUB_HUB_COMMAND_STAGE_SET,
                                       MOEHUB_HUB_COMMAND_BASE_SET};
    const struct hub_layout layout = script_open(run, 4, 4);
    const uint64_t base = hub_software_base(&run->software, layout.table_base); /* right for a region too */
    const uint64_t data1 = (uint64_t)layout.row_size << 32 | layout.row_limit;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        hub_software_must_not(&run->software, changes[i], 0, 0, base,
                              changes[i] == MOEHUB_HUB_COMMAND_REGION_SET ? 1 : data1);
    script_latency(run, LATENCY_LONG, LATENCY_LONG);
    script_announce(run, 0, 0);
    script_start(run);
    while (run->path.requests.answer.stream.transfers == 0 || run->path.requests.answers.waiting > 0 ||
           run->script_next != run->script_count || !source_free(&run->path.requests.request))
        hub_path_step(&run->path);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_DISABLE, 0, 0, 0, 0);
    /* Answered, but its table write has no B response yet. */
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        hub_software_must_not(&run->software, changes[i], 0, 0, base,
                              changes[i] == MOEHUB_HUB_COMMAND_REGION_SET ? 1 : data1);
    if (!hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, 0, 0, 0, 0).in_flight)
        bench_fail(&run->path.bench, BENCH_MISMATCH, "an unanswered table write is not in flight");
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, run->path.config.contexts, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_DISABLE, 255, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_REGION_GET, 0, run->path.config.local_experts, 0, 0);
    hub_software_must_not(&run->software, 15, 0, 0, 0, 0);
    script_play(run);
    script_latency(run, 1, 20);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ADVANCE, 0, 0, 0, 0);
}

/* Every epoch to the last one, then clear needed, acknowledge, epoch 1; rows of old epochs are gone. */
void test_epoch_wrap(struct address_path_run *run)
{
    const unsigned epochs = 1u << (32 - run->path.config.slot_width);
    script_open(run, 2, 1);
    for (unsigned epoch = 1; epoch < epochs; epoch++) {
        script_announce(run, 0, 0);
        script_touch(run, 0, 0);
        script_play(run);
        hub_software_close(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ADVANCE, 0, 0, 0, 0);
        if (run->path.model.alloc.contexts[0].clear_needed)
            break;
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        script_look(run, 0, 0);
        script_play(run);
    }
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ADVANCE, 0, 0, 0, 0);
    hub_software_clear(&run->software, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    if (run->path.model.alloc.contexts[0].epoch != 1)
        bench_fail(&run->path.bench, BENCH_MISMATCH, "epoch %u after the wrap", run->path.model.alloc.contexts[0].epoch);
    script_look(run, 0, 0);
    script_announce(run, 0, 0);
    script_look(run, 0, 0);
    script_play(run);
}

/* FLUSH is refused while a context is enabled; afterwards everything is as after reset but the counters. */
void test_flush(struct address_path_run *run)
{
    const struct hub_layout layout = script_open(run, 16, 16);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity; row++)
        script_announce(run, 0, row);
    script_start(run);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0, 0);
    script_play(run);
    for (unsigned context = 0; context < run->path.config.contexts; context++)
        hub_software_close(&run->software, context);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0, 0);
    get_everything(run);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    script_look(run, 0, 0);
    script_play(run);
    script_open(run, 16, 16);
    script_look(run, 0, 0);
    script_play(run);
}

/* FLUSH comes while the answer of a request waits whose context does not exist, and all that do are disabled: it is refused,
 * whatever context it names itself. Once the answer has been taken it is not. */
void test_flush_nameless(struct address_path_run *run)
{
    enum { HELD = 100000 }; /* cycles: longer than the command takes */
    const unsigned contexts = run->path.config.contexts;
    if (contexts == MOEHUB_CONTEXTS_MAX)
        return; /* every context exists */
    struct stall *answers = &run->path.requests.answer.stream.stall;
    for (unsigned context = 0; context < contexts; context++)
        hub_software_close(&run->software, context);
    script_look(run, 0, 0)->context = (uint8_t)contexts;
    hub_path_stalls(&run->path, STALL_NONE, STALL_BURSTS, STALL_NONE);
    answers->stalled = true;
    answers->left = HELD;
    script_start(run);
    while (!run->path.requests.answer.stream.waiting)
        hub_path_step(&run->path);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_FLUSH, contexts - 1, 0, 0, 0);
    scoreboard_value(&run->path.end.state, "answer that waits", true, run->path.requests.answer.stream.waiting);
    answers->left = 0;
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    script_play(run);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0, 0);
    get_everything(run);
}

/* A table write fails in the very cycle in which a command is refused: the write is the latch's candidate. Commands follow one
 * another, the first a cycle later each time, until the two meet. */
void test_refused_beside_write(struct address_path_run *run)
{
    enum { SHIFTS = 32, LATENCY = 60 }; /* more shifts than a command has cycles; the first command is before the failure */
    const struct hub_status *status = &run->path.status;
    const uint64_t *writes_failed = &status->counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_WRITE];
    const uint32_t *met = &status->counted_with[MOEHUB_HUB_CAUSE_TABLE_WRITE];
    uint32_t row = 0, rows = 0;
    if (!status->present || run->path.config.local_experts > EXPERTS_FEW)
        return;
    for (unsigned shift = 0; shift < SHIFTS && (*met >> MOEHUB_HUB_CAUSE_COMMAND & 1) == 0; shift++, row++) {
        if (row == rows) {
            const struct hub_layout layout = script_open(run, SHIFTS, SHIFTS);
            rows = layout.row_limit < layout.capacity ? layout.row_limit : layout.capacity;
            row = 0;
        }
        run->path.errors = (struct hub_table_errors){.salt = 1, .writes = 1024};
        script_latency(run, LATENCY, LATENCY);
        const uint64_t failed = *writes_failed;
        script_announce(run, 0, row);
        script_start(run);
        while (run->script_next != run->script_count || !source_free(&run->path.requests.request))
            hub_path_step(&run->path);
        for (unsigned cycle = 0; cycle < shift; cycle++)
            hub_path_step(&run->path);
        while (*writes_failed == failed)
            hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        script_play(run);
        run->path.errors = (struct hub_table_errors){0};
        script_latency(run, 1, 20);
    }
    if ((*met >> MOEHUB_HUB_CAUSE_COMMAND & 1) == 0)
        bench_fail(&run->path.bench, BENCH_MISMATCH, "no write failed in the cycle of a refused command");
}

/* Simple commands, one behind the other: as many cycles for each as rtl/doc/address_path.md section 9 says. */
void test_command_rate(struct address_path_run *run)
{
    enum { COMMANDS = 8, CYCLES = 12 };
    const struct moehub_hub_command command = {.operation = MOEHUB_HUB_COMMAND_DISABLE};
    hub_software_close(&run->software, 0);
    const uint64_t done = run->path.commands.done + 1;
    for (unsigned i = 0; i <= COMMANDS; i++)
        hub_commands_send(&run->path.commands, &command);
    while (run->path.commands.done < done)
        hub_path_step(&run->path);
    const uint64_t begin = run->path.bench.cycle;
    while (run->path.commands.done < done + COMMANDS)
        hub_path_step(&run->path);
    scoreboard_value(&run->path.end.state, "cycles of a command", CYCLES, (run->path.bench.cycle - begin) / COMMANDS);
}
