/* SPDX-License-Identifier: Apache-2.0 */
/* What a request does to slots and table: announcements, later packets, reads, addresses. */
#include "bench/hub/address_path_tests.h"

/* Slots 0, 1, 2 .. in the order of announcement; later packets and reads find them. */
void test_first_and_later(struct address_path_run *run)
{
    const struct hub_layout layout = script_open(run, ROWS_WANTED, ROWS_WANTED);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity; row++)
        for (unsigned expert = 0; expert < run->path.config.local_experts && expert < 3; expert++) {
            script_announce(run, expert, layout.row_limit - 1 - row);
            script_touch(run, expert, layout.row_limit - 1 - row);
            script_look(run, expert, layout.row_limit - 1 - row);
        }
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_ALLOCATIONS);
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_ALLOCATIONS, before);
}

/* A read, and a later packet, of rows that nobody announced; then again from the cached line. */
void test_missing_first(struct address_path_run *run)
{
    const struct hub_layout layout = script_open(run, 2, 2);
    script_look(run, 0, layout.row_limit - 1);
    script_touch(run, 0, layout.row_limit - 1);
    script_look(run, 0, 0)->first = true; /* ignored on a read */
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_UNMAPPED);
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_UNMAPPED, before);
}

/* Twice announced, cached and uncached: a new slot each time, counted by the table read. */
void test_repeated_first(struct address_path_run *run)
{
    const struct hub_layout layout = script_open(run, 4, 64);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_REPEATED);
    table_image_store(&run->path.table, script_entry(run, 0, 0), UINT32_C(1) << run->path.config.slot_width);
    script_announce(run, 0, 0);
    for (unsigned time = 1; time < layout.capacity && time < 4; time++) {
        script_announce(run, 0, 0);
        script_touch(run, 0, 0);
    }
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_REPEATED, before);
}

/* One more announcement than slots, then the row that found no place. */
void test_full_region(struct address_path_run *run)
{
    const struct hub_layout layout = script_open(run, 8, 1);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_FULL);
    script_announce(run, 0, 0);
    script_announce(run, 0, layout.row_limit - 1);
    script_touch(run, 0, layout.row_limit - 1);
    script_announce(run, 0, 0); /* a repeated one too is refused, and the old mapping keeps serving */
    script_touch(run, 0, 0);
    script_play(run);
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_FULL, before);
}

/* A refused request leaves the next slot alone that its region's number names, at whatever distance a first follows. */
void test_refused_before_first(struct address_path_run *run)
{
    enum { DISTANCES = 6 };
    const unsigned experts = run->path.config.local_experts;
    if (run->path.config.contexts > 7)
        return;
    const struct hub_layout layout = script_open(run, DISTANCES + 1, DISTANCES + 1);
    for (uint32_t row = 0; row + 1 < layout.row_limit; row++) {
        script_announce(run, 0, row);
        script_play(run);
        script_look(run, experts - 1, 0);
        script_play(run);
        script_start(run);
        script_look(run, 0, row)->context = 7;
        bench_run(&run->path.bench, row + 1);
        script_announce(run, 0, row + 1);
        script_play(run);
    }
}

/* The same few rows announced again and again: slots beyond what distinct rows can reach. */
void test_many_slots(struct address_path_run *run)
{
    enum { SLOTS = 1 << 11 }; /* the last ones have every bit below */
    const struct hub_layout layout = script_open(run, 8, UINT32_MAX);
    for (uint32_t slot = 0; slot < SLOTS && slot < layout.capacity; slot++) {
        script_announce(run, 0, slot % layout.row_limit);
        if (run->script_count == SCRIPT_MAX)
            script_play(run);
    }
    script_play(run);
}

/* base + slot * stride + offset for any of them. */
void test_any_address(struct address_path_run *run)
{
    enum { DRAWS = 64 };
    const struct moehub_address_path_config *config = &run->path.config;
    const uint32_t largest = (UINT32_C(1) << config->slot_width) - 1;
    for (unsigned i = 0; i < DRAWS && config->local_experts <= EXPERTS_FEW; i++) {
        const uint32_t row_size = (uint32_t)random_range(&run->random, 1, UINT32_C(1) << config->offset_width);
        script_open_sized(run, 1, row_size, largest);
        hub_software_close(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0,
                          hub_software_base(&run->software, random_bits(&run->random, config->address_width)), largest);
        hub_software_advance(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        const uint32_t epoch = run->path.model.alloc.contexts[0].epoch << config->slot_width;
        table_image_store(&run->path.table, script_entry(run, 0, 0), epoch | (uint32_t)random_below(&run->random, largest));
        script_look(run, 0, 0)->offset = (uint16_t)(random_below(&run->random, row_size < 65536 ? row_size : 65536));
        script_play(run);
    }
}

/* Entries that a restored table may hold, with slots far above those that this run has given out: one with each bit alone, and
 * the last below a capacity of one bit. Twice: fetched, then from the cached line. The row size has every bit. */
void test_high_slots(struct address_path_run *run)
{
    const unsigned slot_width = run->path.config.slot_width;
    const uint64_t memory = script_count(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY);
    for (unsigned bit = 0; bit < slot_width; bit++) {
        const uint32_t epoch = UINT32_C(1) << slot_width, slot = UINT32_C(1) << bit;
        const unsigned expert = bit % run->path.config.local_experts;
        const struct hub_layout layout = script_open_sized(run, 8, (1u << run->path.config.offset_width) - 1, UINT32_MAX);
        const uint32_t row = bit % layout.row_limit;
        table_image_store(&run->path.table, script_entry(run, expert, row), epoch | (slot < layout.capacity ? slot : 0));
        script_look(run, expert, row);
        script_play(run);
        script_look(run, expert, row)->offset = (uint16_t)(layout.row_size - 1);
        script_play(run);
        script_open(run, 8, slot);
        table_image_store(&run->path.table, script_entry(run, expert, row), epoch | slot);
        script_look(run, expert, row);
        table_image_store(&run->path.table, script_entry(run, 0, layout.row_limit - 1 - row), epoch | (slot - 1));
        script_look(run, 0, layout.row_limit - 1 - row);
        script_look(run, 0, layout.row_limit - 1 - row);
        script_play(run);
    }
    script_must_have(run, MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY, memory);
}
