/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_control_draw.h"

#include "kit/bits.h"
#include "moehub/integer.h"

struct drawing {
    struct random_source *random;
    const struct moehub_hub_contexts_config *config;
    const struct moehub_hub_context *context;
    struct moehub_hub_command command;
};

static uint64_t below(struct drawing *draw, uint64_t bound)
{
    return random_below(draw->random, bound);
}

/* An operand goes beyond its limit, as far as the rest is concerned. */
static bool slips(struct drawing *draw)
{
    return random_chance(draw->random, 1, 6);
}

/* Sets a field; the bits around it stay what chance made them. */
static void put(uint64_t *word, unsigned lowest, unsigned bits, uint64_t value)
{
    bits_set(word, lowest, bits, value);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- operands --------------------------------------------------------------------------------------------------------- */

static void draw_peers(struct drawing *draw)
{
    put(&draw->command.data0, draw->config->own, 1, !slips(draw));
}

static unsigned owner_shift_most(const struct moehub_hub_contexts_config *config)
{
    unsigned shift = 0;
    while (shift < 31 && (uint64_t)(config->own + 1) << (shift + 1) <= UINT64_C(1) << config->row_index_width)
        shift++;
    return shift;
}

static void draw_owner(struct drawing *draw)
{
    const unsigned most = owner_shift_most(draw->config);
    const unsigned shift = (unsigned)(slips(draw) ? smaller(most + below(draw, 2), 31) : below(draw, most + 1));
    const int64_t first = (int64_t)draw->config->tokens - (INT64_C(1) << shift) + (slips(draw) ? 1 : -(int64_t)below(draw, 2));
    put(&draw->command.data0, 0, 5, shift);
    if (first >= 0)
        put(&draw->command.data0, 16, 16, (uint64_t)first);
    else if (random_chance(draw->random, 3, 4))
        put(&draw->command.data0, 5, 1, 0);
}

/* Often a short list, so that a region can have too many tiles for it. */
static unsigned list_shift(struct drawing *draw, unsigned most)
{
    enum { SHORT = 4 };
    if (slips(draw))
        return (unsigned)(random_chance(draw->random, 1, 4) ? 31 : smaller(most + below(draw, 2), 31));
    return (unsigned)below(draw, random_chance(draw->random, 1, 2) ? smaller(most, SHORT) + 1 : most + 1);
}

static void draw_list(struct drawing *draw)
{
    const unsigned width = draw->config->address_width, around = 2 + moehub_log2_ceiling(draw->config->local_experts);
    const unsigned most = (unsigned)smaller(draw->config->slot_width, smaller(31, width - around));
    const unsigned shift = list_shift(draw, most), bits = shift + around;
    uint64_t base = draw->command.data0 & bits_mask(width);
    base = bits < 64 ? base >> bits << bits : 0;
    if (slips(draw))
        base |= UINT64_C(1) << (random_chance(draw->random, 1, 2) ? bits - 1 : below(draw, bits));
    if (width < 64 && slips(draw))
        base |= UINT64_C(1) << (random_chance(draw->random, 1, 2) ? width : width + below(draw, 64 - width));
    draw->command.data0 = base;
    put(&draw->command.data1, 0, 5, shift);
}

static void draw_tiles(struct drawing *draw)
{
    const uint64_t first = smaller(below(draw, draw->config->tiles + 1), 0xFFFF), room = draw->config->tiles - first;
    put(&draw->command.data0, 0, 4, slips(draw) ? 12 + below(draw, 4) : below(draw, 13));
    put(&draw->command.data0, 16, 16, first);
    put(&draw->command.data0, 32, 17, slips(draw) ? room + 1 : random_chance(draw->random, 1, 2) ? room : below(draw, room + 1));
}

static void draw_region(struct drawing *draw)
{
    const struct moehub_hub_context *context = draw->context;
    const uint64_t slots = context->tile_shift < 32 ? (UINT64_C(1) << context->list_shift) >> context->tile_shift : 0;
    uint64_t count = below(draw, smaller(context->tile_count, slots) + 1);
    if (slips(draw))
        count = slots + below(draw, 2);
    uint64_t first = count <= context->tile_count ? context->tile_count - count : 0;
    first = slips(draw) ? first + 1 : random_chance(draw->random, 1, 2) ? first : below(draw, first + 1);
    draw->command.index = (uint16_t)(slips(draw) ? draw->config->local_experts + (below(draw, 2) << 8)
                                                 : below(draw, draw->config->local_experts));
    put(&draw->command.data0, 0, 16, smaller(first, 0xFFFF));
    put(&draw->command.data0, 32, 17, smaller(count, 0x1FFFF));
}

static void draw_blocks(struct drawing *draw)
{
    for (unsigned stage = 0; stage < 2; stage++)
        put(&draw->command.data0, 8 * stage, 8, slips(draw) ? 0 : UINT64_C(1) << below(draw, 8));
}

static void draw_timeouts(struct drawing *draw)
{
    static const uint32_t ends[] = {0, 1, 0x80000000, 0x80000001, UINT32_MAX};
    for (unsigned which = 0; which < 2; which++)
        put(&draw->command.data0, 32 * which, 32, slips(draw) ? ends[below(draw, 5)] : 1 + below(draw, 0x80000000));
}

static void draw_operands(struct drawing *draw)
{
    switch (draw->command.operation) {
    case MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET: draw_peers(draw); break;
    case MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET: draw_owner(draw); break;
    case MOEHUB_HUB_CONTROL_COMMAND_LIST_SET: draw_list(draw); break;
    case MOEHUB_HUB_CONTROL_COMMAND_TILES_SET: draw_tiles(draw); break;
    case MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET: draw_region(draw); break;
    case MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET: draw_blocks(draw); break;
    case MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET: draw_timeouts(draw); break;
    default: break; /* any: they mean nothing, or all are good */
    }
}

/* ---- which command ---------------------------------------------------------------------------------------------------- */

/* What brings the context on: set up, enable, close, disable, ADVANCE. */
static unsigned next_operation(struct drawing *draw)
{
    static const uint8_t needed[] = {0, 1, 2, 3, 5, 6};
    const struct moehub_hub_context *context = draw->context;
    for (unsigned i = 0; context->clean && i < sizeof needed; i++)
        if ((context->given >> needed[i] & 1) == 0)
            return needed[i];
    if (context->clean)
        return random_chance(draw->random, 1, 2) ? MOEHUB_HUB_CONTROL_COMMAND_ENABLE
                                                 : MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET;
    if (!context->closing)
        return context->enabled && random_chance(draw->random, 1, 2) ? MOEHUB_HUB_CONTROL_COMMAND_CLOSE
                                                                      : MOEHUB_HUB_CONTROL_COMMAND_ABORT;
    return context->enabled ? MOEHUB_HUB_CONTROL_COMMAND_DISABLE : MOEHUB_HUB_CONTROL_COMMAND_ADVANCE;
}

struct moehub_hub_command draw_hub_command(struct random_source *random, const struct moehub_hub_contexts *contexts)
{
    enum { TURN = 64 }; /* commands, half of them for one context, so that it comes through its rounds */
    const uint32_t count = contexts->config.contexts;
    const uint64_t chosen = random_chance(random, 1, 2) ? contexts->counters[MOEHUB_HUB_CONTROL_EVENT_COMMANDS] / TURN % count
                                                        : random_below(random, count);
    struct drawing draw = {.random = random, .config = &contexts->config, .context = &contexts->contexts[chosen],
                           .command = {.data0 = random_next(random), .data1 = random_next(random),
                                       .index = (uint16_t)random_next(random), .context = (uint8_t)chosen}};
    draw.command.operation = (uint8_t)(random_chance(random, 1, 2) ? next_operation(&draw) : random_below(random, 16));
    draw_operands(&draw);
    if (random_chance(random, 1, 24)) /* half of them would be legal if only the low bits were looked at */
        draw.command.context = (uint8_t)(random_chance(random, 1, 2) ? count : chosen | 1u << (3 + below(&draw, 5)));
    return draw.command;
}

bool hub_refusal_possible(const struct moehub_hub_contexts_config *config, enum moehub_hub_refusal why)
{
    const unsigned list_bits = config->slot_width + 2 + moehub_log2_ceiling(config->local_experts);
    switch (why) {
    case MOEHUB_HUB_REFUSED_LIST_SHIFT: return config->slot_width < 31;
    case MOEHUB_HUB_REFUSED_LIST_SIZE: return list_bits > config->address_width;
    case MOEHUB_HUB_REFUSED_LIST_BEYOND: return config->address_width < 64;
    default: return true;
    }
}
