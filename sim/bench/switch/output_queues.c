/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/output_queues.h"

#include "kit/allocate.h"

#include <stdlib.h>

struct arrival {
    uint64_t cycle; /* the first after the packet's last flit has come */
    uint64_t packet;
    unsigned source;
};

/* When the packets of a source arrive. It sends one as soon as the one before is sent and there are credits for it. */
static void send_all(const struct dispatch_rows *rows, unsigned source, const struct output_queues_link *link,
                     struct arrival *arrivals)
{
    const uint64_t count = dispatch_rows_packets(rows, source);
    uint64_t cycle = 0, under_way = 0, oldest = 0;
    for (uint64_t packet = 0; packet < count; packet++) {
        const unsigned flits = dispatch_rows_of(rows, source, packet)->up;
        for (; under_way + flits > link->places; oldest++) {
            const uint64_t granted = arrivals[oldest].cycle + (link->loop - link->loop / 2);
            cycle = granted > cycle ? granted : cycle;
            under_way -= dispatch_rows_of(rows, source, oldest)->up;
        }
        under_way += flits;
        cycle += flits;
        arrivals[packet] = (struct arrival){.cycle = cycle + link->loop / 2, .packet = packet, .source = source};
    }
}

static int by_cycle(const void *a, const void *b)
{
    const struct arrival *left = a, *right = b;
    if (left->cycle != right->cycle)
        return left->cycle < right->cycle ? -1 : 1;
    return (int)left->source - (int)right->source;
}

/* The copies of a packet join their outputs' queues; `free_from`: when an output has sent all it has. */
static void join_queues(const struct dispatch_row *row, unsigned ports, uint64_t cycle, uint64_t *free_from)
{
    for (unsigned output = 0; output < ports; output++)
        if (row->down[output] > 0)
            free_from[output] = (free_from[output] > cycle ? free_from[output] : cycle) + row->down[output];
}

uint64_t output_queues_cycles(const struct dispatch_rows *rows, const struct output_queues_link *link)
{
    const unsigned ports = rows->layer.ports;
    uint64_t free_from[MOEHUB_CROSSBAR_PORTS_MAX] = {0}, count = 0, last = 0;
    for (unsigned source = 0; source < ports; source++)
        count += dispatch_rows_packets(rows, source);
    struct arrival *arrivals = allocate(count, sizeof *arrivals);
    uint64_t filled = 0;
    for (unsigned source = 0; source < ports; source++) {
        send_all(rows, source, link, arrivals + filled);
        filled += dispatch_rows_packets(rows, source);
    }
    qsort(arrivals, count, sizeof *arrivals, by_cycle);
    for (uint64_t i = 0; i < count; i++)
        join_queues(dispatch_rows_of(rows, arrivals[i].source, arrivals[i].packet), ports, arrivals[i].cycle, free_from);
    for (unsigned output = 0; output < ports; output++)
        last = free_from[output] > last ? free_from[output] : last;
    free(arrivals);
    return last;
}
