/* SPDX-License-Identifier: Apache-2.0 */
/* How many partial flits a reduction buffer accepts per cycle when they never stop coming, and whether results leave
 * without a bubble: one row per number of contributors and order of entries. */
#ifndef BENCH_REDUCTION_THROUGHPUT_H
#define BENCH_REDUCTION_THROUGHPUT_H

#include "bench/switch/reduction_port.h"

/* Measures `cycles` cycles per row, prints the table, compares every event all the while. Returns the exit status:
 * 1 when a row accepts less than 0.99 flits per cycle or a result has a bubble. */
int reduction_throughput_run(struct reduction_port *port, uint64_t cycles);

#endif
