/* SPDX-License-Identifier: Apache-2.0 */
/* Row lists that are read, and what owners are told of them (rtl/doc/hub/tile_tracker.md section 8). */
#include "hub/hub_top_parts.h"

#include "moehub/row_list_address.h"

#include <string.h>

enum { WORD_BYTES = 4, READ_BYTES = MOEHUB_FLIT_BYTES };

static uint64_t word_address(const struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t slot)
{
    const struct moehub_context_shape *shape = &hub->contexts[context].shape;
    return moehub_row_list_address(shape->list, shape->list_shift, expert, slot, hub->config.address_width);
}

static uint64_t read_address(const struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t slot)
{
    const uint64_t address = word_address(hub, context, expert, slot);
    return address - address % READ_BYTES;
}

static struct moehub_hub_top_notifying *notifying(struct moehub_hub_top *hub, uint32_t i)
{
    return &hub->notifying[(hub->notifying_first + i) % MOEHUB_HUB_TOP_TILES_AHEAD];
}

/* ---- reads --------------------------------------------------------------------------------------------------------------- */

/* The slot behind those whose words a read at that slot brings. */
static uint32_t behind(const struct moehub_hub_top *hub, const struct moehub_hub_top_notifying *tile, uint32_t slot)
{
    const uint64_t address = word_address(hub, tile->context, tile->expert, slot);
    const uint32_t end = slot + (uint32_t)((READ_BYTES - address % READ_BYTES) / WORD_BYTES);
    return end < tile->end ? end : tile->end;
}

/* The machine takes the next finished tile of a context whose first words are read there. */
static bool take_tile(struct moehub_hub_top *hub, unsigned number, uint64_t address)
{
    struct moehub_hub_top_context *context = &hub->contexts[number];
    if (!context->enabled || context->taken == context->finished || hub->notifying_count == MOEHUB_HUB_TOP_TILES_AHEAD)
        return false;
    const uint32_t name = hub->finished[context->shape.tile_first + context->taken];
    const unsigned expert = name >> 16;
    const uint32_t first = (name & 0xFFFFu) << context->shape.tile_shift;
    const struct moehub_hub_top_tile *tile = hub_top_tile(hub, number, expert, name & 0xFFFFu);
    if (read_address(hub, number, expert, first) != address)
        return false;
    context->taken++;
    *notifying(hub, hub->notifying_count++) = (struct moehub_hub_top_notifying){.context = (uint8_t)number,
                                                                                .expert = (uint8_t)expert,
                                                                                .flagged = tile->flagged,
                                                                                .asked = first,
                                                                                .next = first,
                                                                                .end = first + tile->rows};
    return true;
}

int hub_top_notify_read(struct moehub_hub_top *hub, uint64_t address)
{
    struct moehub_hub_top_notifying *last = hub->notifying_count != 0 ? notifying(hub, hub->notifying_count - 1) : NULL;
    if (last == NULL || last->asked == last->end) {
        unsigned context = 0;
        while (context < hub->config.contexts && !take_tile(hub, context, address))
            context++;
        if (context == hub->config.contexts)
            return hub_top_wrong(hub, "list port: a row list is read at 0x%llx, and no finished tile begins there",
                                 (unsigned long long)address);
        last = notifying(hub, hub->notifying_count - 1);
    }
    if (read_address(hub, last->context, last->expert, last->asked) != address)
        return hub_top_wrong(hub, "list port: a row list is read at 0x%llx, expected at 0x%llx", (unsigned long long)address,
                             (unsigned long long)read_address(hub, last->context, last->expert, last->asked));
    last->asked = behind(hub, last, last->asked);
    return 0;
}

/* ---- notifies ------------------------------------------------------------------------------------------------------------ */

/* The own one goes by the loop-back. */
static void tell_own(struct moehub_hub_top *hub, const struct moehub_hub_top_notifying *tile, uint32_t row_index)
{
    struct moehub_hub_top_token *token = hub_top_token(hub, tile->context, row_index);
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN);
    if (token == NULL || token->state != MOEHUB_TOKEN_OPEN) {
        hub->contexts[tile->context].own_late = true;
        hub_top_notify_too_much(hub, tile->context, hub->config.own, row_index, token != NULL, false);
        if (hub->contexts[tile->context].disabling)
            hub_top_own_notifies_doubt(hub, tile->context);
        return;
    }
    token->own++;
    token->own_failed |= tile->flagged;
}

void hub_top_own_notifies_doubt(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    const struct moehub_header header = {.type = MOEHUB_PACKET_NOTIFY,
                                         .source = (uint16_t)hub->config.own,
                                         .context = (uint8_t)number,
                                         .round = context->round,
                                         .stage = MOEHUB_STAGE_COMBINE};
    if (!context->own_late)
        return;
    hub->notify_doubtful = true;
    hub_top_own_notify_offends(hub, &header);
}

static int tell(struct moehub_hub_top *hub, const struct moehub_hub_top_notifying *tile, uint32_t row_index, bool error)
{
    const struct moehub_hub_top_context *context = &hub->contexts[tile->context];
    const uint32_t owner = row_index >> context->shape.owner_shift;
    if (error || owner >= hub->config.gpus || (context->shape.peers >> owner & 1) == 0) {
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_LIST);
        hub_top_flag(hub, tile->context, MOEHUB_HUB_TOP_MAYBE);
        const struct moehub_header word = {.context = tile->context, .row_index = row_index};
        hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_LIST, &word, NULL, true);
        return 0;
    }
    const struct moehub_header header = {.type = MOEHUB_PACKET_NOTIFY,
                                         .source = (uint16_t)hub->config.own,
                                         .context = tile->context,
                                         .round = context->round,
                                         .status = tile->flagged ? MOEHUB_STATUS_PARTIAL : MOEHUB_STATUS_OK,
                                         .offset = (uint16_t)owner,
                                         .row_index = row_index,
                                         .stage = MOEHUB_STAGE_COMBINE};
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_SENT);
    if (owner == hub->config.own) {
        tell_own(hub, tile, row_index);
        return 0;
    }
    if (hub->notice_count == MOEHUB_HUB_TOP_NOTICES)
        return hub_top_full(hub, "notifies");
    hub->notices[hub->notice_count++] = moehub_header_pack(&header);
    return 0;
}

int hub_top_notify_data(struct moehub_hub_top *hub, struct moehub_flit data, bool error)
{
    struct moehub_hub_top_notifying *tile = hub->notifying_count != 0 ? notifying(hub, 0) : NULL;
    if (tile == NULL || tile->next == tile->asked)
        return hub_top_wrong(hub, "list port: data of no row list");
    const uint64_t first = read_address(hub, tile->context, tile->expert, tile->next);
    const uint32_t end = behind(hub, tile, tile->next);
    uint8_t bytes[MOEHUB_FLIT_BYTES];
    int failed = 0;
    moehub_flit_to_bytes(data, bytes);
    for (; tile->next < end && failed == 0; tile->next++) {
        const uint64_t at = word_address(hub, tile->context, tile->expert, tile->next) - first;
        uint32_t row_index = 0;
        for (unsigned i = 0; i < WORD_BYTES; i++)
            row_index |= (uint32_t)bytes[at + i] << 8 * i;
        failed = tell(hub, tile, row_index, error);
    }
    if (tile->next == tile->end) {
        hub->notifying_first = (hub->notifying_first + 1) % MOEHUB_HUB_TOP_TILES_AHEAD;
        hub->notifying_count--;
    }
    return failed;
}

/* Notifies to one GPU leave in the order of their tiles. */
int hub_top_notify_leaves(struct moehub_hub_top *hub, const struct hub_top_leaving *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    for (uint32_t i = 0; i < hub->notice_count; i++) {
        if (moehub_header_unpack(hub->notices[i]).offset != header.offset)
            continue;
        const struct moehub_flit expected = hub->notices[i];
        memmove(&hub->notices[i], &hub->notices[i + 1], (--hub->notice_count - i) * sizeof *hub->notices);
        return hub_top_compare_leaving(hub, "a notify", packet, &expected, 1);
    }
    return hub_top_wrong(hub, "a notify of row 0x%x leaves for GPU %u, and none waits", header.row_index, header.offset);
}
