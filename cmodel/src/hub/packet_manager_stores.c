/* SPDX-License-Identifier: Apache-2.0 */
/* Stores are merged into lines (rtl/doc/hub/packet_manager.md sections 4 and 6). */
#include "hub/packet_manager_parts.h"

#include <string.h>

#define ENTRY_MASK 0xFFu
#define GENERATION_SHIFT 8

/* What the store names; `row` is NULL where there is no such entry. */
struct aim {
    const struct moehub_store *store;
    struct moehub_row_entry *row;
    unsigned entry;
};

static struct aim aim_of(struct moehub_packet_manager *manager, const struct moehub_store *store)
{
    const unsigned entry = store->handle & ENTRY_MASK;
    return (struct aim){store, entry < manager->config.rows ? &manager->rows[entry] : NULL, entry};
}

/* ---- causes -------------------------------------------------------------------------- */

static bool named(const struct aim *aim)
{
    return aim->row != NULL && aim->row->generation == aim->store->handle >> GENERATION_SHIFT;
}

static bool out_of_range(const struct moehub_packet_manager *manager, const struct aim *aim)
{
    const struct moehub_store *store = aim->store;
    if (store->offset % manager->config.store_bytes != 0)
        return true;
    return !byte_mask_empty(store->mask) &&
           store->offset + byte_mask_last(store->mask) >= packet_manager_context_of(manager, aim->row)->row_size;
}

/* MOEHUB_PACKET_MANAGER_CAUSES: none. */
static unsigned cause_of(const struct moehub_packet_manager *manager, const struct aim *aim)
{
    if (!named(aim) || aim->row->state != MOEHUB_ENTRY_OPEN)
        return MOEHUB_PACKET_MANAGER_CAUSE_HANDLE;
    if (aim->row->aborted)
        return MOEHUB_PACKET_MANAGER_CAUSE_ABORTED;
    if (out_of_range(manager, aim))
        return MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE;
    if (aim->row->stored_all && !byte_mask_empty(aim->store->mask))
        return MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN;
    return MOEHUB_PACKET_MANAGER_CAUSES;
}

/* Counts the cause, and flags the row's context: of HANDLE that of a row that left whole, as it was stored more than once. */
static void tell_cause(struct moehub_packet_manager *manager, const struct aim *aim, unsigned cause)
{
    const bool handle = cause == MOEHUB_PACKET_MANAGER_CAUSE_HANDLE;
    const bool left = handle && named(aim) && aim->row->state == MOEHUB_ENTRY_FREE && !aim->row->aborted;
    struct moehub_header latch = {.offset = aim->store->offset, .tag = aim->store->handle};
    if (!handle) {
        latch.context = aim->row->row.context;
        latch.row_index = aim->row->row.row_index;
    }
    packet_manager_cause(manager, cause, latch);
    if (left || cause == MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN)
        packet_manager_flag(manager, aim->row->row.context);
}

/* ---- merging ------------------------------------------------------------------------- */

static void take_slot(struct moehub_packet_manager *manager, const struct aim *aim, struct moehub_line_buffer *buffer)
{
    *buffer = (struct moehub_line_buffer){.state = MOEHUB_LINE_FILLING, .nop = aim->store->nop};
    aim->row->resident++;
    manager->lines_used++;
}

/* `mask`: the store's, moved to its place in the line. */
static void merge(struct moehub_packet_manager *manager, const struct aim *aim, struct moehub_line_buffer *buffer,
                  struct moehub_flit mask)
{
    const unsigned line = aim->store->offset / MOEHUB_LINE_BYTES;
    const unsigned first = aim->store->offset % MOEHUB_LINE_BYTES;
    for (unsigned i = 0; i < manager->config.store_bytes; i++)
        if (byte_mask_has(aim->store->mask, i))
            buffer->bytes[first + i] = aim->store->data[i];
    buffer->mask = byte_mask_or(buffer->mask, mask);
    aim->row->stored += byte_mask_count(mask);
    aim->row->stored_all = aim->row->stored >= packet_manager_context_of(manager, aim->row)->row_size;
    if (buffer->state == MOEHUB_LINE_FILLING && moehub_flit_equal(buffer->mask, packet_manager_whole(manager, aim->row, line))) {
        packet_manager_becomes_ready(aim->row, buffer);
        packet_manager_count(manager, MOEHUB_PACKET_MANAGER_EVENT_LINES_WHOLE);
    }
}

/* A byte that the line holds is stored again: the line goes first. */
static void rewrite(struct moehub_packet_manager *manager, const struct aim *aim, struct moehub_line_buffer *buffer)
{
    if (buffer->state == MOEHUB_LINE_FILLING)
        packet_manager_becomes_ready(aim->row, buffer);
    if (!manager->rewriting)
        tell_cause(manager, aim, MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN);
    manager->rewriting = true;
}

static enum moehub_store_outcome try_line(struct moehub_packet_manager *manager, const struct aim *aim)
{
    const unsigned line = aim->store->offset / MOEHUB_LINE_BYTES;
    const struct moehub_flit mask = byte_mask_up(aim->store->mask, aim->store->offset % MOEHUB_LINE_BYTES);
    struct moehub_line_buffer *buffer = &manager->lines[(size_t)aim->entry * packet_manager_row_lines(manager) + line];
    if (buffer->state == MOEHUB_LINE_LOCKED)
        return MOEHUB_STORE_LINE_BUSY;
    if (buffer->state != MOEHUB_LINE_FREE && byte_mask_meet(buffer->mask, mask)) {
        rewrite(manager, aim, buffer);
        return MOEHUB_STORE_LINE_BUSY;
    }
    if (buffer->state == MOEHUB_LINE_FREE && manager->lines_used == manager->config.lines)
        return MOEHUB_STORE_NO_SLOT;
    if (buffer->state == MOEHUB_LINE_FREE)
        take_slot(manager, aim, buffer);
    merge(manager, aim, buffer, mask);
    return MOEHUB_STORE_MERGED;
}

/* ---- a store, the hand ----------------------------------------------------------------- */

/* The next store has not been counted as REWRITTEN. */
static enum moehub_store_outcome taken(struct moehub_packet_manager *manager, enum moehub_store_outcome outcome)
{
    packet_manager_count(manager, MOEHUB_PACKET_MANAGER_EVENT_STORES);
    manager->rewriting = false;
    return outcome;
}

enum moehub_store_outcome moehub_packet_manager_store(struct moehub_packet_manager *manager, const struct moehub_store *store)
{
    const struct aim aim = aim_of(manager, store);
    const unsigned cause = cause_of(manager, &aim);
    if (cause != MOEHUB_PACKET_MANAGER_CAUSES) {
        tell_cause(manager, &aim, cause);
        return taken(manager, MOEHUB_STORE_DROPPED);
    }
    if (byte_mask_empty(store->mask))
        return taken(manager, MOEHUB_STORE_MERGED);
    const enum moehub_store_outcome outcome = try_line(manager, &aim);
    return outcome == MOEHUB_STORE_MERGED ? taken(manager, outcome) : outcome;
}

bool moehub_packet_manager_make_ready(struct moehub_packet_manager *manager, unsigned entry, unsigned line)
{
    struct moehub_line_buffer *buffer = packet_manager_buffer(manager, entry, line);
    if (buffer == NULL || buffer->state != MOEHUB_LINE_FILLING || manager->rows[entry].aborted)
        return false;
    packet_manager_becomes_ready(&manager->rows[entry], buffer);
    return true;
}

bool moehub_packet_manager_free_line(struct moehub_packet_manager *manager, unsigned entry, unsigned line)
{
    struct moehub_line_buffer *buffer = packet_manager_buffer(manager, entry, line);
    if (buffer == NULL || buffer->kinds != 0 || (buffer->state == MOEHUB_LINE_FILLING && !manager->rows[entry].aborted))
        return false;
    memset(buffer, 0, sizeof *buffer);
    manager->rows[entry].resident--;
    manager->lines_used--;
    return true;
}
