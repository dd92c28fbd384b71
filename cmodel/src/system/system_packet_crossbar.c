/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_waits.h"

/* rtl/doc/plane/crossbar.md, sections 3 and 4. Cycles here are those in which a copy's first row can have its turn, DECISION
 * after the input's proposal for it. */
enum {
    SPAN_LEAST = 3,    /* of a copy */
    DECISION = 2,
    AGAIN_REFUSED = 2, /* an input that nobody granted proposes again */
    AGAIN_GRANTED = 3, /* the same after a grant */
    OUTPUT_AGAIN = 5,  /* from an output's grant to its next one */
    GROUP_OUTPUTS = 8  /* whose heads' ages are compared */
};

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static unsigned lowest(uint64_t ports)
{
    return (unsigned)__builtin_ctzll(ports);
}

static size_t pair(const struct packet_plane *plane, unsigned input, unsigned output)
{
    return (size_t)input * plane->rows->ports + output;
}

/* The packet at a position of a pair's queue. */
static uint32_t *place(struct packet_crossbar *crossbar, size_t number, uint32_t position)
{
    return &crossbar->queues[(number << crossbar->log2_places) + (position & ((1u << crossbar->log2_places) - 1))];
}

/* A packet is the first of a pair's queue. */
static void lead(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output, uint32_t packet)
{
    plane->packets[packet].heads |= bit(output);
    crossbar->heads[input][output] = (struct packet_head){packet, plane->packets[packet].age};
}

/* Cycles before an end from which on what follows may be decided. */
static uint32_t ahead(const struct packet_plane *plane)
{
    return plane->ahead - DECISION;
}

/* A look in this cycle, where something may be found or not. */
static void look_now(struct packet_plane *plane, struct packet_crossbar *crossbar, bool needed)
{
    if (needed)
        crossbar->needed = plane->now;
    if (crossbar->look <= plane->now)
        return;
    crossbar->look = plane->now;
    packet_plane_schedule(plane, 0, (enum packet_event_kind)crossbar->looks, 0, 0);
}

/* ---- proposals ------------------------------------------------------------------------------------------------- */

/* Outputs that somebody has a packet for, and that will take one. */
static uint64_t open_outputs(const struct packet_crossbar *crossbar)
{
    return crossbar->wanted & ~crossbar->closed & ~crossbar->full;
}

/* Outputs, of those that are open, that may join an input's pass, while it lasts. */
static uint64_t may_join(const struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned input, uint64_t open)
{
    return plane->now > crossbar->pass_end[input] ? 0 : crossbar->joined[input] & open;
}

static unsigned groups_of(unsigned ports)
{
    return (ports + GROUP_OUTPUTS - 1) / GROUP_OUTPUTS;
}

/* Cycles are compared modulo 2^32. There is one at least. */
static uint32_t oldest_head(const struct packet_crossbar *crossbar, unsigned input, uint64_t outputs)
{
    const struct packet_head *heads = crossbar->heads[input];
    struct packet_head oldest = heads[lowest(outputs)];
    for (outputs &= outputs - 1; outputs != 0; outputs &= outputs - 1) {
        const struct packet_head head = heads[lowest(outputs)];
        oldest = (int32_t)(head.age - oldest.age) < 0 ? head : oldest;
    }
    return oldest.packet;
}

/* The oldest head of the next group of outputs that has one: outputs modulo the number of groups. */
static uint32_t choose(const struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint64_t outputs)
{
    const unsigned groups = groups_of(plane->rows->ports);
    unsigned group = crossbar->group[input];
    while ((outputs & crossbar->members[group]) == 0)
        group = group + 1 == groups ? 0 : group + 1;
    crossbar->group[input] = (uint8_t)(group + 1 == groups ? 0 : group + 1);
    return oldest_head(crossbar, input, outputs & crossbar->members[group]);
}

/* What inputs ask for in a cycle. */
struct proposals {
    uint64_t inputs, outputs;
    uint64_t begin;              /* inputs that begin a pass */
    uint64_t asking[PORTS_MAX];  /* of each open output */
    uint32_t packet[PORTS_MAX];  /* of each input */
    uint64_t wait[PORTS_MAX];    /* cycle before which its rows do not come */
};

/* Inputs with a packet for some of the outputs, which nobody has asked for yet. */
static uint64_t inputs_for(const struct packet_crossbar *crossbar, uint64_t outputs, struct proposals *proposals)
{
    uint64_t inputs = 0;
    for (; outputs != 0; outputs &= outputs - 1) {
        proposals->asking[lowest(outputs)] = 0;
        inputs |= crossbar->by_output[lowest(outputs)];
    }
    return inputs;
}

static void ask(struct proposals *proposals, unsigned input, uint64_t outputs)
{
    proposals->inputs |= bit(input);
    proposals->outputs |= outputs;
    for (; outputs != 0; outputs &= outputs - 1)
        proposals->asking[lowest(outputs)] |= bit(input);
}

/* A pass that lasts is joined; another one begins where the input may read again. */
static void propose(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint64_t open,
                    struct proposals *proposals)
{
    const uint64_t joining = may_join(plane, crossbar, input, open);
    if (joining != 0) {
        proposals->packet[input] = crossbar->pass[input];
        proposals->wait[input] = crossbar->pass_start[input];
        ask(proposals, input, joining);
    } else if ((crossbar->reading & bit(input)) == 0) {
        const uint32_t packet = choose(plane, crossbar, input, open & crossbar->by_input[input]);
        proposals->packet[input] = packet;
        proposals->wait[input] = crossbar->pass_end[input];
        proposals->begin |= bit(input);
        plane->early += plane->now < crossbar->may_begin[input];
        ask(proposals, input, plane->packets[packet].heads & open);
    }
}

/* ---- grants ---------------------------------------------------------------------------------------------------- */

/* Of a store's rows the target flits are none: each copy has some of its own. */
static uint32_t span(const struct packet *packet)
{
    const uint32_t rows = packet->packet_class == STORE ? RESPONSE_FLITS : packet->flits;
    return rows > SPAN_LEAST ? rows : SPAN_LEAST;
}

/* The head goes from the input to the output, `wait` at the earliest. */
static void grant(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output, uint64_t wait)
{
    const size_t number = pair(plane, input, output);
    struct packet_places *queue = &crossbar->places[number];
    struct packet *packet = &plane->packets[*place(crossbar, number, queue->head++)];
    const uint64_t start = later(later(plane->now, wait), crossbar->output_end[output]), end = start + span(packet);
    if (--queue->count == 0) {
        crossbar->by_input[input] &= ~bit(output);
        if (crossbar->by_input[input] == 0)
            crossbar->asking &= ~bit(input);
        crossbar->by_output[output] &= ~bit(input);
        if (crossbar->by_output[output] == 0)
            crossbar->wanted &= ~bit(output);
    } else {
        lead(plane, crossbar, input, output, *place(crossbar, number, queue->head));
    }
    packet->outputs &= ~bit(output);
    packet->heads &= ~bit(output);
    crossbar->joined[input] &= ~bit(output);
    if (crossbar->joined[input] == 0)
        crossbar->joinable &= ~bit(input);
    crossbar->output_end[output] = end;
    packet_waits_close(crossbar, output, later(end - ahead(plane), later(start + DECISION, plane->now + OUTPUT_AGAIN)));
    crossbar->pass_end[input] = later(crossbar->pass_end[input], end);
    crossbar->pass_start[input] = sooner(crossbar->pass_start[input], start);
    if (packet->packet_class != STORE)
        return;
    if (++crossbar->copies[output] == crossbar->slots)
        crossbar->full |= bit(output);
    packet_plane_schedule(plane, (uint32_t)(start - plane->now), COPIED, output, packet->row << LINE_BITS | packet->line);
}

/* After the grants of an input: the packet ends with its last copy. */
static void end_grants(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input)
{
    const uint32_t number = crossbar->pass[input];
    const uint64_t start = crossbar->pass_start[input], end = crossbar->pass_end[input];
    packet_waits_read(crossbar, input, later(end - ahead(plane), start + SPAN_LEAST));
    if (plane->packets[number].outputs != 0)
        return;
    crossbar->pass[input] = NOTHING;
    packet_plane_schedule(plane, (uint32_t)((crossbar->joins ? end : start + plane->packets[number].flits) - plane->now),
                          (enum packet_event_kind)crossbar->ended, input, number);
}

/* In turn of the inputs. */
static unsigned next_in_turn(const struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output, uint64_t inputs)
{
    const uint64_t above = inputs & ~(bit(crossbar->turn[output]) - 1);
    const unsigned input = lowest(above != 0 ? above : inputs);
    crossbar->turn[output] = (uint8_t)(input + 1 == plane->rows->ports ? 0 : input + 1);
    return input;
}

/* The input's pass is a packet's from now on. Copies that are left of another one wait for a pass of their own. */
static void begin_pass(const struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
    crossbar->pass[input] = packet;
    crossbar->pass_start[input] = UINT64_MAX;
    if (!crossbar->joins)
        return;
    crossbar->joined[input] = plane->packets[packet].heads;
    crossbar->joinable |= bit(input);
}

static void grant_all(struct packet_plane *plane, struct packet_crossbar *crossbar, const struct proposals *proposals)
{
    uint64_t granted = 0, copies = 0;
    for (uint64_t outputs = proposals->outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        const unsigned input = next_in_turn(plane, crossbar, output, proposals->asking[output]);
        if ((proposals->begin & ~granted & bit(input)) != 0)
            begin_pass(plane, crossbar, input, proposals->packet[input]);
        granted |= bit(input);
        grant(plane, crossbar, input, output, proposals->wait[input]);
        copies++;
    }
    for (uint64_t inputs = granted; inputs != 0; inputs &= inputs - 1)
        end_grants(plane, crossbar, lowest(inputs));
    packet_waits_silence(crossbar, granted, plane->now + AGAIN_GRANTED);
    packet_waits_silence(crossbar, proposals->inputs & ~granted, plane->now + AGAIN_REFUSED);
    plane->result->events += copies;
}

/* ---- when ------------------------------------------------------------------------------------------------------ */

/* Whether one of some inputs could propose something then. */
static bool could_propose(const struct packet_crossbar *crossbar, uint64_t inputs, uint64_t reading, uint64_t open)
{
    for (; inputs != 0; inputs &= inputs - 1) {
        const unsigned input = lowest(inputs);
        const uint64_t outputs = (reading & bit(input)) != 0 ? crossbar->joined[input] : crossbar->by_input[input];
        if ((outputs & open) != 0)
            return true;
    }
    return false;
}

/* The next cycle in which somebody may propose something else, UINT64_MAX: none. Who is not silent now has nothing to propose
 * until a wait of its own ends. */
static uint64_t next_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    const uint64_t open = open_outputs(crossbar), closed = crossbar->wanted & crossbar->closed;
    uint64_t silent = crossbar->silent, reading = crossbar->reading;
    for (uint64_t cycle = plane->now + 1; (((silent | reading) & crossbar->asking) | closed) != 0; cycle++) {
        const struct packet_due *due = packet_due_at(crossbar, cycle);
        if ((due->outputs & closed) != 0)
            return cycle;
        silent &= ~due->proposals;
        reading &= ~due->passes;
        if (could_propose(crossbar, (due->proposals | due->passes) & crossbar->asking & ~silent, reading, open))
            return cycle;
    }
    return UINT64_MAX;
}

static void look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    packet_waits_end(crossbar, plane->now);
    struct proposals proposals;
    proposals.inputs = proposals.outputs = proposals.begin = 0;
    const uint64_t open = open_outputs(crossbar);
    uint64_t inputs = inputs_for(crossbar, open, &proposals) & ~crossbar->silent & (crossbar->joinable | ~crossbar->reading);
    for (; inputs != 0; inputs &= inputs - 1)
        propose(plane, crossbar, lowest(inputs), open, &proposals);
    grant_all(plane, crossbar, &proposals);
    crossbar->needed = next_look(plane, crossbar);
}

/* A look that is not needed keeps its turn in the cycle, for what may yet come in it. */
void packet_crossbar_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    if (crossbar->look != plane->now)
        return;
    if (crossbar->needed <= plane->now)
        look(plane, crossbar);
    crossbar->look = crossbar->needed;
    if (crossbar->needed == crossbar->told || crossbar->needed == UINT64_MAX)
        return;
    crossbar->told = crossbar->needed;
    packet_plane_schedule(plane, (uint32_t)(crossbar->needed - plane->now), (enum packet_event_kind)crossbar->looks, 0, 0);
}

void packet_crossbar_group(struct packet_crossbar *crossbar, unsigned ports)
{
    for (unsigned output = 0; output < ports; output++)
        crossbar->members[output % groups_of(ports)] |= bit(output);
}

void packet_crossbar_left(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output)
{
    const bool full = (crossbar->full & bit(output)) != 0;
    crossbar->copies[output]--;
    crossbar->full &= ~bit(output);
    look_now(plane, crossbar, full);
}

void packet_crossbar_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
    plane->packets[packet].age = (uint32_t)plane->now;
    plane->packets[packet].heads = 0;
    for (uint64_t outputs = plane->packets[packet].outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        const size_t number = pair(plane, input, output);
        struct packet_places *queue = &crossbar->places[number];
        *place(crossbar, number, queue->head + queue->count) = packet;
        if (queue->count++ == 0)
            lead(plane, crossbar, input, output, packet);
        crossbar->by_output[output] |= bit(input);
    }
    crossbar->by_input[input] |= plane->packets[packet].outputs;
    crossbar->wanted |= plane->packets[packet].outputs;
    crossbar->asking |= bit(input);
    look_now(plane, crossbar, plane->packets[packet].heads != 0);
}

/* The last row of a packet's last copy has passed. */
void packet_crossbar_ended(struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned input,
                           uint32_t number)
{
    const struct packet *packet = &plane->packets[number];
    if (crossbar == &plane->responses && packet->flits == NOTICE_FLITS)
        packet_egress_notice(plane, packet->line, packet->item);
    else if (crossbar == &plane->responses)
        packet_groups_partial(plane, packet);
    packet_plane_free(plane, input, number);
}
