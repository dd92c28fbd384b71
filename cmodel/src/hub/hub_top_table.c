/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the table port (rtl/doc/address_path.md section 4): each is one that a row under way needs. */
#include "hub/hub_top_parts.h"

#include "moehub/al_tlb.h"

enum { ENTRY_BYTES = 4 };

/* What an access is about. */
struct key {
    unsigned context, expert;
    uint32_t row;
};

static struct moehub_hub_top_entry *entry_of(const struct moehub_hub_top *hub, const struct key *key)
{
    return &hub->contexts[key->context].regions[key->expert].entries[key->row];
}

static bool find_key(const struct moehub_hub_top *hub, uint64_t address, struct key *key)
{
    for (key->context = 0; key->context < hub->config.contexts; key->context++) {
        const struct moehub_hub_top_context *context = &hub->contexts[key->context];
        const uint64_t number = (address - context->shape.table) / ENTRY_BYTES;
        if (!context->enabled || address < context->shape.table || address % ENTRY_BYTES != 0 ||
            number >= (uint64_t)hub->config.local_experts * context->row_limit)
            continue;
        key->expert = (unsigned)(number / context->row_limit);
        key->row = (uint32_t)(number % context->row_limit);
        return context->regions[key->expert].entries != NULL;
    }
    return false;
}

static int wrong_access(struct moehub_hub_top *hub, const char *what, const struct key *key, const char *why)
{
    return hub_top_wrong(hub, "table port: %s of context %u, expert %u, row 0x%x: %s", what, key->context, key->expert, key->row,
                         why);
}

static int no_entry(struct moehub_hub_top *hub, const char *what, uint64_t address)
{
    return hub_top_wrong(hub, "table port: %s at 0x%llx, which is no entry of a context that is on", what,
                         (unsigned long long)address);
}

/* ---- who needs it --------------------------------------------------------------------------------------------------------- */

static bool names(const struct moehub_hub_top *hub, const struct moehub_way_packet *packet, unsigned first, const struct key *key)
{
    const uint32_t experts = (UINT32_C(1) << hub->config.local_expert_bits) - 1;
    if (packet->header.context != key->context || packet->header.row_index != key->row)
        return false;
    for (unsigned i = first; i < packet->header.target_count; i++)
        if ((packet->ids[i] & experts) == key->expert)
            return true;
    return false;
}

static bool way_needs(const struct moehub_hub_top *hub, const struct moehub_hub_top_way *way, const struct key *key)
{
    for (uint32_t i = 0; i < way->store_count; i++) {
        const struct moehub_hub_top_store *store = hub_top_way_store(way, i);
        if (names(hub, &store->packet, store->next, key))
            return true;
    }
    for (uint32_t i = 0; i < way->served_count; i++)
        if (names(hub, &hub_top_way_served(way, i)->packet, 0, key))
            return true;
    return false;
}

/* Stores of own rows are inside. */
static bool own_row_needs(const struct moehub_hub_top *hub, const struct key *key)
{
    for (uint32_t i = 0; i < hub->row_count; i++) {
        const struct moehub_hub_top_row *row = &hub->rows[i];
        if (!row->used || row->entry.row.context != key->context || row->entry.row.row_index != key->row)
            continue;
        for (unsigned n = 0; n < row->entry.targets.own_count; n++)
            if (hub_top_own_expert(hub, row, n) == key->expert)
                return true;
    }
    return false;
}

/* A row is announced by a read and then a write, which may come behind its line. */
static bool may_be_announced(const struct moehub_hub_top_entry *entry)
{
    return entry->firsts > entry->writes;
}

static bool is_needed(const struct moehub_hub_top *hub, const struct key *key)
{
    for (unsigned way = 0; way <= hub_top_loop(hub); way++)
        if (way_needs(hub, &hub->ways[way], key))
            return true;
    return own_row_needs(hub, key);
}

/* ---- the AL-TLB ----------------------------------------------------------------------------------------------------------- */

static uint64_t *last_of_set(struct moehub_hub_top *hub, const struct key *key)
{
    return &hub->last_of_set[moehub_al_set(&hub->addresses.config, moehub_al_name(key->context, key->expert, key->row))];
}

/* No name is 0: that is none. */
static uint64_t name_of(const struct key *key)
{
    return moehub_al_name(1 + key->context, key->expert, key->row);
}

void hub_top_table_forget(struct moehub_hub_top *hub, unsigned context)
{
    for (uint32_t set = 0; set < hub->config.sets; set++)
        if (hub->last_of_set[set] >> 48 == 1 + context)
            hub->last_of_set[set] = 0;
}

/* ---- reads ---------------------------------------------------------------------------------------------------------------- */

int moehub_hub_top_table_read(struct moehub_hub_top *hub, uint64_t address)
{
    struct key key;
    if (!find_key(hub, address, &key))
        return no_entry(hub, "a read", address);
    struct moehub_hub_top_entry *entry = entry_of(hub, &key);
    uint64_t *last = last_of_set(hub, &key);
    hub->table_reads++;
    if (entry->state == MOEHUB_HUB_TOP_READING || entry->state == MOEHUB_HUB_TOP_WRITING)
        return wrong_access(hub, "a read", &key, "an access of the entry is under way");
    if (!may_be_announced(entry)) {
        if (!is_needed(hub, &key))
            return wrong_access(hub, "a read", &key, "nothing that is under way needs it");
        if (*last == name_of(&key))
            return wrong_access(hub, "a read", &key, "it is the last that its set of the AL-TLB has taken");
    }
    *last = name_of(&key);
    entry->state = MOEHUB_HUB_TOP_READING;
    return 0;
}

/* R of a read, or B of a write, of an entry in that state. */
static int answered(struct moehub_hub_top *hub, uint64_t address, const char *what, enum moehub_hub_top_access from,
                    enum moehub_hub_top_access to)
{
    struct key key;
    if (!find_key(hub, address, &key))
        return no_entry(hub, what, address);
    struct moehub_hub_top_entry *entry = entry_of(hub, &key);
    if (entry->state != from)
        return wrong_access(hub, what, &key, "nobody waits for it");
    entry->state = (uint8_t)to;
    return 0;
}

int moehub_hub_top_table_data(struct moehub_hub_top *hub, uint64_t address)
{
    return answered(hub, address, "data", MOEHUB_HUB_TOP_READING, MOEHUB_HUB_TOP_READ);
}

/* ---- writes --------------------------------------------------------------------------------------------------------------- */

/* The one slot that a row was given stands in its word and in its entry, whichever comes first. */
static int check_slot(struct moehub_hub_top *hub, const struct key *key, uint32_t slot)
{
    const struct moehub_hub_top_entry *entry = entry_of(hub, key);
    const uint32_t given = hub_top_slot(hub, key->context, key->expert, key->row);
    if (slot >= hub->contexts[key->context].regions[key->expert].bound.capacity)
        return wrong_access(hub, "a write", key, "its slot is beyond the region");
    if (entry->firsts == 1 && given != UINT32_MAX && given != slot)
        return wrong_access(hub, "a write", key, "the row list has the row in another slot");
    return 0;
}

/* Which number an epoch has is seen in its first write. */
static int check_epoch(struct moehub_hub_top *hub, const struct key *key, uint32_t epoch)
{
    struct moehub_hub_top_context *context = &hub->contexts[key->context];
    if (epoch == 0 || (context->epoch != 0 && context->epoch != epoch))
        return wrong_access(hub, "a write", key, "it has another epoch than the writes before, or none");
    context->epoch = epoch;
    return 0;
}

int moehub_hub_top_table_write(struct moehub_hub_top *hub, uint64_t address, uint32_t word)
{
    struct key key;
    if (!find_key(hub, address, &key))
        return no_entry(hub, "a write", address);
    struct moehub_hub_top_entry *entry = entry_of(hub, &key);
    const uint32_t slot = word & ((UINT32_C(1) << hub->config.slot_width) - 1);
    hub->table_writes++;
    if (entry->state != MOEHUB_HUB_TOP_READ)
        return wrong_access(hub, "a write", &key, "it was not read, or another access is under way");
    if (!may_be_announced(entry))
        return wrong_access(hub, "a write", &key, "nobody has announced it");
    entry->writes++;
    entry->slot = slot;
    entry->state = MOEHUB_HUB_TOP_WRITING;
    const int error = check_epoch(hub, &key, word >> hub->config.slot_width);
    return error != 0 ? error : check_slot(hub, &key, slot);
}

int moehub_hub_top_table_written(struct moehub_hub_top *hub, uint64_t address)
{
    return answered(hub, address, "a B", MOEHUB_HUB_TOP_WRITING, MOEHUB_HUB_TOP_IDLE);
}

/* ---- a row gets its slot -------------------------------------------------------------------------------------------------- */

void hub_top_announced(struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t row)
{
    const struct key key = {context, expert, row};
    if (hub->contexts[context].regions[expert].entries != NULL)
        entry_of(hub, &key)->firsts++;
}

void hub_top_given(struct moehub_hub_top *hub, const struct moehub_hub_request *request)
{
    const struct key key = {request->context, request->expert, request->row_index};
    entry_of(hub, &key)->given++;
}

bool hub_top_table_agrees(const struct moehub_hub_top *hub, const struct moehub_hub_request *request, uint32_t slot)
{
    const struct key key = {request->context, request->expert, request->row_index};
    const struct moehub_hub_top_entry *entry = entry_of(hub, &key);
    return entry->firsts != 1 || entry->writes == 0 || entry->slot == slot;
}

/* ---- the end of a context ------------------------------------------------------------------------------------------------- */

int hub_top_table_left_over(struct moehub_hub_top *hub, unsigned context)
{
    for (unsigned expert = 0; expert < hub->config.local_experts; expert++)
        for (uint32_t row = 0; row < hub->contexts[context].row_limit && hub->contexts[context].regions[expert].entries != NULL;
             row++) {
            const struct key key = {context, expert, row};
            const struct moehub_hub_top_entry *entry = entry_of(hub, &key);
            if (entry->state == MOEHUB_HUB_TOP_READING || entry->state == MOEHUB_HUB_TOP_WRITING)
                return wrong_access(hub, "an access", &key, "it has no end");
            if (entry->writes != entry->given)
                return wrong_access(hub, "writes", &key, "they are not as many as slots that it was given");
        }
    return 0;
}
