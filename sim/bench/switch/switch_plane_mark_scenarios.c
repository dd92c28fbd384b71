/* SPDX-License-Identifier: Apache-2.0 */
/* High-water marks where they can be no other: a packet at a time, copies that nobody reads, groups that nobody answers. All
 * other runs compare them too, between bounds (switch_plane_marks.h). */
#include "bench/switch/switch_plane_registers.h"
#include "bench/switch/switch_plane_scenarios.h"
#include "bench/switch/switch_plane_scene.h"
#include "moehub/register_map.h"
#include "moehub/registers.h"

#include <inttypes.h>

static void expect_mark(struct plane_run *run, enum plane_block block, unsigned port, uint32_t field, const char *what,
                        uint64_t expected)
{
    char name[80];
    snprintf(name, sizeof name, "port %u: mark of %s", port, what);
    scoreboard_value(&run->counters, name, expected, moehub_field(field, plane_read(run, block, port, MOEHUB_CSR_HIGH_WATER)));
}

/* ---- places --------------------------------------------------------------------------------------------------- */

/* Nothing comes free while a packet comes: the mark is the longest. */
static void one_at_a_time(struct plane_run *run)
{
    enum { PACKETS = 4 };
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned port = 0; port < run->config.ports; port++)
        for (unsigned i = 0; i < PACKETS * MOEHUB_CLASSES; i++) {
            plane_scene_add(run, port, i % MOEHUB_CLASSES);
            plane_scene_run_until_still(run);
        }
    for (unsigned port = 0; port < run->config.ports; port++)
        for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
            const struct plane_bounds *mark = &run->check.marks[port].places[i].mark;
            if (mark->least != mark->most)
                bench_fail(run->bench, BENCH_NOTHING_COMPARED, "port %u: the mark of class %u may be %" PRIu64 " to %" PRIu64,
                           port, i, mark->least, mark->most);
        }
    plane_run_settle(run);
}

/* ---- copy records --------------------------------------------------------------------------------------------- */

/* The first ids of each other GPU, as many as a packet holds, `most` at most. */
static struct crossbar_targets first_ids(const struct plane_run *run, unsigned port, unsigned most)
{
    const unsigned bits = run->config.local_expert_bits, share = run->config.max_targets / (run->config.ports - 1);
    struct crossbar_targets targets = {.count = 0};
    for (unsigned gpu = 0; gpu < run->config.ports; gpu++)
        for (unsigned i = 0; gpu != port && i < share && i < most && i < 1u << bits; i++)
            targets.ids[targets.count++] = (uint16_t)(gpu << bits | i);
    return targets;
}

/* A store of 16 bytes to them; the records that its copies take. */
static unsigned send_store(struct plane_run *run, unsigned port, unsigned ids)
{
    const struct crossbar_targets targets = first_ids(run, port, ids);
    struct moehub_header header = crossbar_line_header(port, (uint32_t)random_next(&run->random), 0, targets.count);
    struct crossbar_packet built;
    unsigned records = 0;
    header.length = MOEHUB_FLIT_BYTES;
    crossbar_build_packet(&header, &targets, &run->random, &built);
    plane_queue_add_built(&run->gpus[port].uplink.queues[MOEHUB_CLASS_STORE], MOEHUB_CLASS_STORE, &built);
    for (unsigned output = 0; output < run->config.ports; output++)
        records += moehub_crossbar_copy_records(&run->check.model.stores.config, built.packet.flits, output);
    plane_scene_run_until_still(run);
    return records;
}

/* Without credits each output has as many copies as it has slots; the records of the others stay in use, until none is free. */
static void unread_copies(struct plane_run *run, unsigned port)
{
    plane_scene_reset(run, SCENE_PLACES, UINT64_MAX);
    for (unsigned i = 0; i < run->slots; i++)
        send_store(run, port, 1);
    for (unsigned ids = 1, records = 0; records < run->copies; ids = ids < MOEHUB_TARGETS_MAX ? 8 * ids : ids) {
        records += send_store(run, port, ids);
        if (run->gpus[port].uplink.queues[MOEHUB_CLASS_STORE].count > 0)
            bench_fail(run->bench, BENCH_NOTHING_COMPARED, "port %u has no place for a store, and copy records left", port);
        expect_mark(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RECORDS, "copy records",
                    records < run->copies ? records : run->copies);
    }
    plane_run_settle(run);
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

/* Without answers each request keeps its group; one more than there are waits. */
static void unanswered_requests(struct plane_run *run)
{
    enum { SILENT = 256 };
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned port = 0; port < run->config.ports; port++)
        run->gpus[port].responder.manners.silent = SILENT;
    for (unsigned port = 0; port < run->config.ports; port++)
        for (unsigned i = 1; i <= run->config.groups + 1; i++) {
            plane_scene_request(run, port, plane_scene_all_but(run, port), MOEHUB_LINE_UNITS);
            plane_scene_run_until_still(run);
            expect_mark(run, PLANE_BUFFER, port, MOEHUB_SWITCH_CSR_HIGH_WATER_OCCUPANCY, "entries",
                        (i < run->config.groups ? i : run->config.groups) * run->config.request_lines);
        }
}

void plane_high_water(struct plane_run *run)
{
    one_at_a_time(run);
    for (unsigned port = 0; port < run->config.ports; port++)
        unread_copies(run, port);
    unanswered_requests(run);
}
