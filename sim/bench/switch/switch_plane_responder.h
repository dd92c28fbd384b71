/* SPDX-License-Identifier: Apache-2.0 */
/* What a GPU answers to the request copies that reach it: a partial a line, now and then a bad one. */
#ifndef BENCH_SWITCH_PLANE_RESPONDER_H
#define BENCH_SWITCH_PLANE_RESPONDER_H

#include "bench/switch/switch_plane_queue.h"
#include "bench/switch/reduction_payload.h"

/* Of 256 partials, so many: */
struct plane_manners {
    unsigned fails;        /* have an error status */
    unsigned other_type;   /* have another element type */
    unsigned other_length; /* have another length */
    unsigned repeats;      /* come twice */
    unsigned silent;       /* never come */
    bool shuffles;         /* lines in any order; else in theirs */
};

struct plane_responder {
    uint16_t own;
    struct plane_manners manners;
    struct random_source random;
};

void plane_responder_create(struct plane_responder *responder, const struct bench *bench, unsigned port);

/* Answers a whole request copy: its partials join the queue. */
void plane_responder_answer(struct plane_responder *responder, const struct made_packet *request, struct plane_queue *responses);

#endif
