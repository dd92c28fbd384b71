/* SPDX-License-Identifier: Apache-2.0 */
/* Address allocation unit (AAU): contexts, regions with their next-slot pointers, the checks of a request,
 * and the commands that change them (rtl/doc/address_path.md, sections 4 and 5; two stages: rtl/doc/hub/address_stages.md).
 * It knows nothing of the AL table. */
#ifndef MOEHUB_ADDR_ALLOC_H
#define MOEHUB_ADDR_ALLOC_H

#include "moehub/hub.h"

/* Slots, epoch and table are of both stages. What a stage has of its own is its row size and its base; those of stage 1
 * (combine) are never looked at where there is one stage. */
struct moehub_region {
    uint64_t base;          /* of stage 0 */
    uint32_t capacity;      /* slots; 0: no such region */
    uint32_t next_slot;     /* 0..capacity: rows announced in this epoch */
    uint64_t combine_base;  /* of stage 1 */
};

struct moehub_context {
    uint64_t table_base;
    uint32_t row_limit;
    uint32_t row_size;          /* bytes, of stage 0 */
    uint32_t combine_row_size;  /* bytes, of stage 1 */
    uint32_t epoch;      /* 0 until the first ACKNOWLEDGE_CLEAR */
    bool enabled;
    bool clear_needed;
    bool advance_needed;
    uint32_t peers[MOEHUB_GPUS_MAX / 32];
};

struct moehub_addr_alloc {
    struct moehub_address_path_config config;
    uint64_t address_mask;
    struct moehub_context contexts[MOEHUB_CONTEXTS_MAX];
    struct moehub_region *regions;  /* [contexts * local_experts] */
};

/* What a command asks of the AL-TLB. */
enum moehub_addr_alloc_effect {
    MOEHUB_ADDR_ALLOC_NO_EFFECT,
    MOEHUB_ADDR_ALLOC_DROP_CONTEXT,  /* invalidate the context's lines, keep the replacement state */
    MOEHUB_ADDR_ALLOC_DROP_ALL       /* everything as after reset */
};

/* The state after reset. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_addr_alloc_create(struct moehub_addr_alloc *alloc, const struct moehub_address_path_config *config);
void moehub_addr_alloc_destroy(struct moehub_addr_alloc *alloc);

/* Back to the state after reset. */
void moehub_addr_alloc_reset(struct moehub_addr_alloc *alloc);

/* Carries out a command; `in_flight` says whether anything of its context (FLUSH: of any) was in flight. */
enum moehub_addr_alloc_effect moehub_addr_alloc_command(struct moehub_addr_alloc *alloc,
                                                        const struct moehub_hub_command *command, bool in_flight,
                                                        struct moehub_hub_result *result);

/* Whether every invariant holds: next slots within capacities, epochs within their width, enabled only without a need. */
bool moehub_addr_alloc_is_valid(const struct moehub_addr_alloc *alloc);

static inline struct moehub_region *moehub_addr_alloc_region(const struct moehub_addr_alloc *alloc, unsigned context,
                                                             unsigned expert)
{
    return alloc->regions + (context * alloc->config.local_experts + expert);
}

/* The stage of a request: its operation, where there are two. */
static inline unsigned moehub_addr_alloc_stage(const struct moehub_addr_alloc *alloc,
                                               const struct moehub_hub_request *request)
{
    return alloc->config.stages == 1 || request->operation == MOEHUB_REQUEST_WRITE_TOUCH ? 0 : 1;
}

/* Bytes of a row in a stage: output row_sizes. */
static inline uint32_t moehub_addr_alloc_row_size(const struct moehub_context *context, unsigned stage)
{
    return stage == 0 ? context->row_size : context->combine_row_size;
}

/* From slot to slot in a stage: with two stages a whole number of lines. */
static inline uint32_t moehub_addr_alloc_stride(const struct moehub_addr_alloc *alloc,
                                                const struct moehub_context *context, unsigned stage)
{
    const uint32_t row_size = moehub_addr_alloc_row_size(context, stage);
    return alloc->config.stages == 1 ? row_size : (row_size + MOEHUB_LINE_BYTES - 1) / MOEHUB_LINE_BYTES * MOEHUB_LINE_BYTES;
}

/* Checks 1 to 5 of a request in their order: MOEHUB_STATUS_OK, or CONTEXT, PEER, EXPERT, RANGE, FULL. */
static inline unsigned moehub_addr_alloc_check(const struct moehub_addr_alloc *alloc,
                                               const struct moehub_hub_request *request)
{
    if (request->context >= alloc->config.contexts)
        return MOEHUB_STATUS_CONTEXT;
    const struct moehub_context *context = &alloc->contexts[request->context];
    if (!context->enabled)
        return MOEHUB_STATUS_CONTEXT;
    if (request->source >= alloc->config.gpus || !(context->peers[request->source / 32] >> request->source % 32 & 1u))
        return MOEHUB_STATUS_PEER;
    if (request->expert >= alloc->config.local_experts)
        return MOEHUB_STATUS_EXPERT;
    const struct moehub_region *region = moehub_addr_alloc_region(alloc, request->context, request->expert);
    if (region->capacity == 0)
        return MOEHUB_STATUS_EXPERT;
    if (request->row_index >= context->row_limit || request->length == 0 ||
        (uint32_t)request->offset + request->length >
            moehub_addr_alloc_row_size(context, moehub_addr_alloc_stage(alloc, request)))
        return MOEHUB_STATUS_RANGE;
    if (request->operation == MOEHUB_REQUEST_WRITE_TOUCH && request->first && region->next_slot == region->capacity)
        return MOEHUB_STATUS_FULL;
    return MOEHUB_STATUS_OK;
}

/* The next slot of a region that is not full. */
static inline uint32_t moehub_addr_alloc_take(struct moehub_region *region)
{
    return region->next_slot++;
}

/* base + slot * stride + offset, of a stage, modulo 2^address_width. */
static inline uint64_t moehub_addr_alloc_address(const struct moehub_addr_alloc *alloc,
                                                 const struct moehub_context *context,
                                                 const struct moehub_region *region, unsigned stage, uint32_t slot,
                                                 uint32_t offset)
{
    const uint64_t base = stage == 0 ? region->base : region->combine_base;
    return (base + (uint64_t)slot * moehub_addr_alloc_stride(alloc, context, stage) + offset) & alloc->address_mask;
}

/* Where the table entry of (expert, row) lies, modulo 2^address_width. */
static inline uint64_t moehub_addr_alloc_entry(const struct moehub_addr_alloc *alloc,
                                               const struct moehub_context *context, uint32_t expert, uint32_t row)
{
    return (context->table_base + 4 * ((uint64_t)expert * context->row_limit + row)) & alloc->address_mask;
}

#endif
