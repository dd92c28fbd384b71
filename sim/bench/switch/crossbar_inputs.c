/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_inputs.h"

#include "kit/allocate.h"
#include "moehub/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_WORDS = (MOEHUB_TAG_MASK + 1) / 64 };

static void create_buses(struct crossbar_inputs *inputs)
{
    const struct bench *bench = inputs->bench;
    const unsigned ports = inputs->config.ports;
    bus_create(&inputs->write_valid, bench, "write_valid", ports);
    bus_create(&inputs->write_first, bench, "write_first", ports);
    bus_create(&inputs->write_targets, bench, "write_targets", ports);
    bus_create(&inputs->write_data, bench, "write_data", ports);
    bus_create(&inputs->space, bench, "space", ports);
    bus_create(&inputs->end_valid, bench, "end_valid", ports);
    bus_create(&inputs->end_good, bench, "end_good", ports);
    bus_create(&inputs->end_mark, bench, "end_mark", ports);
    bus_create(&inputs->end_tag, bench, "end_tag", ports);
    bus_create(&inputs->free_valid, bench, "free_valid", ports);
    bus_create(&inputs->free_tag, bench, "free_tag", ports);
    bus_create(&inputs->events, bench, "events", ports);
    bus_create(&inputs->freed_valid, bench, "freed_valid", ports);
    bus_create(&inputs->freed_flits, bench, "freed_flits", ports);
    bus_create(&inputs->free_places, bench, "free_places", ports);
    bus_create(&inputs->free_names, bench, "free_names", ports);
    bus_create(&inputs->initialised, bench, "initialised", ports);
}

void crossbar_inputs_create(struct crossbar_inputs *inputs, struct bench *bench, const struct crossbar_config *config,
                            struct moehub_crossbar *model, struct crossbar_waits *waits)
{
    *inputs = (struct crossbar_inputs){.bench = bench, .config = *config, .model = model, .waits = waits};
    inputs->ports = allocate(config->ports, sizeof *inputs->ports);
    create_buses(inputs);
    bench_random(bench, &inputs->random, "ends");
    for (unsigned port = 0; port < config->ports; port++) {
        char name[32];
        snprintf(name, sizeof name, "input %u", port);
        stall_init(&inputs->ports[port].stall, STALL_NONE, bench->options.seed, name);
        if (config->with_tag != 0)
            inputs->ports[port].tags_inside = allocate(TAG_WORDS, sizeof(uint64_t));
    }
    crossbar_inputs_forget(inputs);
}

void crossbar_inputs_destroy(struct crossbar_inputs *inputs)
{
    for (unsigned port = 0; port < inputs->config.ports; port++)
        free(inputs->ports[port].tags_inside);
    free(inputs->ports);
    *inputs = (struct crossbar_inputs){0};
}

void crossbar_inputs_stall(struct crossbar_inputs *inputs, enum stall_kind stall)
{
    for (unsigned port = 0; port < inputs->config.ports; port++)
        inputs->ports[port].stall.kind = inputs->ports[port].stall.now = stall;
}

void crossbar_inputs_forget(struct crossbar_inputs *inputs)
{
    for (unsigned port = 0; port < inputs->config.ports; port++) {
        struct crossbar_input *input = &inputs->ports[port];
        input->sending = input->ending = false;
        input->places = inputs->config.places;
        input->packets = input->frees = 0;
        if (input->tags_inside != NULL)
            memset(input->tags_inside, 0, TAG_WORDS * sizeof *input->tags_inside);
    }
}

bool crossbar_inputs_idle(const struct crossbar_inputs *inputs)
{
    for (unsigned port = 0; port < inputs->config.ports; port++)
        if (inputs->ports[port].sending || inputs->ports[port].ending)
            return false;
    return true;
}

bool crossbar_inputs_initialised(const struct crossbar_inputs *inputs)
{
    for (unsigned port = 0; port < inputs->config.ports; port++)
        if (bus_get(&inputs->initialised, port) == 0)
            return false;
    return true;
}

/* ---- step 1 ------------------------------------------------------------------------------------------ */

/* What the receiver has found out: MOEHUB_CROSSBAR_MARK_* of rtl/include/moehub_crossbar.vh. */
static uint64_t mark_of(const struct crossbar_inputs *inputs, const struct crossbar_packet *packet)
{
    enum { COPIES = 6, OUTPUT = 12 };
    const uint64_t outputs = moehub_crossbar_outputs(&inputs->model->config, packet->packet.flits);
    const struct moehub_header header = moehub_header_unpack(packet->packet.flits[0]);
    const bool response = inputs->config.with_ids == 0;
    return (uint64_t)(response ? 0 : header.target_count) | (uint64_t)__builtin_popcountll(outputs) << COPIES |
           (uint64_t)(response ? header.offset : 0) << OUTPUT;
}

static void drive_end(struct crossbar_inputs *inputs, unsigned port, bool must)
{
    struct crossbar_input *input = &inputs->ports[port];
    input->ends = input->ending && (must || !inputs->late_ends || random_chance(&inputs->random, 1, 4));
    bus_set(&inputs->end_valid, port, input->ends);
    bus_set(&inputs->end_good, port, input->ended.good);
    bus_set(&inputs->end_mark, port, mark_of(inputs, &input->ended));
    bus_set(&inputs->end_tag, port, input->tag);
}

static void drive_write(struct crossbar_inputs *inputs, unsigned port)
{
    struct crossbar_input *input = &inputs->ports[port];
    const struct moehub_flit junk = {{random_next(&inputs->random), random_next(&inputs->random)}};
    const bool first = input->writes && input->sent == 0;
    bus_set(&inputs->write_valid, port, input->writes);
    bus_set(&inputs->write_first, port, first);
    bus_set(&inputs->write_targets, port, first ? crossbar_packet_body(&input->packet) - 1 : junk.half[1]);
    bus_set_words(&inputs->write_data, port, input->writes ? input->packet.packet.flits[input->sent].half : junk.half);
}

static void drive_port(struct crossbar_inputs *inputs, unsigned port, bool may)
{
    struct crossbar_input *input = &inputs->ports[port];
    const bool stalled = stall_next(&input->stall);
    if (may && !stalled && !input->sending && inputs->stimulus.next != NULL &&
        inputs->stimulus.next(inputs->stimulus.self, port, (unsigned)input->places, &input->packet)) {
        input->sending = true;
        input->sent = 0;
    }
    input->writes = may && !stalled && input->sending;
    drive_end(inputs, port, input->writes && input->sent == 0);
    drive_write(inputs, port);
}

void crossbar_inputs_drive(struct crossbar_inputs *inputs)
{
    bus_sample(&inputs->initialised);
    const bool may = !inputs->bench->reset && !inputs->bench->quiet && crossbar_inputs_initialised(inputs);
    for (unsigned port = 0; port < inputs->config.ports; port++)
        drive_port(inputs, port, may);
    bus_drive(&inputs->write_valid);
    bus_drive(&inputs->write_first);
    bus_drive(&inputs->write_targets);
    bus_drive(&inputs->write_data);
    bus_drive(&inputs->end_valid);
    bus_drive(&inputs->end_good);
    bus_drive(&inputs->end_mark);
    bus_drive(&inputs->end_tag);
}

/* ---- step 3 ------------------------------------------------------------------------------------------ */

static void sample_freed(struct crossbar_inputs *inputs, unsigned port)
{
    struct crossbar_input *input = &inputs->ports[port];
    if (bus_get(&inputs->freed_valid, port) == 0)
        return;
    const unsigned flits = (unsigned)bus_get(&inputs->freed_flits, port);
    input->places += flits;
    if (input->places > inputs->config.places)
        bench_fail(inputs->bench, BENCH_MISMATCH, "input %u: %u places freed, more than its packets have", port, flits);
    if (inputs->stimulus.freed != NULL)
        inputs->stimulus.freed(inputs->stimulus.self, port, flits);
}

static bool tag_is_inside(const struct crossbar_input *input, unsigned tag)
{
    return (input->tags_inside[tag / 64] >> tag % 64 & 1) != 0;
}

static void toggle_tag(struct crossbar_input *input, unsigned tag)
{
    input->tags_inside[tag / 64] ^= UINT64_C(1) << tag % 64;
}

/* The crossbar gives a packet back. */
static void sample_free(struct crossbar_inputs *inputs, unsigned port)
{
    struct crossbar_input *input = &inputs->ports[port];
    if (bus_get(&inputs->free_valid, port) == 0)
        return;
    if (++input->frees > input->packets)
        bench_fail(inputs->bench, BENCH_MISMATCH, "input %u: packet number %" PRIu64 " is freed, and it has sent %" PRIu64, port,
                   input->frees, input->packets);
    if (input->tags_inside == NULL)
        return;
    const unsigned tag = (unsigned)bus_get(&inputs->free_tag, port);
    if (!tag_is_inside(input, tag))
        bench_fail(inputs->bench, BENCH_MISMATCH, "input %u: a request of tag %06x is freed, and none is inside", port, tag);
    toggle_tag(input, tag);
}

/* Lines that are empty have a first copy now. */
static void note_lines(struct crossbar_inputs *inputs, unsigned port, const struct crossbar_packet *packet)
{
    const uint64_t outputs = moehub_crossbar_outputs(&inputs->model->config, packet->packet.flits);
    for (unsigned output = 0; output < inputs->config.ports; output++)
        if ((outputs >> output & 1) != 0 && moehub_crossbar_count(inputs->model, port, output) == 0)
            crossbar_waits_come(inputs->waits, port, output, inputs->bench->cycle);
}

/* TAG of a request's copies, {entry, generation}: here the number of the request, so that no two inside have the same. */
static void patch_tag(struct crossbar_input *input, struct crossbar_packet *packet)
{
    struct moehub_header header = moehub_header_unpack(packet->packet.flits[0]);
    header.tag = input->tag;
    packet->packet.flits[0] = moehub_header_pack(&header);
    toggle_tag(input, input->tag);
}

static void sample_end(struct crossbar_inputs *inputs, unsigned port)
{
    struct crossbar_input *input = &inputs->ports[port];
    if (!input->ends)
        return;
    input->ending = false;
    inputs->rejected += !input->ended.good;
    if (!input->ended.good)
        return;
    input->packets++;
    if (input->tags_inside != NULL)
        patch_tag(input, &input->ended);
    note_lines(inputs, port, &input->ended);
    const struct moehub_crossbar_copy *packet = &input->ended.packet;
    const int error = moehub_crossbar_accept(inputs->model, port, packet->flits, packet->count);
    if (error == MOEHUB_E_LIMIT)
        bench_fail(inputs->bench, BENCH_MISMATCH, "input %u: more packets have copies that did not leave than its store and the "
                   "outputs hold", port);
    if (error != 0)
        bench_fail(inputs->bench, BENCH_CONFIGURATION, "input %u: the model refuses a packet of the bench: %s", port,
                   moehub_strerror(error));
}

static void sample_write(struct crossbar_inputs *inputs, unsigned port)
{
    struct crossbar_input *input = &inputs->ports[port];
    if (!input->writes)
        return;
    if (bus_get(&inputs->space, port) == 0)
        bench_fail(inputs->bench, BENCH_MISMATCH, "input %u: no space, but %" PRIu64 " places have to be free", port,
                   input->places);
    input->places--;
    inputs->flits++;
    inputs->moved = inputs->bench->cycle;
    if (++input->sent < input->packet.packet.count)
        return;
    input->sending = false;
    input->ending = true;
    input->ended = input->packet;
    input->tag = (input->tag + 1) & MOEHUB_TAG_MASK;
    input->last_write = inputs->bench->cycle;
}

static void count_events(struct crossbar_inputs *inputs, unsigned port)
{
    const uint64_t events = bus_get(&inputs->events, port);
    for (unsigned event = 0; event < CROSSBAR_EVENTS; event++)
        inputs->counts[event] += events >> event & 1;
}

void crossbar_inputs_sample(struct crossbar_inputs *inputs)
{
    bus_sample(&inputs->space);
    bus_sample(&inputs->freed_valid);
    bus_sample(&inputs->freed_flits);
    bus_sample(&inputs->free_valid);
    bus_sample(&inputs->free_tag);
    bus_sample(&inputs->events);
    if (inputs->bench->reset)
        return;
    for (unsigned port = 0; port < inputs->config.ports; port++) {
        count_events(inputs, port);
        sample_freed(inputs, port);
        sample_free(inputs, port);
        sample_end(inputs, port);
        sample_write(inputs, port);
    }
}

void crossbar_inputs_demand_free(struct crossbar_inputs *inputs)
{
    bus_sample(&inputs->free_places);
    bus_sample(&inputs->free_names);
    for (unsigned port = 0; port < inputs->config.ports; port++) {
        const struct crossbar_input *input = &inputs->ports[port];
        if (input->frees != input->packets)
            bench_fail(inputs->bench, BENCH_MISMATCH, "input %u: all copies have left, and of %" PRIu64 " packets %" PRIu64
                       " are freed", port, input->packets, input->frees);
        const uint64_t places = bus_get(&inputs->free_places, port), names = bus_get(&inputs->free_names, port);
        if (places != inputs->config.places || input->places != places ||
            names != inputs->config.packets)
            bench_fail(inputs->bench, BENCH_MISMATCH,
                       "input %u: all copies have left, and of %" PRIu32 " places %" PRIu64 " are free, %" PRIu64
                       " by its account; of %" PRIu32 " names %" PRIu64,
                       port, inputs->config.places, places, input->places,
                       inputs->config.packets, names);
    }
}
