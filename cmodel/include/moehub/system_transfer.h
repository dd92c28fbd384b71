/* SPDX-License-Identifier: Apache-2.0 */
/* Times and rates of transfers from a link's framing. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_TRANSFER_H
#define MOEHUB_SYSTEM_TRANSFER_H

#include "moehub/system_constants.h"

/* What shares the links. */
enum moehub_system_pattern {
    MOEHUB_SYSTEM_DISPATCH_ALONE,
    MOEHUB_SYSTEM_COMBINE_ALONE,
    MOEHUB_SYSTEM_BOTH,
    MOEHUB_SYSTEM_PATTERNS
};

/* Payload bytes a second and direction if a GPU's links carry nothing but full packets. */
double moehub_system_copy_rate(const struct moehub_system_constants *constants);

/* Bytes of the buffer a second of an all-reduce by reduction and multicast in the switch, on `gpus` GPUs (at least 2). */
double moehub_system_allreduce_rate(const struct moehub_system_constants *constants, unsigned gpus);

/* Seconds of an all-reduce of at most 64 KB in the switch. */
double moehub_system_small_allreduce_time(const struct moehub_system_constants *constants, double bytes);

/* Seconds on the link for rows of `row_bytes`, the last packet of each padded; rows per GPU and direction. */
double moehub_system_rows_time(const struct moehub_system_constants *constants, double rows, double row_bytes);

/* The same for rows that multicast packets with target lists carry to the switch, and for the copies that leave it. */
double moehub_system_listed_rows_time(const struct moehub_system_constants *constants, double rows, double row_bytes);
double moehub_system_copies_time(const struct moehub_system_constants *constants, double rows, double row_bytes);

/* Seconds on the link of the requests that ask for a row, at the packets that a request covers. */
double moehub_system_requests_time(const struct moehub_system_constants *constants, double row_bytes);

/* The constant of the hardware's share of the framed link in a pattern. */
enum moehub_system_constant moehub_system_hardware_constant(enum moehub_system_pattern pattern);

#endif
