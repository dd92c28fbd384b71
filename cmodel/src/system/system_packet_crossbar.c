/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

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

static uint64_t bit(unsigned port)
{
    return UINT64_C(1) << port;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct packet_ring *queue(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return &crossbar->queues[input * plane->rows->ports + output];
}

/* The first packet of a pair's queue, which is not empty. */
static void load_head(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    const uint32_t packet = packet_ring_first(queue(plane, crossbar, input, output));
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
static uint64_t open_outputs(const struct packet_plane *plane, const struct packet_crossbar *crossbar)
{
    uint64_t open = 0;
    for (uint64_t left = crossbar->wanted; left != 0; left &= left - 1) {
        const unsigned output = (unsigned)__builtin_ctzll(left);
        if (crossbar->opens[output] <= plane->now && (crossbar->slots == 0 || plane->ports[output].copies < crossbar->slots))
            open |= left & -left;
    }
    return open;
}

/* Of outputs for which the input has packets those whose head it is. */
static uint64_t with_head(const struct packet_crossbar *crossbar, unsigned input, uint32_t packet, uint64_t outputs)
{
    uint64_t found = 0;
    for (uint64_t left = outputs; left != 0; left &= left - 1)
        found |= crossbar->heads[input][__builtin_ctzll(left)].packet == packet ? left & -left : 0;
    return found;
}

static unsigned groups_of(unsigned ports)
{
    return (ports + GROUP_OUTPUTS - 1) / GROUP_OUTPUTS;
}

/* Cycles are compared modulo 2^32. */
static uint32_t oldest_head(const struct packet_crossbar *crossbar, unsigned input, uint64_t outputs)
{
    struct packet_head oldest = {NOTHING, 0};
    for (; outputs != 0; outputs &= outputs - 1) {
        const struct packet_head head = crossbar->heads[input][__builtin_ctzll(outputs)];
        if (oldest.packet == NOTHING || (int32_t)(head.age - oldest.age) < 0)
            oldest = head;
    }
    return oldest.packet;
}

/* The oldest head of the next group of outputs that has one: outputs modulo the number of groups. */
static uint32_t choose(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint64_t outputs)
{
    const unsigned groups = groups_of(plane->rows->ports);
    uint32_t oldest = NOTHING;
    for (unsigned i = 0; i < groups && oldest == NOTHING; i++) {
        const unsigned group = (crossbar->group[input] + i) % groups;
        oldest = oldest_head(crossbar, input, outputs & crossbar->members[group]);
        if (oldest != NOTHING)
            crossbar->group[input] = (uint8_t)((group + 1) % groups);
    }
    return oldest;
}

/* What inputs ask for in a cycle. */
struct proposals {
    uint64_t inputs, outputs;
    uint64_t asking[PORTS_MAX];  /* of each of those outputs */
    uint32_t packet[PORTS_MAX];  /* of each input */
    uint64_t wait[PORTS_MAX];    /* cycle before which its rows do not come */
    uint64_t begin;              /* inputs that begin a pass */
};

/* Outputs of its pass's packet. */
static uint64_t join(const struct packet_crossbar *crossbar, unsigned input, uint64_t outputs, uint64_t cycle)
{
    const uint32_t packet = crossbar->pass[input];
    if (!crossbar->joins || packet == NOTHING || cycle > crossbar->pass_end[input])
        return 0;
    return with_head(crossbar, input, packet, outputs);
}

static void propose(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint64_t open,
                    struct proposals *proposals)
{
    const uint64_t outputs = open & crossbar->by_input[input];
    if (crossbar->may_propose[input] > plane->now)
        return;
    uint64_t asked = join(crossbar, input, outputs, plane->now);
    proposals->packet[input] = crossbar->pass[input];
    proposals->wait[input] = crossbar->pass_start[input];
    if (asked == 0) {
        if (crossbar->may_begin[input] > plane->now)
            return;
        proposals->packet[input] = choose(plane, crossbar, input, outputs);
        proposals->wait[input] = crossbar->pass_end[input];
        proposals->begin |= bit(input);
        asked = with_head(crossbar, input, proposals->packet[input], outputs);
    }
    proposals->inputs |= bit(input);
    for (uint64_t left = asked; left != 0; left &= left - 1) {
        uint64_t *asking = &proposals->asking[__builtin_ctzll(left)];
        *asking = ((proposals->outputs & left & -left) != 0 ? *asking : 0) | bit(input);
    }
    proposals->outputs |= asked;
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
    crossbar->output_end[output] = end;
    crossbar->opens[output] = later(end - ahead(plane), later(start + DECISION, plane->now + OUTPUT_AGAIN));
    crossbar->pass_end[input] = later(crossbar->pass_end[input], end);
    crossbar->pass_start[input] = sooner(crossbar->pass_start[input], start);
    plane->result->events++;
    if (packet->packet_class != STORE)
        return;
    plane->ports[output].copies++;
    packet_plane_schedule(plane, (uint32_t)(start - plane->now), COPIED, output, packet->row << LINE_BITS | packet->line);
}

/* After the grants of a proposal: when the input may ask again; the packet ends with its last copy. */
static void end_proposal(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, bool granted)
{
    crossbar->may_propose[input] = plane->now + (granted ? AGAIN_GRANTED : AGAIN_REFUSED);
    if (!granted)
        return;
    const uint32_t number = crossbar->pass[input];
    const uint64_t start = crossbar->pass_start[input], end = crossbar->pass_end[input];
    crossbar->may_begin[input] = later(end - ahead(plane), start + SPAN_LEAST);
    if (plane->packets[number].outputs != 0)
        return;
    crossbar->pass[input] = NOTHING;
    packet_plane_schedule(plane, (uint32_t)((crossbar->joins ? end : start + plane->packets[number].flits) - plane->now),
                          (enum packet_event_kind)crossbar->ended, input, number);
}

/* In turn of the inputs. */
static unsigned next_in_turn(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output, uint64_t inputs)
{
    const uint64_t above = inputs & ~(bit(crossbar->turn[output]) - 1);
    const unsigned input = (unsigned)__builtin_ctzll(above != 0 ? above : inputs);
    crossbar->turn[output] = (uint8_t)((input + 1) % plane->rows->ports);
    return input;
}

static void grant_all(struct packet_plane *plane, struct packet_crossbar *crossbar, const struct proposals *proposals)
{
    uint64_t granted = 0;
    for (uint64_t outputs = proposals->outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = (unsigned)__builtin_ctzll(outputs);
        const unsigned input = next_in_turn(plane, crossbar, output, proposals->asking[output]);
        if ((proposals->begin & ~granted & bit(input)) != 0) {
            crossbar->pass[input] = proposals->packet[input];
            crossbar->pass_start[input] = UINT64_MAX;
        }
        granted |= bit(input);
        grant(plane, crossbar, input, output, proposals->wait[input]);
    }
    for (uint64_t inputs = proposals->inputs; inputs != 0; inputs &= inputs - 1) {
        const unsigned input = (unsigned)__builtin_ctzll(inputs);
        end_proposal(plane, crossbar, input, (granted & bit(input)) != 0);
    }
}

/* ---- when ------------------------------------------------------------------------------------------------------ */

/* The next cycle in which an input may propose for outputs that are open. */
static uint64_t next_proposal(const struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned input,
                              uint64_t outputs)
{
    const uint64_t again = later(crossbar->may_propose[input], plane->now + 1);
    if (crossbar->may_begin[input] <= again || join(crossbar, input, outputs, again) != 0)
        return again;
    return crossbar->may_begin[input];
}

/* The next cycle in which somebody may propose something else. */
static void look_again(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    uint64_t next = UINT64_MAX, open = 0, inputs = 0;
    for (uint64_t left = crossbar->wanted; left != 0; left &= left - 1) {
        const unsigned output = (unsigned)__builtin_ctzll(left);
        if (crossbar->opens[output] > plane->now) {
            next = sooner(next, crossbar->opens[output]);
        } else if (crossbar->slots == 0 || plane->ports[output].copies < crossbar->slots) {
            open |= left & -left;
            inputs |= crossbar->by_output[output];
        }
    }
    for (; inputs != 0; inputs &= inputs - 1) {
        const unsigned input = (unsigned)__builtin_ctzll(inputs);
        next = sooner(next, next_proposal(plane, crossbar, input, crossbar->by_input[input] & open));
    }
    if (next != UINT64_MAX)
        look_at(plane, crossbar, next);
}

void packet_crossbar_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    struct proposals proposals;
    if (crossbar->look != plane->now)
        return;
    crossbar->look = UINT64_MAX;
    proposals.inputs = proposals.outputs = proposals.begin = 0;
    uint64_t inputs = 0;
    const uint64_t open = open_outputs(plane, crossbar);
    for (uint64_t left = open; left != 0; left &= left - 1)
        inputs |= crossbar->by_output[__builtin_ctzll(left)];
    for (; inputs != 0; inputs &= inputs - 1)
        propose(plane, crossbar, (unsigned)__builtin_ctzll(inputs), open, &proposals);
    grant_all(plane, crossbar, &proposals);
    look_again(plane, crossbar);
}

void packet_crossbar_group(struct packet_crossbar *crossbar, unsigned ports)
{
    for (unsigned output = 0; output < ports; output++)
        crossbar->members[output % groups_of(ports)] |= bit(output);
}

void packet_crossbar_try(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    look_at(plane, crossbar, plane->now);
}

void packet_crossbar_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
    plane->packets[packet].age = (uint32_t)plane->now;
    for (uint64_t outputs = plane->packets[packet].outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = (unsigned)__builtin_ctzll(outputs);
        struct packet_ring *ring = queue(plane, crossbar, input, output);
        packet_ring_add(ring, packet);
        if (ring->count == 1)
            load_head(plane, crossbar, input, output);
        crossbar->by_input[input] |= bit(output);
        crossbar->by_output[output] |= bit(input);
        crossbar->wanted |= bit(output);
    }
    packet_crossbar_try(plane, crossbar);
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
