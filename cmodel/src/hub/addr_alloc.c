/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/addr_alloc.h"

#include "moehub/error.h"
#include "moehub/packet.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT_GET_EPOCH_BITS 10
#define COMBINE_BASE_BIT 0x8000u   /* REGION_GET's index: the base of stage 1 */

static size_t region_total(const struct moehub_addr_alloc *alloc)
{
    return (size_t)alloc->config.contexts * alloc->config.local_experts;
}

void moehub_addr_alloc_reset(struct moehub_addr_alloc *alloc)
{
    memset(alloc->contexts, 0, sizeof alloc->contexts);
    for (unsigned context = 0; context < alloc->config.contexts; context++)
        alloc->contexts[context].clear_needed = true;
    memset(alloc->regions, 0, region_total(alloc) * sizeof *alloc->regions);
}

int moehub_addr_alloc_create(struct moehub_addr_alloc *alloc, const struct moehub_address_path_config *config)
{
    const int error = moehub_address_path_config_check(config);
    if (error != 0)
        return error;
    alloc->config = *config;
    alloc->address_mask = UINT64_MAX >> (64 - config->address_width);
    alloc->regions = calloc(region_total(alloc), sizeof *alloc->regions);
    if (alloc->regions == NULL)
        return MOEHUB_E_MEMORY;
    moehub_addr_alloc_reset(alloc);
    return 0;
}

void moehub_addr_alloc_destroy(struct moehub_addr_alloc *alloc)
{
    if (alloc == NULL)
        return;
    free(alloc->regions);
    alloc->regions = NULL;
}

static uint32_t epoch_last(const struct moehub_addr_alloc *alloc)
{
    return (uint32_t)((UINT64_C(1) << (32 - alloc->config.slot_width)) - 1);
}

/* Every row announced so far is forgotten. */
static void forget(struct moehub_addr_alloc *alloc, unsigned context)
{
    for (unsigned expert = 0; expert < alloc->config.local_experts; expert++)
        moehub_addr_alloc_region(alloc, context, expert)->next_slot = 0;
}

static bool in_address_space(const struct moehub_addr_alloc *alloc, uint64_t address)
{
    return (address & ~alloc->address_mask) == 0;
}

static bool two_stages(const struct moehub_addr_alloc *alloc)
{
    return alloc->config.stages == 2;
}

static uint32_t row_size_of(const struct moehub_hub_command *command)
{
    return (uint32_t)(command->data1 >> 32 & 0x1FFFF);
}

static bool legal_row_size(const struct moehub_addr_alloc *alloc, uint32_t row_size)
{
    return row_size != 0 && row_size <= UINT32_C(1) << alloc->config.offset_width &&
           (!two_stages(alloc) || row_size % MOEHUB_FLIT_BYTES == 0);
}

static bool legal_base(const struct moehub_addr_alloc *alloc, uint64_t base)
{
    return in_address_space(alloc, base) && (!two_stages(alloc) || base % MOEHUB_LINE_BYTES == 0);
}

/* The commands below return whether they refuse. */

static bool context_set(const struct moehub_addr_alloc *alloc, struct moehub_context *context,
                        const struct moehub_hub_command *command)
{
    const uint32_t row_limit = (uint32_t)command->data1;
    const uint32_t row_size = row_size_of(command);
    if (command->data0 % 4 != 0 || !in_address_space(alloc, command->data0))
        return true;
    if (!legal_row_size(alloc, row_size) || row_limit > UINT64_C(1) << alloc->config.row_index_width)
        return true;
    context->table_base = command->data0;
    context->row_limit = row_limit;
    context->row_size = row_size;
    context->combine_row_size = row_size;
    context->clear_needed = true;
    return false;
}

/* Table and slots do not depend on a row's size: nothing is to be cleared. */
static bool stage_set(const struct moehub_addr_alloc *alloc, struct moehub_context *context,
                      const struct moehub_hub_command *command)
{
    const uint32_t row_size = row_size_of(command);
    if (!two_stages(alloc) || command->index >= MOEHUB_STAGES_MAX || !legal_row_size(alloc, row_size))
        return true;
    if (command->index == 0)
        context->row_size = row_size;
    else
        context->combine_row_size = row_size;
    return false;
}

static bool peers_set(const struct moehub_addr_alloc *alloc, struct moehub_context *context,
                      const struct moehub_hub_command *command)
{
    const uint32_t first = 32u * command->index;
    if (first >= alloc->config.gpus)
        return true;
    const uint32_t known = alloc->config.gpus - first;
    const uint32_t mask = known >= 32 ? UINT32_MAX : (UINT32_C(1) << known) - 1;
    context->peers[command->index] = (uint32_t)command->data0 & mask;
    return false;
}

static bool region_set(struct moehub_addr_alloc *alloc, struct moehub_context *context,
                       const struct moehub_hub_command *command)
{
    const uint32_t capacity = (uint32_t)command->data1;
    if (command->index >= alloc->config.local_experts || !legal_base(alloc, command->data0) ||
        capacity >= UINT32_C(1) << alloc->config.slot_width)
        return true;
    struct moehub_region *region = moehub_addr_alloc_region(alloc, command->context, command->index);
    region->base = command->data0;
    region->combine_base = command->data0;
    region->capacity = capacity;
    context->advance_needed = true;
    return false;
}

static bool base_set(const struct moehub_addr_alloc *alloc, const struct moehub_hub_command *command)
{
    if (!two_stages(alloc) || command->index >= alloc->config.local_experts || !legal_base(alloc, command->data0))
        return true;
    moehub_addr_alloc_region(alloc, command->context, command->index)->combine_base = command->data0;
    return false;
}

static bool enable(struct moehub_context *context)
{
    if (context->clear_needed || context->advance_needed)
        return true;
    context->enabled = true;
    return false;
}

static bool advance(struct moehub_addr_alloc *alloc, struct moehub_context *context, unsigned name)
{
    if (context->clear_needed)
        return true;
    if (context->epoch == epoch_last(alloc)) {
        context->clear_needed = true;
        return false;
    }
    context->epoch++;
    context->advance_needed = false;
    forget(alloc, name);
    return false;
}

static bool acknowledge_clear(struct moehub_addr_alloc *alloc, struct moehub_context *context, unsigned name)
{
    if (!context->clear_needed)
        return true;
    context->epoch = 1;
    context->clear_needed = false;
    context->advance_needed = false;
    forget(alloc, name);
    return false;
}

static bool flush(struct moehub_addr_alloc *alloc, bool in_flight)
{
    for (unsigned context = 0; context < alloc->config.contexts; context++)
        if (alloc->contexts[context].enabled)
            return true;
    if (in_flight)
        return true;
    moehub_addr_alloc_reset(alloc);
    return false;
}

static void context_get(const struct moehub_addr_alloc *alloc, const struct moehub_hub_command *command, bool in_flight,
                        struct moehub_hub_result *result)
{
    const struct moehub_context *context = &alloc->contexts[command->context];
    const uint64_t row_size = moehub_addr_alloc_row_size(context, two_stages(alloc) && command->index == 1);
    const uint64_t epoch = context->epoch & ((1u << CONTEXT_GET_EPOCH_BITS) - 1);
    result->data0 = context->table_base;
    result->data1 = (uint64_t)context->row_limit | row_size << 32 | epoch << 49 |
                    (uint64_t)in_flight << 60 | (uint64_t)context->advance_needed << 61 |
                    (uint64_t)context->clear_needed << 62 | (uint64_t)context->enabled << 63;
}

static bool region_get(const struct moehub_addr_alloc *alloc, const struct moehub_hub_command *command,
                       struct moehub_hub_result *result)
{
    const bool combine = two_stages(alloc) && (command->index & COMBINE_BASE_BIT) != 0;
    const unsigned expert = combine ? command->index - COMBINE_BASE_BIT : command->index;
    if (expert >= alloc->config.local_experts)
        return true;
    const struct moehub_region *region = moehub_addr_alloc_region(alloc, command->context, expert);
    result->data0 = combine ? region->combine_base : region->base;
    result->data1 = (uint64_t)region->capacity | (uint64_t)region->next_slot << 32;
    return false;
}

static bool needs_quiet_context(unsigned operation)
{
    return operation != MOEHUB_HUB_COMMAND_DISABLE && operation != MOEHUB_HUB_COMMAND_CONTEXT_GET &&
           operation != MOEHUB_HUB_COMMAND_REGION_GET;
}

/* A command of one context (all but FLUSH). */
static bool carry_out(struct moehub_addr_alloc *alloc, const struct moehub_hub_command *command, bool in_flight,
                      struct moehub_hub_result *result)
{
    if (command->context >= alloc->config.contexts)
        return true;
    struct moehub_context *context = &alloc->contexts[command->context];
    if (needs_quiet_context(command->operation) && (context->enabled || in_flight))
        return true;
    switch (command->operation) {
    case MOEHUB_HUB_COMMAND_CONTEXT_SET:
        return context_set(alloc, context, command);
    case MOEHUB_HUB_COMMAND_PEERS_SET:
        return peers_set(alloc, context, command);
    case MOEHUB_HUB_COMMAND_REGION_SET:
        return region_set(alloc, context, command);
    case MOEHUB_HUB_COMMAND_ENABLE:
        return enable(context);
    case MOEHUB_HUB_COMMAND_DISABLE:
        context->enabled = false;
        return false;
    case MOEHUB_HUB_COMMAND_ADVANCE:
        return advance(alloc, context, command->context);
    case MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR:
        return acknowledge_clear(alloc, context, command->context);
    case MOEHUB_HUB_COMMAND_CONTEXT_GET:
        context_get(alloc, command, in_flight, result);
        return false;
    case MOEHUB_HUB_COMMAND_REGION_GET:
        return region_get(alloc, command, result);
    case MOEHUB_HUB_COMMAND_STAGE_SET:
        return stage_set(alloc, context, command);
    case MOEHUB_HUB_COMMAND_BASE_SET:
        return base_set(alloc, command);
    default:
        return true;
    }
}

enum moehub_addr_alloc_effect moehub_addr_alloc_command(struct moehub_addr_alloc *alloc,
                                                        const struct moehub_hub_command *command, bool in_flight,
                                                        struct moehub_hub_result *result)
{
    *result = (struct moehub_hub_result){.in_flight = in_flight};
    if (command->operation == MOEHUB_HUB_COMMAND_FLUSH) {
        result->refused = flush(alloc, in_flight);
        return result->refused ? MOEHUB_ADDR_ALLOC_NO_EFFECT : MOEHUB_ADDR_ALLOC_DROP_ALL;
    }
    result->refused = carry_out(alloc, command, in_flight, result);
    if (!result->refused && command->operation == MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR)
        return MOEHUB_ADDR_ALLOC_DROP_CONTEXT;
    return MOEHUB_ADDR_ALLOC_NO_EFFECT;
}

bool moehub_addr_alloc_is_valid(const struct moehub_addr_alloc *alloc)
{
    for (unsigned name = 0; name < alloc->config.contexts; name++) {
        const struct moehub_context *context = &alloc->contexts[name];
        if (context->epoch > epoch_last(alloc) || !in_address_space(alloc, context->table_base))
            return false;
        if (context->enabled && (context->clear_needed || context->advance_needed || context->epoch == 0))
            return false;
        for (unsigned expert = 0; expert < alloc->config.local_experts; expert++) {
            const struct moehub_region *region = moehub_addr_alloc_region(alloc, name, expert);
            /* A region set anew may be smaller than what it held until the context advances. */
            if (context->enabled && region->next_slot > region->capacity)
                return false;
        }
    }
    return true;
}
