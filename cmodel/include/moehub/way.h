/* SPDX-License-Identifier: Apache-2.0 */
/* A way of a hub: what it decides of each packet that its receiver accepted (rtl/doc/hub/ingress.md; RTL: moehub_way).
 *
 * The model has no cycles and no queues. The caller says, in the order in which the RTL did it: a header was checked; the
 * address path answered a target; a write came back. Equal to the RTL to the bit: every verdict, question, write with its
 * address, data and strobes, completed record, flag, and the counters that these alone move. Not here: receiver, egress,
 * and results, which pass as they are. */
#ifndef MOEHUB_WAY_H
#define MOEHUB_WAY_H

#include "moehub/defines.h"
#include "moehub/offenders.h"
#include "moehub/packet.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_WAY_CONTEXTS_MAX 8
#define MOEHUB_WAY_TARGETS_MAX 32
#define MOEHUB_WAY_STORE_FLITS 14
#define MOEHUB_WAY_BEAT_BYTES 32
#define MOEHUB_WAY_LINE_BEATS 4

struct moehub_way_config {
    uint32_t way;                /* 0..4 */
    uint32_t own;                /* GPU */
    uint32_t contexts;           /* 1..8 */
    uint32_t local_expert_bits;  /* 0..8 */
    uint32_t address_width;      /* 32..64 */
};

/* What the hub shows of a context; the caller writes it, between calls. */
struct moehub_way_context {
    bool enabled;
    bool arrived;
    uint8_t round;               /* 4 bits */
    uint8_t owner_shift;         /* 0..31 */
    uint8_t list_shift;          /* 0..31 */
    uint64_t peers;              /* a bit a GPU */
    uint64_t list_base;
};

struct moehub_way {
    struct moehub_way_config config;
    struct moehub_way_context contexts[MOEHUB_WAY_CONTEXTS_MAX];
    uint8_t failed;              /* contexts that were flagged; the caller clears it */
    uint64_t counters[MOEHUB_HUB_WAY_EVENTS]; /* of the events that the calls below mean */
    struct moehub_offenders offenders; /* for the error latch */
};

/* A store or a request as the receiver keeps it. */
struct moehub_way_packet {
    struct moehub_header header;
    uint16_t ids[MOEHUB_WAY_TARGETS_MAX]; /* of both formats, as they were sent */
    struct moehub_flit flits[MOEHUB_WAY_STORE_FLITS];
};

struct moehub_way_question {
    bool read;                   /* of a request */
    bool first;
    uint8_t context, expert, source;
    uint32_t row_index;
    uint16_t offset, length;
    uint8_t port;
};

struct moehub_way_answer {
    uint8_t status, expert;
    bool allocated;
    uint32_t slot;
    uint64_t address;
};

/* One AXI4 burst; bytes without a strobe are 0 here. */
struct moehub_way_write {
    uint64_t address;
    unsigned beats;
    uint8_t data[MOEHUB_WAY_LINE_BEATS][MOEHUB_WAY_BEAT_BYTES];
    uint32_t strobes[MOEHUB_WAY_LINE_BEATS];
};

/* What the tile tracker is told; a write's when it came back. */
struct moehub_way_completed {
    uint8_t kind;                /* MOEHUB_COMPLETED_* */
    uint8_t context, source, expert, value;
    uint32_t slot;
    bool error;
    bool last;                   /* of its packet */
};

/* What becomes of a target: its bursts, and beside each burst, or alone if there is none, a record. */
struct moehub_way_outcome {
    unsigned writes, records;
    struct moehub_way_write write[2];
    struct moehub_way_completed record[2];
};

/* What pre_reduce is told of a request. */
struct moehub_way_request {
    uint8_t source, context, round, element, targets, status;
    uint32_t tag;
    uint16_t offset, length;     /* units of 16 bytes */
};

/* As after reset, with room for so many offenders. 0 or MOEHUB_E_MEMORY. */
int moehub_way_create(struct moehub_way *way, const struct moehub_way_config *config, size_t offenders);
void moehub_way_destroy(struct moehub_way *way);

/* Reads flits of a whole packet that was accepted, `count` of them, into `packet`. */
void moehub_way_packet_read(struct moehub_way_packet *packet, const struct moehub_flit *flits, unsigned count);

/* Check of a store, request, close or notify: 0, or MOEHUB_HUB_WAY_CAUSE_CONTEXT .. _ARRIVED, which is counted and may flag.
 * One that passes counts as a close or notify when it is one. */
unsigned moehub_way_check(struct moehub_way *way, struct moehub_flit header);

/* Whether pairs of a store that was refused so are handled. */
bool moehub_way_cause_counts(unsigned cause);

/* The question of a target of a packet that passed. */
void moehub_way_ask(const struct moehub_way *way, const struct moehub_way_packet *packet, unsigned target,
                    struct moehub_way_question *question);

/* What becomes of the target of a store that passed; `last`: it is the packet's last. */
void moehub_way_answered(struct moehub_way *way, const struct moehub_way_packet *packet, const struct moehub_way_answer *answer,
                         bool last, struct moehub_way_outcome *outcome);

/* The only record of a store whose check gave that cause; false if there is none. */
bool moehub_way_refused(const struct moehub_way_packet *packet, unsigned cause, struct moehub_way_completed *record);

/* The tracker took a record, a write's with what BRESP bit 1 was: counts it. */
void moehub_way_completed_taken(struct moehub_way *way, struct moehub_way_completed *record, bool error);

/* What pre_reduce is told of a request whose check gave `cause`. */
void moehub_way_requested(const struct moehub_way_packet *packet, unsigned cause, struct moehub_way_request *request);

#endif
