/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput of a reduction buffer inside a network: requests never stop, and each port's partial arrives one round trip
 * after the grant, plus a skew drawn from 0 .. `skew` for each responder. The buffer's one partial stream takes them in
 * order of arrival. With too few entries requests wait, and the stream runs dry. */
#ifndef BENCH_REDUCTION_ROUND_TRIP_H
#define BENCH_REDUCTION_ROUND_TRIP_H

#include "bench/switch/reduction_port.h"

struct round_trip_options {
    unsigned entries;    /* of the buffer's own, this many are used: what a smaller buffer would reach; 0: all */
    unsigned fan_out;    /* partials per result */
    uint64_t round_trip; /* cycles from grant to the first moment at which a partial can arrive */
    uint64_t skew;       /* cycles, the most that a responder is later */
    uint64_t cycles;     /* measured, after a warm-up of two round trips with skew and of two fillings */
};

/* Prints and notes partial flits and results per cycle; every event is compared all the while. Returns the exit status. */
int reduction_round_trip_run(struct reduction_port *port, const struct round_trip_options *options);

#endif
