/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the tile tracker's model share: causes, rings, and what one pipeline tells another. */
#ifndef MOEHUB_TILE_TRACKER_PARTS_H
#define MOEHUB_TILE_TRACKER_PARTS_H

#include "moehub/tile_tracker.h"

/* Who gave offence; 0 where the cause has no such field (rtl/doc/hub/tile_tracker.md section 9). */
struct tile_tracker_offence {
    unsigned context;
    unsigned source;
    uint32_t row_index;
    unsigned tag;
};

static inline void tile_tracker_count(struct moehub_tile_tracker *tracker, unsigned event)
{
    tracker->counters[event]++;
}

/* Flags the context, if it is not clean. */
void tile_tracker_flag(struct moehub_tile_tracker *tracker, unsigned context);

/* Counts and latches a cause; whether it flags is the caller's. */
void tile_tracker_cause(struct moehub_tile_tracker *tracker, unsigned cause, struct tile_tracker_offence offence);

/* Rings: by enum moehub_tile_tracker_ring. pop: false if it is empty. */
void tile_tracker_push(struct moehub_tile_tracker *tracker, unsigned context, unsigned ring, struct moehub_ring_word word);
bool tile_tracker_pop(struct moehub_tile_tracker *tracker, unsigned context, unsigned ring, struct moehub_ring_word *word);

/* The tile n of an expert, NULL if the region has none such. */
struct moehub_tile *tile_tracker_tile(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t n);

/* Arrival: pairs of a BYTES or REFUSED. */
void tile_tracker_handled(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, unsigned pairs);

#endif
