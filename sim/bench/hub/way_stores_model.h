/* SPDX-License-Identifier: Apache-2.0 */
/* What the stores of a way do, packet by packet (rtl/doc/hub/ingress.md section 3): verdict, experts, the line as it is
 * written. The bench says when a packet was checked and what the address path answered. */
#ifndef BENCH_HUB_WAY_STORES_MODEL_H
#define BENCH_HUB_WAY_STORES_MODEL_H

#include "moehub/packet.h"

#include <stdbool.h>
#include <stdint.h>

enum { WAY_CONTEXTS_MOST = 8, WAY_STORE_FLITS = 14, WAY_LINE_BEATS = 4, WAY_BEAT_WORDS = 4 };

/* What the hub says of a context. */
struct way_context {
    bool enabled, arrived;
    uint8_t round, owner_shift, list_shift;
    uint64_t peers, list_base;
};

struct way_config {
    unsigned contexts, local_expert_bits, address_width;
};

/* A store as the receiver keeps it. */
struct way_store {
    struct moehub_header header;
    uint16_t ids[32];             /* FORMAT 0 */
    struct moehub_flit flits[WAY_STORE_FLITS];
    unsigned count;
};

/* 0: it passed; else MOEHUB_HUB_WAY_CAUSE_CONTEXT to _ARRIVED. */
unsigned way_store_check(const struct way_config *config, const struct way_context contexts[], const struct way_store *store);

/* Pairs of a packet with that cause are handled. */
bool way_cause_counts(unsigned cause);

/* The expert of its target. */
unsigned way_store_expert(const struct way_config *config, const struct way_store *store, unsigned target);

/* The line as it is written: beats first .. last. */
struct way_line {
    unsigned first, last, bytes;
    uint64_t data[WAY_LINE_BEATS][WAY_BEAT_WORDS]; /* 0 where the strobe is */
    uint32_t strobes[WAY_LINE_BEATS];
};
void way_store_line(const struct way_store *store, struct way_line *line);

#endif
