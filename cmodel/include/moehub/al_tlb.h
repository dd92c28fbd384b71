/* SPDX-License-Identifier: Apache-2.0 */
/* AL-TLB: tags, replacement and line states of the set-associative cache of the AL table, updated at acceptance as if
 * every fill were immediate (rtl/doc/address_path.md, section 4).
 *
 * A line is 16 bytes and a set's lines are contiguous: a set of four ways is one host cache line. */
#ifndef MOEHUB_AL_TLB_H
#define MOEHUB_AL_TLB_H

#include "moehub/hub.h"

#include <stddef.h>

/* Line values that are no slot (slots are below 2^31). */
#define MOEHUB_AL_UNMAPPED UINT32_C(0xFFFFFFFF)
#define MOEHUB_AL_BAD UINT32_C(0xFFFFFFFE)

/* Name of a line that is invalid; no key has it. */
#define MOEHUB_AL_NO_NAME UINT64_MAX

struct moehub_al_line {
    uint64_t name;   /* moehub_al_name() of its key, or MOEHUB_AL_NO_NAME */
    uint32_t epoch;
    uint32_t value;  /* slot, MOEHUB_AL_UNMAPPED or MOEHUB_AL_BAD */
};

struct moehub_al_tlb {
    uint32_t sets;
    uint32_t ways;
    uint32_t replacement;          /* enum moehub_replacement */
    struct moehub_al_line *lines;  /* [sets * ways] */
    uint8_t *order;                /* [sets]: tree bits (bit i = node i) or the FIFO pointer */
    uint8_t use_keep[MOEHUB_WAYS_MAX];  /* a use of a way: tree bits to keep, */
    uint8_t use_set[MOEHUB_WAYS_MAX];   /* and to set */
    uint16_t (*hash)[256];         /* [7][256]: contribution of each byte of a name to its set */
};

enum moehub_al_found { MOEHUB_AL_HIT, MOEHUB_AL_FILLED, MOEHUB_AL_EVICTED };

/* (context, expert, row) in one word: row in bits 31:0, expert 47:32, context 55:48. */
static inline uint64_t moehub_al_name(unsigned context, unsigned expert, uint32_t row)
{
    return (uint64_t)context << 48 | (uint64_t)expert << 32 | row;
}

/* al_index(key) by its definition, polynomial division, for log2 sets = 0..12. `polynomial` is K. */
uint32_t moehub_al_index(uint64_t polynomial, unsigned log2_sets);

/* The set of a name (moehub_al_name), by that definition: K packs the name's fields as the parameters say. */
uint32_t moehub_al_set(const struct moehub_address_path_config *config, uint64_t name);

/* Everything invalid, replacement state 0. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY. */
int moehub_al_tlb_create(struct moehub_al_tlb *tlb, const struct moehub_address_path_config *config);
void moehub_al_tlb_destroy(struct moehub_al_tlb *tlb);

/* As after reset. */
void moehub_al_tlb_flush(struct moehub_al_tlb *tlb);

/* Invalidates a context's lines of every epoch; the replacement state stays. */
void moehub_al_tlb_drop_context(struct moehub_al_tlb *tlb, unsigned context);

/* Whether no set holds a key twice, every line is in the set of its hash, and the replacement state is in range. */
bool moehub_al_tlb_is_valid(const struct moehub_al_tlb *tlb);

/* The set of a name: al_index by tables, one byte of the name each (the division is linear over GF(2)). */
static inline uint32_t moehub_al_tlb_set(const struct moehub_al_tlb *tlb, uint64_t name)
{
    const uint16_t (*hash)[256] = (const uint16_t (*)[256])tlb->hash;
    return (uint32_t)(hash[0][name & 0xFF] ^ hash[1][name >> 8 & 0xFF] ^ hash[2][name >> 16 & 0xFF] ^
                      hash[3][name >> 24 & 0xFF] ^ hash[4][name >> 32 & 0xFF] ^ hash[5][name >> 40 & 0xFF] ^
                      hash[6][name >> 48 & 0xFF]);
}

/* Way that the tree points to. */
static inline unsigned moehub_al_plru_victim(unsigned tree, unsigned ways)
{
    unsigned node = 0;
    while (node < ways - 1)
        node = 2 * node + ((tree >> node & 1u) ? 2 : 1);
    return node - (ways - 1);
}

/* The way to fill: the lowest invalid one, else the policy's choice (*evicts = true). */
static inline unsigned moehub_al_tlb_victim(struct moehub_al_tlb *tlb, uint32_t set, bool *evicts)
{
    const struct moehub_al_line *lines = tlb->lines + (size_t)set * tlb->ways;
    *evicts = false;
    for (unsigned way = 0; way < tlb->ways; way++)
        if (lines[way].name == MOEHUB_AL_NO_NAME)
            return way;
    *evicts = true;
    if (tlb->replacement == MOEHUB_REPLACEMENT_PLRU)
        return moehub_al_plru_victim(tlb->order[set], tlb->ways);
    const unsigned way = tlb->order[set];
    tlb->order[set] = (uint8_t)(way + 1 == tlb->ways ? 0 : way + 1);
    return way;
}

/* The ways that hold a key, bit by way: none or one. Without branches: which way it is cannot be predicted. */
static inline unsigned moehub_al_match(const struct moehub_al_line *lines, unsigned ways, uint64_t name, uint32_t epoch)
{
    unsigned match = 0;
    for (unsigned way = 0; way < ways; way++)
        match |= (unsigned)((lines[way].name == name) & (lines[way].epoch == epoch)) << way;
    return match;
}

/* The same with the usual number of ways a constant. */
static inline unsigned moehub_al_tlb_match(const struct moehub_al_tlb *tlb, const struct moehub_al_line *lines,
                                           uint64_t name, uint32_t epoch)
{
    return tlb->ways == 4 ? moehub_al_match(lines, 4, name, epoch) : moehub_al_match(lines, tlb->ways, name, epoch);
}

/* A use of a way, which is all that a hit changes. FIFO: both masks leave the pointer as it is. */
static inline void moehub_al_tlb_use(struct moehub_al_tlb *tlb, uint32_t set, unsigned way)
{
    tlb->order[set] = (uint8_t)((tlb->order[set] & tlb->use_keep[way]) | tlb->use_set[way]);
}

/* One lookup: returns the line that holds the key from now on. A line not hit has the value MOEHUB_AL_UNMAPPED until
 * the caller stores what the table says. */
static inline struct moehub_al_line *moehub_al_tlb_lookup(struct moehub_al_tlb *tlb, uint64_t name, uint32_t epoch,
                                                          enum moehub_al_found *found)
{
    const uint32_t set = moehub_al_tlb_set(tlb, name);
    struct moehub_al_line *lines = tlb->lines + (size_t)set * tlb->ways;
    const unsigned match = moehub_al_tlb_match(tlb, lines, name, epoch);
    unsigned way;
    *found = MOEHUB_AL_HIT;
    if (match != 0) {
        way = (unsigned)__builtin_ctz(match);
    } else {
        bool evicts;
        way = moehub_al_tlb_victim(tlb, set, &evicts);
        *found = evicts ? MOEHUB_AL_EVICTED : MOEHUB_AL_FILLED;
        lines[way] = (struct moehub_al_line){name, epoch, MOEHUB_AL_UNMAPPED};
    }
    moehub_al_tlb_use(tlb, set, way);
    return &lines[way];
}

#endif
