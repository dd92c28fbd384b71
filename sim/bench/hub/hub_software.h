/* SPDX-License-Identifier: Apache-2.0 */
/* What software does to the address path: bring contexts up with random layouts, advance epochs, clear tables; and an
 * operator that sends right and wrong commands into running traffic. */
#ifndef BENCH_HUB_SOFTWARE_H
#define BENCH_HUB_SOFTWARE_H

#include "bench/hub/hub_path.h"
#include "bench/hub/hub_traffic.h"

struct hub_layout {
    uint64_t table_base;
    uint32_t row_limit;
    uint32_t row_size;
    uint32_t capacity; /* of every region; 0: drawn for each */
    uint32_t combine_row_size; /* with two stages; 0: as in dispatch */
};

struct hub_software {
    struct hub_path *path;
    struct hub_traffic *traffic; /* told of new epochs; may be NULL */
    struct random_source random;
    unsigned pace;               /* operator: commands per 1024 cycles, 0: none */
    bool gentle;                 /* operator: leaves enabled contexts enabled */
};

void hub_software_create(struct hub_software *software, struct hub_path *path, struct hub_traffic *traffic, const char *stream);

/* The least row size, and the next base downwards, that the commands take: with two stages multiples of 16 and of 128. */
uint32_t hub_software_size(const struct hub_software *software, uint64_t size);
uint64_t hub_software_base(const struct hub_software *software, uint64_t base);

/* A layout that the parameters allow and whose table fits the context's window. */
struct hub_layout hub_software_layout(struct hub_software *software, unsigned context);

/* DISABLE, wait until nothing is in flight, CONTEXT_SET, peers, regions, with two stages what they have of their own, clear the
 * table, ACKNOWLEDGE_CLEAR, ENABLE. Row sizes and bases are made legal. */
void hub_software_open(struct hub_software *software, unsigned context, const struct hub_layout *layout);
/* DISABLE, then wait until nothing of the context is in flight. */
void hub_software_close(struct hub_software *software, unsigned context);
/* Disabled and quiet: the next epoch, with clear and acknowledge where it is needed. */
void hub_software_advance(struct hub_software *software, unsigned context);
/* Zeroes the context's table in memory. */
void hub_software_clear(struct hub_software *software, unsigned context);

/* A command that must not be refused; otherwise the run ends as a mismatch. */
struct moehub_hub_result hub_software_must(struct hub_software *software, unsigned operation, unsigned context, unsigned index,
                                           uint64_t data0, uint64_t data1);
/* A command that must be refused. */
void hub_software_must_not(struct hub_software *software, unsigned operation, unsigned context, unsigned index, uint64_t data0,
                           uint64_t data1);

/* path->idle; the user is the software. */
void hub_software_operate(void *software);

#endif
