/* SPDX-License-Identifier: Apache-2.0 */
/* Every packet that crosses a link at the switch's pins, as JSON lines, so that anyone can check a run:
 *
 *     {"cycle": 4711, "port": 2, "direction": "in", "class": 0, "bytes": "4200..."}
 *
 * cycle: of its last flit (in: or of the flit after which it was cut short); direction: in (from a GPU) or out; bytes: its
 * flits, byte 0 first. Flits that are outside of a packet are not shown. */
#ifndef BENCH_PACKET_LOG_H
#define BENCH_PACKET_LOG_H

#include "moehub/link.h"

#include <stdio.h>

enum packet_log_direction { PACKET_LOG_IN, PACKET_LOG_OUT, PACKET_LOG_DIRECTIONS };
enum { PACKET_LOG_FLITS = 64 };

struct packet_log_packet {
    struct moehub_flit flits[PACKET_LOG_FLITS];
    unsigned packet_class, count;
};

struct packet_log {
    FILE *file;                                /* NULL: nothing is written */
    struct packet_log_packet *packets[PACKET_LOG_DIRECTIONS]; /* of each port */
};

/* `name` NULL: no log. A file that cannot be opened ends the program with status 2. */
void packet_log_create(struct packet_log *log, const char *name, unsigned ports);
/* False: it could not be written. */
bool packet_log_destroy(struct packet_log *log);

/* A valid flit. */
void packet_log_flit(struct packet_log *log, uint64_t cycle, unsigned port, enum packet_log_direction direction,
                    const struct moehub_link_flit *flit);

#endif
