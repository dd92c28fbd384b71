/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/address_path_script.h"

#include "moehub/event_names.h"

#include <string.h>

static bool supply_script(void *user, struct moehub_hub_request *request)
{
    struct address_path_run *run = user;
    if (run->script_next == run->script_count)
        return false;
    *request = run->script[run->script_next++];
    return true;
}

struct moehub_hub_request *script_say(struct address_path_run *run, unsigned operation, bool first, unsigned expert, uint32_t row)
{
    if (run->script_count == SCRIPT_MAX)
        bench_fail(&run->path.bench, BENCH_CONFIGURATION, "a script of more than %d requests", SCRIPT_MAX);
    struct moehub_hub_request *request = &run->script[run->script_count++];
    *request = (struct moehub_hub_request){.operation = (uint8_t)operation, .first = first, .expert = (uint16_t)expert,
                                           .row_index = row, .length = 1, .tag = run->script_count};
    request->port = (uint8_t)(run->script_count % run->path.config.ports);
    return request;
}

struct moehub_hub_request *script_announce(struct address_path_run *run, unsigned expert, uint32_t row)
{
    return script_say(run, MOEHUB_REQUEST_WRITE_TOUCH, true, expert, row);
}

struct moehub_hub_request *script_touch(struct address_path_run *run, unsigned expert, uint32_t row)
{
    return script_say(run, MOEHUB_REQUEST_WRITE_TOUCH, false, expert, row);
}

struct moehub_hub_request *script_look(struct address_path_run *run, unsigned expert, uint32_t row)
{
    return script_say(run, MOEHUB_REQUEST_READ_LOOKUP, false, expert, row);
}

unsigned script_announce_apart(struct address_path_run *run, const struct hub_layout *layout, unsigned wanted)
{
    static unsigned char filled[MOEHUB_SETS_MAX];
    unsigned said = 0;
    memset(filled, 0, sizeof filled);
    for (uint32_t row = 0; row < layout->row_limit && row < layout->capacity && said < wanted; row++) {
        unsigned char *set = &filled[moehub_al_tlb_set(&run->path.model.tlb, moehub_al_name(0, 0, row))];
        if (*set == run->path.config.ways)
            continue;
        script_announce(run, 0, row);
        (*set)++;
        said++;
    }
    return said;
}

void script_start(struct address_path_run *run)
{
    run->path.requests.supply = supply_script;
    run->path.requests.supply_user = run;
}

void script_clear(struct address_path_run *run)
{
    run->script_next = run->script_count = 0;
}

void script_play(struct address_path_run *run)
{
    script_start(run);
    while (run->script_next != run->script_count || !source_free(&run->path.requests.request))
        hub_path_step(&run->path);
    hub_path_settle(&run->path);
    script_clear(run);
}

void script_latency(struct address_path_run *run, unsigned minimum, unsigned maximum)
{
    struct axi_memory_options *options = axi_memory_options(run->path.memory);
    options->latency_minimum = minimum;
    options->latency_maximum = maximum;
}

struct hub_layout script_open_sized(struct address_path_run *run, uint32_t rows, uint32_t row_size, uint32_t capacity)
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

struct hub_layout script_open(struct address_path_run *run, uint32_t rows, uint32_t capacity)
{
    return script_open_sized(run, rows, 1u << run->path.config.offset_width, capacity);
}

struct hub_layout script_open_mapped(struct address_path_run *run, uint32_t rows, uint32_t slots)
{
    const struct hub_layout layout = script_open(run, rows, slots);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity; row++)
        table_image_store(&run->path.table, script_entry(run, 0, row), UINT32_C(1) << run->path.config.slot_width | row);
    return layout;
}

uint64_t script_count(const struct address_path_run *run, unsigned event)
{
    if (event < MOEHUB_HUB_ORDER_EVENTS)
        return run->path.model.counters[event];
    return event < MOEHUB_HUB_EVENTS ? run->path.status.counters[event] : 0;
}

void script_must_have(struct address_path_run *run, unsigned event, uint64_t before)
{
    if (script_count(run, event) == before)
        bench_fail(&run->path.bench, BENCH_NOTHING_COMPARED, "the test did not reach \"%s\"", moehub_hub_event_name(event));
}

uint64_t script_entry(const struct address_path_run *run, unsigned expert, uint32_t row)
{
    const struct moehub_context *context = &run->path.model.alloc.contexts[0];
    return moehub_addr_alloc_entry(&run->path.model.alloc, context, expert, row);
}

uint64_t script_hit_latency(const struct moehub_address_path_config *config)
{
    return 18 + config->stages + (config->address_width + 15) / 16;
}
