/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of random packets that every receiver accepts (rtl/doc/packet.md section 3): who makes packets chooses type, source and
 * ids, and draws the rest here. */
#ifndef BENCH_PACKET_DRAW_H
#define BENCH_PACKET_DRAW_H

#include "kit/random.h"
#include "moehub/packet.h"

#include <stdbool.h>

enum packet_length { LENGTH_ANY, LENGTH_SHORTEST, LENGTH_LONGEST, LENGTHS };

/* What payloads and names are like. */
struct packet_shape {
    enum packet_length length;
    bool compactable;      /* most rows and lines are such as a compact copy can name */
};

/* Any of so many GPUs but one. */
unsigned packet_draw_other(struct random_source *random, unsigned gpus, unsigned one);

/* Inserts an id in its order, if it is not there: a list of so many; how many it has then. */
unsigned packet_insert_target(uint16_t *ids, unsigned count, uint16_t id);

/* The fields of a header that its type has, TYPE, FORMAT, SOURCE, TARGET_COUNT, a response's OFFSET and what packet_draw_names
 * draws excepted: a store, a request for so many lines at most, a partial or result, a close or notify. */
void packet_draw_store(struct random_source *random, const struct packet_shape *shape, struct moehub_header *header);
void packet_draw_request(struct random_source *random, const struct packet_shape *shape, unsigned lines,
                         struct moehub_header *header);
void packet_draw_answer(struct random_source *random, const struct packet_shape *shape, struct moehub_header *header);
void packet_draw_notice(struct random_source *random, struct moehub_header *header);

/* CONTEXT, TAG and ROUND, which mean nothing to a receiver. */
void packet_draw_names(struct random_source *random, struct moehub_header *header);

/* The header, its target flits, and noise: `count` flits in all. */
void packet_fill(const struct moehub_header *header, const uint16_t *ids, unsigned id_count, struct random_source *random,
                 struct moehub_flit *flits, unsigned count);

#endif
