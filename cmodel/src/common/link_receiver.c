/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/link_receiver.h"

void moehub_link_receiver_reset(struct moehub_link_receiver *receiver, const struct moehub_check_config *config)
{
    *receiver = (struct moehub_link_receiver){.config = *config};
}

/* ---- packets ------------------------------------------------------------------------------------- */

static struct moehub_link_end end_open(struct moehub_link_receiver *receiver)
{
    const unsigned judged = receiver->has_header ? receiver->count : 0;
    struct moehub_link_end end = {.valid = true, .packet_class = receiver->packet_class, .flits = receiver->count};
    end.verdict = moehub_packet_check(&receiver->config, receiver->packet_class, receiver->flits, judged, receiver->broken);
    end.kept = end.verdict.cause == MOEHUB_PACKET_CAUSES || end.verdict.answered;
    if (receiver->has_header)
        end.header = receiver->flits[0];
    receiver->open = false;
    return end;
}

struct moehub_link_end moehub_link_receiver_down(struct moehub_link_receiver *receiver)
{
    if (!receiver->open)
        return (struct moehub_link_end){.valid = false};
    receiver->broken = true;
    return end_open(receiver);
}

static void open_packet(struct moehub_link_receiver *receiver, unsigned packet_class)
{
    receiver->open = true;
    receiver->broken = receiver->has_header = false;
    receiver->packet_class = (uint8_t)packet_class;
    receiver->count = 0;
}

/* ---- flits ------------------------------------------------------------------------------------------ */

static void store_flit(struct moehub_link_receiver *receiver, const struct moehub_link_flit *flit,
                       struct moehub_link_taken *taken)
{
    taken->stored = true;
    taken->first = receiver->count == 0;
    if (flit->first) {
        const struct moehub_header_verdict verdict =
            moehub_header_check(&receiver->config, flit->data, receiver->packet_class);
        receiver->has_header = true;
        taken->target_flits = verdict.cause == MOEHUB_PACKET_CAUSES ? verdict.target_flits : 0;
    }
    receiver->flits[receiver->count++] = flit->data;
}

/* A flit of the open packet: it takes a place if there is one for it. */
static void take_flit(struct moehub_link_receiver *receiver, const struct moehub_link_flit *flit, unsigned space,
                      struct moehub_link_taken *taken)
{
    if (!(space >> receiver->packet_class & 1)) {
        taken->cause = MOEHUB_LINK_CAUSE_PLACE;
        receiver->broken = true;
    } else if (receiver->count == moehub_link_longest(receiver->packet_class))
        receiver->broken = true;
    else
        store_flit(receiver, flit, taken);
    if (flit->last)
        taken->end = end_open(receiver);
}

struct moehub_link_taken moehub_link_receiver_flit(struct moehub_link_receiver *receiver, const struct moehub_link_flit *flit,
                                                   unsigned space)
{
    struct moehub_link_taken taken = {.cause = MOEHUB_LINK_CAUSES};
    const bool other_class = !flit->first && receiver->open && flit->packet_class != receiver->packet_class;
    if (flit->packet_class >= MOEHUB_CLASSES || other_class) {
        taken.cause = MOEHUB_LINK_CAUSE_BAD_CLASS;
        receiver->broken = true;
        return taken;
    }
    if (!receiver->open && !flit->first) {
        taken.cause = MOEHUB_LINK_CAUSE_OUTSIDE;
        return taken;
    }
    if (flit->first) {
        taken.unended = receiver->open;
        taken.cut = moehub_link_receiver_down(receiver);
        open_packet(receiver, flit->packet_class);
    }
    take_flit(receiver, flit, space, &taken);
    return taken;
}

/* ---- places owed ---------------------------------------------------------------------------------------- */

void moehub_link_owed_reset(struct moehub_link_owed *owed)
{
    *owed = (struct moehub_link_owed){.turn = MOEHUB_CLASS_STORE};
}

/* Round robin over the classes that are owed something. */
static struct moehub_link_grant choose_grant(struct moehub_link_owed *owed)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const unsigned packet_class = (owed->turn + i) % MOEHUB_CLASSES;
        const uint32_t places = owed->places[packet_class];
        if (places == 0)
            continue;
        owed->turn = (uint8_t)((packet_class + 1) % MOEHUB_CLASSES);
        return (struct moehub_link_grant){true, (uint8_t)packet_class,
                                          (uint8_t)(places < MOEHUB_GRANT_MAX ? places : MOEHUB_GRANT_MAX)};
    }
    return (struct moehub_link_grant){.valid = false};
}

struct moehub_link_grant moehub_link_owed_step(struct moehub_link_owed *owed, bool link_up,
                                               const struct moehub_link_stores *stores)
{
    const struct moehub_link_grant grant = link_up ? choose_grant(owed) : (struct moehub_link_grant){.valid = false};
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const uint32_t granted = grant.valid && grant.packet_class == i ? grant.flits : 0;
        const bool runs = link_up && stores->initialised[i];
        owed->places[i] = !runs ? 0 : owed->running[i] ? owed->places[i] - granted + stores->freed[i] : stores->free_places[i];
        owed->running[i] = runs;
    }
    return grant;
}
