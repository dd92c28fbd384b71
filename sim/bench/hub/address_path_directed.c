/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/address_path_run.h"

#include "moehub/event_names.h"

#include <inttypes.h>
#include <string.h>

/* Opening a context takes a command for each expert: what does so often is for the smaller configurations. */
enum { ROWS_WANTED = 64, LATENCY_LONG = 600, EXPERTS_FEW = 64 };

/* ---- helpers ------------------------------------------------------------------------ */

static bool supply_script(void *user, struct moehub_hub_request *request)
{
    struct address_path_run *run = user;
    if (run->script_next == run->script_count)
        return false;
    *request = run->script[run->script_next++];
    return true;
}

static struct moehub_hub_request *say(struct address_path_run *run, unsigned operation, bool first, unsigned expert, uint32_t row)
{
    if (run->script_count == SCRIPT_MAX)
        bench_fail(&run->path.bench, BENCH_CONFIGURATION, "a script of more than %d requests", SCRIPT_MAX);
    struct moehub_hub_request *request = &run->script[run->script_count++];
    *request = (struct moehub_hub_request){.operation = (uint8_t)operation, .first = first, .expert = (uint16_t)expert,
                                           .row_index = row, .length = 1, .tag = run->script_count};
    request->port = (uint8_t)(run->script_count % run->path.config.ports);
    return request;
}

static struct moehub_hub_request *announce(struct address_path_run *run, unsigned expert, uint32_t row)
{
    return say(run, MOEHUB_REQUEST_WRITE_TOUCH, true, expert, row);
}

static struct moehub_hub_request *touch(struct address_path_run *run, unsigned expert, uint32_t row)
{
    return say(run, MOEHUB_REQUEST_WRITE_TOUCH, false, expert, row);
}

static struct moehub_hub_request *look(struct address_path_run *run, unsigned expert, uint32_t row)
{
    return say(run, MOEHUB_REQUEST_READ_LOOKUP, false, expert, row);
}

/* Sends the script and steps until everything accepted is answered; nothing is compared but the answers yet. */
static void start(struct address_path_run *run)
{
    run->path.supply = supply_script;
    run->path.supply_user = run;
}

static void clear_script(struct address_path_run *run)
{
    run->script_next = run->script_count = 0;
}

/* Sends the script to its end and compares the end state. */
static void play(struct address_path_run *run)
{
    start(run);
    while (run->script_next != run->script_count || !source_free(&run->path.request))
        hub_path_step(&run->path);
    hub_path_settle(&run->path);
    clear_script(run);
}

static void latency(struct address_path_run *run, unsigned minimum, unsigned maximum)
{
    struct axi_memory_options *options = axi_memory_options(run->path.memory);
    options->latency_minimum = minimum;
    options->latency_maximum = maximum;
}

/* Context 0 with up to `rows` rows of `row_size` bytes: every region present with up to `capacity` slots. */
static struct hub_layout open_sized(struct address_path_run *run, uint32_t rows, uint32_t row_size, uint32_t capacity)
{
    const struct moehub_address_path_config *config = &run->path.config;
    const uint64_t most_rows = UINT64_C(1) << config->row_index_width;
    const uint32_t most_slots = (UINT32_C(1) << config->slot_width) - 1;
    const struct hub_layout layout = {
        .table_base = hub_flight_table(&run->path.flight, 0),
        .row_limit = rows < most_rows ? rows : (uint32_t)most_rows,
        .row_size = row_size,
        .capacity = capacity < most_slots ? capacity : most_slots,
    };
    hub_software_open(&run->software, 0, &layout);
    return layout;
}

/* The same with rows of the largest size. */
static struct hub_layout open_plain(struct address_path_run *run, uint32_t rows, uint32_t capacity)
{
    return open_sized(run, rows, 1u << run->path.config.offset_width, capacity);
}

static uint64_t count(const struct address_path_run *run, unsigned event)
{
    if (event < MOEHUB_HUB_ORDER_EVENTS)
        return run->path.model.counters[event];
    return event < MOEHUB_HUB_EVENTS ? run->path.counters[event] : 0;
}

/* The situation that a test is about must have happened. */
static void must_have(struct address_path_run *run, unsigned event, uint64_t before)
{
    if (count(run, event) == before)
        bench_fail(&run->path.bench, BENCH_NOTHING_COMPARED, "the test did not reach \"%s\"", moehub_hub_event_name(event));
}

static uint64_t entry_address(const struct address_path_run *run, unsigned expert, uint32_t row)
{
    const struct moehub_context *context = &run->path.model.alloc.contexts[0];
    return moehub_addr_alloc_entry(&run->path.model.alloc, context, expert, row);
}

/* ---- situations ------------------------------------------------------------------------ */

/* Slots 0, 1, 2 .. in the order of announcement; later packets and reads find them. */
static void first_and_later(struct address_path_run *run)
{
    const struct hub_layout layout = open_plain(run, ROWS_WANTED, ROWS_WANTED);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity; row++)
        for (unsigned expert = 0; expert < run->path.config.local_experts && expert < 3; expert++) {
            announce(run, expert, layout.row_limit - 1 - row);
            touch(run, expert, layout.row_limit - 1 - row);
            look(run, expert, layout.row_limit - 1 - row);
        }
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_ALLOCATIONS);
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_ALLOCATIONS, before);
}

/* A read, and a later packet, of rows that nobody announced; then again from the cached line. */
static void missing_first(struct address_path_run *run)
{
    const struct hub_layout layout = open_plain(run, 2, 2);
    look(run, 0, layout.row_limit - 1);
    touch(run, 0, layout.row_limit - 1);
    look(run, 0, 0)->first = true; /* ignored on a read */
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_UNMAPPED);
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_UNMAPPED, before);
}

/* Twice announced, cached and uncached: a new slot each time, counted by the table read. */
static void repeated_first(struct address_path_run *run)
{
    const struct hub_layout layout = open_plain(run, 4, 64);
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_REPEATED);
    table_image_store(&run->path.table, entry_address(run, 0, 0), UINT32_C(1) << run->path.config.slot_width);
    announce(run, 0, 0);
    for (unsigned time = 1; time < layout.capacity && time < 4; time++) {
        announce(run, 0, 0);
        touch(run, 0, 0);
    }
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_REPEATED, before);
}

/* One more announcement than slots, then the row that found no place. */
static void full_region(struct address_path_run *run)
{
    const struct hub_layout layout = open_plain(run, 8, 1);
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_FULL);
    announce(run, 0, 0);
    announce(run, 0, layout.row_limit - 1);
    touch(run, 0, layout.row_limit - 1);
    announce(run, 0, 0); /* a repeated one too is refused, and the old mapping keeps serving */
    touch(run, 0, 0);
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_FULL, before);
}

/* Each check alone, at its limit, then all of them at once: the smallest cause wins. */
static void refused_requests(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    const struct hub_layout layout = open_plain(run, 2, 2);
    const unsigned last = config->local_experts - 1;
    announce(run, last, 0)->context = (uint8_t)(config->contexts & 7); /* 8 contexts: context 0, accepted */
    announce(run, last, 0)->source = (uint16_t)(config->gpus & 1023);
    announce(run, config->local_experts, 0);
    announce(run, last, layout.row_limit);
    announce(run, last, 0)->length = 0;
    announce(run, last, 0)->offset = (uint16_t)layout.row_size; /* 2^16: wraps to 0, accepted */
    announce(run, last, 0)->offset = (uint16_t)(layout.row_size - 1);
    struct moehub_hub_request *request = announce(run, last, 0);
    request->offset = (uint16_t)(layout.row_size - 1);
    request->length = 2;
    request = announce(run, config->local_experts, layout.row_limit);
    request->source = (uint16_t)(config->gpus & 1023);
    request->length = 0;
    request->context = (uint8_t)(config->contexts & 7);
    const uint64_t expert = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_EXPERT);
    const uint64_t range = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_RANGE);
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_EXPERT, expert);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_RANGE, range);
    const uint64_t context = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_CONTEXT);
    hub_software_close(&run->software, 0);
    announce(run, 0, 0);
    look(run, 0, 0);
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_CONTEXT, context);
}

/* Requests with a row beyond the limit whose names have every bit once: the error candidate repeats all of them. */
static void refused_names(struct address_path_run *run)
{
    open_plain(run, 1, 1);
    for (unsigned bit = 1; bit < 32; bit++) {
        struct moehub_hub_request *request = look(run, 0, UINT32_C(1) << bit);
        request->offset = (uint16_t)(1u << bit % 16);
        request->length = (uint16_t)(1u << bit % 9);
        request->source = (uint16_t)(1u << bit % 10);
        request->tag = UINT64_C(1) << bit;
        request->first = bit % 2 != 0;
        announce(run, 1u << bit % 16, UINT32_MAX)->context = (uint8_t)(bit % 8);
        play(run);
    }
}

static void refused_peer(struct address_path_run *run)
{
    open_plain(run, 2, 2);
    hub_software_close(&run->software, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_PEERS_SET, 0, 0, 0xFFFFFFFE, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_PEER);
    announce(run, 0, 0);
    if (run->path.config.gpus > 1)
        announce(run, 0, 0)->source = 1;
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_PEER, before);
}

/* An entry of this epoch whose slot the region does not have, then every access failing. */
static void bad_entries(struct address_path_run *run)
{
    const uint64_t memory = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY);
    const uint64_t read = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_READ);
    const uint64_t write = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_WRITE);
    const struct hub_layout layout = open_plain(run, 4, 1);
    const uint32_t epoch = UINT32_C(1) << run->path.config.slot_width;
    table_image_store(&run->path.table, entry_address(run, 0, 0), epoch | layout.capacity);
    table_image_store(&run->path.table, entry_address(run, 0, layout.row_limit - 1), epoch | (layout.capacity - 1));
    look(run, 0, 0);
    look(run, 0, 0);
    look(run, 0, layout.row_limit - 1);
    announce(run, 0, 0);
    touch(run, 0, 0);
    play(run);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY, memory);
    open_plain(run, 4, 4);
    run->path.errors = (struct hub_table_errors){.salt = 1, .reads = 1024, .writes = 1024};
    look(run, 0, layout.row_limit - 1);
    announce(run, 0, 0); /* the slot is granted although neither read nor write works */
    touch(run, 0, 0);
    look(run, 0, 0);
    play(run);
    run->path.errors = (struct hub_table_errors){0};
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_READ, read);
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_WRITE, write);
}

/* Entries that a restored table may hold, with slots far above those that this run has given out: one with each bit alone, and
 * the last below a capacity of one bit. Twice: fetched, then from the cached line. The row size has every bit. */
static void high_slots(struct address_path_run *run)
{
    const unsigned slot_width = run->path.config.slot_width;
    const uint64_t memory = count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY);
    for (unsigned bit = 0; bit < slot_width; bit++) {
        const uint32_t epoch = UINT32_C(1) << slot_width, slot = UINT32_C(1) << bit;
        const unsigned expert = bit % run->path.config.local_experts;
        const struct hub_layout layout = open_sized(run, 8, (1u << run->path.config.offset_width) - 1, UINT32_MAX);
        const uint32_t row = bit % layout.row_limit;
        table_image_store(&run->path.table, entry_address(run, expert, row), epoch | (slot < layout.capacity ? slot : 0));
        look(run, expert, row);
        play(run);
        look(run, expert, row)->offset = (uint16_t)(layout.row_size - 1);
        play(run);
        open_plain(run, 8, slot);
        table_image_store(&run->path.table, entry_address(run, expert, row), epoch | slot);
        look(run, expert, row);
        table_image_store(&run->path.table, entry_address(run, 0, layout.row_limit - 1 - row), epoch | (slot - 1));
        look(run, 0, layout.row_limit - 1 - row);
        look(run, 0, layout.row_limit - 1 - row);
        play(run);
    }
    must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY, memory);
}

/* base + slot * row size + offset for any of them. */
static void any_address(struct address_path_run *run)
{
    enum { DRAWS = 64 };
    const struct moehub_address_path_config *config = &run->path.config;
    const uint32_t largest = (UINT32_C(1) << config->slot_width) - 1;
    for (unsigned i = 0; i < DRAWS && config->local_experts <= EXPERTS_FEW; i++) {
        const uint32_t row_size = (uint32_t)random_range(&run->random, 1, UINT32_C(1) << config->offset_width);
        open_sized(run, 1, row_size, largest);
        hub_software_close(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0, random_bits(&run->random, config->address_width), largest);
        hub_software_advance(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        const uint32_t epoch = run->path.model.alloc.contexts[0].epoch << config->slot_width;
        table_image_store(&run->path.table, entry_address(run, 0, 0), epoch | (uint32_t)random_below(&run->random, largest));
        look(run, 0, 0)->offset = (uint16_t)(random_below(&run->random, row_size < 65536 ? row_size : 65536));
        play(run);
    }
}

/* REGION_SET and PEERS_SET with an index of one bit that is too high. */
static void refused_indices(struct address_path_run *run, unsigned operation, unsigned count)
{
    hub_software_must_not(&run->software, operation, 0, count, 0, 1);
    for (unsigned bit = 0; bit < 16; bit++)
        if (1u << bit >= count)
            hub_software_must_not(&run->software, operation, 0, 1u << bit, 0, 1);
}

/* A disabled context takes no layout, region or index with a bit that is too high, whichever it is. */
static void refused_data(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    struct hub_software *software = &run->software;
    const struct hub_layout layout = open_plain(run, 4, 4);
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
static void layouts_kept(struct address_path_run *run)
{
    enum { DRAWS = 16 };
    const struct moehub_address_path_config *config = &run->path.config;
    struct hub_software *software = &run->software;
    for (unsigned i = 0; i < DRAWS * config->contexts; i++) {
        const unsigned context = i % config->contexts;
        const uint64_t base = random_bits(&run->random, config->address_width) & ~UINT64_C(3);
        const uint64_t limit = random_range(&run->random, 0, UINT64_C(1) << config->row_index_width) & UINT32_MAX;
        hub_software_close(software, context);
        hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, context, 0, base,
                          random_range(&run->random, 1, UINT64_C(1) << config->offset_width) << 32 | limit);
        hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
    }
    for (unsigned context = 0; context < config->contexts && config->local_experts <= EXPERTS_FEW; context++) {
        const struct hub_layout layout = {hub_flight_table(&run->path.flight, context), 1, 1, 1};
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
static void refused_changes(struct address_path_run *run)
{
    static const unsigned changes[] = {MOEHUB_HUB_COMMAND_CONTEXT_SET, MOEHUB_HUB_COMMAND_PEERS_SET, MOEHUB_HUB_COMMAND_REGION_SET,
                                       MOEHUB_HUB_COMMAND_ENABLE, MOEHUB_HUB_COMMAND_ADVANCE, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR,
                                       MOEHUB_HUB_COMMAND_FLUSH};
    const struct hub_layout layout = open_plain(run, 4, 4);
    const uint64_t data1 = (uint64_t)layout.row_size << 32 | layout.row_limit;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        hub_software_must_not(&run->software, changes[i], 0, 0, layout.table_base, changes[i] == MOEHUB_HUB_COMMAND_CONTEXT_SET ? data1 : 1);
    latency(run, LATENCY_LONG, LATENCY_LONG);
    announce(run, 0, 0);
    start(run);
    while (run->path.answer.stream.transfers == 0 || run->path.answers.waiting > 0 || run->script_next != run->script_count ||
           !source_free(&run->path.request))
        hub_path_step(&run->path);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_DISABLE, 0, 0, 0, 0);
    /* Answered, but its table write has no B response yet. */
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        hub_software_must_not(&run->software, changes[i], 0, 0, layout.table_base, changes[i] == MOEHUB_HUB_COMMAND_CONTEXT_SET ? data1 : 1);
    if (!hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, 0, 0, 0, 0).in_flight)
        bench_fail(&run->path.bench, BENCH_MISMATCH, "an unanswered table write is not in flight");
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, run->path.config.contexts, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_DISABLE, 255, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_REGION_GET, 0, run->path.config.local_experts, 0, 0);
    hub_software_must_not(&run->software, 15, 0, 0, 0, 0);
    play(run);
    latency(run, 1, 20);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ADVANCE, 0, 0, 0, 0);
}

/* Every epoch to the last one, then clear needed, acknowledge, epoch 1; rows of old epochs are gone. */
static void epoch_wrap(struct address_path_run *run)
{
    const unsigned epochs = 1u << (32 - run->path.config.slot_width);
    open_plain(run, 2, 1);
    for (unsigned epoch = 1; epoch < epochs; epoch++) {
        announce(run, 0, 0);
        touch(run, 0, 0);
        play(run);
        hub_software_close(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ADVANCE, 0, 0, 0, 0);
        if (run->path.model.alloc.contexts[0].clear_needed)
            break;
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        look(run, 0, 0);
        play(run);
    }
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ADVANCE, 0, 0, 0, 0);
    hub_software_clear(&run->software, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0, 0);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    if (run->path.model.alloc.contexts[0].epoch != 1)
        bench_fail(&run->path.bench, BENCH_MISMATCH, "epoch %u after the wrap", run->path.model.alloc.contexts[0].epoch);
    look(run, 0, 0);
    announce(run, 0, 0);
    look(run, 0, 0);
    play(run);
}

/* More misses of one set than ways, each of them slow: the next one waits for a victim. */
static void victims_pending(struct address_path_run *run)
{
    const uint32_t ways = run->path.config.ways;
    const struct hub_layout layout = open_plain(run, 1 << 14, 64);
    const struct moehub_al_tlb *tlb = &run->path.model.tlb;
    const uint32_t set = moehub_al_tlb_set(tlb, moehub_al_name(0, 0, 0));
    unsigned rows = 0;
    for (unsigned expert = 0; expert < run->path.config.local_experts; expert++)
        for (uint32_t row = 0; row < layout.row_limit && rows < 3 * ways; row++)
            if (moehub_al_tlb_set(tlb, moehub_al_name(0, expert, row)) == set) {
                say(run, rows % 2 == 0 ? MOEHUB_REQUEST_WRITE_TOUCH : MOEHUB_REQUEST_READ_LOOKUP, true, expert, row);
                rows++;
            }
    latency(run, LATENCY_LONG / 2, LATENCY_LONG);
    const uint64_t waited = count(run, MOEHUB_HUB_EVENT_WAITED_VICTIM);
    const uint64_t evicted = count(run, MOEHUB_HUB_EVENT_EVICTIONS);
    play(run);
    latency(run, 1, 20);
    if (rows > ways && run->path.config.pending > ways)
        must_have(run, MOEHUB_HUB_EVENT_WAITED_VICTIM, waited);
    if (rows > ways)
        must_have(run, MOEHUB_HUB_EVENT_EVICTIONS, evicted);
}

/* The same row announced again while its write is in flight waits, and so does everything behind it. */
static void first_on_pending_line(struct address_path_run *run)
{
    const struct hub_layout layout = open_plain(run, 4, 8);
    latency(run, 100, 100);
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_WAITED_VICTIM);
    look(run, 0, 0);
    announce(run, 0, 0);
    if (layout.capacity > 1)
        announce(run, 0, 0);
    play(run);
    latency(run, 1, 20);
    if (run->path.config.pending > 1)
        must_have(run, MOEHUB_HUB_EVENT_WAITED_VICTIM, before);
}

/* More misses than pending entries. */
static void pending_entries_used_up(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    const struct hub_layout layout = open_plain(run, 1 << 12, 64);
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_WAITED_PENDING);
    const uint64_t wanted = 2 * config->pending + 8;
    uint64_t misses = 0;
    for (uint32_t row = 0; row < layout.row_limit && misses < wanted; row++)
        for (unsigned expert = 0; expert < config->local_experts && misses < wanted; expert++, misses++)
            look(run, expert, row);
    latency(run, LATENCY_LONG, LATENCY_LONG);
    play(run);
    latency(run, 1, 20);
    if (misses == wanted && 2 * config->pending < config->sets && config->waiting > config->pending)
        must_have(run, MOEHUB_HUB_EVENT_WAITED_PENDING, before);
}

/* More hits on a line that waits for its fill than waiting entries. */
static void waiting_entries_used_up(struct address_path_run *run)
{
    open_plain(run, 2, 2);
    const uint64_t before = count(run, MOEHUB_HUB_EVENT_WAITED_WAITING);
    for (unsigned i = 0; i < 2 * run->path.config.waiting + 64; i++)
        look(run, 0, 0);
    latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
    play(run);
    latency(run, 1, 20);
    if (run->path.config.waiting < AXI_MEMORY_LATENCY_MAX)
        must_have(run, MOEHUB_HUB_EVENT_WAITED_WAITING, before);
}

/* Acceptance to answer when nothing waits: rtl/doc/address_path.md section 9. */
static uint64_t hit_latency(const struct moehub_address_path_config *config)
{
    return 19 + (config->address_width + 15) / 16;
}

/* One port's miss does not hold the other ports' answers. */
static void ports_independent(struct address_path_run *run)
{
    enum { HITS = 50, BLOCKED_MAX = 4 };
    const unsigned ports = run->path.config.ports;
    if (ports < 2 || run->path.config.waiting < 3)
        return;
    for (unsigned blocked = 0; blocked < ports && blocked < BLOCKED_MAX; blocked++) {
        const struct hub_layout layout = open_plain(run, 2, 2);
        announce(run, 0, 0);
        play(run);
        latency(run, LATENCY_LONG, LATENCY_LONG);
        look(run, 0, layout.row_limit - 1)->port = (uint8_t)blocked;
        for (unsigned i = 0; i < HITS; i++)
            look(run, 0, 0)->port = (uint8_t)((blocked + 1 + i % (ports - 1)) % ports);
        start(run);
        const uint64_t begin = run->path.bench.cycle;
        while (run->path.answers.waiting != 1 || run->script_next != run->script_count || !source_free(&run->path.request))
            hub_path_step(&run->path);
        if (run->path.bench.cycle - begin > HITS * hit_latency(&run->path.config) / 2)
            bench_fail(&run->path.bench, BENCH_MISMATCH, "the hits of other ports waited for the miss of port %u", blocked);
        play(run);
        latency(run, 1, 20);
    }
}

/* As open_plain, and the table has a slot for each row already. */
static struct hub_layout open_mapped(struct address_path_run *run, uint32_t rows, uint32_t slots)
{
    const struct hub_layout layout = open_plain(run, rows, slots);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity; row++)
        table_image_store(&run->path.table, entry_address(run, 0, row), UINT32_C(1) << run->path.config.slot_width | row);
    return layout;
}

/* A result is kept for a request that has to wait behind an older one of its port, whatever is fetched meanwhile. */
static void results_kept(struct address_path_run *run)
{
    enum { ROUNDS = 8, MEANWHILE = 60 };
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->ports < 2 || config->pending < 2 || config->waiting < 3)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct hub_layout layout = open_mapped(run, 8, 8);
        start(run);
        for (uint32_t row = 0; row < layout.row_limit; row++) {
            latency(run, row == 0 ? AXI_MEMORY_LATENCY_MAX : 1, row == 0 ? AXI_MEMORY_LATENCY_MAX : 1);
            look(run, 0, row)->port = row > 1;
            bench_run(&run->path.bench, MEANWHILE);
        }
        play(run);
    }
    latency(run, 1, 20);
}

/* So it is when two requests wait for it and one of them has read it long before the other. */
static void shared_results_kept(struct address_path_run *run)
{
    enum { ROUNDS = 6, MEANWHILE = 60 };
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->ports < 2 || config->pending < 2 || config->waiting < 3)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct hub_layout layout = open_mapped(run, 8, 8);
        start(run);
        latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
        look(run, 0, 0)->port = 0;
        bench_run(&run->path.bench, MEANWHILE);
        latency(run, 20, 20);
        look(run, 0, 1)->port = 1;
        look(run, 0, 1)->port = 0;
        for (uint32_t row = 2; row < layout.row_limit; row++) {
            bench_run(&run->path.bench, MEANWHILE);
            look(run, 0, row)->port = 1;
        }
        play(run);
    }
    latency(run, 1, 20);
}

/* A refused request leaves the next slot alone that its region's number names, at whatever distance a first follows. */
static void refused_before_first(struct address_path_run *run)
{
    enum { DISTANCES = 6 };
    const unsigned experts = run->path.config.local_experts;
    if (run->path.config.contexts > 7)
        return;
    const struct hub_layout layout = open_plain(run, DISTANCES + 1, DISTANCES + 1);
    for (uint32_t row = 0; row + 1 < layout.row_limit; row++) {
        announce(run, 0, row);
        play(run);
        look(run, experts - 1, 0);
        play(run);
        start(run);
        look(run, 0, row)->context = 7;
        bench_run(&run->path.bench, row + 1);
        announce(run, 0, row + 1);
        play(run);
    }
}

/* Nobody takes an answer for a while: requests wait, none is lost. */
static void answers_held(struct address_path_run *run)
{
    enum { REQUESTS = 96, CYCLES = 200 };
    open_plain(run, 2, 2);
    announce(run, 0, 0);
    play(run);
    for (unsigned i = 0; i < REQUESTS; i++)
        look(run, 0, 0);
    hub_path_stalls(&run->path, STALL_NONE, STALL_BURSTS, STALL_NONE);
    run->path.answer.stream.stall.stalled = true;
    run->path.answer.stream.stall.left = CYCLES;
    start(run);
    bench_run(&run->path.bench, CYCLES);
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    play(run);
}

/* Of three requests under way one is answered: the other two, and their table operations, are still counted. */
static void counted_while_waiting(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->ports < 2 || config->pending < 2 || config->waiting != 3)
        return;
    open_plain(run, 3, 3);
    start(run);
    latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
    look(run, 0, 0)->port = 0;
    look(run, 0, 1)->port = 0;
    bench_run(&run->path.bench, 60);
    latency(run, 1, 1);
    look(run, 0, 2)->port = 1;
    bench_run(&run->path.bench, 60);
    scoreboard_value(&run->path.end_state, "waiting_used", 2, pin_get(run->path.waiting_used));
    scoreboard_value(&run->path.end_state, "pending_used", 2, pin_get(run->path.pending_used));
    play(run);
    latency(run, 1, 20);
}

/* After all that has happened every waiting entry is still there. */
static void entries_kept(struct address_path_run *run)
{
    const unsigned waiting = run->path.config.waiting;
    open_plain(run, 2, 2);
    for (unsigned i = 0; i < waiting + 4; i++)
        look(run, 0, 0);
    latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
    start(run);
    const uint64_t before = run->path.request.stream.transfers;
    bench_run(&run->path.bench, AXI_MEMORY_LATENCY_MAX / 2);
    if (waiting < AXI_MEMORY_LATENCY_MAX / 4) {
        scoreboard_value(&run->path.end_state, "requests that can wait", waiting, run->path.request.stream.transfers - before);
        scoreboard_value(&run->path.end_state, "waiting_used", waiting, pin_get(run->path.waiting_used));
    }
    play(run);
    latency(run, 1, 20);
}

/* Requests accepted, and answers given, in consecutive cycles: no bubble. */
static void expect_no_bubble(struct address_path_run *run, const char *what)
{
    const uint64_t wanted = run->script_count;
    const struct stream *in = &run->path.request.stream, *out = &run->path.answer.stream;
    const uint64_t in_before = in->transfers, out_before = out->transfers;
    uint64_t in_first = 0, in_last = 0, out_first = 0, out_last = 0;
    start(run);
    while (out->transfers - out_before < wanted) {
        const uint64_t cycle = run->path.bench.cycle, in_was = in->transfers, out_was = out->transfers;
        hub_path_step(&run->path);
        if (in->transfers != in_was) {
            in_first = in_was == in_before ? cycle : in_first;
            in_last = cycle;
        }
        if (out->transfers != out_was) {
            out_first = out_was == out_before ? cycle : out_first;
            out_last = cycle;
        }
    }
    printf("    %" PRIu64 " %s: accepted in %" PRIu64 " cycles, answered in %" PRIu64 ", latency %" PRIu64 " cycles\n", wanted, what,
           in_last - in_first + 1, out_last - out_first + 1, out_first - in_first);
    scoreboard_value(&run->path.end_state, "cycles to accept without a bubble", wanted, in_last - in_first + 1);
    scoreboard_value(&run->path.end_state, "cycles to answer without a bubble", wanted, out_last - out_first + 1);
    scoreboard_value(&run->path.end_state, "latency", hit_latency(&run->path.config), out_first - in_first);
    play(run);
}

/* A hit with nothing in its way takes the same time in whatever cycle it comes. */
static void hits_alone(struct address_path_run *run)
{
    enum { HITS = 16 };
    const struct stream *in = &run->path.request.stream, *out = &run->path.answer.stream;
    open_plain(run, 2, 2);
    announce(run, 0, 0);
    play(run);
    for (unsigned i = 0; i < HITS; i++) {
        const uint64_t in_before = in->transfers, out_before = out->transfers;
        look(run, 0, 0);
        start(run);
        while (in->transfers == in_before)
            hub_path_step(&run->path);
        const uint64_t begin = run->path.bench.cycle;
        while (out->transfers == out_before)
            hub_path_step(&run->path);
        scoreboard_value(&run->path.end_state, "latency of a hit", hit_latency(&run->path.config), run->path.bench.cycle - begin);
        play(run);
    }
}

/* The same few rows announced again and again: slots beyond what distinct rows can reach. */
static void many_slots(struct address_path_run *run)
{
    enum { SLOTS = 1 << 11 }; /* the last ones have every bit below */
    const struct hub_layout layout = open_plain(run, 8, UINT32_MAX);
    for (uint32_t slot = 0; slot < SLOTS && slot < layout.capacity; slot++) {
        announce(run, 0, slot % layout.row_limit);
        if (run->script_count == SCRIPT_MAX)
            play(run);
    }
    play(run);
}

static void hits_without_bubble(struct address_path_run *run)
{
    enum { HITS = 1000 };
    if (run->path.config.waiting < 16)
        return; /* fewer than a hit's latency: they bound the rate */
    const struct hub_layout layout = open_plain(run, 8, 8);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity && row < run->path.config.ways; row++)
        announce(run, 0, row);
    play(run);
    for (unsigned i = 0; i < HITS; i++)
        look(run, 0, 0);
    expect_no_bubble(run, "hits, ports in turn");
    for (unsigned i = 0; i < HITS; i++)
        look(run, 0, 0)->port = (uint8_t)(run->path.config.ports - 1);
    expect_no_bubble(run, "hits of one port");
    for (unsigned i = 0; i < HITS; i++)
        if (i % 2 == 0)
            touch(run, 0, i % layout.row_limit % layout.capacity % run->path.config.ways);
        else
            touch(run, run->path.config.local_experts, 0);
    expect_no_bubble(run, "hits and refused requests in turn");
}

/* As many announcements as fit into the pending entries without a pending victim. */
static void firsts_without_bubble(struct address_path_run *run)
{
    static unsigned char filled[MOEHUB_SETS_MAX];
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->waiting < 16 || config->pending < 2)
        return;
    const struct hub_layout layout = open_plain(run, 1 << 12, 64);
    memset(filled, 0, sizeof filled);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity && run->script_count < config->pending; row++) {
        unsigned char *set = &filled[moehub_al_tlb_set(&run->path.model.tlb, moehub_al_name(0, 0, row))];
        if (*set < config->ways) {
            announce(run, 0, row);
            (*set)++;
        }
    }
    latency(run, LATENCY_LONG, LATENCY_LONG);
    expect_no_bubble(run, "first touches");
    latency(run, 1, 20);
}

/* What software reads of every context and region; all of it is compared. */
static void get_everything(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    for (unsigned context = 0; context < config->contexts; context++) {
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
        for (unsigned expert = 0; expert < config->local_experts; expert += 1 + expert / 8)
            hub_software_must(&run->software, MOEHUB_HUB_COMMAND_REGION_GET, context, expert, 0, 0);
    }
}

/* rst of one cycle at any time of a command that walks through the memories, and the path works as if there had been none. */
static void reset_in_command(struct address_path_run *run, unsigned operation)
{
    for (unsigned cycle = 8; cycle < 24 + 2 * run->path.config.sets; cycle += 1 + cycle / 64) {
        for (unsigned context = 0; context < run->path.config.contexts; context++)
            hub_software_close(&run->software, context);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, hub_flight_table(&run->path.flight, 0),
                          UINT64_C(1) << 32 | 1); /* a clear is needed */
        const struct moehub_hub_command command = {.operation = (uint8_t)operation};
        hub_path_send(&run->path, &command);
        bench_run(&run->path.bench, cycle);
        hub_path_reset(&run->path, 1, run->path.bench.options.seed + cycle);
        hub_path_wait_initialised(&run->path);
        open_plain(run, 2, 2);
        announce(run, 0, 0);
        look(run, 0, 0);
        play(run);
    }
}

static void reset_in_commands(struct address_path_run *run)
{
    enum { SETS_FEW = 16, REGIONS_FEW = 64 };
    if (run->path.config.sets > SETS_FEW || run->path.config.contexts * run->path.config.local_experts > REGIONS_FEW)
        return;
    reset_in_command(run, MOEHUB_HUB_COMMAND_FLUSH);
    hub_software_close(&run->software, 0);
    reset_in_command(run, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR);
}

/* Simple commands, one behind the other: as many cycles for each as rtl/doc/address_path.md section 9 says. */
static void command_rate(struct address_path_run *run)
{
    enum { COMMANDS = 8, CYCLES = 12 };
    const struct moehub_hub_command command = {.operation = MOEHUB_HUB_COMMAND_DISABLE};
    hub_software_close(&run->software, 0);
    const uint64_t done = run->path.done + 1;
    for (unsigned i = 0; i <= COMMANDS; i++)
        hub_path_send(&run->path, &command);
    while (run->path.done < done)
        hub_path_step(&run->path);
    const uint64_t begin = run->path.bench.cycle;
    while (run->path.done < done + COMMANDS)
        hub_path_step(&run->path);
    scoreboard_value(&run->path.end_state, "cycles of a command", CYCLES, (run->path.bench.cycle - begin) / COMMANDS);
}

/* rst while everything is in flight, then a fresh start. */
static void reset_in_traffic(struct address_path_run *run)
{
    for (unsigned round = 0; round < 3; round++) {
        open_plain(run, 256, 64);
        latency(run, 1, 200);
        hub_traffic_keys(&run->traffic, HUB_KEYS_MANY);
        run->traffic.remaining = UINT64_MAX;
        run->traffic.reads = 64;
        run->path.supply = hub_traffic_supply;
        run->path.supply_user = &run->traffic;
        bench_run(&run->path.bench, 100 + 77 * round);
        run->path.supply = NULL;
        hub_path_reset(&run->path, 1 + round, run->path.bench.options.seed + round);
        hub_path_wait_initialised(&run->path);
        get_everything(run);
        clear_script(run);
        look(run, 0, 0); /* disabled again */
        play(run);
    }
    latency(run, 1, 20);
}

/* FLUSH is refused while a context is enabled; afterwards everything is as after reset but the counters. */
static void flush(struct address_path_run *run)
{
    const struct hub_layout layout = open_plain(run, 16, 16);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity; row++)
        announce(run, 0, row);
    start(run);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0, 0);
    play(run);
    for (unsigned context = 0; context < run->path.config.contexts; context++)
        hub_software_close(&run->software, context);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0, 0);
    get_everything(run);
    hub_software_must_not(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    look(run, 0, 0);
    play(run);
    open_plain(run, 16, 16);
    look(run, 0, 0);
    play(run);
}

static const struct {
    const char *name;
    void (*run)(struct address_path_run *run);
} tests[] = {
    {"first_and_later", first_and_later},
    {"missing_first", missing_first},
    {"repeated_first", repeated_first},
    {"full_region", full_region},
    {"refused_requests", refused_requests},
    {"refused_names", refused_names},
    {"refused_peer", refused_peer},
    {"bad_entries", bad_entries},
    {"high_slots", high_slots},
    {"any_address", any_address},
    {"refused_changes", refused_changes},
    {"refused_data", refused_data},
    {"layouts_kept", layouts_kept},
    {"epoch_wrap", epoch_wrap},
    {"victims_pending", victims_pending},
    {"first_on_pending_line", first_on_pending_line},
    {"pending_entries_used_up", pending_entries_used_up},
    {"waiting_entries_used_up", waiting_entries_used_up},
    {"ports_independent", ports_independent},
    {"results_kept", results_kept},
    {"shared_results_kept", shared_results_kept},
    {"refused_before_first", refused_before_first},
    {"answers_held", answers_held},
    {"hits_alone", hits_alone},
    {"hits_without_bubble", hits_without_bubble},
    {"firsts_without_bubble", firsts_without_bubble},
    {"reset_in_traffic", reset_in_traffic},
    {"flush", flush},
    {"reset_in_commands", reset_in_commands},
    {"command_rate", command_rate},
    {"many_slots", many_slots},
    {"entries_kept", entries_kept},
    {"counted_while_waiting", counted_while_waiting},
};

void address_path_directed(struct address_path_run *run, const char *only)
{
    unsigned found = 0;
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (only != NULL && strcmp(only, tests[i].name) != 0)
            continue;
        /* The longest possible epoch count belongs to the wide tables; a thousand epochs are enough. */
        if (tests[i].run == epoch_wrap && run->path.config.slot_width < 22)
            continue;
        const uint64_t before = run->path.bench.compared;
        printf("  %s\n", tests[i].name);
        tests[i].run(run);
        if (run->path.bench.compared == before)
            printf("    not possible with these parameters\n");
        found++;
    }
    if (found == 0)
        bench_fail(&run->path.bench, BENCH_CONFIGURATION, "--test %s: no such test", only);
}
