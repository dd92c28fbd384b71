/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/egress_sources.h"

enum { AT_DATA, AT_LAST = 2, AT_FLITS = 3 }; /* words of an item */

void egress_sources_create(struct egress_sources *sources, struct bench *bench)
{
    static const char *const names[] = {"request", "store", "result", "error", "notice"};
    static const struct moehub_check_config hub = {
        .hub = true, .own = 5, .ports = 64, .local_expert_bits = 8, .max_targets = 32, .request_lines = 8};
    sources->bench = bench;
    packet_maker_create(&sources->maker, bench, &hub, "packets");
    bench_random(bench, &sources->random, "sources");
    for (unsigned i = 0; i < MOEHUB_EGRESS_SOURCES; i++) {
        const bool single = i == MOEHUB_EGRESS_ERROR || i == MOEHUB_EGRESS_NOTICE;
        source_create(&sources->of[i].stream, bench, names[i], single ? "." : ". last flits", STALL_NONE);
        sources->of[i].chance = EGRESS_ALWAYS;
    }
}

void egress_sources_set_stalls(struct egress_sources *sources, enum stall_kind stall)
{
    for (unsigned i = 0; i < MOEHUB_EGRESS_SOURCES; i++)
        sources->of[i].stream.stream.stall.kind = sources->of[i].stream.stream.stall.now = stall;
}

/* An error result comes from the reduction buffer or from the request unit. */
static unsigned source_of(struct egress_sources *sources, const struct made_packet *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    if (packet->packet_class == MOEHUB_CLASS_STORE)
        return MOEHUB_EGRESS_STORE;
    if (packet->packet_class == MOEHUB_CLASS_REQUEST)
        return MOEHUB_EGRESS_REQUEST;
    if (header.type != MOEHUB_PACKET_RESULT)
        return MOEHUB_EGRESS_NOTICE;
    return header.status != MOEHUB_STATUS_OK && random_chance(&sources->random, 3, 4) ? MOEHUB_EGRESS_ERROR
                                                                                      : MOEHUB_EGRESS_RESULT;
}

/* The egress looks into no flit: noise moves the bits that are the same in all good packets. */
static void put_noise(struct egress_sources *sources, struct made_packet *packet)
{
    for (unsigned i = 0; i < packet->count; i++)
        packet->flits[i] = (struct moehub_flit){{random_next(&sources->random), random_next(&sources->random)}};
}

/* Until the source has a packet; those of the others wait there, or are forgotten where there is no room. */
static void fill(struct egress_sources *sources, unsigned wanted)
{
    while (sources->of[wanted].count == 0) {
        struct made_packet packet;
        packet_maker_good(&sources->maker, &packet);
        struct egress_source *source = &sources->of[source_of(sources, &packet)];
        if (random_chance(&sources->random, 1, 4))
            put_noise(sources, &packet);
        if (source->count < EGRESS_WAITING_MAX)
            source->waiting[(source->first + source->count++) % EGRESS_WAITING_MAX] = packet;
    }
}

static void offer(struct egress_sources *sources, struct egress_source *source)
{
    const struct made_packet *packet = &source->waiting[source->first];
    uint64_t *item = source_offer(&source->stream);
    item[AT_DATA] = packet->flits[source->sent].half[0];
    item[AT_DATA + 1] = packet->flits[source->sent].half[1];
    item[AT_LAST] = source->sent + 1 == packet->count;
    item[AT_FLITS] = source->sent == 0 ? packet->count : random_bits(&sources->random, 5);
}

static bool begins(struct egress_sources *sources, unsigned source)
{
    return random_chance(&sources->random, sources->of[source].chance, EGRESS_ALWAYS) &&
           (source == MOEHUB_EGRESS_REQUEST || !sources->requests_alone);
}

static void drop_first(struct egress_source *source)
{
    source->first = (source->first + 1) % EGRESS_WAITING_MAX;
    source->count--;
    source->sent = 0;
}

void egress_sources_drive(struct egress_sources *sources)
{
    for (unsigned i = 0; i < MOEHUB_EGRESS_SOURCES; i++) {
        struct egress_source *source = &sources->of[i];
        if (sources->bench->reset && source->sent > 0)
            drop_first(source);
        if (source_free(&source->stream) && (source->sent > 0 || begins(sources, i))) {
            fill(sources, i);
            offer(sources, source);
        }
        source_drive(&source->stream);
    }
}

void egress_sources_sample(struct egress_sources *sources, struct moehub_egress_flit taken[MOEHUB_EGRESS_SOURCES])
{
    for (unsigned i = 0; i < MOEHUB_EGRESS_SOURCES; i++) {
        struct egress_source *source = &sources->of[i];
        taken[i] = (struct moehub_egress_flit){.valid = source_sample(&source->stream) != NULL};
        if (!taken[i].valid)
            continue;
        const struct made_packet *packet = &source->waiting[source->first];
        taken[i].data = packet->flits[source->sent++];
        taken[i].last = source->sent == packet->count;
        taken[i].flits = (uint8_t)packet->count;
        if (taken[i].last)
            drop_first(source);
    }
}
