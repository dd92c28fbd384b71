/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/store_port.h"

#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct field packet_fields[] = {{"flits", 5}, {"mark", 128}, {"listed", 1}};
static const struct field target_fields[] = {{"data", 128}};
static const struct field find_fields[] = {{"flits", 5}, {"mark", 128}, {"places legal", 1}};
static const struct field read_fields[] = {{"data", 128}, {"next legal", 1}};
static const struct field state_fields[] = {{"space", 1},       {"free_places", 13}, {"free_names", 13}, {"freed_valid", 1},
                                            {"freed_flits", 6}, {"targets_valid", 1}, {"packet prompt", 1}};
enum { STATES = sizeof state_fields / sizeof *state_fields };

/* ---- creation --------------------------------------------------------------------------------------------------- */

static void find_pins(struct store_port *port)
{
    struct bench *bench = port->bench;
    port->initialised = bench_pin(bench, "initialised");
    port->space = bench_pin(bench, "space");
    port->read_valid = bench_pin(bench, "read_valid");
    port->read_place = bench_pin(bench, "read_place");
    port->read_data = bench_pin(bench, "read_data");
    port->read_next = bench_pin(bench, "read_next");
    port->find_valid = bench_pin(bench, "find_valid");
    port->find_name = bench_pin(bench, "find_name");
    port->find_head = bench_pin(bench, "find_head");
    port->find_body = bench_pin(bench, "find_body");
    port->find_last = bench_pin(bench, "find_last");
    port->find_flits = bench_pin(bench, "find_flits");
    port->find_mark = bench_pin(bench, "find_mark");
    port->free_valid = bench_pin(bench, "free_valid");
    port->free_name = bench_pin(bench, "free_name");
    port->free_head = bench_pin(bench, "free_head");
    port->free_last = bench_pin(bench, "free_last");
    port->free_flits = bench_pin(bench, "free_flits");
    port->freed_valid = bench_pin(bench, "freed_valid");
    port->freed_flits = bench_pin(bench, "freed_flits");
    port->free_places = bench_pin(bench, "free_places");
    port->free_names = bench_pin(bench, "free_names");
}

static void create_scoreboards(struct store_port *port)
{
    struct bench *bench = port->bench;
    scoreboard_create(&port->packets, bench, "packets", packet_fields, 3, 1, 1);
    scoreboard_create(&port->target_flits, bench, "target flits", target_fields, 1, 1, 1);
    scoreboard_create(&port->finds, bench, "finds", find_fields, 3, 1, 1);
    scoreboard_create(&port->reads, bench, "reads", read_fields, 2, 1, 1);
    scoreboard_create(&port->states, bench, "states", state_fields, STATES, 1, 1);
    port->target_flits.block.may_be_empty = port->model.config.target_queue == 0;
}

void store_port_create(struct store_port *port, struct bench *bench, const char *prefix,
                       const struct moehub_packet_store_config *config, enum stall_kind stall)
{
    *port = (struct store_port){.bench = bench, .frees_below = UINT32_MAX};
    if (moehub_packet_store_create(&port->model, config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model refuses the parameters");
    bench->pin_prefix = prefix;
    find_pins(port);
    sink_create(&port->packet, bench, "packet", "name flits mark listed", stall);
    sink_create(&port->targets, bench, "targets", ".", stall);
    bench->pin_prefix = NULL;
    char name[64];
    snprintf(name, sizeof name, "%sfrees", prefix);
    stall_init(&port->frees, stall, bench->options.seed, name);
    snprintf(name, sizeof name, "%sreader", prefix);
    bench_random(bench, &port->random, name);
    create_scoreboards(port);
    port->names = allocate(port->model.names, sizeof *port->names);
    port->live = allocate(port->model.names, sizeof *port->live);
}

void store_port_destroy(struct store_port *port)
{
    scoreboard_destroy(&port->packets);
    scoreboard_destroy(&port->target_flits);
    scoreboard_destroy(&port->finds);
    scoreboard_destroy(&port->reads);
    scoreboard_destroy(&port->states);
    moehub_packet_store_destroy(&port->model);
    free(port->names);
    free(port->live);
}

void store_port_set_stalls(struct store_port *port, enum stall_kind stall)
{
    port->packet.stream.stall.kind = port->packet.stream.stall.now = stall;
    port->targets.stream.stall.kind = port->targets.stream.stall.now = stall;
    port->frees.kind = port->frees.now = stall;
}

bool store_port_empty(const struct store_port *port)
{
    return port->model.kept == 0 && port->model.open.count == 0 && port->model.free_places == port->model.config.places &&
           moehub_packet_store_target(&port->model) == NULL;
}

/* ---- drive ------------------------------------------------------------------------------------------------------- */

static void forget_name(struct store_port *port, uint32_t at)
{
    port->live_count--;
    memmove(port->live + at, port->live + at + 1, (port->live_count - at) * sizeof *port->live);
}

/* A packet that `find` has told, any of them; the oldest often. Returns its place in `live`, live_count: none. */
static uint32_t choose_found(struct store_port *port)
{
    const uint32_t from = port->live_count > 0 && random_chance(&port->random, 1, 2)
                              ? (uint32_t)random_below(&port->random, port->live_count) : 0;
    for (uint32_t i = 0; i < port->live_count; i++) {
        const uint32_t at = (from + i) % port->live_count;
        if (port->names[port->live[at]].found)
            return at;
    }
    return port->live_count;
}

static void drive_free(struct store_port *port)
{
    const uint32_t at = choose_found(port);
    const bool held = stall_next(&port->frees) || port->model.free_places >= port->frees_below;
    const bool frees = !held && at < port->live_count && !port->bench->reset;
    pin_set(port->free_valid, frees);
    if (!frees)
        return;
    const uint32_t name = port->live[at];
    pin_set(port->free_name, name);
    pin_set(port->free_head, port->names[name].head);
    pin_set(port->free_last, port->names[name].last);
    pin_set(port->free_flits, port->names[name].flits);
    port->now.free = true;
    port->now.free_name = name;
    port->freed_packets++;
    forget_name(port, at);
}

/* The oldest packet that was not yet looked for, or any again. */
static void drive_find(struct store_port *port)
{
    uint32_t at = 0;
    while (at < port->live_count && port->names[port->live[at]].found)
        at++;
    if (at == port->live_count && port->live_count > 0)
        at = (uint32_t)random_below(&port->random, port->live_count);
    port->finding = at < port->live_count && !port->bench->reset;
    pin_set(port->find_valid, port->finding);
    port->found_name = port->finding ? port->live[at] : 0;
    pin_set(port->find_name, port->finding ? port->found_name : random_next(&port->random));
}

/* Goes on with the walk, or begins one at a flit of a packet whose place is known. */
static bool choose_read(struct store_port *port)
{
    const struct moehub_stored_packet *packet = moehub_packet_store_find(&port->model, port->walk_name);
    const bool freed = port->now.free && port->now.free_name == port->walk_name;
    port->walk_flit++;
    if (packet != NULL && !freed && port->walk_flit < packet->count && port->names[port->walk_name].found &&
        packet->place[port->walk_flit] != MOEHUB_STORE_NO_PLACE)
        return true;
    const uint32_t at = choose_found(port);
    if (at == port->live_count)
        return false;
    port->walk_name = port->live[at];
    packet = moehub_packet_store_find(&port->model, port->walk_name);
    port->walk_flit = (uint32_t)random_below(&port->random, packet->count);
    if (packet->place[port->walk_flit] == MOEHUB_STORE_NO_PLACE)
        port->walk_flit = 0;
    return true;
}

static void drive_read(struct store_port *port)
{
    port->reading = choose_read(port) && !port->bench->reset;
    pin_set(port->read_valid, port->reading);
    if (port->reading)
        pin_set(port->read_place, moehub_packet_store_find(&port->model, port->walk_name)->place[port->walk_flit]);
    else
        pin_set(port->read_place, random_below(&port->random, port->model.config.places + 1));
}

/* ---- what a find or a read of the last cycle has brought ------------------------------------------------------------ */

static void masked(const struct store_port *port, uint64_t mark[STORE_MARK_WORDS])
{
    if (port->mask != NULL)
        port->mask(mark);
}

static bool tell(struct store_port *port, unsigned flit, uint32_t place)
{
    return moehub_packet_store_tell_place(&port->model, port->found_name, flit, place);
}

static void check_find(struct store_port *port)
{
    const struct moehub_stored_packet *packet = moehub_packet_store_find(&port->model, port->found_name);
    struct store_name *name = &port->names[port->found_name];
    *name = (struct store_name){true, (uint32_t)pin_get(port->find_head), (uint32_t)pin_get(port->find_last),
                                (uint32_t)pin_get(port->find_flits)};
    const unsigned body = 1u + packet->target_flits;
    const bool legal = tell(port, 0, name->head) && tell(port, packet->count - 1u, name->last) &&
                       (body >= packet->count || tell(port, body, (uint32_t)pin_get(port->find_body)));
    uint64_t expected[4] = {packet->count, packet->mark[0], packet->mark[1], true};
    uint64_t got[4] = {name->flits, 0, 0, legal};
    pin_get_words(port->find_mark, got + 1);
    masked(port, expected + 1);
    masked(port, got + 1);
    scoreboard_expect(&port->finds, 0, expected);
    scoreboard_check(&port->finds, 0, got);
}

static void check_read(struct store_port *port)
{
    const struct moehub_stored_packet *packet = moehub_packet_store_find(&port->model, port->walk_name);
    const struct moehub_flit *flit = &packet->flits[port->walk_flit];
    const bool legal = port->walk_flit + 1 >= packet->count ||
                       moehub_packet_store_tell_place(&port->model, port->walk_name, port->walk_flit + 1,
                                                      (uint32_t)pin_get(port->read_next));
    const uint64_t expected[3] = {flit->half[0], flit->half[1], true};
    uint64_t got[3] = {0, 0, legal};
    pin_get_words(port->read_data, got);
    scoreboard_expect(&port->reads, 0, expected);
    scoreboard_check(&port->reads, 0, got);
}

/* The outputs of memories already show what the last cycle asked for: before anything is driven. */
void store_port_drive(struct store_port *port)
{
    if (port->finding)
        check_find(port);
    if (port->reading)
        check_read(port);
    port->now = (struct moehub_packet_store_cycle){.write = false};
    sink_drive(&port->packet);
    sink_drive(&port->targets);
    drive_free(port);
    drive_find(port);
    drive_read(port);
}

/* ---- sample ---------------------------------------------------------------------------------------------------------- */

static void sample_packet(struct store_port *port, const uint64_t *item)
{
    const struct field_table *table = &port->packet.stream.table;
    const unsigned mark_words = field_words(table->fields[2].bits);
    const struct moehub_stored_packet *packet = moehub_packet_store_waiting(&port->model);
    uint64_t got[4] = {item[1], item[2], mark_words > 1 ? item[3] : 0, item[table->first_word[3]]};
    masked(port, got + 1);
    if (packet != NULL) {
        uint64_t expected[4] = {packet->count, packet->mark[0], packet->mark[1], packet->listed};
        masked(port, expected + 1);
        scoreboard_expect(&port->packets, 0, expected);
    }
    scoreboard_check(&port->packets, 0, got);
    port->now.packet_taken = true;
    port->now.packet_name = (uint32_t)item[0];
}

static void sample_target(struct store_port *port, const uint64_t *item)
{
    const struct moehub_flit *flit = moehub_packet_store_target(&port->model);
    if (flit != NULL)
        scoreboard_expect(&port->target_flits, 0, flit->half);
    scoreboard_check(&port->target_flits, 0, item);
    port->now.target_taken = true;
}

/* `kept`: packets as the registers stand; `prompt`: the packet that ends is alone, and must show. */
static void check_states(struct store_port *port, uint32_t kept, bool prompt)
{
    const struct moehub_packet_store *model = &port->model;
    const uint64_t packet_valid = pin_get(port->packet.stream.valid);
    if (packet_valid != 0 && moehub_packet_store_waiting(model) == NULL)
        bench_fail(port->bench, BENCH_MISMATCH, "%s is high, but no packet waits", port->packet.stream.valid->name);
    const uint64_t expected[STATES] = {model->free_places > 0, model->free_places, model->names - kept,
                                       model->freed > 0, model->freed > 0 ? model->freed : pin_get(port->freed_flits),
                                       moehub_packet_store_target(model) != NULL, prompt};
    const uint64_t got[STATES] = {pin_get(port->space), pin_get(port->free_places), pin_get(port->free_names),
                                  pin_get(port->freed_valid), pin_get(port->freed_flits),
                                  pin_get(port->targets.stream.valid), prompt && packet_valid};
    scoreboard_expect(&port->states, 0, expected);
    scoreboard_check(&port->states, 0, got);
    port->full_cycles += model->free_places == 0;
}

static void restart(struct store_port *port)
{
    moehub_packet_store_reset(&port->model);
    port->live_count = 0;
    port->finding = port->reading = false;
    port->uninitialised = 0;
}

/* `initialised` is low for PLACES cycles after reset, and nothing else moves. True once it is high. */
static bool check_initialised(struct store_port *port)
{
    const bool initialised = pin_get(port->initialised) != 0;
    const uint64_t places = port->model.config.places;
    if (port->uninitialised > places)
        return true;
    if (initialised != (port->uninitialised == places))
        bench_fail(port->bench, BENCH_MISMATCH, "%s is %d %" PRIu64 " cycles after reset", port->initialised->name, initialised,
                   port->uninitialised);
    port->uninitialised++;
    return initialised;
}

void store_port_sample(struct store_port *port)
{
    const uint64_t *packet = sink_sample(&port->packet);
    const uint64_t *target = sink_sample(&port->targets);
    if (port->bench->reset) {
        restart(port);
        return;
    }
    if (!check_initialised(port))
        return;
    const uint32_t kept = port->model.kept;
    const bool prompt = port->model.waiting_count == 0 && port->now.end && port->now.end_good;
    if (!moehub_packet_store_end(&port->model, &port->now))
        bench_fail(port->bench, BENCH_MISMATCH, "%s: no packet is there to end", port->packet.stream.valid->name);
    check_states(port, kept, prompt);
    if (packet != NULL)
        sample_packet(port, packet);
    if (target != NULL)
        sample_target(port, target);
    if (!moehub_packet_store_step(&port->model, &port->now))
        bench_fail(port->bench, BENCH_MISMATCH, "%s: a name that another packet has (%u), or a flit without a place",
                   port->packet.stream.valid->name, port->now.packet_name);
    if (packet != NULL) {
        port->names[port->now.packet_name].found = false;
        port->live[port->live_count++] = port->now.packet_name;
    }
}
