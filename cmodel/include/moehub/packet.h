/* SPDX-License-Identifier: Apache-2.0 */
/* Packets on a link (rtl/doc/packet.md): the header flit in both formats, the target flits, and how long a packet is.
 *
 * A packet is: header flit, in FORMAT 0 ceil(target_count / 8) target flits, one byte-enable flit if `byte_enables`,
 * then ceil(payload bytes / 16) payload flits. */
#ifndef MOEHUB_PACKET_H
#define MOEHUB_PACKET_H

#include "moehub/defines.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_FLIT_BYTES 16
#define MOEHUB_LENGTH_MAX 256            /* payload bytes of one packet */
#define MOEHUB_TAG_MASK ((1u << MOEHUB_HEADER_TAG_WIDTH) - 1)   /* what a header keeps of a tag */

/* 16 bytes: half[0] holds bits 63:0 (of a header flit: the command half), half[1] bits 127:64 (the address half).
 * On the wire byte i is bits 8i+7:8i. */
struct moehub_flit {
    uint64_t half[2];
};

static inline bool moehub_flit_equal(struct moehub_flit a, struct moehub_flit b)
{
    return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

/* The four words of a header in registers (LATCH_HEADER), bits 31:0 first. */
static inline struct moehub_flit moehub_flit_from_words(const uint32_t words[4])
{
    return (struct moehub_flit){{words[0] | (uint64_t)words[1] << 32, words[2] | (uint64_t)words[3] << 32}};
}

/* The fields of a header flit, each in the range of its width (MOEHUB_HEADER_*_WIDTH, in FORMAT 1 MOEHUB_COMPACT_*_WIDTH). */
struct moehub_header {
    uint32_t row_index;     /* FORMAT 1: 26 bits */
    uint32_t tag;           /* 24 bits */
    uint16_t offset;        /* FORMAT 1: 128 LINE, LINE 7 bits */
    uint16_t length;        /* 9 bits; of an ld_reduce: units of 16 bytes */
    uint16_t source;        /* 10 bits */
    uint8_t target_count;   /* 6 bits; FORMAT 1: 2 */
    uint8_t round;          /* 4 bits */
    uint8_t zero;           /* bits 127:123; FORMAT 1 has none */
    uint8_t local_targets[MOEHUB_COMPACT_TARGETS]; /* FORMAT 1 only */
    uint8_t type;
    uint8_t format;
    uint8_t context;
    uint8_t status;
    uint8_t element;
    uint8_t operation;
    uint8_t stage;
    bool first;
    bool byte_enables;
    bool nop;
    bool out_fp32;
};

/* Fields to flit, in the layout of `format` (1: compact; 0 and the malformed 2, 3: that of FORMAT 0). Bits of a field
 * beyond its width are dropped, as are fields that the format has not. */
struct moehub_flit moehub_header_pack(const struct moehub_header *header);

/* Flit to fields: the inverse, for every one of the 2^128 flits. Fields that the format has not are 0. */
struct moehub_header moehub_header_unpack(struct moehub_flit flit);

/* 16 bytes in wire order, and back. */
void moehub_flit_to_bytes(struct moehub_flit flit, uint8_t bytes[MOEHUB_FLIT_BYTES]);
struct moehub_flit moehub_flit_from_bytes(const uint8_t bytes[MOEHUB_FLIT_BYTES]);

/* Payload bytes that follow a well-formed header: `length` of stores, partials and results, else 0. */
unsigned moehub_header_payload(const struct moehub_header *header);

/* Target flits that follow a well-formed header: none in FORMAT 1. */
unsigned moehub_header_target_flits(const struct moehub_header *header);

/* Flits that hold `length` bytes of payload. */
static inline unsigned moehub_payload_flits(unsigned length)
{
    return (length + MOEHUB_FLIT_BYTES - 1) / MOEHUB_FLIT_BYTES;
}

/* Flits of the whole packet, the header included. */
unsigned moehub_packet_flits(const struct moehub_header *header);

/* Target flit i of a list: ids 8i .. 8i+7, zeros after the end. */
struct moehub_flit moehub_targets_pack(const uint16_t *targets, unsigned count, unsigned flit);

/* Stores the (up to eight) ids of target flit i into targets[8i ..], never beyond targets[count - 1]. */
void moehub_targets_unpack(struct moehub_flit word, unsigned flit, uint16_t *targets, unsigned count);

/* The tag of ld_reduce copies and partials: {entry 16 bits, generation 8 bits}. */
static inline uint32_t moehub_entry_tag(unsigned entry, unsigned generation)
{
    return (uint32_t)(entry & 0xFFFFu) << 8 | (uint32_t)(generation & 0xFFu);
}

#endif
