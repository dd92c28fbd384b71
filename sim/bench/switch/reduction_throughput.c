/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_throughput.h"

#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_traffic.h"

#include <inttypes.h>

/* What must be reached. */
#define FLITS_PER_CYCLE 0.99

static const struct {
    const char *name;
    enum reduction_order order;
} orders[] = {{"random", ORDER_RANDOM}, {"same entry", ORDER_SAME}, {"two in turn", ORDER_ALTERNATE}};

static const unsigned contributors[] = {1, 2, 7, 63};

struct row {
    double partial_flits, result_flits; /* per cycle */
    uint64_t result_bubbles;            /* cycles without a flit inside a result */
    double occupancy;                   /* entries, mean */
};

static void measure(struct reduction_port *port, uint64_t cycles, struct row *row)
{
    uint64_t partial_flits = port->partial_flits;
    uint64_t result_flits = port->result_flits;
    uint64_t occupied = 0;
    port->result_bubbles = 0;
    for (uint64_t i = 0; i < cycles; i++) {
        port->bench->step(port->bench->context);
        occupied += pin_get(port->occupancy);
    }
    row->partial_flits = (double)(port->partial_flits - partial_flits) / (double)cycles;
    row->result_flits = (double)(port->result_flits - result_flits) / (double)cycles;
    row->result_bubbles = port->result_bubbles;
    row->occupancy = (double)occupied / (double)cycles;
}

/* Until entries complete as often as they are reserved, within reason. */
static uint64_t warm_up(const struct reduction_port *port, unsigned ports, bool one_flit, uint64_t cycles)
{
    uint64_t flits = one_flit ? 1 : reduction_config_flits(&port->config, port->config.payload_bytes);
    uint64_t filling = 2 * port->config.entries * ports * flits;
    return 500 + (filling < 10 * cycles ? filling : 10 * cycles);
}

static struct row run_row(struct reduction_port *port, unsigned ports, enum reduction_order order, bool one_flit, uint64_t cycles)
{
    struct reduction_traffic traffic;
    struct row row;
    reduction_traffic_create(&traffic, &port->config, port->bench->options.seed, "throughput");
    traffic.calm = true;
    traffic.mood = (struct reduction_mood){.order = order, .payload = PAYLOAD_NEAR, .contributors = ports,
                                           .one_flit = one_flit, .full_length = !one_flit, .plain = true};
    port->stimulus = reduction_traffic_stimulus(&traffic);
    reduction_port_reset(port, 2);
    reduction_port_wait_initialised(port);
    bench_run(port->bench, warm_up(port, ports, one_flit, cycles));
    measure(port, cycles, &row);
    reduction_traffic_end(&traffic);
    reduction_port_settle(port, REDUCTION_EMPTYING);
    reduction_traffic_destroy(&traffic);
    return row;
}

static bool print_row(const struct row *row, unsigned ports, const char *order, bool one_flit)
{
    bool good = row->partial_flits >= FLITS_PER_CYCLE && row->result_bubbles == 0;
    printf("  %12u  %-12s  %-8s  %13.4f  %12.4f  %14" PRIu64 "  %9.1f  %s\n", ports, order, one_flit ? "1 flit" : "longest",
           row->partial_flits, row->result_flits, row->result_bubbles, row->occupancy, good ? "" : "TOO LOW");
    return good;
}

int reduction_throughput_run(struct reduction_port *port, uint64_t cycles)
{
    bool good = true;
    reduction_port_stall(port, STALL_NONE);
    printf("\n  %" PRIu32 " entries of %" PRIu32 " bytes, flits of %" PRIu32 " bytes, %" PRIu64 " cycles a row, target %.2f\n"
           "  contributors  entry order   partials  partial flits  result flits  result bubbles   occupied\n"
           "                                         per cycle     per cycle   inside packets    entries\n",
           port->config.entries, port->config.payload_bytes, port->config.flit_bytes, cycles, FLITS_PER_CYCLE);
    for (unsigned one_flit = 0; one_flit < 2; one_flit++)
        for (unsigned c = 0; c < sizeof contributors / sizeof *contributors; c++)
            for (unsigned o = 0; o < sizeof orders / sizeof *orders; o++) {
                if (contributors[c] > reduction_config_contributors(&port->config))
                    continue;
                struct row row = run_row(port, contributors[c], orders[o].order, one_flit != 0, cycles);
                good &= print_row(&row, contributors[c], orders[o].name, one_flit != 0);
            }
    printf("\n");
    if (!good)
        bench_fail(port->bench, BENCH_MISMATCH, "the throughput is below its target");
    return bench_finish(port->bench);
}
