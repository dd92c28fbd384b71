/* SPDX-License-Identifier: Apache-2.0 */
/* What a way's bench sends it: packets, and the contexts that they are for. */
#include "bench/hub/way_bench.h"

#include "kit/bits.h"

/* ---- contexts: drawn while nothing is inside ------------------------------------------------------------------------------- */

static void draw_context(struct way_bench *self, unsigned c)
{
    struct moehub_way_context *context = &self->model.contexts[c];
    const unsigned owner_bits = 26 - 6; /* rows of all GPUs fit into a compact copy's */
    context->enabled = way_chance(self, 15, 16);
    context->arrived = self->contexts == ALL_ARRIVED || way_chance(self, 1, 16);
    context->round = (uint8_t)way_below(self, 16);
    context->owner_shift = (uint8_t)way_below(self, owner_bits);
    context->peers = (way_chance(self, 3, 4) ? UINT64_MAX : random_next(&self->random)) & bits_mask(self->gpus);
    if (self->contexts == NO_PEERS)
        context->peers = 0;
    context->list_shift = (uint8_t)way_below(self, self->slot_width < 16 ? self->slot_width + 1 : 17);
    const unsigned array = context->list_shift + 2u + self->model.config.local_expert_bits;
    context->list_base = random_next(&self->random) & bits_mask(self->model.config.address_width) & ~bits_mask(array);
}

void way_draw_contexts(struct way_bench *self)
{
    for (unsigned c = 0; c < self->model.config.contexts; c++)
        draw_context(self, c);
}

void way_drive_contexts(struct way_bench *self)
{
    uint64_t enabled = 0, arrived = 0, rounds = 0, owner_shifts = 0, list_shifts = 0, peers[8] = {0}, bases[8] = {0};
    for (unsigned c = 0; c < self->model.config.contexts; c++) {
        const struct moehub_way_context *context = &self->model.contexts[c];
        enabled |= (uint64_t)context->enabled << c;
        arrived |= (uint64_t)context->arrived << c;
        bits_set(&rounds, 4 * c, 4, context->round);
        bits_set(&owner_shifts, 5 * c, 5, context->owner_shift);
        bits_set(&list_shifts, 5 * c, 5, context->list_shift);
        bits_set(peers, self->gpus * c, self->gpus, context->peers);
        bits_set(bases, self->model.config.address_width * c, self->model.config.address_width, context->list_base);
    }
    pin_set(self->enabled, enabled);
    pin_set(self->has_arrived, arrived);
    pin_set(self->rounds, rounds);
    pin_set(self->owner_shifts, owner_shifts);
    pin_set(self->list_shifts, list_shifts);
    pin_set_words(self->peers, peers);
    pin_set_words(self->list_bases, bases);
}

/* ---- packets --------------------------------------------------------------------------------------------------------------- */

/* Most are a peer's of this round, with a row of its owner: names that no receiver looks at. */
static void name_packet(struct way_bench *self, struct made_packet *packet)
{
    struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    const bool response = header.type == MOEHUB_PACKET_CLOSE || header.type == MOEHUB_PACKET_NOTIFY;
    header.context = (uint8_t)way_below(self, way_chance(self, 1, 64) ? MOEHUB_WAY_CONTEXTS_MAX : self->model.config.contexts);
    const struct moehub_way_context *context = &self->model.contexts[header.context];
    header.round = way_chance(self, 1, 60) ? (uint8_t)way_below(self, 16) : context->round;
    const uint32_t owner = response ? self->maker.config.own : header.source;
    if (header.type != MOEHUB_PACKET_CLOSE && header.type != MOEHUB_PACKET_RESULT && !way_chance(self, 1, 40))
        header.row_index = owner << context->owner_shift | (uint32_t)random_bits(&self->random, context->owner_shift);
    packet->flits[0] = moehub_header_pack(&header);
}

static bool accepted(const struct way_bench *self, const struct made_packet *packet, unsigned count, bool broken)
{
    return moehub_packet_check(&self->maker.config, packet->packet_class, packet->flits, count, broken).cause ==
           MOEHUB_PACKET_CAUSES;
}

/* One that its class's places hold. */
void way_draw_packet(struct way_bench *self, struct made_packet *packet)
{
    do {
        if (way_chance(self, 1, 4))
            packet_maker_any(&self->maker, packet);
        else
            packet_maker_good(&self->maker, packet);
        if (accepted(self, packet, packet->count, false))
            name_packet(self, packet);
    } while (packet->count > moehub_link_longest(packet->packet_class));
}

void way_draw_noise(struct way_bench *self, struct made_packet *packet, unsigned lane)
{
    static const unsigned longest[LANES] = {MOEHUB_STORE_LONGEST, MOEHUB_REQUEST_LONGEST, 1, MOEHUB_RESPONSE_LONGEST};
    packet->packet_class = lane == LANE_PARTIAL ? MOEHUB_CLASS_RESPONSE : lane;
    packet->count = 1 + way_below(self, longest[lane]);
    for (unsigned i = 0; i < packet->count; i++)
        packet->flits[i] = (struct moehub_flit){{random_next(&self->random) << 1 | (lane == LANE_PARTIAL),
                                                 random_next(&self->random)}};
}
