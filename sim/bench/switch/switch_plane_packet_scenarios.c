/* SPDX-License-Identifier: Apache-2.0 */
/* Packets made to order: at the end of a line, partials that nobody asked for, refused requests one after the other, groups that
 * are released in a row. */
#include "bench/switch/switch_plane_registers.h"
#include "bench/switch/switch_plane_scenarios.h"
#include "bench/switch/switch_plane_scene.h"
#include "moehub/header_check.h"

/* ---- line rule -------------------------------------------------------------------------------------------- */

/* A store of every length at every place of a line: those that end beyond it are refused. */
void plane_line_ends(struct plane_run *run)
{
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned i = 0; i < MOEHUB_LINE_UNITS * MOEHUB_LINE_UNITS; i++) {
        const unsigned port = i % run->config.ports;
        plane_scene_store(run, port, UINT64_C(1) << plane_scene_other(run, port));
        struct plane_queue *queue = &run->gpus[port].uplink.queues[MOEHUB_CLASS_STORE];
        struct made_packet *packet = &queue->packets[(queue->first + queue->count - 1) % queue->capacity];
        struct moehub_header header = moehub_header_unpack(packet->flits[0]);
        header.offset = (uint16_t)(header.offset + MOEHUB_FLIT_BYTES * (i % MOEHUB_LINE_UNITS));
        header.length = (uint16_t)(MOEHUB_FLIT_BYTES * (1 + i / MOEHUB_LINE_UNITS));
        packet->flits[0] = moehub_header_pack(&header);
        packet->count = moehub_packet_flits(&header);
    }
    plane_run_settle(run);
}

/* ---- malformed packets ---------------------------------------------------------------------------------------- */

static bool every_cause(const struct plane_run *run)
{
    for (unsigned i = 0; i < MOEHUB_LINK_CAUSES; i++) {
        uint64_t count = i == MOEHUB_LINK_CAUSE_PLACE || i == MOEHUB_LINK_CAUSE_CREDIT;
        for (unsigned port = 0; port < run->config.ports; port++)
            count += run->check.model.ports[port].counts.causes[i];
        if (count == 0)
            return false;
    }
    return true;
}

/* Near misses of every rule of packets, and of links: until each cause was seen that an honest account of credits allows. */
void plane_malformed(struct plane_run *run)
{
    enum { MALFORMED = 256, RUDE = 16, STEP = 500, MOST = 100 };
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned port = 0; port < run->config.ports; port++) {
        plane_scene_send(run, port, SCENE_ALL);
        run->gpus[port].traffic.malformed = MALFORMED;
        run->gpus[port].uplink.rude = (struct plane_rudeness){.other_class = RUDE, .no_first = RUDE, .no_last = RUDE};
    }
    for (unsigned i = 0; !every_cause(run); i++) {
        if (i == MOST)
            bench_fail(run->bench, BENCH_NOTHING_COMPARED, "a cause was not seen in %u cycles of malformed packets", STEP * MOST);
        bench_run(run->bench, STEP);
    }
    plane_run_settle(run);
}

/* ---- unasked partials --------------------------------------------------------------------------------------- */

/* A request whose group is open, and what its port's reduction buffer has counted. */
struct open_request {
    unsigned port;
    struct moehub_header asked;
    unsigned entry, generation;
    uint64_t partials, causes[MOEHUB_REDUCTION_CAUSES];
};

static void check_counts(struct plane_run *run, const struct open_request *open)
{
    plane_registers_snapshot(run, PLANE_BUFFER, open->port);
    plane_registers_expect(run, PLANE_BUFFER, open->port, MOEHUB_REDUCTION_EVENT_PARTIALS, open->partials);
    for (unsigned i = MOEHUB_REDUCTION_CAUSE_ENTRY; i <= MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH; i++)
        plane_registers_expect(run, PLANE_BUFFER, open->port, MOEHUB_REDUCTION_EVENT_CAUSES + i, open->causes[i]);
}

/* A GPU's partial for an entry. `cause`: what the reduction buffer must say, and latch; none: it counts. */
static void answer(struct plane_run *run, struct open_request *open, unsigned from, unsigned entry, unsigned generation,
                   unsigned cause)
{
    const struct moehub_header partial = {
        .type = MOEHUB_PACKET_PARTIAL, .source = (uint16_t)from, .offset = (uint16_t)open->port, .stage = MOEHUB_STAGE_COMBINE,
        .tag = moehub_entry_tag(entry, generation), .element = open->asked.element, .length = MOEHUB_LINE_BYTES,
        .context = (uint8_t)random_bits(&run->random, MOEHUB_HEADER_CONTEXT_WIDTH),
        .round = (uint8_t)random_bits(&run->random, MOEHUB_HEADER_ROUND_WIDTH)};
    const struct moehub_header latched = {
        .type = MOEHUB_PACKET_PARTIAL, .length = partial.length, .tag = partial.tag, .element = partial.element};
    plane_scene_packet(run, from, MOEHUB_CLASS_RESPONSE, &partial, NULL);
    plane_scene_run_until_still(run);
    open->partials++;
    if (cause != MOEHUB_REDUCTION_CAUSES) {
        open->causes[cause]++;
        plane_registers_expect_offender(run, PLANE_BUFFER, open->port, cause, moehub_header_pack(&latched), from);
    } else
        plane_registers_expect_free(run, PLANE_BUFFER, open->port);
}

/* A request for a line, which nobody answers by itself; its name. */
static void ask(struct plane_run *run, struct open_request *open, uint64_t to)
{
    plane_scene_request(run, open->port, to, MOEHUB_LINE_UNITS);
    plane_scene_run_until_still(run);
    const struct moehub_switch_plane_request *request = plane_scene_open_request(run, open->port);
    if (request == NULL)
        bench_fail(run->bench, BENCH_MISMATCH, "port %u: no copy of its request has left", open->port);
    open->asked = request->header;
    open->entry = request->group * run->config.request_lines;
    open->generation = request->generation;
}

/* CONTEXT and ROUND of a partial are anything: they are in the group's record. */
static void answer_one(struct plane_run *run, struct open_request *open)
{
    const unsigned responder = plane_scene_other(run, open->port), entries = run->config.groups * run->config.request_lines;
    const unsigned other_generation = (open->generation + 1) & ((1u << run->config.generation_width) - 1);
    ask(run, open, UINT64_C(1) << responder);
    answer(run, open, responder, entries, open->generation, MOEHUB_REDUCTION_CAUSE_ENTRY);
    answer(run, open, responder, 0xFFFF, open->generation, MOEHUB_REDUCTION_CAUSE_ENTRY);
    answer(run, open, responder, open->entry, open->generation == other_generation ? 0 : open->generation ^ 1,
           MOEHUB_REDUCTION_CAUSE_STALE);
    if (run->config.request_lines > 1)
        answer(run, open, responder, open->entry + 1, open->generation, MOEHUB_REDUCTION_CAUSE_STALE);
    if (run->config.groups > 1)
        answer(run, open, responder, (open->entry + run->config.request_lines) % entries, open->generation,
               MOEHUB_REDUCTION_CAUSE_STALE);
    for (unsigned port = 0; port < run->config.ports; port++)
        if (port != open->port && port != responder)
            answer(run, open, port, open->entry, open->generation, MOEHUB_REDUCTION_CAUSE_FOREIGN);
    answer(run, open, responder, open->entry, open->generation, MOEHUB_REDUCTION_CAUSES);
    answer(run, open, responder, open->entry, open->generation, MOEHUB_REDUCTION_CAUSE_STALE);
}

static void answer_twice(struct plane_run *run, struct open_request *open)
{
    const uint64_t all = plane_scene_all_but(run, open->port);
    ask(run, open, all);
    for (unsigned port = 0; port < run->config.ports; port++) {
        if ((all >> port & 1) == 0)
            continue;
        answer(run, open, port, open->entry, open->generation, MOEHUB_REDUCTION_CAUSES);
        answer(run, open, port, open->entry, open->generation,
               all >> port == 1 ? MOEHUB_REDUCTION_CAUSE_STALE : MOEHUB_REDUCTION_CAUSE_DUPLICATE);
    }
}

void plane_unasked_partials(struct plane_run *run)
{
    struct open_request open = {.port = plane_scene_port(run)};
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned port = 0; port < run->config.ports; port++)
        run->gpus[port].responder.manners.silent = 256;
    answer_one(run, &open);
    answer_twice(run, &open);
    check_counts(run, &open);
    plane_run_settle(run);
}

/* ---- refusals ------------------------------------------------------------------------------------------------- */

/* A request for more lines than a request may have: it is answered with MALFORMED. */
static void ask_badly(struct plane_run *run, unsigned port)
{
    const unsigned other = plane_scene_other(run, port);
    plane_scene_request(run, port, UINT64_C(1) << other, MOEHUB_LINE_UNITS * run->config.request_lines + 1);
}

/* Refused requests one after the other, with good ones between them, while the port's link takes no answers: they wait for one
 * another, and each is answered. */
void plane_refused_in_a_row(struct plane_run *run)
{
    enum { ROUNDS = 20, IN_A_ROW = 4 };
    const unsigned port = plane_scene_port(run);
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        for (unsigned j = 0; j < IN_A_ROW; j++)
            if (random_chance(&run->random, 2, 3))
                ask_badly(run, port);
            else
                plane_scene_request(run, port, plane_scene_all_but(run, port), 1);
        bench_run(run->bench, random_below(&run->random, 60));
    }
    plane_run_settle(run);
}

/* ---- released in a row ---------------------------------------------------------------------------------------- */

/* Requests of the others fill the copy buffers of each output but the port's; then the port's own wait where they came in, and
 * time out: their results wait for its link. */
static void fill_outputs(struct plane_run *run, unsigned port)
{
    enum { TIMEOUT = 200, OVER = 500 };
    const uint64_t others = plane_scene_all_but(run, port);
    plane_scene_reset(run, SCENE_PLACES, UINT64_MAX);
    for (unsigned i = 0; i < run->config.ports; i++)
        plane_scene_starve(run, i, i == port ? 1u << MOEHUB_CLASS_RESPONSE : 1u << MOEHUB_CLASS_REQUEST);
    plane_set_timeout(run, port, TIMEOUT);
    for (unsigned i = 0; i < run->config.groups; i++)
        for (unsigned other = 0; other < run->config.ports; other++)
            if (other != port)
                plane_scene_request(run, other, others & ~(UINT64_C(1) << other), MOEHUB_LINE_UNITS);
    plane_scene_run_until_still(run);
    for (unsigned i = 0, to = port; i < run->config.groups; i++) {
        do
            to = (to + 1) % run->config.ports;
        while (to == port);
        plane_scene_request(run, port, UINT64_C(1) << to, MOEHUB_LINE_UNITS * run->config.request_lines);
    }
    bench_run(run->bench, OVER);
}

/* Copies leave one after the other, so that their groups are released, while results of one flit end in each cycle: those go
 * first, and what is released waits. */
void plane_released_in_a_row(struct plane_run *run)
{
    enum { LATER = 16 };
    if (run->config.ports < 3 || run->config.groups < 3) /* too few results, or no other output, to be in the way */
        return;
    for (unsigned later = 0; later < LATER; later++) {
        const unsigned port = plane_scene_port(run);
        fill_outputs(run, port);
        for (unsigned i = 0; i < run->config.ports; i++)
            plane_scene_starve(run, i, i == port ? 1u << MOEHUB_CLASS_RESPONSE : 0);
        bench_run(run->bench, later);
        plane_run_settle(run);
    }
}
