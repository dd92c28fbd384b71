/* SPDX-License-Identifier: Apache-2.0 */
/* An ideal switch plane: output queues without end, and the entries of the reduction buffers. It has the links, credits,
 * places, groups and the order of classes of a real one, and no crossbar and no pipeline:
 *
 *   - a packet whose last flit has arrived is at all its outputs at once, and its places are free;
 *   - a request takes a group of its port, or waits in its order for one; its copies are at their outputs at once;
 *   - a reduction buffer takes a flit a cycle, from a queue without end; a line whose last partial it has taken is a result
 *     at its output at once; a group is free when the last of its lines' results has left;
 *   - an output sends one flit a cycle, packet by packet, the classes in the order of rtl/doc/plane/switch.md section 3;
 *   - a GPU answers at once, its classes take turns at its link, and it takes all that comes.
 *
 * With stores alone it is ideal output queues: what no switch does better. */
#ifndef BENCH_IDEAL_PLANE_H
#define BENCH_IDEAL_PLANE_H

#include "bench/switch/layer_plan.h"

struct ideal_plane {
    uint32_t loop;                   /* cycles of a link, there and back */
    uint32_t places[MOEHUB_CLASSES]; /* of a port: at least the longest packet of the class */
    uint32_t groups;                 /* of a port's reduction buffer */
    uint32_t bound;                  /* packets of other classes that go before a response or a store */
};

/* The cycle in which the last flit has left, when every source has all its packets ready in cycle 0. */
uint64_t ideal_plane_cycles(const struct ideal_plane *plane, const struct dispatch_rows *rows, const struct layer_plan *plan);

#endif
