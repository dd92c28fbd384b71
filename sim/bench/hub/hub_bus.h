/* SPDX-License-Identifier: Apache-2.0 */
/* The AXI watcher: which table entry each write in flight is for. Its B ends an announcement, and the entry takes part in the
 * next comparison. */
#ifndef BENCH_HUB_BUS_H
#define BENCH_HUB_BUS_H

#include "bench/hub/hub_flight.h"
#include "bench/hub/table_image.h"
#include "kit/bench.h"

enum { HUB_BUS_IDS = 256 };

struct hub_bus {
    struct bench *bench;
    struct hub_flight *flight;
    struct table_image *table;
    const struct pin *awvalid, *awready, *awaddr, *awid, *bvalid, *bready, *bid;
    const struct pin *arvalid, *arready, *wvalid, *wready;
    uint64_t write_address[HUB_BUS_IDS];
    bool write_open[HUB_BUS_IDS];
};

void hub_bus_create(struct hub_bus *bus, struct bench *bench, struct hub_flight *flight, struct table_image *table);

/* Step 3 of a cycle without reset. */
void hub_bus_sample(struct hub_bus *bus);

/* Whether a table read, or a table write, is stalled in this cycle. */
bool hub_bus_read_stalled(const struct hub_bus *bus);
bool hub_bus_write_stalled(const struct hub_bus *bus);

/* After a reset: no B will come. */
void hub_bus_forget(struct hub_bus *bus);

#endif
