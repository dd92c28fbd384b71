/* SPDX-License-Identifier: Apache-2.0 */
/* Every packet that crosses a link at the switch's pins, as JSON lines, so that anyone can check a run:
 *
 *     {"cycle": 4711, "port": 2, "direction": "in", "class": 0, "bytes": "4200..."}
 *
 * cycle: of its last flit (in: or of the flit after which it was cut short); direction: in (from a GPU) or out; bytes: its
 * flits, byte 0 first. Flits that are outside of a packet are not shown. */
#ifndef BENCH_SWITCH_PLANE_LOG_H
#define BENCH_SWITCH_PLANE_LOG_H

#include "moehub/link.h"

#include <stdio.h>

enum plane_log_direction { PLANE_LOG_IN, PLANE_LOG_OUT, PLANE_LOG_DIRECTIONS };
enum { PLANE_LOG_FLITS = 64 };

struct plane_log_packet {
    struct moehub_flit flits[PLANE_LOG_FLITS];
    unsigned packet_class, count;
};

struct plane_log {
    FILE *file;                                /* NULL: nothing is written */
    struct plane_log_packet *packets[PLANE_LOG_DIRECTIONS]; /* of each port */
};

/* `name` NULL: no log. A file that cannot be opened ends the program with status 2. */
void plane_log_create(struct plane_log *log, const char *name, unsigned ports);
/* False: it could not be written. */
bool plane_log_destroy(struct plane_log *log);

/* A valid flit. */
void plane_log_flit(struct plane_log *log, uint64_t cycle, unsigned port, enum plane_log_direction direction,
                    const struct moehub_link_flit *flit);

#endif
