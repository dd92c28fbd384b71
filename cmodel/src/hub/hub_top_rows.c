/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that open, and stores for them (rtl/doc/hub/packet_manager.md sections 3, 4). */
#include "hub/hub_top_parts.h"

#include "hub/packet_manager_parts.h"

#include <string.h>

/* ---- a row opens --------------------------------------------------------------------------------------------------------- */

int hub_top_expect_read(struct moehub_hub_top *hub, enum moehub_hub_top_list id, uint64_t address)
{
    struct moehub_hub_top_reads *reads = &hub->reads[id];
    if (reads->end - reads->first == MOEHUB_HUB_TOP_READS)
        return hub_top_full(hub, "reads of lists");
    reads->address[reads->end++ % MOEHUB_HUB_TOP_READS] = address;
    return 0;
}

static enum moehub_hub_top_known is_aborted(const struct moehub_hub_top *hub, unsigned context)
{
    return context < hub->config.contexts ? hub->contexts[context].aborted : MOEHUB_HUB_TOP_NO;
}

/* The manager's model has entries of its own for rows that open. */
int moehub_hub_top_row(struct moehub_hub_top *hub, const struct moehub_row *row)
{
    struct moehub_list_reads reads;
    unsigned entry = 0;
    while (entry < hub->manager.config.rows && !moehub_packet_manager_row(&hub->manager, entry, row, &reads))
        entry++;
    if (entry == hub->manager.config.rows)
        return hub_top_full(hub, "rows that open");
    hub->row_doubtful[entry] = hub_top_doubt(hub, row->context) || is_aborted(hub, row->context) == MOEHUB_HUB_TOP_MAYBE;
    int error = 0;
    for (unsigned i = 0; i < reads.count && error == 0; i++)
        error = hub_top_expect_read(hub, MOEHUB_HUB_TOP_LIST_ROWS, reads.address[i]);
    return error;
}

static int read_list(struct moehub_hub_top *hub, enum moehub_hub_top_list id, uint64_t address)
{
    struct moehub_hub_top_reads *reads = &hub->reads[id];
    if (reads->first == reads->end)
        return hub_top_wrong(hub, "list port: a read of id %u at 0x%llx, and no list is to be read", id,
                             (unsigned long long)address);
    const uint64_t expected = reads->address[reads->first++ % MOEHUB_HUB_TOP_READS];
    if (address != expected)
        return hub_top_wrong(hub, "list port: a read of id %u at 0x%llx, expected at 0x%llx", id, (unsigned long long)address,
                             (unsigned long long)expected);
    return 0;
}

int moehub_hub_top_list_read(struct moehub_hub_top *hub, enum moehub_hub_top_list id, uint64_t address)
{
    return id == MOEHUB_HUB_TOP_LIST_NOTIFIES ? hub_top_notify_read(hub, address) : read_list(hub, id, address);
}

int moehub_hub_top_list_data(struct moehub_hub_top *hub, enum moehub_hub_top_list id, struct moehub_flit data, bool error)
{
    if (id == MOEHUB_HUB_TOP_LIST_NOTIFIES)
        return hub_top_notify_data(hub, data, error);
    if (id == MOEHUB_HUB_TOP_LIST_ROWS)
        return moehub_packet_manager_list_data(&hub->manager, data, error) ? 0 : hub_top_wrong(hub, "data of no row's list");
    if (!moehub_reduce_request_list_data(&hub->reduces, data, error))
        return hub_top_wrong(hub, "data of no reduce's list");
    return hub_top_reduces_go_on(hub);
}

static struct moehub_hub_top_row *row_of_entry(struct moehub_hub_top *hub, unsigned entry)
{
    for (uint32_t i = 0; i < hub->row_count; i++)
        if (hub->rows[i].used && hub->rows[i].handled && hub->rows[i].handle % 256u == entry)
            return &hub->rows[i];
    return NULL;
}

static struct moehub_hub_top_row *row_of_handle(struct moehub_hub_top *hub, unsigned handle)
{
    struct moehub_hub_top_row *row = row_of_entry(hub, handle % 256u);
    return row != NULL && row->handle == handle ? row : NULL;
}

/* A row's entry has another: it was stored, and sent to the links. */
static int give_up_entry(struct moehub_hub_top *hub, unsigned handle)
{
    struct moehub_hub_top_row *row = row_of_entry(hub, handle % 256u);
    if (handle % 256u >= hub->config.rows)
        return hub_top_wrong(hub, "handle 0x%x names no row entry", handle);
    if (row == NULL)
        return 0;
    if (!row->aborted && !row->doubtful && (row->stored < row->size || row->left[MOEHUB_KIND_UP] != 0))
        return hub_top_wrong(hub, "handle 0x%x: its entry is still that of row 0x%x, of which %u bytes have not left", handle,
                             row->entry.row.row_index, row->size - row->stored + row->left[MOEHUB_KIND_UP]);
    if (row->handle == handle)
        return hub_top_wrong(hub, "handle 0x%x is that of the row before", handle);
    row->handled = false;
    return 0;
}

/* Each of its own targets may ask for a slot. */
static void announce_own(struct moehub_hub_top *hub, const struct moehub_hub_top_row *row)
{
    const unsigned context = row->entry.row.context;
    for (unsigned i = 0; i < row->entry.targets.own_count; i++) {
        const unsigned expert = hub_top_own_expert(hub, row, i);
        if (expert >= hub->config.local_experts)
            continue;
        hub->contexts[context].regions[expert].announced++;
        hub_top_announced(hub, context, expert, row->entry.row.row_index);
    }
}

static int open_row(struct moehub_hub_top *hub, const struct moehub_row_entry *entry, unsigned handle)
{
    uint32_t place = 0;
    while (place < hub->row_count && hub->rows[place].used)
        place++;
    if (place == hub->row_count)
        return hub_top_full(hub, "rows");
    struct moehub_hub_top_row *row = &hub->rows[place];
    const unsigned context = entry->row.context;
    const size_t lines = (size_t)1 << (hub->config.offset_width - 7);
    row->used = row->handled = true;
    row->aborted = is_aborted(hub, context) != MOEHUB_HUB_TOP_NO;
    row->doubtful = false;
    row->entry = *entry;
    row->handle = (uint16_t)handle;
    row->link = MOEHUB_HUB_TOP_WAYS;
    row->stored = 0;
    row->size = hub->contexts[context].shape.row_bytes[0];
    row->left[MOEHUB_KIND_UP] = row->left[MOEHUB_KIND_LOOP] = 0;
    memset(row->held, 0, lines * sizeof *row->held);
    for (unsigned kind = 0; kind < MOEHUB_KINDS; kind++)
        memset(row->sent[kind], 0, lines * sizeof *row->sent[kind]);
    announce_own(hub, row);
    return 0;
}

/* A row that met a disabled or closed context: its list is not read. Or ABORT came behind its reads. */
static void refuse_row(struct moehub_hub_top *hub, struct moehub_row_entry *entry)
{
    if (entry->reads_came != 0) {
        entry->aborted = is_aborted(hub, entry->row.context) != MOEHUB_HUB_TOP_NO;
        return;
    }
    hub->reads[MOEHUB_HUB_TOP_LIST_ROWS].first += entry->reads;
    entry->reads = 0;
    entry->status = MOEHUB_STATUS_CONTEXT;
}

static void row_refused(struct moehub_hub_top *hub, unsigned context, uint32_t row_index, unsigned status)
{
    const struct moehub_header header = {.context = (uint8_t)context, .row_index = row_index, .status = (uint8_t)status};
    hub_top_offend_in_order(hub, MOEHUB_WINDOW_PACKET_MANAGER, HUB_TOP_MANAGER_ROWS, MOEHUB_PACKET_MANAGER_CAUSE_ROW,
                            moehub_header_pack(&header));
}

int moehub_hub_top_handle(struct moehub_hub_top *hub, unsigned status, unsigned handle, uint32_t row_index)
{
    struct moehub_row_decision decision;
    if (hub->manager.opening_count == 0)
        return hub_top_wrong(hub, "a handle, and no row was opened");
    const unsigned place = packet_manager_opening(&hub->manager, 0);
    struct moehub_row_entry *entry = &hub->manager.rows[place];
    if (hub->row_doubtful[place] && status == MOEHUB_STATUS_CONTEXT)
        refuse_row(hub, entry);
    if (!moehub_packet_manager_decide(&hub->manager, 0, &decision))
        return hub_top_wrong(hub, "the handle of row 0x%x, and its list was not read", row_index);
    if (decision.row_index != row_index || decision.status != status || (status != MOEHUB_STATUS_OK && handle != 0))
        return hub_top_wrong(hub, "handle 0x%x of row 0x%x has status %u, expected status %u of row 0x%x", handle, row_index,
                             status, decision.status, decision.row_index);
    if (status != MOEHUB_STATUS_OK) {
        row_refused(hub, entry->row.context, row_index, status);
        return 0;
    }
    int error = give_up_entry(hub, handle);
    if (error == 0)
        error = open_row(hub, entry, handle);
    hub_top_expect(hub, decision.context, decision.token, decision.count);
    entry->stored_all = true; /* its stores are counted here, so that the manager's model may forget it */
    moehub_packet_manager_leave(&hub->manager, place);
    return error;
}

/* ---- stores -------------------------------------------------------------------------------------------------------------- */

static bool beyond(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, const struct moehub_store *store)
{
    if (store->offset % hub->config.store_bytes != 0)
        return true;
    return !byte_mask_empty(store->mask) && store->offset + byte_mask_last(store->mask) >= row->size;
}

static uint64_t stores_given(const struct moehub_hub_top *hub)
{
    return hub->manager_counts[MOEHUB_PACKET_MANAGER_EVENT_STORES];
}

/* A store is dropped, or may be; those that name no row that is open have no names of it. */
static void offend(struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, uint64_t number, unsigned cause,
                   bool certain)
{
    const bool named = cause != MOEHUB_PACKET_MANAGER_CAUSE_HANDLE;
    const struct moehub_hub_top_stored *store = &hub->stored[number % MOEHUB_HUB_TOP_STORES];
    const struct moehub_header header = {.offset = store->offset,
                                         .tag = store->handle,
                                         .context = named ? row->entry.row.context : 0,
                                         .row_index = named ? row->entry.row.row_index : 0};
    const struct moehub_hub_top_offender offender = {.stream = HUB_TOP_MANAGER_STORES,
                                                     .certain = certain,
                                                     .causes = 1u << cause,
                                                     .number = number,
                                                     .header = moehub_header_pack(&header)};
    hub_top_offend(hub, MOEHUB_WINDOW_PACKET_MANAGER, &offender);
}

/* The last one is. */
static void drop(struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, unsigned cause)
{
    hub->manager_counts[MOEHUB_PACKET_MANAGER_EVENT_CAUSES + cause]++;
    offend(hub, row, stores_given(hub), cause, true);
}

/* Its row may have left its entry, or not. */
static void offend_late(struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, uint64_t number, unsigned cause,
                        bool certain)
{
    hub->dropped_late++;
    offend(hub, row, number, cause, certain);
    offend(hub, row, number, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, certain);
}

void hub_top_rows_abort(struct moehub_hub_top *hub, unsigned context)
{
    const uint64_t end = stores_given(hub) + 1, first = end > MOEHUB_HUB_TOP_STORES ? end - MOEHUB_HUB_TOP_STORES : 1;
    for (uint32_t i = 0; i < hub->row_count; i++)
        if (hub->rows[i].used && hub->rows[i].entry.row.context == context)
            hub->rows[i].aborted = true;
    for (uint64_t number = first; number < end; number++) {
        const struct moehub_hub_top_row *row = row_of_handle(hub, hub->stored[number % MOEHUB_HUB_TOP_STORES].handle);
        if (row != NULL && row->aborted)
            offend_late(hub, row, number, MOEHUB_PACKET_MANAGER_CAUSE_ABORTED, false);
    }
}

/* Bytes of a row are to be stored once; where they are not, what the hub sends depends on when it saw the second. */
static void take_twice(struct moehub_hub_top *hub, struct moehub_hub_top_row *row)
{
    row->doubtful = true;
    hub_top_latch_doubt(hub, MOEHUB_WINDOW_PACKET_MANAGER);
    hub_top_flag(hub, row->entry.row.context, MOEHUB_HUB_TOP_MAYBE);
}

static void merge(struct moehub_hub_top *hub, struct moehub_hub_top_row *row, const struct moehub_store *store)
{
    const unsigned line = store->offset / MOEHUB_LINE_BYTES, first = store->offset % MOEHUB_LINE_BYTES;
    const struct moehub_flit mask = byte_mask_up(store->mask, first);
    const unsigned bytes = byte_mask_count(mask);
    if (byte_mask_meet(row->held[line], mask)) {
        take_twice(hub, row);
        return;
    }
    row->held[line] = byte_mask_or(row->held[line], mask);
    row->stored += bytes;
    row->left[MOEHUB_KIND_UP] += row->entry.targets.remote_count > 0 ? bytes : 0;
    row->left[MOEHUB_KIND_LOOP] += row->entry.targets.own_count > 0 ? bytes : 0;
    const uint32_t order = ++hub->store_number % HUB_TOP_NOP | (store->nop ? HUB_TOP_NOP : 0);
    for (unsigned i = 0; i < hub->config.store_bytes; i++)
        if (byte_mask_has(store->mask, i)) {
            row->bytes[store->offset + i] = store->data[i];
            row->order[store->offset + i] = order;
        }
}

/* It is dropped once ABORT was taken: until then nobody knows, and its bytes may leave. */
static void store_aborted(struct moehub_hub_top *hub, struct moehub_hub_top_row *row, const struct moehub_store *store)
{
    const bool taken = is_aborted(hub, row->entry.row.context) == MOEHUB_HUB_TOP_YES;
    offend_late(hub, row, stores_given(hub), MOEHUB_PACKET_MANAGER_CAUSE_ABORTED, taken);
    if (!taken && !byte_mask_empty(store->mask))
        merge(hub, row, store);
}

int moehub_hub_top_store(struct moehub_hub_top *hub, const struct moehub_store *store)
{
    struct moehub_hub_top_row *row = row_of_handle(hub, store->handle);
    const uint64_t number = ++hub->manager_counts[MOEHUB_PACKET_MANAGER_EVENT_STORES];
    hub->stored[number % MOEHUB_HUB_TOP_STORES] = (struct moehub_hub_top_stored){store->handle, store->offset};
    if (row != NULL && row->doubtful)
        hub_top_latch_doubt(hub, MOEHUB_WINDOW_PACKET_MANAGER);
    if (row == NULL) {
        drop(hub, row, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE);
    } else if (row->aborted) {
        store_aborted(hub, row, store);
    } else if (row->stored == row->size) {
        offend_late(hub, row, number, MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN, !byte_mask_empty(store->mask));
    } else if (beyond(hub, row, store)) {
        drop(hub, row, MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE);
    } else if (!byte_mask_empty(store->mask)) {
        merge(hub, row, store);
    }
    return 0;
}

/* ---- a row ends ---------------------------------------------------------------------------------------------------------- */

void hub_top_row_ends(struct moehub_hub_top_row *row)
{
    if (row->stored == row->size && row->left[MOEHUB_KIND_UP] == 0 && row->left[MOEHUB_KIND_LOOP] == 0)
        row->used = false;
}

int hub_top_rows_left_over(struct moehub_hub_top *hub, unsigned context)
{
    for (uint32_t i = 0; i < hub->row_count; i++) {
        struct moehub_hub_top_row *row = &hub->rows[i];
        if (!row->used || row->entry.row.context != context)
            continue;
        if (!row->aborted && !row->doubtful)
            return hub_top_wrong(hub, "row 0x%x: %u bytes were not stored, %u not sent to a link, %u not by the loop-back",
                                 row->entry.row.row_index, row->size - row->stored, row->left[MOEHUB_KIND_UP],
                                 row->left[MOEHUB_KIND_LOOP]);
        if (row->entry.targets.own_count != 0) { /* what of it was refused, and when, does not show */
            hub_top_latch_doubt(hub, MOEHUB_WINDOW_ADDRESS_PATH);
            hub_top_latch_doubt(hub, MOEHUB_WINDOW_WAY + hub_top_loop(hub));
        }
        row->used = false;
    }
    return 0;
}
