/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/link_injector.h"

#include "moehub/defines.h"

enum {
    CONTEXT_OF_NOBODY = 7,
    OTHER_ROUND = 5,
    TYPE_OF_NOBODY = 15,
    CLASS_OF_NOBODY = 3,
    BYTES = 16, /* of a flit, and of a store */
    LATE_FLITS = 2,
    COUNT_UP = 12,
    COUNT_DOWN = 17
};

/* Towards a switch no bad packet takes places of stores: a hub looks for credits of the longest store (store_room), and where
 * there are just so many places it would never have them. */
static unsigned own_credits(const struct link_injector *injector, unsigned packet_class)
{
    if (packet_class == MOEHUB_CLASS_REQUEST)
        return 1;
    return packet_class == MOEHUB_CLASS_STORE && !injector->towards_hub ? 0 : 2;
}

void link_injector_create(struct link_injector *injector, uint64_t seed, const char *name, unsigned one_in, bool towards_hub,
                          unsigned gpu, unsigned gpus)
{
    *injector = (struct link_injector){.one_in = one_in, .towards_hub = towards_hub, .gpu = gpu, .gpus = gpus};
    random_init(&injector->random, seed, name);
}

void link_injector_begin(struct link_injector *injector, unsigned context, unsigned round, unsigned owner_shift)
{
    injector->owner_shift = owner_shift;
    injector->context = context;
    injector->round = round;
    injector->arrived = injector->wanted = false;
    injector->lates = 0;
    for (unsigned cause = 0; cause < LINK_INJECTOR_CAUSES; cause++)
        injector->causes[cause] = 0;
}

/* ---- packets -------------------------------------------------------------------------------------------------- */

static unsigned other(const struct link_injector *injector)
{
    return (injector->gpu + 1) % injector->gpus;
}

/* A close of another GPU for the hub, or of this one for another. */
static struct moehub_header good_close(const struct link_injector *injector)
{
    return (struct moehub_header){.type = MOEHUB_PACKET_CLOSE,
                                  .source = (uint16_t)(injector->towards_hub ? other(injector) : injector->gpu),
                                  .offset = (uint16_t)(injector->towards_hub ? injector->gpu : other(injector)),
                                  .context = (uint8_t)injector->context,
                                  .round = (uint8_t)injector->round};
}

static void put(struct link_packet *packet, unsigned packet_class, bool first, bool last, struct moehub_flit data)
{
    struct moehub_link_flit *flit = &packet->flits[packet->count++];
    *flit = (struct moehub_link_flit){true, (uint8_t)packet_class, first, last, data};
}

static void put_header(struct link_packet *packet, unsigned packet_class, const struct moehub_header *header)
{
    put(packet, packet_class, true, true, moehub_header_pack(header));
}

/* A store of another GPU to local expert 0 of the hub, of 16 bytes. */
static void put_store(struct link_packet *packet, const struct link_injector *injector, unsigned context, unsigned round,
                      uint32_t row_index)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_MULTIMEM_STORE,
                                         .format = MOEHUB_FORMAT_COMPACT,
                                         .first = true,
                                         .length = BYTES,
                                         .source = (uint16_t)other(injector),
                                         .context = (uint8_t)context,
                                         .round = (uint8_t)(round % 16),
                                         .row_index = row_index,
                                         .element = MOEHUB_ELEMENT_BYTES,
                                         .target_count = 1};
    put(packet, MOEHUB_CLASS_STORE, true, false, moehub_header_pack(&header));
    put(packet, MOEHUB_CLASS_STORE, false, true, (struct moehub_flit){0});
}

/* Of the causes that a header alone has. */
static void spoil_close(struct link_packet *packet, const struct link_injector *injector)
{
    struct moehub_header header = good_close(injector);
    unsigned packet_class = MOEHUB_CLASS_RESPONSE;
    switch (packet->cause) {
    case MOEHUB_PACKET_CAUSE_TYPE: header.type = TYPE_OF_NOBODY; break;
    case MOEHUB_PACKET_CAUSE_CLASS: packet_class = MOEHUB_CLASS_REQUEST; break;
    case MOEHUB_PACKET_CAUSE_FORMAT: header.format = MOEHUB_FORMAT_COMPACT; break;
    case MOEHUB_PACKET_CAUSE_FIELD: header.nop = true; break;
    case MOEHUB_PACKET_CAUSE_SOURCE: header.source = header.offset; break;
    case MOEHUB_PACKET_CAUSE_LENGTH: header.length = BYTES; break;
    case MOEHUB_PACKET_CAUSE_COUNT: header.target_count = 1; break;
    case MOEHUB_PACKET_CAUSE_TARGET: header.offset = header.source; break;
    case MOEHUB_HUB_WAY_CAUSE_CONTEXT: header.context = CONTEXT_OF_NOBODY; break;
    default: header.round = (uint8_t)((header.round + OTHER_ROUND) % 16); break;
    }
    put_header(packet, packet_class, &header);
}

/* A packet of the sender that passed in an older round of the context. */
static bool choose_late(struct link_injector *injector, struct link_packet *packet)
{
    for (unsigned i = 0; i < injector->late_count; i++)
        if (injector->late_context[i] == injector->context && injector->late_round[i] != injector->round) {
            *packet = injector->late[i];
            packet->cause = MOEHUB_HUB_WAY_CAUSE_ROUND;
            packet->late = true;
            injector->late[i] = injector->late[--injector->late_count];
            injector->late_context[i] = injector->late_context[injector->late_count];
            injector->late_round[i] = injector->late_round[injector->late_count];
            return true;
        }
    return false;
}

static void choose(struct link_injector *injector)
{
    struct link_packet *packet = &injector->next;
    const unsigned kind = (unsigned)random_below(&injector->random, injector->towards_hub ? COUNT_DOWN : COUNT_UP);
    *packet = (struct link_packet){.cause = kind};
    if (choose_late(injector, packet))
        return;
    switch (kind) {
    case MOEHUB_PACKET_CAUSE_FRAME: {
        const struct moehub_header header = good_close(injector);
        put(packet, MOEHUB_CLASS_RESPONSE, true, false, moehub_header_pack(&header));
        put(packet, MOEHUB_CLASS_RESPONSE, false, true, (struct moehub_flit){0});
        break;
    }
    case MOEHUB_LINK_CAUSE_BAD_CLASS:
        put(packet, CLASS_OF_NOBODY, true, true, (struct moehub_flit){0});
        break;
    case MOEHUB_LINK_CAUSE_OUTSIDE:
        put(packet, MOEHUB_CLASS_STORE, false, true, (struct moehub_flit){0});
        break;
    case 11:
    case 12:
        packet->cause = MOEHUB_HUB_WAY_CAUSE_CONTEXT;
        if (!injector->towards_hub)
            packet->cause = MOEHUB_PACKET_CAUSE_TYPE;
        spoil_close(packet, injector);
        break;
    case 13:
        packet->cause = MOEHUB_HUB_WAY_CAUSE_CONTEXT;
        put_store(packet, injector, CONTEXT_OF_NOBODY, injector->round, 0);
        break;
    case 14:
        packet->cause = MOEHUB_HUB_WAY_CAUSE_ROUND;
        put_store(packet, injector, injector->context, injector->round + OTHER_ROUND, 0);
        break;
    case 15:
        packet->cause = injector->arrived ? MOEHUB_HUB_WAY_CAUSE_OWNER : MOEHUB_HUB_WAY_CAUSE_ROUND;
        put_store(packet, injector, injector->context, injector->round + (injector->arrived ? 0 : OTHER_ROUND),
                  (uint32_t)injector->gpu << injector->owner_shift);
        break;
    case 16:
        packet->cause = MOEHUB_HUB_WAY_CAUSE_ROUND;
        spoil_close(packet, injector);
        break;
    default:
        spoil_close(packet, injector);
    }
}

/* ---- the link ------------------------------------------------------------------------------------------------- */

/* Flits of the next packet that take places. */
static unsigned places(const struct link_packet *packet)
{
    const bool none = packet->flits[0].packet_class >= MOEHUB_CLASSES || !packet->flits[0].first;
    return none ? 0 : packet->count;
}

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
    if (!injector->towards_hub || header.type == MOEHUB_PACKET_LD_REDUCE || header.type == MOEHUB_PACKET_RESULT ||
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
        injector->causes[packet->cause]++;
        injector->lates += packet->late;
        if (places(packet) != 0)
            injector->credits[packet->flits[0].packet_class] -= places(packet);
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
    const unsigned wants = places(&injector->next);
    return wants == 0 || injector->credits[injector->next.flits[0].packet_class] >= wants;
}

struct moehub_link_flit link_injector_step(struct link_injector *injector, const struct moehub_link_flit *flit)
{
    if (injector->active && !injector->wanted && random_chance(&injector->random, 1, injector->one_in)) {
        choose(injector);
        injector->wanted = true;
    }
    const bool free = !injector->open && injector->held_count == 0;
    const bool begin = injector->wanted && injector->active && free && has_credits(injector);
    if (flit->valid)
        injector->held[(injector->held_first + injector->held_count++) % LINK_INJECTOR_HELD] = *flit;
    return injector->sent != 0 || begin ? send_bad(injector) : send_held(injector);
}

struct moehub_link_grant link_injector_grant(struct link_injector *injector, const struct moehub_link_grant *grant)
{
    struct moehub_link_grant rest = *grant;
    if (!grant->valid || grant->packet_class >= MOEHUB_CLASSES)
        return rest;
    const unsigned wants = own_credits(injector, grant->packet_class) - injector->credits[grant->packet_class];
    const unsigned takes = wants < grant->flits ? wants : grant->flits;
    injector->credits[grant->packet_class] += takes;
    rest.flits = (uint8_t)(grant->flits - takes);
    rest.valid = rest.flits != 0;
    return rest;
}
