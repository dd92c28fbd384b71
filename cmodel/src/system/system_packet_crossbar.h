/* SPDX-License-Identifier: Apache-2.0 */
/* What the plane's crossbars share: proposals of inputs, turns of outputs, copies that pass. Private to
 * system_packet_crossbar.c, system_packet_copies.c, system_packet_responses.c.
 *
 * rtl/doc/plane/crossbar.md, sections 3 and 4. Cycles here are those in which a copy's first row can have its turn, DECISION
 * after the input's proposal for it. */
#ifndef MOEHUB_SYSTEM_PACKET_CROSSBAR_H
#define MOEHUB_SYSTEM_PACKET_CROSSBAR_H

#include "system/system_packet_waits.h"

enum {
    SPAN_LEAST = 3,    /* of a copy */
    DECISION = 2,
    AGAIN_REFUSED = 2, /* an input that nobody granted proposes again */
    AGAIN_GRANTED = 3, /* the same after a grant */
    OUTPUT_AGAIN = 5   /* from an output's grant to its next one */
};

static inline unsigned lowest(uint64_t ports)
{
    return (unsigned)__builtin_ctzll(ports);
}

/* Heads of an input's pairs: those of a group of outputs beside each other. */
static inline struct packet_head *packet_head_of(struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return &crossbar->heads[(input << crossbar->log2_row) + crossbar->head_place[output]];
}

/* Cycles before an end from which on what follows may be decided. */
static inline uint32_t ahead(const struct packet_crossbar *crossbar)
{
    return crossbar->ahead - (uint32_t)DECISION;
}

/* A look in this cycle, where something may be found or not. */
static inline void look_now(struct packet_plane *plane, struct packet_crossbar *crossbar, bool needed)
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
static inline uint64_t open_outputs(const struct packet_crossbar *crossbar)
{
    return crossbar->wanted & ~crossbar->closed & ~crossbar->full;
}

/* What inputs ask for in a cycle. */
struct proposals {
    uint64_t open;               /* outputs that grant */
    uint64_t seen;               /* the same as inputs see them: an output that has just granted is among them, and refuses */
    uint64_t inputs, outputs;
    uint64_t asking[PORTS_MAX];  /* of each open output */
};

/* Inputs with a packet for an output that they see, which nobody has asked for yet. */
static inline uint64_t inputs_that_ask(const struct packet_plane *plane, const struct packet_crossbar *crossbar,
                                       struct proposals *proposals)
{
    uint64_t inputs = 0;
    proposals->inputs = proposals->outputs = 0;
    proposals->open = open_outputs(crossbar);
    proposals->seen = proposals->open | (crossbar->granted_in + 1 == plane->now ? crossbar->granted : 0);
    for (uint64_t outputs = proposals->seen; outputs != 0; outputs &= outputs - 1) {
        proposals->asking[lowest(outputs)] = 0;
        inputs |= crossbar->by_output[lowest(outputs)];
    }
    return inputs;
}

/* Cycles are compared modulo 2^32. There is one at least. */
static inline struct packet_head *oldest_head(struct packet_crossbar *crossbar, unsigned input, uint64_t outputs)
{
    struct packet_head *oldest = packet_head_of(crossbar, input, lowest(outputs));
    for (outputs &= outputs - 1; outputs != 0; outputs &= outputs - 1) {
        struct packet_head *head = packet_head_of(crossbar, input, lowest(outputs));
        oldest = (int32_t)(head->age - oldest->age) < 0 ? head : oldest;
    }
    return oldest;
}

/* The oldest head of the next group of outputs that has one: outputs modulo the number of groups. */
static inline struct packet_head *choose_head(struct packet_crossbar *crossbar, unsigned input, uint64_t outputs)
{
    unsigned groups = 0;  /* without branches: which one has heads cannot be predicted */
    for (unsigned i = 0; i < crossbar->groups; i++)
        groups |= (unsigned)((outputs & crossbar->members[i]) != 0) << i;
    const unsigned from_turn = groups >> crossbar->group[input] << crossbar->group[input];
    const unsigned group = (unsigned)__builtin_ctz(from_turn != 0 ? from_turn : groups);
    crossbar->group[input] = (uint8_t)(group + 1 == crossbar->groups ? 0 : group + 1);
    return oldest_head(crossbar, input, outputs & crossbar->members[group]);
}

/* ---- grants ---------------------------------------------------------------------------------------------------- */

/* The next one of some inputs; `turn` is an output's. */
static inline unsigned next_in_turn(const struct packet_crossbar *crossbar, uint8_t *turn, uint64_t inputs)
{
    const uint64_t above = inputs & ~(bit(*turn) - 1);
    const unsigned input = lowest(above != 0 ? above : inputs);
    *turn = (uint8_t)(input + 1 == crossbar->ports ? 0 : input + 1);
    return input;
}

/* The proposals have been granted or refused. */
static inline void end_look(const struct packet_plane *plane, struct packet_crossbar *crossbar,
                            const struct proposals *proposals, uint64_t granted)
{
    crossbar->granted = proposals->outputs;
    crossbar->granted_in = plane->now;
    packet_waits_silence(crossbar, granted, plane->now + AGAIN_GRANTED);
    packet_waits_silence(crossbar, proposals->inputs & ~granted, plane->now + AGAIN_REFUSED);
}

/* A pair has nothing more to send. */
static inline void pair_empty(struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    crossbar->by_input[input] &= ~bit(output);
    if (crossbar->by_input[input] == 0)
        crossbar->asking &= ~bit(input);
    crossbar->by_output[output] &= ~bit(input);
    if (crossbar->by_output[output] == 0)
        crossbar->wanted &= ~bit(output);
}

/* A copy of so many rows passes to an output, `wait` at the earliest: the cycle of its first one. */
static inline uint64_t pass_copy(const struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output,
                                 uint64_t wait, uint32_t rows)
{
    const uint64_t start = later(later(plane->now, wait), crossbar->output_end[output]);
    const uint64_t end = start + (rows > SPAN_LEAST ? rows : SPAN_LEAST);
    crossbar->output_end[output] = end;
    packet_waits_close(crossbar, output, later(end - ahead(crossbar), later(start + DECISION, plane->now + OUTPUT_AGAIN)));
    return start;
}

/* ---- system_packet_copies.c, system_packet_responses.c: what a look finds ---- */
void packet_copies_look(struct packet_plane *plane, struct packet_crossbar *crossbar);
void packet_responses_look(struct packet_plane *plane, struct packet_crossbar *crossbar);

#endif
