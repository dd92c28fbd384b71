/* SPDX-License-Identifier: Apache-2.0 */
/* Local reduction on a GPU: several pieces of rows become one.
 *
 * pre_reduce sums what the GPU's own targets return for a piece of a row, so that one partial leaves instead of several;
 * the owner of a row adds the network's result and its own partial in the same way.
 *
 * The pieces are summed by moehub_accumulate_add_row() from the empty state and rounded once by moehub_finalize_row() to
 * their own type: any order of them gives the same bits. One piece is a sum of one: -0 becomes +0, and a NaN the canonical
 * one, as in the hub's lanes (rtl/doc/hub/reduce.md section 2). */
#ifndef MOEHUB_PRE_REDUCE_H
#define MOEHUB_PRE_REDUCE_H

#include "moehub/accumulate.h"
#include "moehub/packet.h"
#include "moehub/way.h"

#include <stdbool.h>
#include <stdint.h>

/* pieces[0 .. count-1], count at least 1 and at most the arithmetic's max_contributors, each hold `elements` of type
 * `element` (bf16, fp16 or fp32; uint16_t or uint32_t, any alignment), at most MOEHUB_LENGTH_MAX bytes; so does `sum`,
 * which may be one of them. */
void moehub_pre_reduce(const struct moehub_arithmetic *arithmetic, unsigned element, const void *const *pieces,
                       unsigned count, size_t elements, void *sum);

/* ---- the block ------------------------------------------------------------------------------------------------------------
 * pre_reduce of a way (rtl/doc/hub/reduce.md section 2; RTL: moehub_pre_reduce), in the order of requests, lines and targets,
 * which is the RTL's too: it is told nothing but requests, answers and what memory returned. */

struct moehub_pre_reduce_config {
    uint32_t max_targets;        /* 1..32 */
    uint32_t address_width;      /* 32..64 */
    uint32_t with_fp32;          /* 0, 1 */
    uint32_t own;                /* GPU */
};

struct moehub_pre_reduce_block {
    struct moehub_pre_reduce_config config;
    struct moehub_arithmetic arithmetic;
    uint64_t lines_read, partials, partial_errors, read_errors;  /* events 34, 35, 36, 21 of the way */
};

/* A request with the answers of its targets: none are looked at if it was refused. */
struct moehub_pre_reduce_request {
    struct moehub_way_request asked;
    struct moehub_way_answer answers[MOEHUB_WAY_TARGETS_MAX];
};

/* The read of one target's line. */
struct moehub_line_read {
    uint64_t address;
    unsigned beats;              /* of 32 bytes */
};

/* What was read of a target's line. */
struct moehub_line_data {
    uint8_t bytes[MOEHUB_LINE_BYTES];
    bool error;                  /* RRESP bit 1 of one of its beats */
};

struct moehub_partial_packet {
    struct moehub_flit flits[1 + MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES];
    unsigned count;
    bool read_error;             /* cause READ, with this header */
    struct moehub_flit error_header;
};

/* 0, or MOEHUB_E_ARGUMENT when a parameter is outside of its range. */
int moehub_pre_reduce_init(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_config *config);

/* The status of a request whose answers are there; not OK: nothing is read, and each line has that status. */
unsigned moehub_pre_reduce_status(const struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request);

/* Lines of a request: one partial each. */
unsigned moehub_pre_reduce_lines(const struct moehub_pre_reduce_request *request);

/* Whether the request's last partial is told to the way: it is in flight. */
bool moehub_pre_reduce_counts(const struct moehub_pre_reduce_request *request);

/* A line of a target is read: counts it. */
void moehub_pre_reduce_read(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request,
                            unsigned line, unsigned target, struct moehub_line_read *read);

/* The partial of a line; `data`: of its targets in order, not looked at if the request has a status. Counts it. */
void moehub_pre_reduce_partial(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request,
                               unsigned line, const struct moehub_line_data *data, struct moehub_partial_packet *packet);

#endif
