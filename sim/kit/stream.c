/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pins of stream s are s_valid, s_ready, s_<field>; AXI writes the channel and the member as one word: m_axi_awvalid. */
static const struct pin *member_pin(const struct stream *stream, const char *member)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", stream->name, member);
    const struct pin *pin = bench_optional_pin(stream->bench, name);
    if (pin != NULL)
        return pin;
    snprintf(name, sizeof name, "%s_%s", stream->name, member);
    return bench_pin(stream->bench, name);
}

static void add_fields(struct stream *stream, const char *fields)
{
    char *list = strdup(fields);
    char *rest = NULL;
    for (char *name = strtok_r(list, " ,", &rest); name != NULL; name = strtok_r(NULL, " ,", &rest)) {
        const struct pin *pin = member_pin(stream, strcmp(name, ".") == 0 ? "data" : name);
        /* The field's name is the end of the pin's, which lives as long as the design. */
        size_t length = strlen(strcmp(name, ".") == 0 ? "data" : name);
        field_table_add(&stream->table, pin->name + strlen(pin->name) - length, pin->bits);
        stream->pins[stream->table.count - 1] = pin;
    }
    free(list);
}

static bool stream_waits(const void *self, struct watchdog_wait *wait)
{
    const struct stream *stream = self;
    if (!stream->waiting)
        return false;
    wait->still_since = stream->waiting_since;
    snprintf(wait->text, sizeof wait->text, "%s high and %s low since cycle %" PRIu64 " (item %" PRIu64 ")",
             stream->valid->name, stream->ready->name, stream->waiting_since, stream->transfers);
    return true;
}

static void stream_create(struct stream *stream, struct bench *bench, const char *name, const char *fields,
                          enum stall_kind stall)
{
    *stream = (struct stream){.bench = bench, .name = name};
    stream->valid = member_pin(stream, "valid");
    stream->ready = member_pin(stream, "ready");
    add_fields(stream, fields);
    stall_init(&stream->stall, stall, bench->random_seed, name);
    watchdog_add(&bench->watchdog, stream_waits, stream);
}

static void put_item(const struct stream *stream, const uint64_t *item)
{
    for (unsigned i = 0; i < stream->table.count; i++)
        pin_set_words(stream->pins[i], item + stream->table.first_word[i]);
}

static void get_item(const struct stream *stream, uint64_t *item)
{
    for (unsigned i = 0; i < stream->table.count; i++)
        pin_get_words(stream->pins[i], item + stream->table.first_word[i]);
}

/* Follows the handshake of the coming edge; true when it transfers an item. */
static bool handshake(struct stream *stream, bool valid, bool ready)
{
    if (stream->bench->reset) {
        stream->waiting = false;
        return false;
    }
    bool waits = valid && !ready;
    if (waits && !stream->waiting)
        stream->waiting_since = stream->bench->cycle;
    stream->waiting = waits;
    stream->stalled_cycles += waits;
    stream->transfers += valid && ready;
    return valid && ready;
}

void source_create(struct source *source, struct bench *bench, const char *name, const char *fields, enum stall_kind stall)
{
    *source = (struct source){0};
    stream_create(&source->stream, bench, name, fields, stall);
    pin_set(source->stream.valid, 0);
}

/* A payload that nobody may use: it changes whenever valid falls. */
static void put_junk(struct stream *stream)
{
    uint64_t junk[ITEM_WORDS_MAX];
    for (unsigned i = 0; i < stream->table.words; i++)
        junk[i] = random_next(&stream->stall.random);
    put_item(stream, junk);
}

void source_drive(struct source *source)
{
    struct stream *stream = &source->stream;
    if (source->driving && !stream->bench->reset)
        return; /* valid stays until accepted */
    bool send = !stall_next(&stream->stall) && source->offered && !stream->bench->reset;
    if (send)
        put_item(stream, source->item);
    else if (pin_get(stream->valid) != 0)
        put_junk(stream);
    pin_set(stream->valid, send);
    source->driving = send;
}

const uint64_t *source_sample(struct source *source)
{
    struct stream *stream = &source->stream;
    bool ready = pin_get(stream->ready) != 0;
    if (stream->bench->quiet && ready)
        bench_fail(stream->bench, BENCH_MISMATCH, "%s is high in reset or in the cycle after it", stream->ready->name);
    if (stream->bench->reset)
        source->offered = source->driving = false; /* a reset drops what waits */
    if (!handshake(stream, source->driving, ready))
        return NULL;
    source->offered = source->driving = false;
    return source->item;
}

void sink_create(struct sink *sink, struct bench *bench, const char *name, const char *fields, enum stall_kind stall)
{
    *sink = (struct sink){0};
    stream_create(&sink->stream, bench, name, fields, stall);
}

void sink_drive(struct sink *sink)
{
    pin_set(sink->stream.ready, !stall_next(&sink->stream.stall));
}

/* Names the fields that differ from the held payload. */
static void fail_unstable(struct sink *sink)
{
    const struct stream *stream = &sink->stream;
    for (unsigned i = 0; i < stream->table.count; i++) {
        unsigned first = stream->table.first_word[i];
        if (memcmp(sink->item + first, sink->held + first, field_words(stream->table.fields[i].bits) * sizeof *sink->item) == 0)
            continue;
        fprintf(stderr, "\n%s was ", stream->pins[i]->name);
        field_print(stderr, &stream->table.fields[i], sink->held + first);
        fprintf(stderr, ", is ");
        field_print(stderr, &stream->table.fields[i], sink->item + first);
    }
    bench_fail(stream->bench, BENCH_MISMATCH, "%s: the payload changed while %s was high and %s low", stream->name,
               stream->valid->name, stream->ready->name);
}

static void check_rules(struct sink *sink, bool valid)
{
    struct stream *stream = &sink->stream;
    if (stream->bench->quiet && valid)
        bench_fail(stream->bench, BENCH_MISMATCH, "%s is high in reset or in the cycle after it", stream->valid->name);
    if (!stream->waiting || stream->bench->reset)
        return;
    if (!valid)
        bench_fail(stream->bench, BENCH_MISMATCH, "%s was withdrawn before %s", stream->valid->name, stream->ready->name);
    if (memcmp(sink->item, sink->held, stream->table.words * sizeof *sink->item) != 0)
        fail_unstable(sink);
}

const uint64_t *sink_sample(struct sink *sink)
{
    struct stream *stream = &sink->stream;
    bool valid = pin_get(stream->valid) != 0;
    bool ready = pin_get(stream->ready) != 0;
    if (valid)
        get_item(stream, sink->item);
    check_rules(sink, valid);
    bool transfer = handshake(stream, valid, ready);
    if (stream->waiting)
        memcpy(sink->held, sink->item, stream->table.words * sizeof *sink->item);
    return transfer ? sink->item : NULL;
}
