/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: a source drives <name>_valid and the payload into the design, a sink drives <name>_ready and takes items.
 * A field f of stream s is the pin s_f; items are laid out as kit/field.h says, in the order of the field list.
 *
 * The rules of streams are checked on whatever the design drives; a violation ends the run as a mismatch:
 *   - valid is not withdrawn and the payload stays while valid && !ready
 *   - valid and ready are low in reset and in the cycle after it
 * A stream registers with the watchdog: valid && !ready for too long names the stream and the low ready. */
#ifndef KIT_STREAM_H
#define KIT_STREAM_H

#include "kit/bench.h"
#include "kit/field.h"
#include "kit/stall.h"

/* What source and sink share. */
struct stream {
    struct bench *bench;
    const char *name;
    const struct pin *valid, *ready;
    const struct pin *pins[FIELDS_MAX];
    struct field_table table;
    struct stall stall;
    bool waiting;           /* valid && !ready at the last edge */
    uint64_t waiting_since; /* cycle */
    uint64_t transfers;
    uint64_t stalled_cycles; /* valid && !ready */
};

struct source {
    struct stream stream;
    bool offered; /* an item is there to be sent */
    bool driving; /* valid is high */
    uint64_t item[ITEM_WORDS_MAX];
};

struct sink {
    struct stream stream;
    uint64_t item[ITEM_WORDS_MAX];
    uint64_t held[ITEM_WORDS_MAX]; /* the payload that has to stay */
};

/* `fields`: names separated by spaces or commas ("operation first tag"), "" for a stream without payload; a field named "."
 * is the pin <name>_data. A missing pin ends the program with status 2. `name` must outlive the stream. */
void source_create(struct source *source, struct bench *bench, const char *name, const char *fields, enum stall_kind stall);
void sink_create(struct sink *sink, struct bench *bench, const char *name, const char *fields, enum stall_kind stall);

/* True when the next item can be offered. */
static inline bool source_free(const struct source *source)
{
    return !source->offered;
}

/* The place for the next item, to be filled before source_drive; it is sent as soon as the stall profile lets it. */
static inline uint64_t *source_offer(struct source *source)
{
    source->offered = true;
    return source->item;
}

/* Step 1 of the cycle. */
void source_drive(struct source *source);
/* Step 3: the item accepted at the coming edge, or NULL. It stays readable until the next source_offer. */
const uint64_t *source_sample(struct source *source);

/* Step 1. */
void sink_drive(struct sink *sink);
/* Step 3: the item transferred at the coming edge, or NULL. It stays readable until the next sink_sample. */
const uint64_t *sink_sample(struct sink *sink);

#endif
