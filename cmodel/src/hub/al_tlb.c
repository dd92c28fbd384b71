/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/al_tlb.h"

#include "moehub/error.h"
#include "moehub/integer.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 7
#define EXPERT_LSB 32
#define CONTEXT_LSB 48

uint32_t moehub_al_index(uint64_t polynomial, unsigned log2_sets)
{
    static const uint16_t primitive[] = {0x1, 0x3, 0x7, 0xD, 0x19, 0x3B, 0x67, 0xCB, 0x1CF, 0x2A3, 0x637, 0xFAD, 0x107D};
    const uint64_t divisor = primitive[log2_sets];
    for (unsigned degree = 63; degree >= log2_sets && degree > 0; degree--)
        if (polynomial >> degree & 1)
            polynomial ^= divisor << (degree - log2_sets);
    return log2_sets == 0 ? 0 : (uint32_t)polynomial;
}

uint32_t moehub_al_set(const struct moehub_address_path_config *config, uint64_t name)
{
    const unsigned expert_bits = config->local_experts > 1 ? moehub_log2_ceiling(config->local_experts) : 1;
    const uint64_t row = name & UINT32_MAX;
    const uint64_t expert = name >> EXPERT_LSB & 0xFFFF;
    const uint64_t context = name >> CONTEXT_LSB;
    const uint64_t polynomial = row ^ expert << config->row_index_width ^ context << (config->row_index_width + expert_bits);
    return moehub_al_index(polynomial, moehub_log2_ceiling(config->sets));
}

static void fill_hash(struct moehub_al_tlb *tlb, const struct moehub_address_path_config *config)
{
    for (unsigned byte = 0; byte < NAME_BYTES; byte++)
        for (uint64_t value = 0; value < 256; value++)
            tlb->hash[byte][value] = (uint16_t)moehub_al_set(config, value << 8 * byte);
}

/* The nodes on a way's path point away from it after its use: up (1) where it lies in the lower half. */
static void fill_uses(struct moehub_al_tlb *tlb)
{
    for (unsigned way = 0; way < tlb->ways; way++) {
        tlb->use_keep[way] = 0xFF;
        tlb->use_set[way] = 0;
        if (tlb->replacement != MOEHUB_REPLACEMENT_PLRU)
            continue;
        for (unsigned node = way + tlb->ways - 1; node > 0; node = (node - 1) / 2) {
            const unsigned parent = (node - 1) / 2;
            tlb->use_keep[way] = (uint8_t)(tlb->use_keep[way] & ~(1u << parent));
            if (node == 2 * parent + 1)
                tlb->use_set[way] = (uint8_t)(tlb->use_set[way] | 1u << parent);
        }
    }
}

int moehub_al_tlb_create(struct moehub_al_tlb *tlb, const struct moehub_address_path_config *config)
{
    const int error = moehub_address_path_config_check(config);
    if (error != 0)
        return error;
    const size_t lines = (size_t)config->sets * config->ways;
    tlb->sets = config->sets;
    tlb->ways = config->ways;
    tlb->replacement = config->replacement;
    /* Sets start at host cache lines: a four-way set is exactly one. */
    tlb->lines = aligned_alloc(64, (lines * sizeof *tlb->lines + 63) / 64 * 64);
    tlb->order = calloc(config->sets, sizeof *tlb->order);
    tlb->hash = calloc(NAME_BYTES, sizeof *tlb->hash);
    if (tlb->lines == NULL || tlb->order == NULL || tlb->hash == NULL) {
        moehub_al_tlb_destroy(tlb);
        return MOEHUB_E_MEMORY;
    }
    fill_hash(tlb, config);
    fill_uses(tlb);
    moehub_al_tlb_flush(tlb);
    return 0;
}

void moehub_al_tlb_destroy(struct moehub_al_tlb *tlb)
{
    if (tlb == NULL)
        return;
    free(tlb->lines);
    free(tlb->order);
    free(tlb->hash);
    tlb->lines = NULL;
    tlb->order = NULL;
    tlb->hash = NULL;
}

static const struct moehub_al_line invalid_line = {MOEHUB_AL_NO_NAME, 0, MOEHUB_AL_UNMAPPED};

void moehub_al_tlb_flush(struct moehub_al_tlb *tlb)
{
    for (size_t i = 0; i < (size_t)tlb->sets * tlb->ways; i++)
        tlb->lines[i] = invalid_line;
    memset(tlb->order, 0, tlb->sets);
}

void moehub_al_tlb_drop_context(struct moehub_al_tlb *tlb, unsigned context)
{
    for (size_t i = 0; i < (size_t)tlb->sets * tlb->ways; i++)
        if (tlb->lines[i].name != MOEHUB_AL_NO_NAME && tlb->lines[i].name >> CONTEXT_LSB == context)
            tlb->lines[i] = invalid_line;
}

static bool set_is_valid(const struct moehub_al_tlb *tlb, uint32_t set)
{
    const struct moehub_al_line *lines = tlb->lines + (size_t)set * tlb->ways;
    for (unsigned a = 0; a < tlb->ways; a++) {
        if (lines[a].name == MOEHUB_AL_NO_NAME)
            continue;
        if (moehub_al_tlb_set(tlb, lines[a].name) != set)
            return false;
        for (unsigned b = 0; b < a; b++)
            if (lines[a].name == lines[b].name && lines[a].epoch == lines[b].epoch)
                return false;
    }
    const unsigned orders = tlb->replacement == MOEHUB_REPLACEMENT_FIFO ? tlb->ways : 1u << (tlb->ways - 1);
    return tlb->order[set] < orders;
}

bool moehub_al_tlb_is_valid(const struct moehub_al_tlb *tlb)
{
    for (uint32_t set = 0; set < tlb->sets; set++)
        if (!set_is_valid(tlb, set))
            return false;
    return true;
}
