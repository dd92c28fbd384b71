/* SPDX-License-Identifier: Apache-2.0 */
/* The bench of a whole way (way.c): what its parts share. */
#ifndef BENCH_WAY_BENCH_H
#define BENCH_WAY_BENCH_H

#include "bench/common/packet_maker.h"
#include "bench/hub/way_registers.h"
#include "bench/hub/way_waits.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "kit/stream.h"
#include "moehub/link.h"
#include "moehub/way.h"

enum { OFFENDERS = 8192, PACKETS = 16384, PAIRS = 32768, LANES = 4, INSIDE = 4000,
       LINES = 16,          /* of the line buffer */
       FILLED_MOST = 512 }; /* places and records that a round is long enough to fill */
enum { STORES, REQUESTS, ASKERS = WAY_ASKERS }; /* ports of questions */
enum { DRAWN, NO_PEERS, ALL_ARRIVED }; /* contexts of a round: drawn; they refuse all; they refuse stores and count them */
enum { LANE_STORE, LANE_REQUEST, LANE_NOTICE, LANE_PARTIAL }; /* sources of packets; the first three by class */

/* A pair whose question was asked, and its answer. */
struct asked_pair {
    uint64_t due, slot, address;
    uint8_t status, expert;
    bool allocated;
};

/* A request that passed, or was refused, as pre_reduce has to be told. */
struct asked_request {
    unsigned targets, status, context;
};

/* A well-formed packet, as it lies in its class's places. */
struct kept_packet {
    uint8_t flits;
    bool has_record;
};

/* What one source sends: a packet, flit by flit. */
struct lane {
    struct source source;
    struct made_packet packet;
    unsigned sent;                 /* flits of it that were offered; all: there is none */
};

/* Rings, by numbers that only rise. */
struct way_bench {
    struct bench bench;
    const struct pin *own, *link_up, *in_flit_valid, *in_flit_first, *in_flit_last, *in_flit_class, *in_flit_data,
        *in_credit_valid, *in_credit_class, *in_credit_flits, *out_flit_valid, *out_flit_first, *out_flit_last,
        *out_flit_class, *out_flit_data, *out_credit_valid, *out_credit_class, *out_credit_flits, *initialised, *enabled,
        *has_arrived, *rounds, *owner_shifts, *peers, *list_bases, *list_shifts, *failed, *stores_in_flight,
        *requests_in_flight, *answer_valid, *answer_port, *answer_status, *answer_expert, *answer_allocated, *answer_slot,
        *answer_address, *b_valid, *b_ready, *b_response, *answers_there, *answer_read_valid, *answer_read_index, *read_status,
        *read_address, *answers_release_valid, *answers_release_count, *partial_queued_valid, *partial_queued_context,
        *partial_events, *read_error_header, *store_room, *events, *error_valid, *error_cause, *used_places, *used_writes,
        *used_answers, *credits, *error_header;
    struct sink question[ASKERS], aw, w, completed, close, notify, asked, result;
    struct scoreboard questions, addresses, beats, records, closes, notifies, requests, results, sent, answers, states;
    struct random_source random;
    struct stall link, respond, memory, reads, grants;
    struct stall *held;            /* one of all that stalls for the whole round, so that what is before it fills; NULL: none */
    unsigned contexts;             /* DRAWN, .. */
    struct packet_maker maker;
    struct moehub_way model;
    uint32_t way, loop_back, gpus, slot_width, places[MOEHUB_CLASSES], request_answers;
    bool pausing;                  /* no packet begins */
    bool resting;                  /* and pre_reduce tells nothing: registers are read */
    unsigned answer_wait, memory_wait;
    bool failing;                  /* every other answer and write has an error: causes meet in a cycle */
    /* the link in, and what is granted of the link out */
    struct made_packet packet;
    unsigned sent_flits, cut_at;   /* cut_at: flits after which the packet just stops */
    bool cut_open;                 /* the last packet was cut: the next one ends it */
    uint64_t last_flit;            /* cycle */
    uint64_t credits_in[MOEHUB_CLASSES], granted_out[MOEHUB_CLASSES], withheld_out[MOEHUB_CLASSES];
    unsigned out_lane;             /* of the packet on the wires out */
    struct lane lanes[LANES];
    /* stores: sent, answered pair by pair */
    struct moehub_way_packet stores[PACKETS];
    uint8_t verdicts[PACKETS];
    uint64_t stores_sent, stores_moved;
    unsigned target;
    struct asked_pair pairs[ASKERS][PAIRS];
    bool question_ends[ASKERS][PAIRS]; /* the last one of its packet */
    uint64_t questions_expected[ASKERS], asked_count[ASKERS], given[ASKERS];
    /* memory */
    bool write_errors[PAIRS];
    uint64_t write_due[PAIRS], writes_expected, started, finished, responded;
    uint64_t records_expected, records_taken, writes_told;
    uint8_t record_context[PAIRS], record_kind[PAIRS];
    /* requests at pre_reduce */
    struct asked_request requests_sent[PACKETS];
    uint64_t requests_expected, requests_taken, requests_done, released;
    bool reading;                  /* an answer was read in the last cycle */
    bool room;                     /* credits for the longest store, in the last cycle */
    /* events that were expected, and met */
    uint64_t events_expected[MOEHUB_HUB_WAY_EVENTS], events_met[MOEHUB_HUB_WAY_EVENTS], causes_met[MOEHUB_HUB_WAY_CAUSES];
    uint64_t flagged;              /* a set of contexts */
    uint64_t headers;              /* of offenders, that were compared */
    uint64_t met_together;         /* cycles with a refused answer and a failed write */
    struct way_registers registers;
    struct way_waits waits;
    struct kept_packet kept[ASKERS][PACKETS];
    uint64_t kept_count[ASKERS];
    uint64_t full[ASKERS];         /* rounds that ended so */
    uint64_t cuts, failed_writes, words, lines, withheld, passes[MOEHUB_CLASSES];
};

static inline bool way_chance(struct way_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static inline unsigned way_below(struct way_bench *self, uint64_t bound)
{
    return (unsigned)random_below(&self->random, bound);
}

/* Packets and records that are not over. */
static inline uint64_t way_inside(const struct way_bench *self)
{
    return self->stores_sent - self->stores_moved + (self->requests_expected - self->requests_done) + self->results.waiting +
           self->closes.waiting + self->notifies.waiting + (self->records_expected - self->records_taken);
}

/* way_setup.c */
void way_create(struct way_bench *self);

/* way_packets.c: contexts are drawn while nothing is inside; of the packets drawn, some are to be refused. */
void way_draw_contexts(struct way_bench *self);
void way_drive_contexts(struct way_bench *self);
void way_draw_packet(struct way_bench *self, struct made_packet *packet); /* one that its class's places hold */
void way_draw_noise(struct way_bench *self, struct made_packet *packet, unsigned lane);

/* way_expected.c: of a packet of `count` flits, in its order on the wires; of the next pair of a store, with its answer. */
void way_expect_packet(struct way_bench *self, const struct made_packet *packet, unsigned count, bool broken);
void way_expect_malformed(struct way_bench *self, unsigned cause);
void way_expect_pair(struct way_bench *self, const struct asked_pair *pair);

/* way_links.c: flits and credits of both directions. */
void way_drive_link(struct way_bench *self);
void way_sample_grants(struct way_bench *self);
void way_drive_lanes(struct way_bench *self);
void way_sample_lanes(struct way_bench *self);
void way_drive_grants(struct way_bench *self);
void way_take_grants(struct way_bench *self);

/* way_neighbours.c */
void way_sample_questions(struct way_bench *self);
void way_drive_answer(struct way_bench *self);
void way_drive_responses(struct way_bench *self);
void way_sample_memory(struct way_bench *self);
void way_sample_completed(struct way_bench *self);
void way_sample_streams(struct way_bench *self);
void way_drive_pre_reduce(struct way_bench *self);
void way_drive_partial_events(struct way_bench *self);
void way_sample_pre_reduce(struct way_bench *self);

/* way_events.c: before the edge; the first while nothing is reset. */
void way_check_events(struct way_bench *self);
void way_check_waits(struct way_bench *self);
void way_check_room(struct way_bench *self);

#endif
