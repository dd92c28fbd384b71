/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/link_wires.h"

enum { DOWN_LEAST = 4 }; /* cycles */

static void plan(struct link_end *end, uint64_t falls, uint64_t rises)
{
    end->falls = falls;
    end->rises = rises;
}

void link_wires_restart(struct link_wires *wires, unsigned latency, unsigned cycles)
{
    *wires = (struct link_wires){.latency = latency};
    plan(&wires->sender, 0, cycles);
    plan(&wires->receiver, 0, cycles);
}

/* What an end sends after it rose arrives when the other has risen: they rise at most a latency apart. */
void link_wires_fall(struct link_wires *wires, struct random_source *random)
{
    const uint64_t later = wires->cycle + random_below(random, 6);
    const bool sender_first = random_chance(random, 1, 2);
    const uint64_t rises = later + DOWN_LEAST + random_below(random, 20);
    const uint64_t apart = random_below(random, wires->latency < 12 ? wires->latency + 1 : 12);
    const bool sender_early = random_chance(random, 1, 2);
    plan(&wires->sender, sender_first ? wires->cycle : later, sender_early ? rises : rises + apart);
    plan(&wires->receiver, sender_first ? later : wires->cycle, sender_early ? rises + apart : rises);
    wires->falls++;
}

void link_wires_stay_down(struct link_wires *wires, unsigned cycles)
{
    wires->sender.rises += cycles;
    wires->receiver.rises += cycles;
}

static void step_end(struct link_end *end, uint64_t cycle)
{
    const bool up = cycle < end->falls || cycle >= end->rises;
    end->rose += up && !end->up;
    end->up = up;
}

void link_wires_step(struct link_wires *wires, struct moehub_link_flit *flit, struct moehub_link_grant *grant)
{
    step_end(&wires->sender, wires->cycle);
    step_end(&wires->receiver, wires->cycle);
    const unsigned slots = wires->latency + 1;
    const unsigned in = (unsigned)(wires->cycle % slots);
    const unsigned out = (in + 1) % slots;
    flit->valid &= wires->sender.up;
    grant->valid &= wires->receiver.up;
    wires->line[in].flit = *flit;
    wires->line[in].grant = *grant;
    wires->line[in].flit_rose = wires->sender.rose;
    wires->line[in].grant_rose = wires->receiver.rose;
    *flit = wires->line[out].flit;
    *grant = wires->line[out].grant;
    flit->valid &= wires->line[out].flit_rose == wires->receiver.rose || !wires->receiver.up;
    grant->valid &= wires->line[out].grant_rose == wires->sender.rose || !wires->sender.up;
    wires->cycle++;
}
