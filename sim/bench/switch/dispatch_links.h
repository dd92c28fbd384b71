/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that dispatch rows over links into a crossbar's stores: a flit a cycle, as long as there are credits, with half of
 * the loop's latency on either way. */
#ifndef BENCH_DISPATCH_LINKS_H
#define BENCH_DISPATCH_LINKS_H

#include "bench/switch/crossbar_inputs.h"
#include "bench/switch/dispatch_rows.h"

/* What is under way: a packet by its number, or credits. */
struct dispatch_item {
    uint64_t cycle; /* when it is there */
    uint64_t value;
};

struct dispatch_way {
    struct dispatch_item *items; /* a ring of `capacity` */
    uint64_t head, tail;
};

struct dispatch_source {
    struct dispatch_way there, back;
    uint64_t sent;       /* packets */
    uint64_t free_from;  /* cycle: the link has sent the last of them */
    uint32_t credits;
};

/* The links on both sides of the crossbar. */
struct dispatch_link {
    uint32_t loop;       /* cycles: there and the credits back, together */
    uint32_t places;     /* flits that a source may have on the way */
};

struct dispatch_links {
    const struct bench *bench;
    const struct dispatch_rows *rows;
    struct dispatch_link link;
    struct dispatch_source *sources;
    struct random_source random;
};

void dispatch_links_create(struct dispatch_links *links, const struct bench *bench, const struct dispatch_rows *rows,
                           const struct dispatch_link *link);
void dispatch_links_destroy(struct dispatch_links *links);

struct crossbar_stimulus dispatch_links_stimulus(struct dispatch_links *links);

/* Before each cycle of the crossbar. */
void dispatch_links_step(struct dispatch_links *links);

/* Every packet has arrived. */
bool dispatch_links_done(const struct dispatch_links *links);

#endif
