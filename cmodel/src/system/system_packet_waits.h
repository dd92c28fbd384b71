/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of a crossbar's ports: sets of those that wait, and for each cycle to come the set of those whose wait ends then. Private
 * to system_packet_crossbar.c.
 *
 * A wait is shorter than CYCLES_AHEAD: what is decided is decided `ahead` (9 at most) cycles early, and a copy has no more rows
 * than a response has flits. */
#ifndef MOEHUB_SYSTEM_PACKET_WAITS_H
#define MOEHUB_SYSTEM_PACKET_WAITS_H

#include "system/system_packet_state.h"

static inline uint64_t bit(unsigned port)
{
    return UINT64_C(1) << port;
}

static inline struct packet_due *packet_due_at(struct packet_crossbar *crossbar, uint64_t cycle)
{
    return &crossbar->due[cycle % CYCLES_AHEAD];
}

/* Waits that have ended by now. */
static inline void packet_waits_end(struct packet_crossbar *crossbar, uint64_t now)
{
    const uint64_t cycles = now - crossbar->seen;
    for (uint64_t i = 0; i < cycles && i < CYCLES_AHEAD; i++) {
        struct packet_due *due = packet_due_at(crossbar, now - i);
        crossbar->closed &= ~due->outputs;
        crossbar->silent &= ~due->proposals;
        crossbar->reading &= ~due->passes;
        *due = (struct packet_due){0};
    }
    crossbar->seen = now;
}

/* An output grants nothing before a cycle to come. */
static inline void packet_waits_close(struct packet_crossbar *crossbar, unsigned output, uint64_t cycle)
{
    crossbar->closed |= bit(output);
    packet_due_at(crossbar, cycle)->outputs |= bit(output);
}

/* Inputs propose nothing before a cycle to come. */
static inline void packet_waits_silence(struct packet_crossbar *crossbar, uint64_t inputs, uint64_t cycle)
{
    crossbar->silent |= inputs;
    packet_due_at(crossbar, cycle)->proposals |= inputs;
}

/* An input begins no pass before a cycle to come; a pass that is joined may last longer than was thought. */
static inline void packet_waits_read(struct packet_crossbar *crossbar, unsigned input, uint64_t cycle)
{
    packet_due_at(crossbar, crossbar->may_begin[input])->passes &= ~bit(input);
    crossbar->may_begin[input] = cycle;
    crossbar->reading |= bit(input);
    packet_due_at(crossbar, cycle)->passes |= bit(input);
}

#endif
