/* SPDX-License-Identifier: Apache-2.0 */
/* Round-robin arbiter against a search from the turn, one port after the other; and its fairness: a port that keeps
 * requesting is granted within PORTS advances. */
#include "kit/bench.h"
#include "kit/scoreboard.h"

#include <string.h>

enum { PORTS_MAX = 64 };

struct arbiter_bench {
    struct bench bench;
    const struct pin *request, *advance, *grant_valid, *grant, *grant_index;
    struct scoreboard grants;
    struct random_source random;
    unsigned ports;
    unsigned turn;
    uint64_t requesting;
    unsigned advances_waited[PORTS_MAX];
};

/* The first requester at or above the turn, cyclically; `ports` when there is none. */
static unsigned winner(const struct arbiter_bench *self)
{
    for (unsigned i = 0; i < self->ports; i++) {
        unsigned port = (self->turn + i) % self->ports;
        if (self->requesting >> port & 1)
            return port;
    }
    return self->ports;
}

static void check_fairness(struct arbiter_bench *self, uint64_t granted)
{
    for (unsigned port = 0; port < self->ports; port++) {
        bool waits = (self->requesting >> port & 1) && !(granted >> port & 1);
        self->advances_waited[port] = waits ? self->advances_waited[port] + 1 : 0;
        if (self->advances_waited[port] >= self->ports)
            bench_fail(&self->bench, BENCH_MISMATCH, "port %u has not been granted in %u advances", port, self->ports);
    }
}

static void check_grant(struct arbiter_bench *self, bool advance)
{
    unsigned port = winner(self);
    bool any = port < self->ports;
    uint64_t expected[3] = {any, any ? UINT64_C(1) << port : 0, any ? port : 0};
    uint64_t got[3] = {pin_get(self->grant_valid), pin_get(self->grant), pin_get(self->grant_index)};
    scoreboard_expect(&self->grants, 0, expected);
    scoreboard_check(&self->grants, 0, got);
    if (!advance || !any)
        return;
    check_fairness(self, got[1]);
    self->turn = (port + 1) % self->ports;
}

/* Requests come and go, but most of them wait for their grant. */
static void draw_requests(struct arbiter_bench *self, uint64_t granted)
{
    uint64_t fresh = random_next(&self->random);
    fresh &= random_next(&self->random);
    uint64_t withdrawn = random_chance(&self->random, 1, 16) ? random_next(&self->random) : 0;
    self->requesting = ((self->requesting & ~granted & ~withdrawn) | fresh) & self->request->mask;
}

static void step(void *context)
{
    struct arbiter_bench *self = context;
    bool advance = random_chance(&self->random, 3, 4);
    pin_set(self->request, self->requesting);
    pin_set(self->advance, advance);
    bench_settle(&self->bench);
    uint64_t granted = 0;
    if (self->bench.reset) {
        self->turn = 0;
        memset(self->advances_waited, 0, sizeof self->advances_waited);
    } else {
        check_grant(self, advance);
        granted = advance ? pin_get(self->grant) : 0;
    }
    bench_tick(&self->bench);
    draw_requests(self, granted);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Round-robin arbiter against a search", .events = 100000, .cycles = UINT64_MAX};
    static const struct field fields[] = {{"grant_valid", 1}, {"grant", 64}, {"grant_index", 6}};
    static struct arbiter_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    self.request = bench_pin(bench, "request");
    self.advance = bench_pin(bench, "advance");
    self.grant_valid = bench_pin(bench, "grant_valid");
    self.grant = bench_pin(bench, "grant");
    self.grant_index = bench_pin(bench, "grant_index");
    self.ports = self.request->bits;
    scoreboard_create(&self.grants, bench, "grants", fields, 3, 1, 1);
    bench_random(bench, &self.random, "requests");
    bench->step = step;
    bench->context = &self;
    while (bench_running(bench)) {
        bench_reset(bench, 2);
        bench_run(bench, random_range(&self.random, 500, 1500));
    }
    int status = bench_finish(bench);
    scoreboard_destroy(&self.grants);
    return status;
}
