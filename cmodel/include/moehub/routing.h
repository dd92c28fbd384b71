/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic routers: which k different experts a token goes to.
 *
 * uniform     every set of k experts is equally likely.
 * normal:STD  expert e has the share (1 + STD * z_e) / E of the draws, z_e standard normal, drawn once a layer;
 *             STD is the standard deviation relative to the mean share 1/E, 0..1. (The papers' "normal, std 0.032"
 *             names no unit; an absolute 0.032 would be 8 times the mean share of 256 experts, which no
 *             non-negative normal share can have.) Shares are cut at 2^-20 / E from below.
 * zipf:S      the expert of rank r = 1..E has a share proportional to r^-S, 0 <= S <= 8; ranks are a random permutation.
 * group       group-limited top-k of DeepSeek-V3: the experts are cut into `groups` equal runs; a token's score for an
 *             expert is sigmoid(logit); a group counts the sum of its two best scores (its one, where a group has one);
 *             the best k experts of the `groups_kept` best groups are chosen. Logits are independent and logistic
 *             (scores then uniform in 0..1) with no bias: the balanced router that the learned bias aims at.
 * trace:FILE  recorded rows, see trace.h.
 *
 * The first three draw k times from the shares without replacement (a repeated expert is drawn again). */
#ifndef MOEHUB_ROUTING_H
#define MOEHUB_ROUTING_H

#include "moehub/error.h"

#include <stddef.h>
#include <stdint.h>

#define MOEHUB_ROUTING_NORMAL_MAX 1.0
#define MOEHUB_ROUTING_ZIPF_MAX 8.0
#define MOEHUB_ROUTING_NAMES "uniform, normal:STD, zipf:S, group, trace:FILE"

enum moehub_routing_kind {
    MOEHUB_ROUTING_UNIFORM,
    MOEHUB_ROUTING_NORMAL,
    MOEHUB_ROUTING_ZIPF,
    MOEHUB_ROUTING_GROUP,
    MOEHUB_ROUTING_TRACE
};

struct moehub_routing {
    enum moehub_routing_kind kind;
    double parameter;      /* STD of normal, S of zipf */
    unsigned groups;       /* group: number of groups, divides the experts */
    unsigned groups_kept;  /* group: 1..groups; topk experts must fit into them */
    const char *trace;     /* trace: path, not owned */
};

/* Reads "uniform", "normal:0.032", ...; groups are left 0, `trace` points into `text`. 0 or MOEHUB_E_ARGUMENT. */
int moehub_routing_parse(const char *text, struct moehub_routing *routing, struct moehub_message *message);

/* Whether top-k of the experts can be drawn so: parameter and groups in range, top-k not too large. Not for traces.
 * 0, or MOEHUB_E_ARGUMENT with a sentence. */
int moehub_routing_check(const struct moehub_routing *routing, unsigned experts, unsigned topk,
                         struct moehub_message *message);

/* Draws `tokens` rows of `topk` different experts out of `experts` into rows[tokens * topk], best first.
 * The same arguments give the same rows. Not for traces. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY. */
int moehub_routing_draw(const struct moehub_routing *routing, unsigned experts, unsigned topk, size_t tokens,
                        uint64_t seed, uint16_t *rows, struct moehub_message *message);

#endif
