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

static struct packet_ring *queue(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return &crossbar->queues[input * plane->rows->ports + output];
}

/* The first packet of a pair's queue, which is not empty. */
static void load_head(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    const uint32_t packet = packet_ring_first(queue(plane, crossbar, input, output));
    plane->packets[packet].heads |= bit(output);
    crossbar->heads[input][output] = (struct packet_head){packet, plane->packets[packet].age};
}

/* Cycles before an end from which on what follows may be decided. */
static uint32_t ahead(const struct packet_plane *plane)
{
    return plane->ahead - DECISION;
}

/* A look at a cycle, if there is none before it. */
static void look_at(struct packet_plane *plane, struct packet_crossbar *crossbar, uint64_t cycle)
{
    if (crossbar->look <= cycle)
        return;
    crossbar->look = cycle;
    packet_plane_schedule(plane, (uint32_t)(cycle - plane->now), (enum packet_event_kind)crossbar->looks, 0, 0);
}

/* ---- proposals ------------------------------------------------------------------------------------------------- */

/* Outputs that somebody has a packet for, and that will take one. */
static uint64_t open_outputs(const struct packet_crossbar *crossbar)
{
    return crossbar->wanted & ~crossbar->closed & ~crossbar->full;
}

/* Inputs with a packet for some of the outputs, and those of them whose pass it could join. */
struct askers {
    uint64_t any, joining;
};

static struct askers askers_of(const struct packet_crossbar *crossbar, uint64_t outputs)
{
    struct askers askers = {0, 0};
    for (; outputs != 0; outputs &= outputs - 1) {
        askers.any |= crossbar->by_output[lowest(outputs)];
        askers.joining |= crossbar->joining[lowest(outputs)];
    }
    return askers;
}

/* An input that may not begin a pass yet is in one, which can be joined. */
static uint64_t proposing(struct askers askers, uint64_t silent, uint64_t reading)
{
    return ~silent & (askers.joining | (askers.any & ~reading));
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
    uint64_t asking[PORTS_MAX];  /* of each of those outputs */
    uint32_t packet[PORTS_MAX];  /* of each input */
    uint64_t wait[PORTS_MAX];    /* cycle before which its rows do not come */
    uint64_t begin;              /* inputs that begin a pass */
};

/* A pass that lasts is joined by outputs whose head its packet is. */
static uint64_t join(const struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned input, uint64_t open)
{
    const uint32_t packet = crossbar->pass[input];
    if (!crossbar->joins || packet == NOTHING || plane->now > crossbar->pass_end[input])
        return 0;
    return plane->packets[packet].heads & open;
}

static void ask(struct proposals *proposals, unsigned input, uint64_t outputs)
{
    for (uint64_t left = outputs & proposals->outputs; left != 0; left &= left - 1)
        proposals->asking[lowest(left)] |= bit(input);
    for (uint64_t left = outputs & ~proposals->outputs; left != 0; left &= left - 1)
        proposals->asking[lowest(left)] = bit(input);
    proposals->outputs |= outputs;
}

static void propose(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint64_t open,
                    struct proposals *proposals)
{
    uint64_t asked = join(plane, crossbar, input, open);
    uint32_t packet = crossbar->pass[input];
    proposals->wait[input] = crossbar->pass_start[input];
    if (asked == 0) {
        packet = choose(plane, crossbar, input, open & crossbar->by_input[input]);
        proposals->wait[input] = crossbar->pass_end[input];
        proposals->begin |= bit(input);
        plane->early += plane->now < crossbar->may_begin[input];
        asked = plane->packets[packet].heads & open;
    }
    proposals->packet[input] = packet;
    proposals->inputs |= bit(input);
    ask(proposals, input, asked);
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
    struct packet_ring *ring = queue(plane, crossbar, input, output);
    struct packet *packet = &plane->packets[packet_ring_take(ring)];
    const uint64_t start = later(later(plane->now, wait), crossbar->output_end[output]), end = start + span(packet);
    if (ring->count == 0) {
        crossbar->by_input[input] &= ~bit(output);
        crossbar->by_output[output] &= ~bit(input);
        if (crossbar->by_output[output] == 0)
            crossbar->wanted &= ~bit(output);
    } else {
        load_head(plane, crossbar, input, output);
    }
    packet->outputs &= ~bit(output);
    packet->heads &= ~bit(output);
    crossbar->joining[output] &= ~bit(input);
    crossbar->output_end[output] = end;
    packet_waits_close(crossbar, output, later(end - ahead(plane), later(start + DECISION, plane->now + OUTPUT_AGAIN)));
    crossbar->pass_end[input] = later(crossbar->pass_end[input], end);
    crossbar->pass_start[input] = sooner(crossbar->pass_start[input], start);
    plane->result->events++;
    if (packet->packet_class != STORE)
        return;
    if (++crossbar->copies[output] == crossbar->slots)
        crossbar->full |= bit(output);
    packet_plane_schedule(plane, (uint32_t)(start - plane->now), COPIED, output, packet->row << LINE_BITS | packet->line);
}

/* After the grants of a proposal: when the input may ask again; the packet ends with its last copy. */
static void end_proposal(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, bool granted)
{
    packet_waits_silence(crossbar, input, plane->now + (granted ? AGAIN_GRANTED : AGAIN_REFUSED));
    if (!granted)
        return;
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
    const uint32_t before = crossbar->pass[input];
    crossbar->pass[input] = packet;
    crossbar->pass_start[input] = UINT64_MAX;
    if (!crossbar->joins)
        return;
    for (uint64_t left = before == NOTHING ? 0 : plane->packets[before].heads; left != 0; left &= left - 1)
        crossbar->joining[lowest(left)] &= ~bit(input);
    for (uint64_t left = plane->packets[packet].heads; left != 0; left &= left - 1)
        crossbar->joining[lowest(left)] |= bit(input);
}

static void grant_all(struct packet_plane *plane, struct packet_crossbar *crossbar, const struct proposals *proposals)
{
    uint64_t granted = 0;
    for (uint64_t outputs = proposals->outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        const unsigned input = next_in_turn(plane, crossbar, output, proposals->asking[output]);
        if ((proposals->begin & ~granted & bit(input)) != 0)
            begin_pass(plane, crossbar, input, proposals->packet[input]);
        granted |= bit(input);
        grant(plane, crossbar, input, output, proposals->wait[input]);
    }
    for (uint64_t inputs = proposals->inputs; inputs != 0; inputs &= inputs - 1) {
        const unsigned input = lowest(inputs);
        end_proposal(plane, crossbar, input, (granted & bit(input)) != 0);
    }
}

/* ---- when ------------------------------------------------------------------------------------------------------ */

/* The next cycle in which somebody may propose something else, UINT64_MAX: none. */
static uint64_t next_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    const struct askers askers = askers_of(crossbar, open_outputs(crossbar));
    uint64_t silent = crossbar->silent, reading = crossbar->reading;
    if (askers.any == 0 && (crossbar->wanted & crossbar->closed) == 0)
        return UINT64_MAX;
    for (uint64_t cycle = plane->now + 1;; cycle++) {
        const struct packet_due *due = packet_due_at(crossbar, cycle);
        silent &= ~due->proposals;
        reading &= ~due->passes;
        if ((due->outputs & crossbar->wanted) != 0 || proposing(askers, silent, reading) != 0)
            return cycle;
    }
}

void packet_crossbar_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    struct proposals proposals;
    if (crossbar->look != plane->now)
        return;
    packet_waits_end(crossbar, plane->now);
    proposals.inputs = proposals.outputs = proposals.begin = 0;
    const uint64_t open = open_outputs(crossbar);
    uint64_t inputs = proposing(askers_of(crossbar, open), crossbar->silent, crossbar->reading);
    for (; inputs != 0; inputs &= inputs - 1)
        propose(plane, crossbar, lowest(inputs), open, &proposals);
    grant_all(plane, crossbar, &proposals);
    crossbar->look = UINT64_MAX;
    const uint64_t next = next_look(plane, crossbar);
    if (next != UINT64_MAX)
        look_at(plane, crossbar, next);
}

void packet_crossbar_group(struct packet_crossbar *crossbar, unsigned ports)
{
    for (unsigned output = 0; output < ports; output++)
        crossbar->members[output % groups_of(ports)] |= bit(output);
}

void packet_crossbar_left(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output)
{
    crossbar->copies[output]--;
    crossbar->full &= ~bit(output);
    look_at(plane, crossbar, plane->now);
}

void packet_crossbar_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
    plane->packets[packet].age = (uint32_t)plane->now;
    plane->packets[packet].heads = 0;
    for (uint64_t outputs = plane->packets[packet].outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        struct packet_ring *ring = queue(plane, crossbar, input, output);
        packet_ring_add(ring, packet);
        if (ring->count == 1)
            load_head(plane, crossbar, input, output);
        crossbar->by_input[input] |= bit(output);
        crossbar->by_output[output] |= bit(input);
        crossbar->wanted |= bit(output);
    }
    look_at(plane, crossbar, plane->now);
}

/* The last row of a packet's last copy has passed. */
void packet_crossbar_ended(struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned input,
                           uint32_t number)
{
    const struct packet *packet = &plane->packets[number];
    if (crossbar == &plane->responses && packet->flits == NOTICE_FLITS)
        packet_egress_notice(plane, packet->tag, packet->item);
    else if (crossbar == &plane->responses)
        packet_groups_partial(plane, packet);
    packet_plane_free(plane, input, number);
}
