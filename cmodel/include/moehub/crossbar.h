/* SPDX-License-Identifier: Apache-2.0 */
/* A crossbar of the switch (rtl/doc/plane/crossbar.md): which copies of a packet leave, by which outputs, in which order.
 *
 * It has no cycles: passes, joins and whom an output serves next are the hardware's choices. The caller says which input an
 * output has served; the model says which copy that is, to the bit. Copies of one input at one output leave in the order in
 * which their packets were accepted. Between inputs, and between outputs, there is no order.
 *
 *     moehub_crossbar_accept(&crossbar, input, flits, count);        a packet that the input's receiver has found good
 *     moehub_crossbar_next(&crossbar, input, output, &copy);         what leaves next of this input, by this output
 *     moehub_crossbar_leave(&crossbar, input, output);               it has left
 *     crossbar.waiting == 0                                          all have left
 *
 * One crossbar carries one class: its stores, its requests or its responses. No allocation after create. */
#ifndef MOEHUB_CROSSBAR_H
#define MOEHUB_CROSSBAR_H

#include "moehub/packet.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_CROSSBAR_PORTS_MAX 64
#define MOEHUB_CROSSBAR_PACKETS_MAX 8191
#define MOEHUB_CROSSBAR_FLITS_MAX MOEHUB_RESPONSE_LONGEST

struct moehub_crossbar_config {
    uint32_t ports;              /* 2..64 */
    uint32_t local_expert_bits;  /* 0..8: a target id is GPU << this, or local expert */
    uint32_t packets;            /* 1..8191 that an input holds at a time: those with a copy that has not left */
};

/* A whole packet, in or out. */
struct moehub_crossbar_copy {
    struct moehub_flit flits[MOEHUB_CROSSBAR_FLITS_MAX];
    uint32_t count;
};

/* A packet inside, as it was accepted. */
struct moehub_crossbar_packet {
    struct moehub_crossbar_copy packet;
    uint64_t outputs;                           /* whose copy has not left */
    uint16_t behind[MOEHUB_CROSSBAR_PORTS_MAX]; /* at each of them the input's next packet there */
};

/* The copies of one input at one output, by the places of their packets. */
struct moehub_crossbar_queue {
    uint16_t first, last;
    uint16_t count;
};

struct moehub_crossbar {
    struct moehub_crossbar_config config;
    struct moehub_crossbar_packet *packets;  /* [ports][packets] */
    uint16_t *free_places;                   /* [ports][packets], a stack */
    uint32_t *free_counts;                   /* [ports] */
    uint32_t *records;                       /* [ports] copy records of an input's copies that have not left */
    struct moehub_crossbar_queue *queues;    /* [input][output] */
    uint64_t waiting;                        /* copies that have not left */
};

/* 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_crossbar_create(struct moehub_crossbar *crossbar, const struct moehub_crossbar_config *config);
void moehub_crossbar_destroy(struct moehub_crossbar *crossbar);

/* Drops all that is inside, as a hardware reset does. */
void moehub_crossbar_reset(struct moehub_crossbar *crossbar);

/* The outputs that a whole, well-formed packet of FORMAT 0 has copies for, bit o for output o: the GPUs of its ids; the GPU
 * in OFFSET of a response. */
uint64_t moehub_crossbar_outputs(const struct moehub_crossbar_config *config, const struct moehub_flit *flits);

/* The copy of such a packet for one of its outputs: stores and requests with that output's ids alone and in the format that
 * they call for (rtl/doc/packet.md section 2), responses unchanged. */
void moehub_crossbar_make_copy(const struct moehub_crossbar_config *config, const struct moehub_flit *flits, unsigned output,
                               struct moehub_crossbar_copy *copy);

/* Copy records of that copy: each has up to three ids that follow one another in one flit; a copy without ids has one. */
unsigned moehub_crossbar_copy_records(const struct moehub_crossbar_config *config, const struct moehub_flit *flits,
                                      unsigned output);

/* Takes a packet of `count` flits. The TAG of a request is the one that its copies shall have, {entry, generation}.
 * 0, or, with nothing changed, MOEHUB_E_ARGUMENT (no packet that a receiver accepts has such a length or such outputs) or
 * MOEHUB_E_LIMIT (the input holds `packets` already). */
int moehub_crossbar_accept(struct moehub_crossbar *crossbar, unsigned input, const struct moehub_flit *flits, unsigned count);

/* Copy records of the input's copies that have not left: it has no more in use, as a record is free before its copy leaves. */
unsigned moehub_crossbar_records(const struct moehub_crossbar *crossbar, unsigned input);

/* Copies of this input that have not left by this output. */
unsigned moehub_crossbar_count(const struct moehub_crossbar *crossbar, unsigned input, unsigned output);

/* The next of them. 0, or MOEHUB_E_STATE: there is none. */
int moehub_crossbar_next(const struct moehub_crossbar *crossbar, unsigned input, unsigned output,
                         struct moehub_crossbar_copy *copy);

/* It has left. 0, or MOEHUB_E_STATE: there is none. */
int moehub_crossbar_leave(struct moehub_crossbar *crossbar, unsigned input, unsigned output);

#endif
