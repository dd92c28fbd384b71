/* SPDX-License-Identifier: Apache-2.0 */
/* Masks of the 128 bytes of a line: bit i of the flit is byte i. */
#ifndef MOEHUB_HUB_BYTE_MASK_H
#define MOEHUB_HUB_BYTE_MASK_H

#include "moehub/packet.h"

/* The lowest `count` bytes, 0..128. */
static inline struct moehub_flit byte_mask_lowest(unsigned count)
{
    const uint64_t all = UINT64_MAX;
    return count >= 128 ? (struct moehub_flit){{all, all}}
           : count >= 64 ? (struct moehub_flit){{all, (UINT64_C(1) << (count - 64)) - 1}}
                         : (struct moehub_flit){{(UINT64_C(1) << count) - 1, 0}};
}

/* Byte i becomes byte i + places; places below 128. */
static inline struct moehub_flit byte_mask_up(struct moehub_flit mask, unsigned places)
{
    if (places >= 64)
        return (struct moehub_flit){{0, mask.half[0] << (places - 64)}};
    const uint64_t carried = places == 0 ? 0 : mask.half[0] >> (64 - places);
    return (struct moehub_flit){{mask.half[0] << places, mask.half[1] << places | carried}};
}

/* Byte i becomes byte i - places; places below 128. */
static inline struct moehub_flit byte_mask_down(struct moehub_flit mask, unsigned places)
{
    if (places >= 64)
        return (struct moehub_flit){{mask.half[1] >> (places - 64), 0}};
    const uint64_t carried = places == 0 ? 0 : mask.half[1] << (64 - places);
    return (struct moehub_flit){{mask.half[0] >> places | carried, mask.half[1] >> places}};
}

static inline struct moehub_flit byte_mask_or(struct moehub_flit a, struct moehub_flit b)
{
    return (struct moehub_flit){{a.half[0] | b.half[0], a.half[1] | b.half[1]}};
}

static inline bool byte_mask_meet(struct moehub_flit a, struct moehub_flit b)
{
    return ((a.half[0] & b.half[0]) | (a.half[1] & b.half[1])) != 0;
}

/* No byte of the mask is outside. */
static inline bool byte_mask_within(struct moehub_flit mask, struct moehub_flit whole)
{
    return ((mask.half[0] & ~whole.half[0]) | (mask.half[1] & ~whole.half[1])) == 0;
}

static inline bool byte_mask_empty(struct moehub_flit mask)
{
    return (mask.half[0] | mask.half[1]) == 0;
}

static inline bool byte_mask_has(struct moehub_flit mask, unsigned byte)
{
    return (mask.half[byte / 64] >> byte % 64 & 1) != 0;
}

static inline unsigned byte_mask_count(struct moehub_flit mask)
{
    return (unsigned)(__builtin_popcountll(mask.half[0]) + __builtin_popcountll(mask.half[1]));
}

/* The lowest and the highest byte of a mask that is not empty. */
static inline unsigned byte_mask_first(struct moehub_flit mask)
{
    return (unsigned)(mask.half[0] != 0 ? __builtin_ctzll(mask.half[0]) : 64 + __builtin_ctzll(mask.half[1]));
}

static inline unsigned byte_mask_last(struct moehub_flit mask)
{
    return (unsigned)(mask.half[1] != 0 ? 127 - __builtin_clzll(mask.half[1]) : 63 - __builtin_clzll(mask.half[0]));
}

#endif
