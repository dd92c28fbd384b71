/* SPDX-License-Identifier: Apache-2.0 */
/* A row opens, and leaves (rtl/doc/hub/packet_manager.md sections 3 and 7). */
#include "hub/packet_manager_parts.h"

#define ENTRY_BITS 8

/* ---- a row is taken ------------------------------------------------------------------ */

static bool wrong_context(const struct moehub_packet_manager *manager, const struct moehub_row *row)
{
    if (row->context >= manager->config.contexts)
        return true;
    const struct moehub_packet_manager_context *context = &manager->contexts[row->context];
    return !context->enabled || context->closing;
}

static bool wrong_range(const struct moehub_packet_manager *manager, const struct moehub_row *row)
{
    if (row->row_index >> manager->contexts[row->context].owner_shift != manager->config.own)
        return true;
    return !row->immediate &&
           (row->count == 0 || row->count > manager->config.max_targets || row->address % MOEHUB_FLIT_BYTES != 0);
}

/* What is known before anything is read. */
static unsigned first_status(const struct moehub_packet_manager *manager, const struct moehub_row *row)
{
    return wrong_context(manager, row) ? MOEHUB_STATUS_CONTEXT
           : wrong_range(manager, row) ? MOEHUB_STATUS_RANGE
                                       : MOEHUB_STATUS_OK;
}

/* The entry as a new row finds it; its generation goes on. */
static void begin(struct moehub_packet_manager *manager, struct moehub_row_entry *entry, const struct moehub_row *row)
{
    *entry = (struct moehub_row_entry){
        .row = *row,
        .state = MOEHUB_ENTRY_OPENING,
        .generation = (uint8_t)(entry->generation + 1),
        .status = (uint8_t)first_status(manager, row),
    };
    if (row->immediate) {
        entry->row.count = 1;
        entry->ids[0] = row->id;
    } else if (entry->status == MOEHUB_STATUS_OK) {
        entry->reads = (uint8_t)((row->count + MOEHUB_TARGETS_PER_FLIT - 1) / MOEHUB_TARGETS_PER_FLIT);
    }
}

static void tell_reads(const struct moehub_packet_manager *manager, const struct moehub_row_entry *entry,
                       struct moehub_list_reads *reads)
{
    const uint64_t mask = UINT64_MAX >> (64 - manager->config.address_width);
    *reads = (struct moehub_list_reads){.count = entry->reads};
    for (unsigned i = 0; i < reads->count; i++)
        reads->address[i] = (entry->row.address + UINT64_C(16) * i) & mask;
}

bool moehub_packet_manager_row(struct moehub_packet_manager *manager, unsigned entry, const struct moehub_row *row,
                               struct moehub_list_reads *reads)
{
    if (entry >= manager->config.rows || manager->rows[entry].state != MOEHUB_ENTRY_FREE)
        return false;
    begin(manager, &manager->rows[entry], row);
    tell_reads(manager, &manager->rows[entry], reads);
    manager->opening[(manager->opening_first + manager->opening_count++) % MOEHUB_PACKET_MANAGER_ROWS_MAX] = (uint8_t)entry;
    if (row->context < manager->config.contexts)
        manager->rows_open[row->context]++;
    return true;
}

/* ---- its list is read ---------------------------------------------------------------- */

/* The n-th of the rows that are opening. */
static struct moehub_row_entry *opening(struct moehub_packet_manager *manager, unsigned n)
{
    return &manager->rows[packet_manager_opening(manager, n)];
}

bool moehub_packet_manager_list_data(struct moehub_packet_manager *manager, struct moehub_flit data, bool error)
{
    for (unsigned i = 0; i < manager->opening_count; i++) {
        struct moehub_row_entry *entry = opening(manager, i);
        if (entry->reads_came == entry->reads)
            continue;
        moehub_targets_unpack(data, entry->reads_came++, entry->ids, entry->row.count);
        if (error)
            entry->status = MOEHUB_STATUS_MEMORY;
        return true;
    }
    return false;
}

/* ---- it is decided ------------------------------------------------------------------- */

static unsigned last_status(const struct moehub_packet_manager *manager, struct moehub_row_entry *entry)
{
    if (entry->aborted)
        return MOEHUB_STATUS_CONTEXT;
    if (entry->status != MOEHUB_STATUS_OK)
        return entry->status;
    const struct moehub_list_rules rules = {
        .peers = packet_manager_context_of(manager, entry)->peers,
        .gpus = manager->config.gpus,
        .own = manager->config.own,
        .local_expert_bits = manager->config.local_expert_bits,
    };
    return moehub_list_check(&rules, entry->ids, entry->row.count, &entry->targets);
}

static void free_entry(struct moehub_packet_manager *manager, struct moehub_row_entry *entry)
{
    entry->state = MOEHUB_ENTRY_FREE;
    if (entry->row.context < manager->config.contexts)
        manager->rows_open[entry->row.context]--;
}

static void refuse(struct moehub_packet_manager *manager, struct moehub_row_entry *entry, unsigned status)
{
    packet_manager_cause(manager, MOEHUB_PACKET_MANAGER_CAUSE_ROW,
                         (struct moehub_header){.context = entry->row.context, .row_index = entry->row.row_index,
                                                .status = (uint8_t)status});
    entry->aborted = true;
    free_entry(manager, entry);
}

static void open_row(struct moehub_packet_manager *manager, unsigned number, unsigned link,
                     struct moehub_row_decision *decision)
{
    struct moehub_row_entry *entry = &manager->rows[number];
    const uint32_t tokens = (UINT32_C(1) << packet_manager_context_of(manager, entry)->owner_shift) - 1;
    entry->state = MOEHUB_ENTRY_OPEN;
    entry->link = (uint8_t)link;
    decision->handle = (uint16_t)((unsigned)entry->generation << ENTRY_BITS | number);
    decision->context = entry->row.context;
    decision->count = entry->row.count;
    decision->token = (uint16_t)(entry->row.row_index & tokens);
    packet_manager_count(manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED);
}

bool moehub_packet_manager_decide(struct moehub_packet_manager *manager, unsigned link, struct moehub_row_decision *decision)
{
    if (manager->opening_count == 0 || opening(manager, 0)->reads_came != opening(manager, 0)->reads)
        return false;
    struct moehub_row_entry *entry = opening(manager, 0);
    const unsigned status = last_status(manager, entry);
    if (status == MOEHUB_STATUS_OK && entry->targets.remote_count > 0 && link >= manager->config.links)
        return false;
    const unsigned number = manager->opening[manager->opening_first];
    *decision = (struct moehub_row_decision){.row_index = entry->row.row_index, .status = (uint8_t)status};
    manager->opening_first = (manager->opening_first + 1) % MOEHUB_PACKET_MANAGER_ROWS_MAX;
    manager->opening_count--;
    if (status == MOEHUB_STATUS_OK)
        open_row(manager, number, link, decision);
    else
        refuse(manager, entry, status);
    return true;
}

/* ---- it leaves ----------------------------------------------------------------------- */

static void add_pairs(struct moehub_packet_manager *manager, const struct moehub_row_entry *entry, const uint16_t *ids,
                      unsigned count, uint32_t sent)
{
    for (unsigned i = 0; i < count; i++)
        manager->pairs[entry->row.context][ids[i] >> manager->config.local_expert_bits] += sent;
}

bool moehub_packet_manager_leave(struct moehub_packet_manager *manager, unsigned entry)
{
    struct moehub_row_entry *row = entry < manager->config.rows ? &manager->rows[entry] : NULL;
    if (row == NULL || row->state != MOEHUB_ENTRY_OPEN || row->resident != 0 || !(row->stored_all || row->aborted))
        return false;
    const struct moehub_split_list *targets = &row->targets;
    add_pairs(manager, row, targets->remote, targets->remote_count, row->sent[MOEHUB_KIND_UP]);
    add_pairs(manager, row, targets->own, targets->own_count, row->sent[MOEHUB_KIND_LOOP]);
    packet_manager_count(manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT);
    free_entry(manager, row);
    return true;
}
