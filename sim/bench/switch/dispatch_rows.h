/* SPDX-License-Identifier: Apache-2.0 */
/* What GPUs dispatch: the rows of a layer, some in turn, a packet each, each line of a row a packet to the same targets. Routing
 * and placement are the library's. A row whose experts are all at home sends nothing.
 *
 * With `turned` every GPU has the same work: its tokens choose the experts that those of GPU 0 choose, so many GPUs further. */
#ifndef BENCH_DISPATCH_ROWS_H
#define BENCH_DISPATCH_ROWS_H

#include "bench/switch/crossbar_packets.h"
#include "moehub/routing.h"

#include <stddef.h>

struct dispatch_layer {
    uint32_t ports;
    uint32_t local_expert_bits;
    uint32_t experts, topk;
    uint32_t tokens;       /* of a GPU */
    uint32_t lines;        /* of a row, up to 128 */
    uint32_t rows_in_turn; /* of a source; 0, 1: a row's packets, then the next one's */
    uint64_t seed;
    struct moehub_routing routing; /* default: uniform */
    const char *placement; /* file: moehub/placement.h; NULL: in blocks */
    bool turned;           /* experts in blocks of equal size */
};

struct dispatch_row {
    struct crossbar_targets targets;
    uint32_t number;
    uint8_t up;                                        /* flits of a line's packet */
    uint8_t down[MOEHUB_CROSSBAR_PORTS_MAX];           /* flits of its copy at an output; 0: none */
};

struct dispatch_rows {
    struct dispatch_layer layer;
    struct dispatch_row *rows;                         /* [ports][tokens], of a source its first `counts` */
    uint32_t counts[MOEHUB_CROSSBAR_PORTS_MAX];
    uint64_t up[MOEHUB_CROSSBAR_PORTS_MAX];            /* flits that a source sends */
    uint64_t down[MOEHUB_CROSSBAR_PORTS_MAX];          /* flits that an output sends */
    uint64_t copies;
};

/* Without memory, or with a layer that the library refuses, the program ends with status 2 and a sentence. */
void dispatch_rows_create(struct dispatch_rows *rows, const struct dispatch_layer *layer);
void dispatch_rows_destroy(struct dispatch_rows *rows);

/* Packets of a source. */
static inline uint64_t dispatch_rows_packets(const struct dispatch_rows *rows, unsigned source)
{
    return (uint64_t)rows->counts[source] * rows->layer.lines;
}

/* Of `rows` rows of `parts` parts each, `in_turn` of them a part each in turn: the part that comes as number `number`. */
struct dispatch_turn {
    uint64_t row;
    uint32_t part;
};
struct dispatch_turn dispatch_turn(uint64_t rows, uint64_t parts, uint64_t in_turn, uint64_t number);

/* The row of a source's packet number `packet`. */
const struct dispatch_row *dispatch_rows_of(const struct dispatch_rows *rows, unsigned source, uint64_t packet);

/* That packet. */
void dispatch_rows_packet(const struct dispatch_rows *rows, unsigned source, uint64_t packet, struct random_source *random,
                          struct crossbar_packet *built);

/* Cycles that the busiest direction of a link needs for its flits. */
uint64_t dispatch_rows_ideal(const struct dispatch_rows *rows);

/* Pairs of a row and a GPU that it goes to: of the busiest direction of a link, with a packet for each pair. */
uint64_t dispatch_rows_pairs(const struct dispatch_rows *rows);

#endif
