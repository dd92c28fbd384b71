/* SPDX-License-Identifier: Apache-2.0 */
/* Both directions of a way's link; on the loop-back the packets that come back. */
#include "bench/hub/way_bench.h"

/* ---- the link in ----------------------------------------------------------------------------------------------------------- */

/* A packet that was cut short holds its places until the next one begins: that must not wait for them. */
static void begin_packet(struct way_bench *self)
{
    way_draw_packet(self, &self->packet);
    const bool waits = self->cut_open && self->credits_in[self->packet.packet_class] < self->packet.count;
    self->sent_flits = waits ? self->packet.count : 0;
    self->cut_at = 0;
    if (waits || self->pausing || self->packet.count < 2 || !way_chance(self, 1, 64))
        return;
    self->cut_at = 1 + way_below(self, self->packet.count - 1);
    self->cuts++;
}

void way_drive_link(struct way_bench *self)
{
    struct made_packet *packet = &self->packet;
    const bool may = !self->bench.reset && !stall_next(&self->link) && self->loop_back == 0;
    const bool begins = (!self->pausing || self->cut_open) && way_inside(self) < INSIDE;
    if (may && begins && self->sent_flits == packet->count)
        begin_packet(self);
    uint64_t *credits = &self->credits_in[packet->packet_class];
    const bool send = may && self->sent_flits < packet->count && (self->sent_flits > 0 || *credits >= packet->count);
    pin_set(self->in_flit_valid, send);
    pin_set(self->in_flit_first, self->sent_flits == 0);
    pin_set(self->in_flit_last, self->sent_flits + 1 == packet->count);
    pin_set(self->in_flit_class, packet->packet_class);
    if (!send)
        return;
    if (self->sent_flits == 0 && self->cut_open) {
        way_expect_malformed(self, MOEHUB_LINK_CAUSE_UNENDED);
        self->cut_open = false;
    }
    pin_set_words(self->in_flit_data, packet->flits[self->sent_flits++].half);
    self->last_flit = self->bench.cycle;
    --*credits;
    if (self->sent_flits == self->cut_at) {
        way_expect_packet(self, packet, self->cut_at, true);
        packet->count = self->cut_at;
        self->cut_open = true;
    } else if (self->sent_flits == packet->count)
        way_expect_packet(self, packet, packet->count, false);
}

void way_sample_grants(struct way_bench *self)
{
    if (pin_get(self->in_credit_valid) == 0)
        return;
    if (pin_get(self->initialised) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "places are granted before the hub is initialised");
    self->credits_in[pin_get(self->in_credit_class)] += pin_get(self->in_credit_flits);
}

/* ---- the link out ---------------------------------------------------------------------------------------------------------- */

/* On the loop-back these are the packets that come back. */
static void draw_lane(struct way_bench *self, unsigned number)
{
    struct lane *lane = &self->lanes[number];
    struct made_packet *packet = &lane->packet;
    lane->sent = 0;
    if (self->loop_back == 0) {
        way_draw_noise(self, packet, number);
        return;
    }
    do
        way_draw_packet(self, packet);
    while (packet->packet_class != number || (number == LANE_NOTICE && packet->count > 1));
}

static void end_lane(struct way_bench *self, struct lane *lane)
{
    self->events_expected[MOEHUB_HUB_WAY_EVENT_PACKETS_OUT + lane->packet.packet_class]++;
    self->events_expected[MOEHUB_HUB_WAY_EVENT_FLITS_OUT] += lane->packet.count;
    if (self->loop_back != 0)
        way_expect_packet(self, &lane->packet, lane->packet.count, false);
}

static void offer_flit(struct way_bench *self, unsigned number)
{
    struct lane *lane = &self->lanes[number];
    const struct made_packet *packet = &lane->packet;
    uint64_t *item = source_offer(&lane->source);
    const struct moehub_flit flit = packet->flits[lane->sent];
    const bool last = lane->sent + 1 == packet->count;
    item[0] = flit.half[0];
    item[1] = flit.half[1];
    item[2] = last;
    item[3] = packet->count;
    if (self->loop_back == 0) {
        const uint64_t sent[5] = {flit.half[0], flit.half[1], lane->sent == 0, last, packet->packet_class};
        scoreboard_expect(&self->sent, number, sent);
    }
    if (++lane->sent == packet->count)
        end_lane(self, lane);
}

void way_drive_lanes(struct way_bench *self)
{
    for (unsigned i = 0; i < LANES; i++) {
        struct lane *lane = &self->lanes[i];
        const bool sends = self->loop_back == 0 || i != LANE_PARTIAL;
        if (!self->bench.reset && sends && source_free(&lane->source)) {
            const bool begins = !self->pausing && way_inside(self) < INSIDE && self->sent.waiting < INSIDE;
            if (lane->sent == lane->packet.count && begins)
                draw_lane(self, i);
            if (lane->sent < lane->packet.count)
                offer_flit(self, i);
        }
        source_drive(&lane->source);
    }
}

void way_sample_lanes(struct way_bench *self)
{
    for (unsigned i = 0; i < LANES; i++)
        source_sample(&self->lanes[i].source);
    if (self->bench.reset || self->bench.quiet || pin_get(self->out_flit_valid) == 0)
        return;
    const unsigned of = (unsigned)pin_get(self->out_flit_class);
    uint64_t item[5] = {0, 0, pin_get(self->out_flit_first), pin_get(self->out_flit_last), of};
    pin_get_words(self->out_flit_data, item);
    if (item[2])
        self->out_lane = of == MOEHUB_CLASS_RESPONSE && item[0] & 1 ? LANE_PARTIAL : of;
    if (self->granted_out[of]-- == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a flit of class %u is sent without a credit", of);
    scoreboard_check(&self->sent, self->out_lane, item);
}

/* Places of the other end: given in pieces, and kept back for long. */
void way_drive_grants(struct way_bench *self)
{
    const unsigned of = way_below(self, MOEHUB_CLASSES);
    const bool grant = !self->bench.reset && self->loop_back == 0 && self->granted_out[of] < 64 && !stall_next(&self->grants);
    const unsigned flits = 1 + way_below(self, 20);
    pin_set(self->out_credit_valid, grant);
    pin_set(self->out_credit_class, of);
    pin_set(self->out_credit_flits, flits);
    self->withheld_out[of] = grant ? flits : 0;
    self->withheld += !grant;
}

void way_take_grants(struct way_bench *self)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        self->granted_out[i] += self->withheld_out[i];
        self->withheld_out[i] = 0;
    }
}
