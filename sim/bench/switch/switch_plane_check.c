/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_check.h"

#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[MOEHUB_CLASSES] = {"store", "request", "response"};

/* Something has to leave, and nothing crosses any link. */
static bool packets_wait(const void *self, struct watchdog_wait *wait)
{
    const struct plane_check *check = self;
    const uint64_t waiting = moehub_switch_plane_waiting(&check->model);
    if (waiting == moehub_switch_plane_doubtful(&check->model))
        return false;
    wait->still_since = check->waiting_since;
    snprintf(wait->text, sizeof wait->text,
             "%" PRIu64 " copies of stores, %" PRIu64 " notices, %" PRIu64 " request copies and results; the last flit crossed "
             "in cycle %" PRIu64,
             check->model.stores.waiting, check->model.notices.waiting,
             waiting - check->model.stores.waiting - check->model.notices.waiting, wait->still_since);
    return true;
}

void plane_check_create(struct plane_check *check, struct bench *bench, const struct moehub_switch_plane_config *config,
                        struct packet_log *log)
{
    static const struct field fields[] = {{"class", 2}, {"first", 1}, {"last", 1}, {"data", 128}};
    *check = (struct plane_check){.bench = bench, .log = log};
    const int error = moehub_switch_plane_create(&check->model, config);
    if (error != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model refuses the configuration: %s", moehub_strerror(error));
    check->leaving = allocate(config->ports, sizeof *check->leaving);
    check->marks = allocate(config->ports, sizeof *check->marks);
    scoreboard_create(&check->flits, bench, "flits", fields, 4, config->ports, MOEHUB_RESPONSE_LONGEST + 1);
    watchdog_add(&bench->watchdog, packets_wait, check);
}

void plane_check_destroy(struct plane_check *check)
{
    scoreboard_destroy(&check->flits);
    moehub_switch_plane_destroy(&check->model);
    free(check->leaving);
    free(check->marks);
}

void plane_check_reset(struct plane_check *check)
{
    moehub_switch_plane_reset(&check->model);
    memset(check->leaving, 0, check->model.config.ports * sizeof *check->leaving);
    memset(check->marks, 0, check->model.config.ports * sizeof *check->marks);
    check->waiting_since = check->bench->cycle;
}

/* ---- what comes in ---------------------------------------------------------------------------------------- */

/* Flits of the open packet stay in the model until the next one begins. */
static void mark_arrival(struct plane_check *check, unsigned port, const struct moehub_link_flit *in, unsigned flits,
                         const struct moehub_link_taken *taken)
{
    const struct moehub_header header = moehub_header_unpack(taken->end.header);
    if (taken->stored)
        plane_marks_flit(&check->marks[port], in->packet_class, flits);
    if (!taken->end.valid || taken->end.verdict.cause != MOEHUB_PACKET_CAUSES)
        return;
    if (header.type == MOEHUB_PACKET_ROW_STORE || header.type == MOEHUB_PACKET_MULTIMEM_STORE)
        plane_marks_store(&check->marks[port], &check->model, check->model.ports[port].open);
    plane_marks_packet(&check->marks[port], &check->model, port);
}

static void check_arrival(struct plane_check *check, unsigned port, const struct moehub_link_flit *in)
{
    struct moehub_link_taken taken;
    const unsigned open = in->first ? 0 : check->model.ports[port].open_count;
    packet_log_flit(check->log, check->bench->cycle, port, PACKET_LOG_IN, in);
    check->begun += in->first;
    check->waiting_since = check->arrived = check->bench->cycle;
    if (moehub_switch_plane_arrive(&check->model, port, in, &taken) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: more packets are inside than its places hold", port);
    mark_arrival(check, port, in, open + 1, &taken);
}

static void check_grant(struct plane_check *check, unsigned port, const struct moehub_link_grant *grant)
{
    if (grant->packet_class >= MOEHUB_CLASSES)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u grants places of class %u", port, (unsigned)grant->packet_class);
    if (moehub_switch_plane_grant(&check->model, port, grant->packet_class, grant->flits) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u grants more places of class %s than it has", port,
                   class_names[grant->packet_class]);
}

/* ---- what leaves -------------------------------------------------------------------------------------------- */

/* Grants count some cycles after they came. What a counter cannot hold is counted: exact while nothing leaves. */
static void take_credits(struct plane_check *check, unsigned port, const struct moehub_link_grant *grant)
{
    struct plane_leaving *leaving = &check->leaving[port];
    const struct moehub_link_grant *due = &leaving->coming[GRANT_DELAY - 1];
    if (due->valid && due->packet_class < MOEHUB_CLASSES) {
        uint32_t *hand = &leaving->hand[due->packet_class];
        *hand += due->flits;
        check->model.ports[port].counts.causes[MOEHUB_LINK_CAUSE_CREDIT] += *hand > MOEHUB_CREDITS_MAX;
        *hand = *hand > MOEHUB_CREDITS_MAX ? MOEHUB_CREDITS_MAX : *hand;
    }
    memmove(leaving->coming + 1, leaving->coming, (GRANT_DELAY - 1) * sizeof *leaving->coming);
    leaving->coming[0] = *grant;
}

static void pack(uint64_t *item, unsigned packet_class, bool first, bool last, struct moehub_flit data)
{
    item[0] = packet_class;
    item[1] = first;
    item[2] = last;
    item[3] = data.half[0];
    item[4] = data.half[1];
}

/* The packet is whole: the model says what it had to be. */
static void compare(struct plane_check *check, unsigned port, struct plane_leaving *leaving)
{
    struct moehub_crossbar_copy expected;
    struct moehub_message why;
    const struct moehub_header header = moehub_header_unpack(leaving->packet.flits[0]);
    if (moehub_switch_plane_leave(&check->model, port, leaving->packet_class, leaving->packet.flits[0], &expected, &why) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u, class %s, header %016" PRIX64 "%016" PRIX64 ": %s", port,
                   class_names[leaving->packet_class], leaving->packet.flits[0].half[1], leaving->packet.flits[0].half[0],
                   why.text);
    for (unsigned i = 0; i < expected.count || i < leaving->packet.count; i++) {
        uint64_t item[5];
        if (i < expected.count) {
            pack(item, leaving->packet_class, i == 0, i + 1 == expected.count, expected.flits[i]);
            scoreboard_expect(&check->flits, port, item);
        }
        pack(item, leaving->packet_class, i == 0, i + 1 == leaving->packet.count, leaving->packet.flits[i]);
        scoreboard_check(&check->flits, port, item);
    }
    if (header.type == MOEHUB_PACKET_LD_REDUCE)
        plane_marks_packet(&check->marks[header.source], &check->model, header.source);
    check->kinds[header.type]++;
    check->statuses[header.status] += header.type == MOEHUB_PACKET_RESULT;
}

static void start_packet(struct plane_check *check, unsigned port, struct plane_leaving *leaving,
                         const struct moehub_link_flit *out)
{
    if (leaving->packet.count != 0 || out->packet_class >= MOEHUB_CLASSES)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: a first flit of class %u leaves, %u flits after another", port,
                   (unsigned)out->packet_class, leaving->packet.count);
    if (leaving->closed)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: a packet of class %s leaves, and the port is down", port,
                   class_names[out->packet_class]);
    check->first = check->bench->cycle;
    check->first_class = out->packet_class;
    leaving->packet_class = out->packet_class;
    leaving->hand_at_start = leaving->hand[out->packet_class];
}

static void check_departure(struct plane_check *check, unsigned port, const struct moehub_link_flit *out)
{
    struct plane_leaving *leaving = &check->leaving[port];
    packet_log_flit(check->log, check->bench->cycle, port, PACKET_LOG_OUT, out);
    check->waiting_since = check->left = check->bench->cycle;
    if (out->first)
        start_packet(check, port, leaving, out);
    else if (leaving->packet.count == 0 || leaving->packet_class != out->packet_class)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: a flit of class %u leaves outside of its packet", port,
                   (unsigned)out->packet_class);
    if (leaving->packet.count == MOEHUB_CROSSBAR_FLITS_MAX)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: a packet leaves that does not end", port);
    leaving->packet.flits[leaving->packet.count++] = out->data;
    if (!out->last)
        return;
    if (leaving->hand_at_start < leaving->packet.count)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: a packet of %u flits of class %s was started with %" PRIu32 " credits",
                   port, leaving->packet.count, class_names[leaving->packet_class], leaving->hand_at_start);
    leaving->hand[leaving->packet_class] -= leaving->packet.count;
    compare(check, port, leaving);
    leaving->packet.count = 0;
}

/* ---- a cycle --------------------------------------------------------------------------------------------------- */

/* What the sender has taken in the cycle before is on its wires in the first cycle in which the link is down. A packet that is
 * not whole then is lost, as may be one that has just begun. */
static void check_down(struct plane_check *check, unsigned port, const struct moehub_link_flit *out)
{
    struct plane_leaving *leaving = &check->leaving[port];
    if (check->bench->reset) /* what left before is still on the wires */
        return;
    if (out->valid && !leaving->up)
        bench_fail(check->bench, BENCH_MISMATCH, "port %u: a flit leaves while the link is down", port);
    if (out->valid)
        check_departure(check, port, out);
    if (leaving->up)
        moehub_switch_plane_lose(&check->model, port, leaving->packet.count);
    plane_marks_down(&check->marks[port], &check->model, port);
    moehub_switch_plane_link_down(&check->model, port);
    *leaving = (struct plane_leaving){.up = false, .closed = leaving->closed};
}

void plane_check_cycle(struct plane_check *check, unsigned port, bool link_up, const struct moehub_link_flit *in,
                       const struct moehub_link_grant *in_grant, const struct moehub_link_flit *out,
                       const struct moehub_link_grant *out_grant)
{
    struct plane_leaving *leaving = &check->leaving[port];
    check->model.now = check->bench->cycle;
    if (!link_up) {
        check_down(check, port, out);
        return;
    }
    leaving->up = true;
    take_credits(check, port, out_grant);
    if (in_grant->valid)
        check_grant(check, port, in_grant);
    if (out->valid)
        check_departure(check, port, out);
    if (in->valid)
        check_arrival(check, port, in);
    plane_marks_cycle(&check->marks[port], &check->model, port, in_grant);
}

/* What was lost with a link that fell, or discarded, never leaves. */
bool plane_check_idle(const struct plane_check *check)
{
    uint64_t losses = moehub_switch_plane_doubtful(&check->model);
    for (unsigned port = 0; port < check->model.config.ports; port++)
        losses += check->model.ports[port].losses - check->model.ports[port].lost;
    for (unsigned port = 0; port < check->model.config.ports; port++)
        if (check->leaving[port].packet.count != 0)
            return false;
    return moehub_switch_plane_waiting(&check->model) <= losses;
}

void plane_check_places(struct plane_check *check)
{
    for (unsigned i = 0; i < check->model.config.ports; i++)
        for (unsigned j = 0; j < MOEHUB_CLASSES; j++) {
            const struct moehub_switch_plane_port *port = &check->model.ports[i];
            const uint64_t free_places = port->granted[j] - port->stored[j];
            if (free_places != check->model.config.places[j])
                bench_fail(check->bench, BENCH_MISMATCH,
                           "port %u: nothing is inside, and %" PRIu64 " of %" PRIu32 " places of class %s are granted", i,
                           free_places, check->model.config.places[j], class_names[j]);
        }
}
