/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/packets.h"

#include "moehub/defines.h"
#include "moehub/element.h"

#include <stdlib.h>
#include <string.h>

/* A source's rows in flight: each slot holds the packet that its row emits next. */
struct source {
    struct moehub_packet *slots;
    unsigned open;        /* slots in use; closing one moves the later ones down */
    unsigned turn;        /* slot that emits next */
    uint32_t next_token;  /* first token not yet in flight */
};

struct moehub_packets {
    const struct moehub_layer *layer;
    uint32_t row_bytes;
    uint32_t payload;
    unsigned inflight;
    unsigned start;  /* GPU with which the present step began */
    unsigned turn;   /* GPUs already served in this step */
    uint64_t left;   /* packets still to come */
    struct source *sources;
    struct moehub_packet *slots;  /* [gpus * inflight] */
};

static uint16_t payload_length(const struct moehub_packets *packets, uint32_t offset)
{
    const uint32_t left = packets->row_bytes - offset;
    return (uint16_t)(left < packets->payload ? left : packets->payload);
}

/* Puts the source's next token into a slot. */
static void load_slot(const struct moehub_packets *packets, struct source *source, unsigned gpu, unsigned slot)
{
    const struct moehub_layer *layer = packets->layer;
    const uint32_t row = moehub_layer_row(layer, gpu, source->next_token++);
    const uint16_t length = payload_length(packets, 0);
    source->slots[slot] = (struct moehub_packet){
        .targets = moehub_layer_targets(layer, row),
        .remotes = layer->remotes + (size_t)row * layer->topk,
        .row = row,
        .length = length,
        .gpu = (uint16_t)gpu,
        .remote_count = layer->remote_counts[row],
        .first = true,
        .last = length == packets->row_bytes,
    };
}

static void close_slot(struct source *source, unsigned slot)
{
    source->open--;
    memmove(source->slots + slot, source->slots + slot + 1, (source->open - slot) * sizeof *source->slots);
}

/* Turns a slot's packet into its row's next one; false after the last. */
static bool advance_slot(const struct moehub_packets *packets, struct moehub_packet *slot)
{
    if (slot->last)
        return false;
    slot->offset += packets->payload;
    slot->length = payload_length(packets, slot->offset);
    slot->first = false;
    slot->last = slot->offset + slot->length == packets->row_bytes;
    return true;
}

/* The source's next packet; the source has an open slot. */
static void emit(const struct moehub_packets *packets, struct source *source, unsigned gpu, struct moehub_packet *packet)
{
    const unsigned slot = source->turn;
    *packet = source->slots[slot];
    if (advance_slot(packets, &source->slots[slot])) {
        source->turn++;
    } else if (source->next_token < packets->layer->gpu_tokens[gpu]) {
        load_slot(packets, source, gpu, slot);
        source->turn++;
    } else {
        close_slot(source, slot);
    }
    if (source->turn >= source->open)
        source->turn = 0;
}

/* The GPU whose turn it is, and on to the next one. */
static unsigned next_gpu(struct moehub_packets *packets)
{
    const unsigned gpus = packets->layer->gpus;
    const unsigned gpu = packets->start + packets->turn;
    if (++packets->turn == gpus) {
        packets->turn = 0;
        packets->start = packets->start + 1 == gpus ? 0 : packets->start + 1;
    }
    return gpu < gpus ? gpu : gpu - gpus;
}

size_t moehub_packets_next(struct moehub_packets *packets, struct moehub_packet *batch, size_t most)
{
    const size_t count = packets->left < most ? (size_t)packets->left : most;
    for (size_t filled = 0; filled < count;) {
        const unsigned gpu = next_gpu(packets);
        if (packets->sources[gpu].open > 0)
            emit(packets, &packets->sources[gpu], gpu, &batch[filled++]);
    }
    packets->left -= count;
    return count;
}

uint64_t moehub_packets_total(const struct moehub_packets *packets)
{
    return packets->layer->tokens * (uint64_t)((packets->row_bytes + packets->payload - 1) / packets->payload);
}

void moehub_packets_rewind(struct moehub_packets *packets)
{
    packets->start = 0;
    packets->turn = 0;
    packets->left = moehub_packets_total(packets);
    for (unsigned gpu = 0; gpu < packets->layer->gpus; gpu++) {
        struct source *source = &packets->sources[gpu];
        const uint32_t tokens = packets->layer->gpu_tokens[gpu];
        *source = (struct source){.slots = packets->slots + (size_t)gpu * packets->inflight};
        source->open = tokens < packets->inflight ? tokens : packets->inflight;
        for (unsigned slot = 0; slot < source->open; slot++)
            load_slot(packets, source, gpu, slot);
    }
}

struct moehub_packets *moehub_packets_create(const struct moehub_layer *layer, unsigned stage, unsigned inflight,
                                             unsigned payload)
{
    const bool dispatch = stage == MOEHUB_STAGE_DISPATCH;
    const unsigned size = moehub_element_size(dispatch ? layer->dispatch_element : layer->combine_element);
    if ((!dispatch && stage != MOEHUB_STAGE_COMBINE) || inflight < 1 || inflight > 65536 || payload < 1 ||
        payload > 256 || payload % size != 0)
        return NULL;
    struct moehub_packets *packets = calloc(1, sizeof *packets);
    if (packets == NULL)
        return NULL;
    packets->layer = layer;
    packets->row_bytes = dispatch ? layer->dispatch_row_bytes : layer->combine_row_bytes;
    packets->payload = payload;
    packets->inflight = inflight < layer->tokens_per_gpu ? inflight : layer->tokens_per_gpu;
    packets->sources = calloc(layer->gpus, sizeof *packets->sources);
    packets->slots = calloc((size_t)layer->gpus * packets->inflight, sizeof *packets->slots);
    if (packets->sources == NULL || packets->slots == NULL) {
        moehub_packets_destroy(packets);
        return NULL;
    }
    moehub_packets_rewind(packets);
    return packets;
}

void moehub_packets_destroy(struct moehub_packets *packets)
{
    if (packets == NULL)
        return;
    free(packets->sources);
    free(packets->slots);
    free(packets);
}
