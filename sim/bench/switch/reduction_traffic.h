/* SPDX-License-Identifier: Apache-2.0 */
/* Random traffic into one reduction buffer: legal and refused reservations, partials in any order over entries and ports,
 * every kind of wrong partial, commands. How wild it is changes every few thousand cycles (enum reduction_order,
 * struct reduction_mood).
 *
 * It never sends what no network can: a partial whose generation the entry has not reached yet. */
#ifndef BENCH_REDUCTION_TRAFFIC_H
#define BENCH_REDUCTION_TRAFFIC_H

#include "bench/switch/reduction_payload.h"
#include "bench/switch/reduction_stimulus.h"
#include "kit/random.h"

/* Which entry's partial is next. */
enum reduction_order {
    ORDER_RANDOM,
    ORDER_SAME,      /* one entry until it is complete: back to back read-modify-write of one word */
    ORDER_ALTERNATE, /* two entries in turn */
    ORDER_OLDEST,    /* as reserved */
    ORDERS
};

/* What the traffic is like for some time. */
struct reduction_mood {
    enum reduction_order order;
    enum reduction_payload payload;
    uint32_t wrong_requests;    /* of 1024 */
    uint32_t wrong_partials;    /* of 1024 */
    uint32_t gaps;              /* of 1024: a partial stream that pauses */
    unsigned contributors;      /* most ports of a set */
    bool one_flit;              /* short partials only */
    bool full_length;           /* longest partials only */
    bool starve;                /* every fourth line gets no partials */
    bool slow_copies;           /* `released` comes late, often after the results */
    bool plain;                 /* bf16 in and out, exactly `contributors` ports: for measurements */
    bool commands;
};

/* What the sender of the partials knows of a group. */
struct reduction_traffic_group {
    uint64_t release_at;  /* call of next_released from which on its copies may have left */
    uint8_t generation;   /* of the present or last use */
    bool used;
    bool in_use;          /* granted, and not freed */
    bool copied;          /* its copies have not left */
};

/* What the sender of the partials knows of a line. */
struct reduction_job {
    uint64_t contributors;
    uint64_t missing;
    uint64_t number;      /* of the reservation, for ORDER_OLDEST */
    uint32_t place;       /* in the list of open entries, while open */
    uint16_t length;
    uint8_t element;
    bool open;            /* ports are missing */
    uint8_t payload;      /* enum reduction_payload */
    bool has_earlier;
    uint8_t earlier[MOEHUB_REDUCTION_PAYLOAD_MAX];
};

enum { REDUCTION_PAST = 64 };

struct reduction_traffic {
    struct moehub_reduction_buffer_config config;
    struct random_source random;
    struct reduction_mood mood;
    uint32_t mood_left;             /* calls until the next mood */
    struct reduction_job *jobs;
    struct reduction_traffic_group *groups;
    uint32_t *open;                 /* entries with missing ports */
    uint32_t open_count;
    uint32_t favourite;             /* entry that ORDER_SAME stays with */
    uint64_t turn;
    uint64_t reservations;
    struct moehub_reduction_partial past[REDUCTION_PAST]; /* sent some time ago: to be sent again */
    uint32_t past_count;
    uint32_t resume_in;             /* calls until a drain is ended */
    uint32_t timeout_off_in;        /* calls until timeouts are switched off */
    uint64_t release_calls;         /* of next_released */
    uint64_t requests_left;         /* reservations still to be made */
    bool timeouts;                  /* a timeout is set */
    bool ending;                    /* no reservations, no commands, no wrong partials: complete what is open */
    bool calm;                      /* the first mood stays, no commands: for measurements and directed tests */
};

void reduction_traffic_create(struct reduction_traffic *traffic, const struct moehub_reduction_buffer_config *config,
                              uint64_t seed, const char *name);
void reduction_traffic_destroy(struct reduction_traffic *traffic);

/* The stimulus that it is. */
struct reduction_stimulus reduction_traffic_stimulus(struct reduction_traffic *traffic);

/* A legal reservation in the present mood. */
void reduction_traffic_legal_reserve(struct reduction_traffic *traffic, struct moehub_reduction_reserve *reserve);

/* From now on only complete what is open. */
void reduction_traffic_end(struct reduction_traffic *traffic);
static inline bool reduction_traffic_is_done(const struct reduction_traffic *traffic)
{
    return traffic->ending && traffic->open_count == 0;
}

#endif
