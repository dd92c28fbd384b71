/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that are refused, and table entries that are no good. */
#include "bench/hub/address_path_tests.h"

/* Each check alone, at its limit, then all of them at once: the smallest cause wins. */
void test_refused_requests(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    const struct hub_layout layout = script_open(run, 2, 2);
    const unsigned last = config->local_experts - 1;
    script_announce(run, last, 0)->context = (uint8_t)(config->contexts & 7); /* 8 contexts: context 0, accepted */
    script_announce(run, last, 0)->source = (uint16_t)(config->gpus & 1023);
    script_announce(run, config->local_experts, 0);
    script_announce(run, last, layout.row_limit);
    script_announce(run, last, 0)->length = 0;
    script_announce(run, last, 0)->offset = (uint16_t)layout.row_size; /* 2^16: wraps to 0, accepted */
    script_announce(run, last, 0)->offset = (uint16_t)(layout.row_size - 1);
    struct moehub_hub_request *request = script_announce(run, last, 0);
    request->offset = (uint16_t)(layout.row_size - 1);
    request->length = 2;
    request = script_announce(run, config->local_experts, layout.row_limit);
    request->source = (uint16_t)(config->gpus & 1023);
    request->length = 0;
    request->context = (uint8_t)(config->contexts & 7);
    const uint64_t expert = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_EXPERT);
    const uint64_t range = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_RANGE);
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_EXPERT, expert);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_RANGE, range);
    const uint64_t context = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_CONTEXT);
    hub_software_close(&run->software, 0);
    script_announce(run, 0, 0);
    script_look(run, 0, 0);
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_CONTEXT, context);
}

/* Requests with a row beyond the limit whose names have every bit once: the error candidate repeats all of them. */
void test_refused_names(struct address_path_run *run)
{
    script_open(run, 1, 1);
    for (unsigned bit = 1; bit < 32; bit++) {
        struct moehub_hub_request *request = script_look(run, 0, UINT32_C(1) << bit);
        request->offset = (uint16_t)(1u << bit % 16);
        request->length = (uint16_t)(1u << bit % 9);
        request->source = (uint16_t)(1u << bit % 10);
        request->tag = UINT64_C(1) << bit;
        request->first = bit % 2 != 0;
        script_announce(run, 1u << bit % 16, UINT32_MAX)->context = (uint8_t)(bit % 8);
        script_play(run);
    }
}

void test_refused_peer(struct address_path_run *run)
{
    script_open(run, 2, 2);
    hub_software_close(&run->software, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_PEERS_SET, 0, 0, 0xFFFFFFFE, 0);
    hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_PEER);
    script_announce(run, 0, 0);
    if (run->path.config.gpus > 1)
        script_announce(run, 0, 0)->source = 1;
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_PEER, before);
}

/* An entry of this epoch whose slot the region does not have, then every access failing. */
void test_bad_entries(struct address_path_run *run)
{
    const uint64_t memory = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY);
    const uint64_t read = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_READ);
    const uint64_t write = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_WRITE);
    const struct hub_layout layout = script_open(run, 4, 1);
    const uint32_t epoch = UINT32_C(1) << run->path.config.slot_width;
    table_image_store(&run->path.table, script_entry(run, 0, 0), epoch | layout.capacity);
    table_image_store(&run->path.table, script_entry(run, 0, layout.row_limit - 1), epoch | (layout.capacity - 1));
    script_look(run, 0, 0);
    script_look(run, 0, 0);
    script_look(run, 0, layout.row_limit - 1);
    script_announce(run, 0, 0);
    script_touch(run, 0, 0);
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY, memory);
    script_open(run, 4, 4);
    run->path.errors = (struct hub_table_errors){.salt = 1, .reads = 1024, .writes = 1024};
    script_look(run, 0, layout.row_limit - 1);
    script_announce(run, 0, 0); /* the slot is granted although neither read nor write works */
    script_touch(run, 0, 0);
    script_look(run, 0, 0);
    script_play(run);
    run->path.errors = (struct hub_table_errors){0};
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_READ, read);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_WRITE, write);
}
