/* SPDX-License-Identifier: Apache-2.0 */
/* Link sender against the C model: packets of every length in any order of the classes, grants up to and beyond what a counter
 * holds, grants of no class, links that fall in traffic, resets. */
#include "bench/common/sender_port.h"

struct sender_bench {
    struct bench bench;
    struct sender_port port;
    struct random_source random;
    unsigned grant_chance;  /* of 16 */
    unsigned down;          /* cycles that the link stays down */
    uint64_t overflows, falls;
};

static void draw(void *context, struct made_packet *packet)
{
    struct sender_bench *self = context;
    packet->packet_class = (unsigned)random_below(&self->random, MOEHUB_CLASSES);
    packet->count = (unsigned)random_range(&self->random, 1, random_chance(&self->random, 1, 2) ? 3 : MADE_FLITS_MAX);
    for (unsigned i = 0; i < packet->count; i++)
        packet->flits[i] = (struct moehub_flit){{random_next(&self->random), random_next(&self->random)}};
}

static struct moehub_link_grant draw_grant(struct sender_bench *self)
{
    if (!random_chance(&self->random, self->grant_chance, 16) || self->bench.reset)
        return (struct moehub_link_grant){.valid = false};
    const uint64_t most = random_chance(&self->random, 1, 2) ? 40 : 256;
    return (struct moehub_link_grant){true, (uint8_t)random_below(&self->random, 4), (uint8_t)random_below(&self->random, most)};
}

static bool draw_link_up(struct sender_bench *self)
{
    if (self->down == 0 && random_chance(&self->random, 1, 2000)) {
        self->down = (unsigned)random_range(&self->random, 4, 12);
        self->falls++;
    } else if (self->down > 0)
        self->down--;
    return self->down == 0;
}

static void step(void *context)
{
    struct sender_bench *self = context;
    const struct moehub_link_grant grant = draw_grant(self);
    sender_port_drive(&self->port, draw_link_up(self), &grant);
    bench_settle(&self->bench);
    sender_port_sample(&self->port);
    self->overflows += self->port.model.credit_overflow;
    bench_tick(&self->bench);
}

static void check_covered(struct sender_bench *self)
{
    const struct sender_port *port = &self->port;
    struct summary *summary = &self->bench.summary;
    summary_number(summary, "packets", (double)port->packets, "started");
    summary_number(summary, "dropped", (double)port->dropped, "packets");
    summary_number(summary, "CREDIT", (double)self->overflows, "times");
    summary_number(summary, "starved", (double)port->starved, "cycles");
    if (port->dropped == 0 || self->overflows == 0 || port->starved == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "no packet was cut, no counter was full, or no packet ever waited");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Link sender against the C model", .events = 400000, .cycles = UINT64_MAX};
    static struct sender_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    bench_random(bench, &self.random, "traffic");
    sender_port_create(&self.port, bench, "", draw, &self);
    bench->step = step;
    bench->context = &self;
    while (bench_running(bench)) {
        bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        for (unsigned i = 0; i < 8; i++) {
            static const unsigned chances[] = {1, 2, 4, 16}; /* a starved sender, a busy one, counters that fill up */
            self.grant_chance = chances[random_below(&self.random, 4)];
            self.port.pausing = random_chance(&self.random, 1, 4);
            bench_run(bench, random_range(&self.random, 100, 1000));
        }
    }
    check_covered(&self);
    const int status = bench_finish(bench);
    sender_port_destroy(&self.port);
    return status;
}
