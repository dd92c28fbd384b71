/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbars of stores and of requests: a packet has a copy for each of its outputs, and outputs may join a pass under way. */
#include "system/system_packet_crossbar.h"

/* ---- queues ---------------------------------------------------------------------------------------------------- */

static size_t pair(const struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return (size_t)input * crossbar->ports + output;
}

/* The packet at a position of a pair's queue. */
static uint32_t *place(struct packet_crossbar *crossbar, size_t number, uint32_t position)
{
    return &crossbar->queues[number * crossbar->stride + (position & crossbar->places[number].mask)];
}

/* A packet is the first of a pair's queue. */
static void lead(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output, uint32_t packet)
{
    plane->packets[packet].heads |= bit(output);
    *packet_head_of(crossbar, input, output) = (struct packet_head){packet, plane->packets[packet].age};
}

static void grow(struct packet_crossbar *crossbar, size_t number)
{
    struct packet_places *queue = &crossbar->places[number];
    uint32_t *items = &crossbar->queues[number * crossbar->stride];
    queue->mask = (uint16_t)packet_places_double(items, sizeof *items, &queue->head, queue->mask);
}

void packet_copies_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t number)
{
    struct packet *packet = &plane->packets[number];
    packet->age = (uint32_t)plane->now;
    packet->heads = 0;
    for (uint64_t outputs = packet->outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        const size_t of_pair = pair(crossbar, input, output);
        struct packet_places *queue = &crossbar->places[of_pair];
        if (queue->count > queue->mask)
            grow(crossbar, of_pair);
        *place(crossbar, of_pair, queue->head + queue->count) = number;
        if (queue->count++ == 0)
            lead(plane, crossbar, input, output, number);
        crossbar->by_output[output] |= bit(input);
    }
    crossbar->by_input[input] |= packet->outputs;
    crossbar->wanted |= packet->outputs;
    crossbar->asking |= bit(input);
    look_now(plane, crossbar, packet->heads != 0);
}

/* ---- proposals ------------------------------------------------------------------------------------------------- */

struct passes {
    struct proposals proposals;
    uint64_t begin;              /* inputs that begin a pass */
    uint32_t packet[PORTS_MAX];  /* of each input */
    uint64_t wait[PORTS_MAX];    /* cycle before which its rows do not come */
};

/* Outputs, of those that it sees, that may join an input's pass, while it lasts. */
static uint64_t may_join(const struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned input, uint64_t seen)
{
    return plane->now > crossbar->pass_end[input] ? 0 : crossbar->joined[input] & seen;
}

static void ask(struct proposals *proposals, unsigned input, uint64_t heads)
{
    uint64_t outputs = heads & proposals->open;
    proposals->inputs |= bit(input);
    proposals->outputs |= outputs;
    for (; outputs != 0; outputs &= outputs - 1)
        proposals->asking[lowest(outputs)] |= bit(input);
}

/* A pass that lasts is joined; another one begins where the input may read again: its packet's heads are asked for later, when
 * they have come from memory. */
static void propose(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, struct passes *passes)
{
    const uint64_t seen = passes->proposals.seen, joining = may_join(plane, crossbar, input, seen);
    if (joining != 0) {
        passes->packet[input] = crossbar->pass[input];
        passes->wait[input] = crossbar->pass_start[input];
        ask(&passes->proposals, input, joining);
    } else if ((crossbar->reading & bit(input)) == 0) {
        const uint32_t packet = choose_head(crossbar, input, seen & crossbar->by_input[input])->packet;
        __builtin_prefetch(&plane->packets[packet]);
        passes->packet[input] = packet;
        passes->wait[input] = crossbar->pass_end[input];
        passes->begin |= bit(input);
        plane->early += plane->now < crossbar->may_begin[input];
    }
}

/* ---- grants ---------------------------------------------------------------------------------------------------- */

/* The head goes from the input to the output, `wait` at the earliest. The target flits are none of a packet's rows: each copy has
 * some of its own. */
static void grant(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output, uint64_t wait)
{
    const size_t number = pair(crossbar, input, output);
    struct packet_places *queue = &crossbar->places[number];
    struct packet *packet = &plane->packets[packet_head_of(crossbar, input, output)->packet];
    const uint64_t start = pass_copy(plane, crossbar, output, wait, crossbar->rows);
    queue->head++;
    if (--queue->count == 0)
        pair_empty(crossbar, input, output);
    else
        lead(plane, crossbar, input, output, *place(crossbar, number, queue->head));
    packet->outputs &= ~bit(output);
    packet->heads &= ~bit(output);
    crossbar->joined[input] &= ~bit(output);
    if (crossbar->joined[input] == 0)
        crossbar->joinable &= ~bit(input);
    crossbar->pass_end[input] = later(crossbar->pass_end[input], start + crossbar->rows);
    crossbar->pass_start[input] = start < crossbar->pass_start[input] ? start : crossbar->pass_start[input];
    if (++crossbar->copies[output] == crossbar->slots)
        crossbar->full |= bit(output);
    packet_plane_schedule(plane, (uint32_t)(start - plane->now), packet->packet_class == REQUEST ? COPIED_REQUEST : COPIED_STORE,
                          output, packet_copy_item(plane, packet, output));
}

/* After the grants of an input: the packet ends with its last copy. */
static void end_grants(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input)
{
    const uint32_t number = crossbar->pass[input];
    const uint64_t start = crossbar->pass_start[input], end = crossbar->pass_end[input];
    packet_waits_read(crossbar, input, later(end - ahead(crossbar), start + SPAN_LEAST));
    if (plane->packets[number].outputs != 0)
        return;
    crossbar->pass[input] = NOTHING;
    packet_plane_schedule(plane, (uint32_t)(end - plane->now), PASSED, input, number);
}

/* The input's pass is a packet's from now on. Copies that are left of another one wait for a pass of their own. */
static void begin_pass(const struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
    crossbar->pass[input] = packet;
    crossbar->pass_start[input] = UINT64_MAX;
    crossbar->joined[input] = plane->packets[packet].heads;
    crossbar->joinable |= bit(input);
}

static void grant_all(struct packet_plane *plane, struct packet_crossbar *crossbar, const struct passes *passes)
{
    const struct proposals *proposals = &passes->proposals;
    uint64_t granted = 0, copies = 0;
    for (uint64_t outputs = proposals->outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        const unsigned input = next_in_turn(crossbar, &crossbar->turn[output], proposals->asking[output]);
        if ((passes->begin & ~granted & bit(input)) != 0)
            begin_pass(plane, crossbar, input, passes->packet[input]);
        granted |= bit(input);
        grant(plane, crossbar, input, output, passes->wait[input]);
        copies++;
    }
    for (uint64_t inputs = granted; inputs != 0; inputs &= inputs - 1)
        end_grants(plane, crossbar, lowest(inputs));
    end_look(plane, crossbar, proposals, granted);
    plane->result->events += copies;
}

void packet_copies_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    struct passes passes;
    passes.begin = 0;
    uint64_t inputs =
        inputs_that_ask(plane, crossbar, &passes.proposals) & ~crossbar->silent & (crossbar->joinable | ~crossbar->reading);
    for (; inputs != 0; inputs &= inputs - 1)
        propose(plane, crossbar, lowest(inputs), &passes);
    for (inputs = passes.begin; inputs != 0; inputs &= inputs - 1)
        ask(&passes.proposals, lowest(inputs), plane->packets[passes.packet[lowest(inputs)]].heads);
    grant_all(plane, crossbar, &passes);
}

/* ---- what leaves ----------------------------------------------------------------------------------------------- */

void packet_copies_left(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output)
{
    const bool full = (crossbar->full & bit(output)) != 0;
    crossbar->copies[output]--;
    crossbar->full &= ~bit(output);
    look_now(plane, crossbar, full);
}
