/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/hub_contexts.h"

#include "moehub/error.h"
#include "moehub/integer.h"

#include <string.h>

enum { TILE_SHIFT_MOST = 12, ROW_WORD_SHIFT = 2, GIVEN_BEFORE_ENABLE = 0x6F };

static const uint32_t timeout_most = UINT32_C(1) << 31;

struct moehub_hub_contexts_config moehub_hub_contexts_config_default(void)
{
    return (struct moehub_hub_contexts_config){.gpus = 8, .contexts = 4, .local_experts = 64, .row_index_width = 20,
                                               .slot_width = 22, .address_width = 48, .tiles = 1024, .tokens = 4096};
}

static bool legal(const struct moehub_hub_contexts_config *config)
{
    return moehub_within(config->gpus, 2, 64) && config->own < config->gpus &&
           moehub_within(config->contexts, 1, MOEHUB_HUB_CONTEXTS_MOST) && moehub_within(config->local_experts, 1, 256) &&
           moehub_within(config->row_index_width, 1, 32) && moehub_within(config->slot_width, 1, 31) &&
           moehub_within(config->address_width, 32, 64) && moehub_within(config->tiles, 1, 65536) &&
           moehub_within(config->tokens, 1, 65536);
}

int moehub_hub_contexts_create(struct moehub_hub_contexts *contexts, const struct moehub_hub_contexts_config *config)
{
    memset(contexts, 0, sizeof *contexts);
    if (!legal(config))
        return MOEHUB_E_ARGUMENT;
    contexts->config = *config;
    for (unsigned i = 0; i < config->contexts; i++)
        contexts->contexts[i].clean = true;
    return moehub_offenders_create(&contexts->offenders, 1); /* one command at a time: the first is known */
}

void moehub_hub_contexts_destroy(struct moehub_hub_contexts *contexts)
{
    if (contexts != NULL)
        moehub_offenders_destroy(&contexts->offenders);
}

/* ---- fields of operands ----------------------------------------------------------------------------------------------- */

static uint64_t field(uint64_t word, unsigned lowest, unsigned bits)
{
    return word >> lowest & ((UINT64_C(1) << bits) - 1);
}

static uint64_t gpus_of(const struct moehub_hub_contexts *contexts, uint64_t set)
{
    const unsigned gpus = contexts->config.gpus;
    return gpus < 64 ? field(set, 0, gpus) : set;
}

static bool in_flight(const struct moehub_hub_context *context, const struct moehub_hub_seen *seen)
{
    return seen->in_flight || (context->closing && !context->closed);
}

/* ---- reasons to refuse, a command each -------------------------------------------------------------------------------- */

static enum moehub_hub_refusal judge_peers(const struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command)
{
    return (gpus_of(contexts, command->data0) >> contexts->config.own & 1) == 0 ? MOEHUB_HUB_REFUSED_OWN_NO_PEER
                                                                                : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_owner(const struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command)
{
    const unsigned shift = (unsigned)field(command->data0, 0, 5);
    const uint64_t rows = (uint64_t)(contexts->config.own + 1) << shift;
    if (rows > UINT64_C(1) << contexts->config.row_index_width)
        return MOEHUB_HUB_REFUSED_OWNER_ROWS;
    const bool tokens = field(command->data0, 5, 1) != 0;
    const uint64_t end = field(command->data0, 16, 16) + (UINT64_C(1) << shift);
    return tokens && end > contexts->config.tokens ? MOEHUB_HUB_REFUSED_OWNER_TOKENS : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_list(const struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command)
{
    const unsigned width = contexts->config.address_width;
    const unsigned shift = (unsigned)field(command->data1, 0, 5);
    const unsigned bits = shift + ROW_WORD_SHIFT + moehub_log2_ceiling(contexts->config.local_experts);
    if (shift > contexts->config.slot_width)
        return MOEHUB_HUB_REFUSED_LIST_SHIFT;
    if (bits > width)
        return MOEHUB_HUB_REFUSED_LIST_SIZE;
    if (field(command->data0, 0, bits) != 0)
        return MOEHUB_HUB_REFUSED_LIST_UNALIGNED;
    return width < 64 && command->data0 >> width != 0 ? MOEHUB_HUB_REFUSED_LIST_BEYOND : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_tiles(const struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command)
{
    if (field(command->data0, 0, 4) > TILE_SHIFT_MOST)
        return MOEHUB_HUB_REFUSED_TILE_SHIFT;
    const uint64_t end = field(command->data0, 16, 16) + field(command->data0, 32, 17);
    return end > contexts->config.tiles ? MOEHUB_HUB_REFUSED_TILES : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_region(const struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command)
{
    const struct moehub_hub_context *context = &contexts->contexts[command->context];
    const uint64_t count = field(command->data0, 32, 17);
    if (command->index >= contexts->config.local_experts)
        return MOEHUB_HUB_REFUSED_EXPERT;
    if (field(command->data0, 0, 16) + count > context->tile_count)
        return MOEHUB_HUB_REFUSED_REGION_TILES;
    return count << context->tile_shift > UINT64_C(1) << context->list_shift ? MOEHUB_HUB_REFUSED_REGION_SLOTS
                                                                              : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_blocks(const struct moehub_hub_command *command)
{
    return field(command->data0, 0, 8) == 0 || field(command->data0, 8, 8) == 0 ? MOEHUB_HUB_REFUSED_NO_BLOCKS
                                                                                 : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_timeouts(const struct moehub_hub_command *command)
{
    const uint64_t arrival = field(command->data0, 0, 32), token = command->data0 >> 32;
    if (arrival == 0 || token == 0)
        return MOEHUB_HUB_REFUSED_NO_TIMEOUT;
    return arrival > timeout_most || token > timeout_most ? MOEHUB_HUB_REFUSED_LONG_TIMEOUT : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_enable(const struct moehub_hub_context *context, const struct moehub_hub_seen *seen)
{
    if (!seen->address_enabled)
        return MOEHUB_HUB_REFUSED_ADDRESS_DISABLED;
    return (context->given & GIVEN_BEFORE_ENABLE) != GIVEN_BEFORE_ENABLE ? MOEHUB_HUB_REFUSED_NOT_GIVEN : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_advance(const struct moehub_hub_context *context, const struct moehub_hub_seen *seen)
{
    if (context->enabled)
        return MOEHUB_HUB_REFUSED_ENABLED;
    return in_flight(context, seen) ? MOEHUB_HUB_REFUSED_IN_FLIGHT : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_close(const struct moehub_hub_context *context)
{
    if (!context->enabled)
        return MOEHUB_HUB_REFUSED_DISABLED;
    return context->closing ? MOEHUB_HUB_REFUSED_CLOSING : MOEHUB_HUB_ACCEPTED;
}

static enum moehub_hub_refusal judge_abort(const struct moehub_hub_context *context)
{
    if (context->clean)
        return MOEHUB_HUB_REFUSED_CLEAN;
    return context->closed ? MOEHUB_HUB_REFUSED_CLOSED : MOEHUB_HUB_ACCEPTED;
}

enum moehub_hub_refusal moehub_hub_contexts_judge(const struct moehub_hub_contexts *contexts,
                                                  const struct moehub_hub_command *command, const struct moehub_hub_seen *seen)
{
    if (command->operation > MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET)
        return MOEHUB_HUB_REFUSED_OPERATION;
    if (command->context >= contexts->config.contexts)
        return MOEHUB_HUB_REFUSED_CONTEXT;
    const struct moehub_hub_context *context = &contexts->contexts[command->context];
    if (command->operation <= MOEHUB_HUB_CONTROL_COMMAND_ENABLE && !context->clean)
        return MOEHUB_HUB_REFUSED_NOT_CLEAN;
    switch (command->operation) {
    case MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET: return judge_peers(contexts, command);
    case MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET: return judge_owner(contexts, command);
    case MOEHUB_HUB_CONTROL_COMMAND_LIST_SET: return judge_list(contexts, command);
    case MOEHUB_HUB_CONTROL_COMMAND_TILES_SET: return judge_tiles(contexts, command);
    case MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET: return judge_region(contexts, command);
    case MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET: return judge_blocks(command);
    case MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET: return judge_timeouts(command);
    case MOEHUB_HUB_CONTROL_COMMAND_ENABLE: return judge_enable(context, seen);
    case MOEHUB_HUB_CONTROL_COMMAND_ADVANCE: return judge_advance(context, seen);
    case MOEHUB_HUB_CONTROL_COMMAND_CLOSE: return judge_close(context);
    case MOEHUB_HUB_CONTROL_COMMAND_ABORT: return judge_abort(context);
    default: return MOEHUB_HUB_ACCEPTED; /* DISABLE, CONTEXT_GET */
    }
}

/* ---- effects ---------------------------------------------------------------------------------------------------------- */

static void set_ranges(const struct moehub_hub_contexts *contexts, struct moehub_hub_context *context,
                       const struct moehub_hub_command *command)
{
    const uint64_t data0 = command->data0;
    switch (command->operation) {
    case MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET:
        context->peers = gpus_of(contexts, data0);
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET:
        context->owner_shift = (uint8_t)field(data0, 0, 5);
        context->counts_tokens = field(data0, 5, 1) != 0;
        context->token_first = (uint32_t)field(data0, 16, 16);
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_LIST_SET:
        context->list_base = data0;
        context->list_shift = (uint8_t)field(command->data1, 0, 5);
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_TILES_SET:
        context->tile_shift = (uint8_t)field(data0, 0, 4);
        context->tile_first = (uint32_t)field(data0, 16, 16);
        context->tile_count = (uint32_t)field(data0, 32, 17);
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET:
        context->blocks[0] = (uint8_t)field(data0, 0, 8);
        context->blocks[1] = (uint8_t)field(data0, 8, 8);
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET:
        context->arrival_timeout = (uint32_t)data0;
        context->token_timeout = (uint32_t)(data0 >> 32);
        break;
    default:
        return;
    }
    context->given |= (uint16_t)(1u << command->operation);
}

static void set_state(struct moehub_hub_context *context, const struct moehub_hub_command *command)
{
    switch (command->operation) {
    case MOEHUB_HUB_CONTROL_COMMAND_ENABLE:
        context->enabled = true;
        context->clean = false;
        context->round = (uint8_t)field(command->data0, 0, 4);
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_DISABLE:
        context->enabled = false;
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_ABORT:
        context->failed = true;
        context->closing = true;
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_CLOSE:
        context->closing = true;
        break;
    default:
        break;
    }
}

static void tell(struct moehub_hub_outcome *outcome, const struct moehub_hub_command *command)
{
    enum { CLEAR_REGIONS, REGION, SET_ADVANCE };
    enum { CLOSE, ABORT, END_ADVANCE };
    const struct moehub_hub_set set = {.valid = true, .context = command->context, .expert = command->index,
                                       .first = (uint16_t)field(command->data0, 0, 16),
                                       .count = (uint32_t)field(command->data0, 32, 17)};
    const struct moehub_hub_end end = {.valid = true, .context = command->context};
    switch (command->operation) {
    case MOEHUB_HUB_CONTROL_COMMAND_LIST_SET:
    case MOEHUB_HUB_CONTROL_COMMAND_TILES_SET:
        outcome->set = set;
        outcome->set.what = CLEAR_REGIONS;
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET:
        outcome->set = set;
        outcome->set.what = REGION;
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_ADVANCE:
        outcome->set = set;
        outcome->set.what = SET_ADVANCE;
        outcome->end = end;
        outcome->end.what = END_ADVANCE;
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_CLOSE:
        outcome->end = end;
        outcome->end.what = CLOSE;
        break;
    case MOEHUB_HUB_CONTROL_COMMAND_ABORT:
        outcome->end = end;
        outcome->end.what = ABORT;
        break;
    default:
        break;
    }
}

static void get(const struct moehub_hub_context *context, const struct moehub_hub_seen *seen, struct moehub_hub_result *result)
{
    result->data0 = context->peers & ~seen->complete;
    result->data1 = (uint64_t)context->enabled | (uint64_t)context->clean << 1 | (uint64_t)context->closing << 2 |
                    (uint64_t)context->closed << 3 | (uint64_t)context->arrived << 4 | (uint64_t)context->failed << 5 |
                    (uint64_t)in_flight(context, seen) << 6 | (uint64_t)seen->rows << 16;
}

/* ---- one cycle -------------------------------------------------------------------------------------------------------- */

static void refuse(struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command)
{
    const struct moehub_header header = {.type = command->operation, .context = command->context & 7};
    const struct moehub_offender offender = {.header = moehub_header_pack(&header), .cause = MOEHUB_HUB_CONTROL_CAUSE_COMMAND};
    moehub_offenders_add(&contexts->offenders, &offender);
    contexts->counters[MOEHUB_HUB_CONTROL_EVENT_REFUSED]++;
}

/* The state that the command found is still there. */
static void take(struct moehub_hub_contexts *contexts, const struct moehub_hub_command *command,
                 const struct moehub_hub_seen *seen, struct moehub_hub_outcome *outcome)
{
    contexts->counters[MOEHUB_HUB_CONTROL_EVENT_COMMANDS]++;
    outcome->refusal = moehub_hub_contexts_judge(contexts, command, seen);
    outcome->result.refused = outcome->refusal != MOEHUB_HUB_ACCEPTED;
    struct moehub_hub_context *context =
        command->context < contexts->config.contexts ? &contexts->contexts[command->context] : NULL;
    outcome->result.in_flight = context != NULL && in_flight(context, seen);
    if (outcome->result.refused) {
        refuse(contexts, command);
        return;
    }
    if (command->operation == MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET)
        get(context, seen, &outcome->result);
    tell(outcome, command);
    set_ranges(contexts, context, command);
    set_state(context, command);
}

static void pulse(struct moehub_hub_context *context, const struct moehub_hub_cycle *cycle, unsigned number)
{
    context->closed = context->closed || (cycle->closed >> number & 1) != 0;
    context->arrived = context->arrived || (cycle->arrived >> number & 1) != 0;
    context->failed = context->failed || (cycle->failed >> number & 1) != 0;
}

static void forget(struct moehub_hub_context *context)
{
    context->clean = true;
    context->closing = context->closed = context->arrived = context->failed = false;
}

struct moehub_hub_outcome moehub_hub_contexts_step(struct moehub_hub_contexts *contexts, const struct moehub_hub_cycle *cycle)
{
    struct moehub_hub_outcome outcome = {.refusal = MOEHUB_HUB_ACCEPTED};
    struct moehub_hub_context before[MOEHUB_HUB_CONTEXTS_MOST];
    memcpy(before, contexts->contexts, sizeof before);
    if (cycle->command != NULL)
        take(contexts, cycle->command, &cycle->seen, &outcome);
    for (unsigned i = 0; i < contexts->config.contexts; i++) {
        struct moehub_hub_context *context = &contexts->contexts[i];
        if ((cycle->advanced >> i & 1) != 0)
            forget(context);
        else if (!before[i].clean)
            pulse(context, cycle, i);
        outcome.became_failed = outcome.became_failed || (context->failed && !before[i].failed);
        outcome.became_arrived = outcome.became_arrived || (context->arrived && !before[i].arrived);
    }
    return outcome;
}

bool moehub_hub_contexts_is_valid(const struct moehub_hub_contexts *contexts)
{
    for (unsigned i = 0; i < contexts->config.contexts; i++) {
        const struct moehub_hub_context *c = &contexts->contexts[i];
        if (c->clean && (c->enabled || c->closing || c->closed || c->arrived || c->failed))
            return false;
        if (c->enabled && (c->given & GIVEN_BEFORE_ENABLE) != GIVEN_BEFORE_ENABLE)
            return false;
    }
    return true;
}
