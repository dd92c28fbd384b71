/* SPDX-License-Identifier: Apache-2.0 */
/* Two stages: what is checked against the rows of one, addressed by them, and set by commands (rtl/doc/hub/address_stages.md). */
#include "bench/hub/address_path_tests.h"

static bool two_stages(const struct address_path_run *run)
{
    return run->path.config.stages == 2;
}

/* ---- row sizes ------------------------------------------------------------------- */

static void say_bytes(struct address_path_run *run, unsigned operation, uint32_t offset, uint32_t length)
{
    struct moehub_hub_request *request = script_say(run, operation, false, 0, 0);
    request->offset = (uint16_t)offset;
    request->length = (uint16_t)length;
}

/* Every length of one bit, and the longest, at the end of a row of `size` bytes and one byte further. Returns how many are
 * beyond it. */
static unsigned say_ends(struct address_path_run *run, unsigned operation, uint32_t size)
{
    const uint32_t longest = (1u << run->path.config.length_width) - 1;
    unsigned beyond = 1;
    say_bytes(run, operation, size - 1, 0);
    for (uint32_t length = 1; length <= longest; length *= 2)
        if (length <= size) {
            say_bytes(run, operation, size - length, length);
            say_bytes(run, operation, size - length + 1, length);
            beyond++;
        }
    if (longest <= size) {
        say_bytes(run, operation, size - longest, longest);
        say_bytes(run, operation, size - longest + 1, longest);
        beyond++;
    }
    return beyond;
}

static void open_sizes(struct address_path_run *run, uint32_t dispatch, uint32_t combine)
{
    const struct hub_layout layout = {.table_base = hub_flight_table(&run->path.flight, 0), .row_limit = 1,
                                      .row_size = dispatch, .capacity = 1, .combine_row_size = combine};
    hub_software_open(&run->software, 0, &layout);
}

/* A request's end is checked against the rows of its own stage, the smaller ones first of dispatch, then of combine. */
void test_stage_sizes(struct address_path_run *run)
{
    const uint32_t most = 1u << run->path.config.offset_width, sizes[2] = {most / 2 - 16, most - 16};
    const uint64_t *range = &run->path.model.counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_RANGE];
    for (unsigned larger = 0; two_stages(run) && larger < 2; larger++) {
        const uint32_t dispatch = sizes[!larger], combine = sizes[larger];
        open_sizes(run, dispatch, combine);
        script_announce(run, 0, 0);
        const uint64_t before = *range;
        unsigned beyond = say_ends(run, MOEHUB_REQUEST_WRITE_TOUCH, dispatch);
        beyond += say_ends(run, MOEHUB_REQUEST_READ_LOOKUP, combine);
        say_bytes(run, MOEHUB_REQUEST_WRITE_TOUCH, sizes[0], 1); /* beyond in one stage, inside in the other */
        say_bytes(run, MOEHUB_REQUEST_READ_LOOKUP, sizes[0], 1);
        script_play(run);
        scoreboard_value(&run->path.end.state, "requests beyond the row of their stage", beyond + 1, *range - before);
    }
}

/* ---- addresses ------------------------------------------------------------------- */

/* base + slot * stride + offset for any of them, in both stages: a slot that the table has, of the region that is drawn. Neither
 * command asks for another epoch. */
void test_stage_addresses(struct address_path_run *run)
{
    enum { DRAWS = 64 };
    const struct moehub_address_path_config *config = &run->path.config;
    const uint32_t most = 1u << config->offset_width, largest = (UINT32_C(1) << config->slot_width) - 1;
    struct hub_software *software = &run->software;
    for (unsigned i = 0; two_stages(run) && i < DRAWS; i++) {
        script_open_sized(run, 1, most, largest);
        hub_software_close(software, 0);
        const unsigned expert = (unsigned)random_below(&run->random, config->local_experts);
        for (unsigned stage = 0; stage < 2; stage++)
            hub_software_must(software, MOEHUB_HUB_COMMAND_STAGE_SET, 0, stage, 0,
                              (uint64_t)hub_software_size(software, random_range(&run->random, 1, most)) << 32);
        hub_software_must(software, MOEHUB_HUB_COMMAND_BASE_SET, 0, expert,
                          hub_software_base(software, random_bits(&run->random, config->address_width)), 0);
        hub_software_must(software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        const struct moehub_context *state = &run->path.model.alloc.contexts[0];
        table_image_store(&run->path.table, script_entry(run, expert, 0),
                          state->epoch << config->slot_width | (uint32_t)random_below(&run->random, largest));
        for (unsigned operation = 0; operation < 2; operation++) {
            struct moehub_hub_request *request = script_say(run, operation, false, expert, 0);
            const uint32_t size = moehub_addr_alloc_row_size(state, moehub_addr_alloc_stage(&run->path.model.alloc, request));
            request->offset = (uint16_t)random_below(&run->random, size);
        }
        script_play(run);
    }
}

/* ---- commands -------------------------------------------------------------------- */

static void refused_sizes(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    struct hub_software *software = &run->software;
    const uint64_t table = hub_flight_table(&run->path.flight, 0), most = UINT64_C(1) << config->offset_width;
    for (unsigned stage = 0; stage < 2; stage++) {
        hub_software_must(software, MOEHUB_HUB_COMMAND_STAGE_SET, 0, stage, 0, most << 32);
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_STAGE_SET, 0, stage, 0, 0);
        for (unsigned bit = 0; bit < 4; bit++)
            hub_software_must_not(software, MOEHUB_HUB_COMMAND_STAGE_SET, 0, stage, 0, (16 | UINT64_C(1) << bit) << 32);
        for (unsigned bit = config->offset_width; bit < 17; bit++)
            hub_software_must_not(software, MOEHUB_HUB_COMMAND_STAGE_SET, 0, stage, 0, ((UINT64_C(1) << bit) + 16) << 32);
    }
    for (unsigned bit = 1; bit < 16; bit++)
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_STAGE_SET, 0, 1u << bit, 0, most << 32);
    for (unsigned bit = 0; bit < 4; bit++)
        hub_software_must_not(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, table, (16 | UINT64_C(1) << bit) << 32 | 1);
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_STAGE_SET, config->contexts, 0, 0, most << 32);
}

static void refused_bases(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    struct hub_software *software = &run->software;
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t base = UINT64_C(1) << bit;
        if (bit >= 7 && bit < config->address_width) {
            hub_software_must(software, MOEHUB_HUB_COMMAND_BASE_SET, 0, config->local_experts - 1, base, UINT64_MAX);
            hub_software_must(software, MOEHUB_HUB_COMMAND_REGION_GET, 0, 1u << 15 | (config->local_experts - 1), 0, 0);
        } else {
            hub_software_must_not(software, MOEHUB_HUB_COMMAND_BASE_SET, 0, 0, base, 0);
            hub_software_must_not(software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0, base, 1);
        }
    }
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_BASE_SET, 0, config->local_experts, 0, 0);
    for (unsigned bit = 0; bit < 16; bit++)
        if (1u << bit >= config->local_experts)
            hub_software_must_not(software, MOEHUB_HUB_COMMAND_BASE_SET, 0, 1u << bit, 0, 0);
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_REGION_GET, 0, 1u << 15 | config->local_experts, 0, 0);
    hub_software_must_not(software, MOEHUB_HUB_COMMAND_BASE_SET, config->contexts, 0, 0, 0);
}

/* What STAGE_SET and BASE_SET, and with two stages their elder sisters, refuse in a disabled context, bit by bit. */
void test_stage_commands(struct address_path_run *run)
{
    if (!two_stages(run))
        return;
    script_open(run, 1, 1);
    hub_software_close(&run->software, 0);
    refused_sizes(run);
    refused_bases(run);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0); /* neither asks for another epoch */
}

static void send(struct address_path_run *run, unsigned operation, unsigned context, unsigned index, uint64_t data0)
{
    const struct moehub_hub_command command = {
        .operation = (uint8_t)operation, .context = (uint8_t)context, .index = (uint16_t)index, .data0 = data0};
    hub_commands_send(&run->path.commands, &command);
}

/* Row sizes and bases of both stages come back as they were set, whichever came last, of absent regions too. The commands follow
 * one another without a gap: their operands change as soon as they are taken. */
void test_stage_commands_kept(struct address_path_run *run)
{
    enum { DRAWS = 16 };
    const struct moehub_address_path_config *config = &run->path.config;
    struct random_source *random = &run->random;
    for (unsigned i = 0; two_stages(run) && i < DRAWS * config->contexts; i++) {
        const unsigned context = i % config->contexts, expert = (unsigned)random_below(random, config->local_experts);
        hub_software_close(&run->software, context);
        const uint64_t size = hub_software_size(&run->software, random_range(random, 1, UINT64_C(1) << config->offset_width));
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_STAGE_SET, context, i / config->contexts % 2, random_next(random),
                          size << 32);
        for (unsigned set = 0; set < 3; set++)
            send(run, random_chance(random, 1, 2) ? MOEHUB_HUB_COMMAND_REGION_SET : MOEHUB_HUB_COMMAND_BASE_SET, context,
                 set == 0 ? expert : (unsigned)random_below(random, config->local_experts),
                 hub_software_base(&run->software, random_bits(random, config->address_width)));
        for (unsigned stage = 0; stage < 2; stage++)
            send(run, MOEHUB_HUB_COMMAND_REGION_GET, context, stage << 15 | expert, random_next(random));
        for (unsigned bit = 0; bit < 16; bit++)
            send(run, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 1u << bit, random_next(random));
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
    }
}

/* Operations that there are none of, with operands that others would take. */
void test_stage_commands_unknown(struct address_path_run *run)
{
    const uint64_t size = (uint64_t)hub_software_size(&run->software, 1) << 32;
    hub_software_close(&run->software, 0);
    for (unsigned operation = two_stages(run) ? 12 : 10; operation < 16; operation++)
        hub_software_must_not(&run->software, operation, 0, 0, 0, size);
}
