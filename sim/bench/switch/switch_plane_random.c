/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_random.h"

#include "bench/switch/switch_plane_commands.h"
#include "bench/switch/switch_plane_outage.h"
#include "bench/switch/switch_plane_scene.h"

enum {
    PHASE = 2000,                              /* cycles of one kind of behaviour */
    TIMEOUT_LEAST = 1000, TIMEOUT_MOST = 2000, /* longer than the answers of a short queue take */
    SILENT = 64,                               /* of 256 answers never come: some reservation meets its timeout in most phases */
};

/* ---- links ------------------------------------------------------------------------------------------------ */

static unsigned draw_latency(struct plane_run *run, const struct plane_mix *mix)
{
    switch (mix->stalls ? random_below(&run->random, 8) : 0) {
    case 0:
    case 1: return 0;
    case 2: return (unsigned)random_below(&run->random, LINK_LATENCY_MAX + 1);
    case 3: return LINK_LATENCY_MAX;
    default: return (unsigned)random_below(&run->random, 40);
    }
}

/* As few as one packet needs, a few packets, or more than are ever under way. */
static uint32_t draw_places(struct plane_run *run, const struct plane_mix *mix, unsigned packet_class)
{
    const unsigned longest = moehub_link_longest(packet_class);
    switch (mix->stalls ? random_below(&run->random, 3) : mix->downs ? random_below(&run->random, 2) : 2) {
    case 0: return longest;
    case 1: return longest + (uint32_t)random_below(&run->random, 100);
    default: return 2048;
    }
}

static void reset(struct plane_run *run, const struct plane_mix *mix)
{
    struct plane_links links[MOEHUB_CROSSBAR_PORTS_MAX];
    for (unsigned port = 0; port < run->config.ports; port++) {
        links[port].latency = draw_latency(run, mix);
        for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
            links[port].places[i] = draw_places(run, mix, i);
    }
    plane_run_reset(run, (unsigned)random_range(&run->random, 1, 5), links);
    for (unsigned port = 0; port < run->config.ports && (mix->silence || mix->downs); port++)
        plane_set_timeout(run, port, (uint32_t)random_range(&run->random, TIMEOUT_LEAST, TIMEOUT_MOST));
    if (mix->downs)
        plane_outage_prepare(run);
}

/* ---- behaviour of a phase ----------------------------------------------------------------------------------- */

static bool one_in(struct plane_run *run, unsigned many)
{
    return random_chance(&run->random, 1, many);
}

static enum stall_kind draw_stall(struct plane_run *run)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_NONE, STALL_LIGHT, STALL_HEAVY, STALL_BURSTS, STALL_MIXED};
    return kinds[random_below(&run->random, sizeof kinds / sizeof *kinds)];
}

static void set_stall(struct stall *stall, enum stall_kind kind)
{
    stall->kind = stall->now = kind;
}

static void draw_stalls(struct plane_run *run, struct plane_gpu *gpu)
{
    set_stall(&gpu->uplink.stall, draw_stall(run));
    set_stall(&gpu->downlink.grants, draw_stall(run));
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        set_stall(&gpu->downlink.consume[i], draw_stall(run));
        gpu->downlink.starves[i] = one_in(run, 10);
    }
}

static void draw_manners(struct plane_run *run, struct plane_gpu *gpu, const struct plane_mix *mix)
{
    struct plane_manners *manners = &gpu->responder.manners;
    *manners = (struct plane_manners){.shuffles = one_in(run, 2)};
    if (mix->silence && one_in(run, 2))
        manners->silent = one_in(run, 2) ? SILENT : (unsigned)random_below(&run->random, 16);
    if (!mix->errors || one_in(run, 2))
        return;
    manners->fails = (unsigned)random_below(&run->random, 64);
    manners->other_type = (unsigned)random_below(&run->random, 64);
    manners->other_length = (unsigned)random_below(&run->random, 64);
    manners->repeats = (unsigned)random_below(&run->random, 64);
}

static unsigned draw_classes(struct plane_run *run, const struct plane_mix *mix)
{
    const unsigned all = 1u << MOEHUB_CLASS_STORE | (mix->requests ? 1u << MOEHUB_CLASS_REQUEST : 0) |
                         (mix->notices ? 1u << MOEHUB_CLASS_RESPONSE : 0);
    const unsigned some = all & (unsigned)random_bits(&run->random, MOEHUB_CLASSES);
    return some == 0 || one_in(run, 2) ? all : some;
}

static void draw_behaviour(struct plane_run *run, struct plane_gpu *gpu, const struct plane_mix *mix)
{
    gpu->sends = true;
    gpu->traffic.classes = draw_classes(run, mix);
    gpu->traffic.malformed = mix->malformed && one_in(run, 2) ? (unsigned)random_below(&run->random, 257) : 0;
    gpu->uplink.rude = (struct plane_rudeness){0};
    if (mix->malformed && one_in(run, 3))
        gpu->uplink.rude = (struct plane_rudeness){.other_class = (unsigned)random_below(&run->random, 16),
                                                   .no_first = (unsigned)random_below(&run->random, 16),
                                                   .no_last = (unsigned)random_below(&run->random, 16)};
    draw_manners(run, gpu, mix);
    if (mix->stalls)
        draw_stalls(run, gpu);
}

/* Now and then a link that is up falls. */
static void let_links_fall(struct plane_run *run)
{
    enum { ONCE_IN = 500, MOST = 8 };
    for (unsigned port = 0; port < run->config.ports; port++)
        if (random_chance(&run->random, 1, ONCE_IN) && link_wires_up(&run->gpus[port].up) &&
            run->check.model.ports[port].losses < MOST) {
            plane_gpu_fall(&run->gpus[port], &run->random);
            run->falls++;
        }
}

/* Now and then a GPU sends a partial to a group that does not wait for one of its own. */
static void send_unasked(struct plane_run *run)
{
    enum { ONCE_IN = 100, SHORT = 4 };
    const unsigned port = plane_scene_port(run), requester = plane_scene_other(run, port);
    const struct moehub_switch_plane_request *request = plane_scene_open_request(run, requester);
    if (!random_chance(&run->random, 1, ONCE_IN) || request == NULL || (request->contributors >> port & 1) != 0 ||
        run->gpus[port].uplink.queues[MOEHUB_CLASS_RESPONSE].count >= SHORT)
        return;
    const unsigned line = (unsigned)random_below(&run->random, request->lines);
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_PARTIAL, .source = (uint16_t)port, .offset = (uint16_t)requester, .stage = MOEHUB_STAGE_COMBINE,
        .tag = moehub_entry_tag(request->group * run->config.request_lines + line, request->generation),
        .element = request->header.element, .length = MOEHUB_LINE_BYTES};
    plane_scene_packet(run, port, MOEHUB_CLASS_RESPONSE, &header, NULL);
}

static void run_until(struct plane_run *run, const struct plane_mix *mix, uint64_t events)
{
    const struct bench *bench = run->bench;
    while (bench->cycle < bench->options.cycles && bench->compared < events) {
        for (unsigned port = 0; port < run->config.ports; port++)
            draw_behaviour(run, &run->gpus[port], mix);
        if (mix->downs)
            plane_outage(run, events);
        for (unsigned i = 0; i < PHASE && bench->compared < events; i++) {
            if (mix->falls)
                let_links_fall(run);
            if (mix->unasked)
                send_unasked(run);
            plane_run_step(run);
        }
    }
}

/* Every other part ends with an empty switch; the others are cut off. */
void plane_random_run(struct plane_run *run, const struct plane_mix *mix, uint64_t events, uint64_t resets)
{
    const uint64_t start = run->bench->compared;
    for (uint64_t part = 1; part <= resets + 1; part++) {
        plane_run_calm(run);
        reset(run, mix);
        run_until(run, mix, start + events * part / (resets + 1));
        if (part % 2 == 0 || part == resets + 1)
            plane_run_settle(run);
    }
}
