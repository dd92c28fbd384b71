/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_bus.h"

#include <inttypes.h>
#include <string.h>

void hub_bus_create(struct hub_bus *bus, struct bench *bench, struct hub_flight *flight, struct table_image *table)
{
    *bus = (struct hub_bus){
        .bench = bench,
        .flight = flight,
        .table = table,
        .awvalid = bench_pin(bench, "m_axi_awvalid"),
        .awready = bench_pin(bench, "m_axi_awready"),
        .awaddr = bench_pin(bench, "m_axi_awaddr"),
        .awid = bench_pin(bench, "m_axi_awid"),
        .bvalid = bench_pin(bench, "m_axi_bvalid"),
        .bready = bench_pin(bench, "m_axi_bready"),
        .bid = bench_pin(bench, "m_axi_bid"),
        .arvalid = bench_pin(bench, "m_axi_arvalid"),
        .arready = bench_pin(bench, "m_axi_arready"),
        .wvalid = bench_pin(bench, "m_axi_wvalid"),
        .wready = bench_pin(bench, "m_axi_wready"),
    };
}

void hub_bus_sample(struct hub_bus *bus)
{
    if (pin_get(bus->bvalid) != 0 && pin_get(bus->bready) != 0) {
        const uint64_t id = pin_get(bus->bid);
        hub_flight_written(bus->flight, bus->write_address[id], bus->bench->cycle);
        bus->write_open[id] = false;
    }
    if (pin_get(bus->awvalid) == 0 || pin_get(bus->awready) == 0)
        return;
    const uint64_t id = pin_get(bus->awid);
    if (bus->write_open[id])
        bench_fail(bus->bench, BENCH_MISMATCH, "two writes in flight have id %" PRIu64, id);
    bus->write_open[id] = true;
    bus->write_address[id] = pin_get(bus->awaddr);
    table_image_touch(bus->table, bus->write_address[id]);
}

static bool stalled(const struct pin *valid, const struct pin *ready)
{
    return pin_get(valid) != 0 && pin_get(ready) == 0;
}

bool hub_bus_read_stalled(const struct hub_bus *bus)
{
    return stalled(bus->arvalid, bus->arready);
}

bool hub_bus_write_stalled(const struct hub_bus *bus)
{
    return stalled(bus->awvalid, bus->awready) || stalled(bus->wvalid, bus->wready);
}

void hub_bus_forget(struct hub_bus *bus)
{
    memset(bus->write_open, 0, sizeof bus->write_open);
}
