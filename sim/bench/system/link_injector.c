/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/link_injector.h"

#include "moehub/defines.h"

enum {
    CONTEXT_OF_NOBODY = 7,
    OTHER_ROUND = 5,
    BYTES = 16, /* of a store that comes late */
    LATE_FLITS = 2,
    PATIENCE = 400 /* cycles that borrowed credits are held without a packet */
};

/* What a bad packet may be, beside a spoiled one of a cause: towards a hub well-formed ones that its contexts refuse. */
enum { KIND_SPOILED_MOST = MOEHUB_LINK_CAUSE_UNENDED, CLOSE_OF_CONTEXT, CLOSE_OF_ROUND, STORE_OF_CONTEXT, STORE_OF_ROUND,
       STORE_OF_OWNER, STORE_ARRIVED, KINDS_DOWN };

/* Towards a switch no places of stores: a hub looks for credits of the longest store (store_room), and where there are just so
 * many places it would never have them. */
static unsigned own_credits(const struct link_injector *injector, unsigned packet_class)
{
    if (packet_class == MOEHUB_CLASS_REQUEST)
        return 1;
    return packet_class == MOEHUB_CLASS_STORE && !injector->ends.towards_hub ? 0 : 2;
}

void link_injector_create(struct link_injector *injector, uint64_t seed, const char *name, unsigned one_in,
                          const struct link_ends *ends)
{
    *injector = (struct link_injector){.one_in = one_in, .ends = *ends};
    random_init(&injector->random, seed, name);
}

void link_injector_begin(struct link_injector *injector, unsigned context, unsigned round, unsigned owner_shift)
{
    injector->ends.owner_shift = owner_shift;
    injector->ends.context = context;
    injector->ends.round = round;
    injector->arrived = injector->wanted = false;
    injector->lates = injector->lines_answered = 0;
    for (unsigned cause = 0; cause < LINK_INJECTOR_CAUSES; cause++)
        injector->causes[cause] = 0;
}

/* ---- packets -------------------------------------------------------------------------------------------------- */

/* A packet of the sender that passed in an older round of the context. */
static bool choose_late(struct link_injector *injector, struct link_packet *packet)
{
    for (unsigned i = 0; i < injector->late_count; i++)
        if (injector->late_context[i] == injector->ends.context && injector->late_round[i] != injector->ends.round) {
            *packet = injector->late[i];
            packet->causes[0] = MOEHUB_HUB_WAY_CAUSE_ROUND;
            packet->cause_count = 1;
            packet->late = true;
            injector->late[i] = injector->late[--injector->late_count];
            injector->late_context[i] = injector->late_context[injector->late_count];
            injector->late_round[i] = injector->late_round[injector->late_count];
            return true;
        }
    return false;
}

/* A well-formed one that a context refuses. Before all has arrived a store of this round would be taken, or missed later. */
static void choose_refused(struct link_injector *injector, unsigned kind)
{
    struct link_packet *packet = &injector->next;
    const struct link_ends *ends = &injector->ends;
    const bool of_context = kind == CLOSE_OF_CONTEXT || kind == STORE_OF_CONTEXT;
    const bool of_round = kind == CLOSE_OF_ROUND || kind == STORE_OF_ROUND || (kind >= STORE_OF_OWNER && !injector->arrived);
    const unsigned context = of_context ? CONTEXT_OF_NOBODY : ends->context;
    const unsigned round = of_round ? ends->round + OTHER_ROUND : ends->round;
    const unsigned owner = kind == STORE_OF_OWNER ? ends->gpu : link_packet_other(ends);
    *packet = (struct link_packet){.cause_count = 1};
    packet->causes[0] = of_context  ? MOEHUB_HUB_WAY_CAUSE_CONTEXT
                        : of_round ? MOEHUB_HUB_WAY_CAUSE_ROUND
                        : kind == STORE_OF_OWNER ? MOEHUB_HUB_WAY_CAUSE_OWNER
                                                 : MOEHUB_HUB_WAY_CAUSE_ARRIVED;
    if (kind <= CLOSE_OF_ROUND)
        link_packet_close(packet, ends, context, round);
    else
        link_packet_store(packet, ends, context, round, owner << ends->owner_shift);
}

static void choose(struct link_injector *injector)
{
    const unsigned kinds = injector->ends.towards_hub ? KINDS_DOWN : KIND_SPOILED_MOST + 1;
    unsigned kind = (unsigned)random_below(&injector->random, kinds);
    const unsigned spoiled = (unsigned)random_below(&injector->random, LINK_PACKET_KINDS);
    if (!injector->of_no_round && choose_late(injector, &injector->next))
        return;
    if (injector->of_no_round && kind > KIND_SPOILED_MOST)
        kind = kind % 2 == 0 ? CLOSE_OF_CONTEXT : STORE_OF_CONTEXT;
    if (kind > KIND_SPOILED_MOST)
        choose_refused(injector, kind);
    else
        link_packet_spoiled(&injector->next, &injector->ends, (enum link_packet_kind)spoiled, kind, &injector->random);
}

/* ---- the link ------------------------------------------------------------------------------------------------- */

/* Closes and notifies of this round, and compact stores with their first bytes, may come again in a later one. */
static void note_passing(struct link_injector *injector, const struct moehub_link_flit *flit)
{
    struct link_packet *packet = &injector->passing;
    if (flit->first)
        packet->count = 0;
    if (packet->count < LATE_FLITS)
        packet->flits[packet->count++] = *flit;
    if (!flit->last || injector->late_count == LINK_INJECTOR_LATE || !random_chance(&injector->random, 1, 4))
        return;
    struct moehub_header header = moehub_header_unpack(packet->flits[0].data);
    const bool store = flit->packet_class == MOEHUB_CLASS_STORE;
    if (!injector->ends.towards_hub || header.type == MOEHUB_PACKET_LD_REDUCE || header.type == MOEHUB_PACKET_RESULT ||
        (store && header.format != MOEHUB_FORMAT_COMPACT))
        return;
    if (store) {
        header.length = BYTES;
        header.byte_enables = false;
        packet->flits[0].data = moehub_header_pack(&header);
        packet->flits[LATE_FLITS - 1].last = true;
    }
    injector->late_context[injector->late_count] = header.context;
    injector->late_round[injector->late_count] = header.round;
    injector->late[injector->late_count++] = *packet;
}

static struct moehub_link_flit send_bad(struct link_injector *injector)
{
    const struct link_packet *packet = &injector->next;
    if (injector->sent == 0) {
        for (unsigned i = 0; i < packet->cause_count; i++)
            injector->causes[packet->causes[i]]++;
        injector->lates += packet->late;
        injector->lines_answered += packet->lines_answered;
        if (link_packet_places(packet) != 0)
            injector->credits[packet->flits[0].packet_class] -= link_packet_places(packet);
    }
    const struct moehub_link_flit flit = packet->flits[injector->sent++];
    if (injector->sent == packet->count) {
        injector->wanted = false;
        injector->sent = 0;
    }
    return flit;
}

static struct moehub_link_flit send_held(struct link_injector *injector)
{
    if (injector->held_count == 0)
        return (struct moehub_link_flit){.valid = false};
    const struct moehub_link_flit flit = injector->held[injector->held_first];
    injector->held_first = (injector->held_first + 1) % LINK_INJECTOR_HELD;
    injector->held_count--;
    injector->open = !flit.last;
    note_passing(injector, &flit);
    return flit;
}

static bool has_credits(const struct link_injector *injector)
{
    const unsigned wants = link_packet_places(&injector->next);
    return wants == 0 || injector->credits[injector->next.flits[0].packet_class] >= wants;
}

/* What the next packet lacks may come from credits that pass: for a while, as the sender may wait for just these. */
static void want(struct link_injector *injector)
{
    if (injector->sent != 0)
        return;
    if (injector->active && !injector->wanted && random_chance(&injector->random, 1, injector->one_in)) {
        choose(injector);
        injector->wanted = true;
        injector->waited = 0;
    }
    injector->waited += injector->wanted && !has_credits(injector);
    injector->wanted = injector->wanted && injector->active && injector->waited < PATIENCE;
}

struct moehub_link_flit link_injector_step(struct link_injector *injector, const struct moehub_link_flit *flit)
{
    want(injector);
    const bool free = !injector->open && injector->held_count == 0;
    const bool begin = injector->wanted && free && has_credits(injector);
    if (flit->valid)
        injector->held[(injector->held_first + injector->held_count++) % LINK_INJECTOR_HELD] = *flit;
    return injector->sent != 0 || begin ? send_bad(injector) : send_held(injector);
}

/* Credits of a class that it keeps from the sender at present. */
static unsigned kept_credits(const struct link_injector *injector, unsigned packet_class)
{
    const unsigned own = own_credits(injector, packet_class), wants = link_packet_places(&injector->next);
    const bool waits = injector->wanted && injector->sent == 0 && injector->next.flits[0].packet_class == packet_class;
    return waits && wants > own ? wants : own;
}

static struct moehub_link_grant take_some(struct link_injector *injector, const struct moehub_link_grant *grant, unsigned kept)
{
    unsigned *credits = &injector->credits[grant->packet_class];
    const unsigned wants = kept - *credits, takes = wants < grant->flits ? wants : grant->flits;
    *credits += takes;
    return (struct moehub_link_grant){grant->flits != takes, grant->packet_class, (uint8_t)(grant->flits - takes)};
}

/* Credits that it borrowed and did not use go to the sender when the wires are free for them. */
static struct moehub_link_grant give_back(struct link_injector *injector)
{
    for (unsigned packet_class = 0; packet_class < MOEHUB_CLASSES; packet_class++) {
        const unsigned kept = kept_credits(injector, packet_class), flits = injector->credits[packet_class] - kept;
        if (injector->credits[packet_class] <= kept)
            continue;
        injector->credits[packet_class] = kept;
        return (struct moehub_link_grant){true, (uint8_t)packet_class, (uint8_t)flits};
    }
    return (struct moehub_link_grant){.valid = false};
}

struct moehub_link_grant link_injector_grant(struct link_injector *injector, const struct moehub_link_grant *grant)
{
    if (!grant->valid)
        return give_back(injector);
    if (grant->packet_class >= MOEHUB_CLASSES)
        return *grant;
    const unsigned kept = kept_credits(injector, grant->packet_class);
    return injector->credits[grant->packet_class] < kept ? take_some(injector, grant, kept) : *grant;
}
