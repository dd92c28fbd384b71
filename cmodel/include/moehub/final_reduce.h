/* SPDX-License-Identifier: Apache-2.0 */
/* final_reduce of a link: adds the network's result and the own partial of a line (rtl/doc/hub/reduce.md section 3; RTL:
 * moehub_final_reduce, moehub_own_partials).
 *
 * It is a reduction buffer of three ports; this header says how its groups, parts and results are those of a hub. Stepped in
 * the order in which the buffer accepts: reservation, first flit of a part, timeout, result taken, group freed. What is not
 * here is done with the buffer itself: timeouts, freed groups, commands, counters. */
#ifndef MOEHUB_FINAL_REDUCE_H
#define MOEHUB_FINAL_REDUCE_H

#include "moehub/packet.h"
#include "moehub/reduction_buffer.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_FINAL_REDUCE_NETWORK 0    /* ports: the network's result, the own partial */
#define MOEHUB_FINAL_REDUCE_OWN 1
#define MOEHUB_FINAL_REDUCE_TAG_WIDTH 27

struct moehub_final_reduce_config {
    uint32_t final_groups;       /* 1..4096 / request_lines */
    uint32_t request_lines;      /* 1, 2, 4, 8 */
    uint32_t with_fp32;          /* 0, 1 */
    uint32_t own;                /* GPU */
};

struct moehub_final_reduce {
    struct moehub_final_reduce_config config;
    struct moehub_reduction_buffer buffer;
};

/* What reduce_request asks a link's final_reduce for: a group of lines. */
struct moehub_reduce_reservation {
    uint32_t tag;                /* of the reduce: 24 bits */
    uint16_t length;             /* bytes of the last line */
    uint8_t context;             /* 3 bits */
    uint8_t element;
    uint8_t lines_less_1;
    uint8_t contributors;        /* bit 0: the network, bit 1: the own experts */
};

/* A line's part as a final_reduce takes it: a flit of data each, at least one. */
struct moehub_line_part {
    struct moehub_flit data[MOEHUB_RESPONSE_LONGEST - 1];
    unsigned flits;
    uint16_t entry;
    uint16_t length;
    uint8_t generation;
    uint8_t status;
    uint8_t element;
};

/* What a packet of `reduced` carries. */
struct moehub_reduced {
    struct moehub_flit data[MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES];
    unsigned flits;
    uint32_t tag;                /* of the reduce */
    uint16_t length;
    uint8_t context;
    uint8_t line;                /* of the reduce: 0 is its first */
    uint8_t status;
    uint8_t element;
};

/* 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_final_reduce_create(struct moehub_final_reduce *final, const struct moehub_final_reduce_config *config);
void moehub_final_reduce_destroy(struct moehub_final_reduce *final);

/* An accepted reservation. 0, or MOEHUB_E_STATE when no group is free. */
int moehub_final_reduce_reserve(struct moehub_final_reduce *final, const struct moehub_reduce_reservation *reservation,
                                struct moehub_reduction_grant *grant);

/* The part that a way makes of a result packet: count flits with its header, 1..17. */
void moehub_result_part(const struct moehub_flit *flits, unsigned count, struct moehub_line_part *part);

/* The part that a partial packet of the loop-back's pre_reduce is; returns the link whose final_reduce takes it: 0..3. One that
 * the hub has not takes nothing. */
unsigned moehub_own_part(const struct moehub_flit *flits, unsigned count, struct moehub_line_part *part);

/* The first flit of a part is accepted from port MOEHUB_FINAL_REDUCE_*: its MOEHUB_REDUCTION_CAUSE_*, or .._NO_CAUSE. */
unsigned moehub_final_reduce_part(struct moehub_final_reduce *final, unsigned port, const struct moehub_line_part *part);

/* The last flit of an entry's result was taken. 0 or MOEHUB_E_STATE (none). */
int moehub_final_reduce_taken(struct moehub_final_reduce *final, unsigned entry, struct moehub_reduced *reduced);

/* A packet of `reduced` to tuser: 45 bits. */
uint64_t moehub_reduced_user(const struct moehub_reduced *reduced);
/* Its fields from tuser; flits and data stay. */
void moehub_reduced_read_user(uint64_t user, struct moehub_reduced *reduced);

#endif
