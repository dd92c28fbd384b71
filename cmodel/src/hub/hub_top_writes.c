/* SPDX-License-Identifier: Apache-2.0 */
/* Stores that came, until they are written (rtl/doc/hub/ingress.md section 3). */
#include "hub/hub_top_parts.h"

#include "moehub/row_list_address.h"

/* ---- a store comes ------------------------------------------------------------------------------------------------------- */

struct moehub_hub_request hub_top_question(const struct moehub_hub_top *hub, unsigned way, const struct moehub_way_packet *packet,
                                           unsigned target)
{
    struct moehub_way_question question;
    moehub_way_ask(&hub->ways[way].way, packet, target, &question);
    return (struct moehub_hub_request){.row_index = question.row_index,
                                       .expert = question.expert,
                                       .offset = question.offset,
                                       .length = question.length,
                                       .source = question.source,
                                       .tag = question.expert,
                                       .operation = question.read ? MOEHUB_REQUEST_READ_LOOKUP : MOEHUB_REQUEST_WRITE_TOUCH,
                                       .context = question.context,
                                       .port = question.port,
                                       .first = question.first};
}

static void announce(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_packet *packet)
{
    for (unsigned i = 0; i < packet->header.target_count && packet->header.first; i++) {
        const struct moehub_hub_request request = hub_top_question(hub, way, packet, i);
        const unsigned status = moehub_addr_alloc_check(&hub->addresses, &request); /* FULL once all slots were given */
        if (status != MOEHUB_STATUS_OK && status != MOEHUB_STATUS_FULL)
            continue;
        hub->contexts[request.context].regions[request.expert].announced++;
        hub_top_announced(hub, request.context, request.expert, request.row_index);
    }
}

/* A store of a peer that is not taken counts as handled all the same. */
static void refused(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_packet *packet, unsigned cause)
{
    struct moehub_way_completed record;
    if (!moehub_way_refused(packet, cause, &record))
        return;
    hub_top_flag(hub, record.context, MOEHUB_HUB_TOP_MAYBE);
    moehub_way_completed_taken(&hub->ways[way].way, &record, false);
    hub_top_completed(hub, &record);
}

int hub_top_store_came(struct moehub_hub_top *hub, unsigned link, const struct moehub_flit *flits, unsigned count)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    struct moehub_hub_top_store *store = hub_top_way_store(way, way->store_count);
    if (way->store_count == way->store_room)
        return hub_top_full(hub, "stores that came");
    moehub_way_packet_read(&store->packet, flits, count);
    const unsigned context = store->packet.header.context;
    if (context < hub->config.contexts)
        way->way.contexts[context].arrived = hub->contexts[context].arrived == MOEHUB_HUB_TOP_YES;
    store->number = ++way->stores_came;
    const unsigned cause = moehub_way_check(&way->way, flits[0]);
    hub_top_way_said(hub, link, HUB_TOP_WAY_STORES, store->number);
    if (cause != 0) {
        refused(hub, link, &store->packet, cause);
        return 0;
    }
    store->may_be_late =
        hub->contexts[context].time_is_up || hub->contexts[context].disabling || hub_top_may_have_arrived(hub, context);
    store->worded = false;
    store->next = 0;
    way->store_count++;
    announce(hub, link, &store->packet);
    return 0;
}

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

uint32_t hub_top_slot_of_word(const struct moehub_hub_top *hub, unsigned context, unsigned expert,
                              const struct moehub_way_write *write)
{
    const struct moehub_context_shape *shape = &hub->contexts[context].shape;
    const uint64_t base = moehub_row_list_address(shape->list, shape->list_shift, expert, 0, hub->config.address_width);
    const uint64_t bytes = UINT64_C(4) << shape->list_shift;
    if (write->beats != 1 || write->strobes[0] == 0)
        return UINT32_MAX;
    const uint64_t address = write->address + (unsigned)__builtin_ctz(write->strobes[0]);
    return address - base < bytes && address >= base ? (uint32_t)((address - base) / 4) : UINT32_MAX;
}

bool hub_top_take_slot(struct moehub_hub_top *hub, const struct moehub_hub_request *request, uint32_t slot)
{
    struct moehub_hub_top_region *region = &hub->contexts[request->context].regions[request->expert];
    if (slot >= region->bound.capacity || region->rows[slot] != 0)
        return false;
    hub_top_given(hub, request);
    if (region->slots[request->row_index] != 0)
        hub_top_repeated(hub, request);
    region->rows[slot] = request->row_index + 1;
    region->slots[request->row_index] = slot + 1;
    region->end = slot >= region->end ? slot + 1 : region->end;
    moehub_addr_alloc_take(moehub_addr_alloc_region(&hub->addresses, request->context, request->expert));
    return true;
}

bool hub_top_may_be_full(const struct moehub_hub_top *hub, const struct moehub_hub_request *request)
{
    const struct moehub_hub_top_region *region = &hub->contexts[request->context].regions[request->expert];
    return region->announced > region->bound.capacity;
}

/* ---- a target is refused ------------------------------------------------------------------------------------------------- */

static void forget_store(struct moehub_hub_top_way *way)
{
    way->store_first = (way->store_first + 1) % way->store_room;
    way->store_count--;
}

static void next_target(struct moehub_hub_top_way *way)
{
    struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
    store->worded = false;
    if (++store->next == store->packet.header.target_count)
        forget_store(way);
}

/* Why the address path refuses a store that it does. */
static unsigned refusal_of(const struct moehub_hub_top *hub, const struct moehub_hub_request *request)
{
    const unsigned status = moehub_addr_alloc_check(&hub->addresses, request);
    return status != MOEHUB_STATUS_OK ? status : request->first ? MOEHUB_STATUS_FULL : MOEHUB_STATUS_UNMAPPED;
}

/* A pair that the address path refused. */
static void refuse_target(struct moehub_hub_top *hub, unsigned number)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
    const struct moehub_hub_request request = hub_top_question(hub, number, &store->packet, store->next);
    const struct moehub_way_answer answer = {.status = (uint8_t)refusal_of(hub, &request)};
    struct moehub_way_outcome outcome;
    moehub_way_answered(&way->way, &store->packet, &answer, false, &outcome);
    hub_top_way_said(hub, number, HUB_TOP_WAY_ANSWERS, ++hub->offences);
    hub_top_path_offends(hub, number, &request, answer.status);
    hub_top_flag(hub, store->packet.header.context, MOEHUB_HUB_TOP_YES);
    moehub_way_completed_taken(&way->way, &outcome.record[0], false);
    hub_top_completed(hub, &outcome.record[0]);
    next_target(way);
}

/* The context had arrived before the packet was looked at. */
static void refuse_late(struct moehub_hub_top *hub, unsigned number)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    const struct moehub_way_packet packet = hub_top_way_store(way, 0)->packet;
    hub_top_way_offends(hub, number, HUB_TOP_WAY_STORES, hub_top_way_store(way, 0)->number, MOEHUB_HUB_WAY_CAUSE_ARRIVED,
                        packet.flits[0]);
    forget_store(way);
    way->way.counters[MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_ARRIVED]++;
    refused(hub, number, &packet, MOEHUB_HUB_WAY_CAUSE_ARRIVED);
}

/* The oldest store's next target: it must be refused, or may be, or must be written. */
static enum moehub_hub_top_known is_refused(const struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_way *way = &hub->ways[number];
    const struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
    const struct moehub_hub_request request = hub_top_question(hub, number, &store->packet, store->next);
    if (store->worded)
        return MOEHUB_HUB_TOP_NO;
    if (moehub_addr_alloc_check(&hub->addresses, &request) != MOEHUB_STATUS_OK)
        return MOEHUB_HUB_TOP_YES;
    if (!request.first)
        return hub_top_slot(hub, request.context, request.expert, request.row_index) == UINT32_MAX ? MOEHUB_HUB_TOP_YES
                                                                                                   : MOEHUB_HUB_TOP_NO;
    return hub_top_may_be_full(hub, &request) ? MOEHUB_HUB_TOP_MAYBE : MOEHUB_HUB_TOP_NO;
}

static bool may_be_late(const struct moehub_hub_top_way *way)
{
    const struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
    return store->may_be_late && store->next == 0 && !store->worded;
}

void hub_top_stores_doubt(struct moehub_hub_top *hub, unsigned context)
{
    for (unsigned number = 0; number < hub_top_loop(hub); number++) {
        const struct moehub_hub_top_way *way = &hub->ways[number];
        for (uint32_t i = 0; i < way->store_count; i++) {
            struct moehub_hub_top_store *store = hub_top_way_store(way, i);
            if (store->packet.header.context == context)
                store->may_be_late = hub_top_doubt(hub, context);
        }
    }
}

void hub_top_refuse_rest(struct moehub_hub_top *hub, unsigned number, unsigned context)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    while (way->store_count != 0 && hub_top_way_store(way, 0)->packet.header.context == context)
        if (is_refused(hub, number) != MOEHUB_HUB_TOP_NO)
            refuse_target(hub, number);
        else if (may_be_late(way))
            refuse_late(hub, number);
        else
            return;
}

/* ---- a target is written ------------------------------------------------------------------------------------------------- */

int hub_top_push_write(struct moehub_hub_top *hub, unsigned number, const struct moehub_way_completed *record)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    if (way->write_count == way->write_room)
        return hub_top_full(hub, "writes without B");
    *hub_top_way_write(way, way->write_count++) = *record;
    return 0;
}

static bool same_write(const struct moehub_way_write *a, const struct moehub_way_write *b)
{
    if (a->address != b->address || a->beats != b->beats)
        return false;
    for (unsigned beat = 0; beat < a->beats; beat++) {
        if (a->strobes[beat] != b->strobes[beat])
            return false;
        for (unsigned i = 0; i < MOEHUB_WAY_BEAT_BYTES; i++)
            if ((a->strobes[beat] >> i & 1) != 0 && a->data[beat][i] != b->data[beat][i])
                return false;
    }
    return true;
}

static bool is_word_of(const struct moehub_way_write *write, uint32_t row_index)
{
    const unsigned byte = (unsigned)__builtin_ctz(write->strobes[0]);
    for (unsigned i = 0; i < sizeof row_index; i++)
        if (byte + i >= MOEHUB_WAY_BEAT_BYTES || write->data[0][byte + i] != (uint8_t)(row_index >> 8 * i))
            return false;
    return true;
}

/* Whether the write is where that target's first one has to be: the slot, or UINT32_MAX. */
static uint32_t slot_of_write(const struct moehub_hub_top *hub, const struct moehub_hub_request *request,
                              const struct moehub_way_write *write)
{
    if (request->first) {
        const uint32_t slot = hub_top_slot_of_word(hub, request->context, request->expert, write);
        const struct moehub_hub_top_region *region = &hub->contexts[request->context].regions[request->expert];
        const bool fits = slot < region->bound.capacity && region->rows[slot] == 0 &&
                          is_word_of(write, request->row_index) && hub_top_table_agrees(hub, request, slot);
        return fits ? slot : UINT32_MAX;
    }
    const uint32_t slot = hub_top_slot(hub, request->context, request->expert, request->row_index);
    const uint64_t address = hub_top_address(hub, request, 0, slot);
    return address - address % MOEHUB_WAY_BEAT_BYTES == write->address ? slot : UINT32_MAX;
}

static void answer(struct moehub_hub_top *hub, unsigned number, const struct moehub_hub_request *request, uint32_t slot)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
    const struct moehub_way_answer given = {.expert = (uint8_t)request->expert,
                                            .allocated = request->first,
                                            .slot = slot,
                                            .address = hub_top_address(hub, request, 0, slot)};
    moehub_way_answered(&way->way, &store->packet, &given, false, &store->outcome);
    if (request->first)
        hub_top_take_slot(hub, request, slot);
}

static int wrong_write(struct moehub_hub_top *hub, unsigned number, const struct moehub_way_write *write,
                       const struct moehub_way_write *expected)
{
    const struct moehub_way_packet *packet = &hub_top_way_store(&hub->ways[number], 0)->packet;
    return hub_top_wrong(hub, "way %u: %u beats are written at 0x%llx, of row 0x%x, offset %u expected %u at 0x%llx%s", number,
                         write->beats, (unsigned long long)write->address, packet->header.row_index, packet->header.offset,
                         expected->beats, (unsigned long long)expected->address,
                         write->address == expected->address ? ": strobes or data differ" : "");
}

/* It is the oldest store's next write. */
static int take_write(struct moehub_hub_top *hub, unsigned number, const struct moehub_way_write *write)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
    const unsigned place = store->worded ? 1 : 0;
    const struct moehub_way_write *expected = &store->outcome.write[place];
    if (!same_write(write, expected))
        return wrong_write(hub, number, write, expected);
    const int error = hub_top_push_write(hub, number, &store->outcome.record[place]);
    store->worded = true;
    if (place + 1 == store->outcome.writes)
        next_target(way);
    return error;
}

static int nowhere(struct moehub_hub_top *hub, unsigned number, const struct moehub_hub_request *request,
                   const struct moehub_way_write *write)
{
    return hub_top_wrong(hub, "way %u: %u beats are written at 0x%llx, and %s of row 0x%x, offset %u, expert %u is to be", number,
                         write->beats, (unsigned long long)write->address,
                         request->first ? "the word with a new slot" : "the line", request->row_index, request->offset,
                         request->expert);
}

int hub_top_next_write(struct moehub_hub_top *hub, unsigned number, const struct moehub_way_write *write)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    while (way->store_count != 0) {
        struct moehub_hub_top_store *store = hub_top_way_store(way, 0);
        if (store->worded)
            return take_write(hub, number, write);
        const struct moehub_hub_request request = hub_top_question(hub, number, &store->packet, store->next);
        const enum moehub_hub_top_known refusal = is_refused(hub, number);
        const uint32_t slot = refusal == MOEHUB_HUB_TOP_YES ? UINT32_MAX : slot_of_write(hub, &request, write);
        if (slot != UINT32_MAX) {
            answer(hub, number, &request, slot);
            return take_write(hub, number, write);
        }
        if (refusal != MOEHUB_HUB_TOP_NO)
            refuse_target(hub, number);
        else if (may_be_late(way))
            refuse_late(hub, number);
        else
            return nowhere(hub, number, &request, write);
    }
    if (number == hub_top_loop(hub))
        return hub_top_loop_begins(hub, write);
    return hub_top_wrong(hub, "way %u: %u beats are written at 0x%llx, and no store waits for it", number, write->beats,
                         (unsigned long long)write->address);
}

int moehub_hub_top_write(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_write *write)
{
    const int error = way == hub_top_loop(hub) && hub->loop_worded ? hub_top_loop_line(hub, write) : 0;
    return error != 0 ? error : hub_top_next_write(hub, way, write);
}

int moehub_hub_top_written(struct moehub_hub_top *hub, unsigned number, bool error)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    if (way->write_count == 0)
        return hub_top_wrong(hub, "way %u: a B, and no write waits for it", number);
    struct moehub_way_completed record = *hub_top_way_write(way, 0);
    way->write_first = (way->write_first + 1) % way->write_room;
    way->write_count--;
    moehub_way_completed_taken(&way->way, &record, error);
    hub_top_way_said(hub, number, HUB_TOP_WAY_WRITES, ++hub->offences);
    if (record.error)
        hub_top_flag(hub, record.context, MOEHUB_HUB_TOP_YES);
    hub_top_completed(hub, &record);
    return 0;
}

/* ---- the end of a context ------------------------------------------------------------------------------------------------ */

/* Each slot up to the last was given; and none that was asked for and is free was refused. */
static int check_region(struct moehub_hub_top *hub, unsigned context, unsigned expert)
{
    const struct moehub_hub_top_region *region = &hub->contexts[context].regions[expert];
    const uint32_t given = moehub_addr_alloc_region(&hub->addresses, context, expert)->next_slot;
    const uint32_t most = region->announced < region->bound.capacity ? region->announced : region->bound.capacity;
    const uint32_t least = hub->contexts[context].aborted != MOEHUB_HUB_TOP_NO ? 0 : most; /* own rows may not have left */
    if (given != region->end)
        return hub_top_wrong(hub, "expert %u: %u slots were given, and the last is %u", expert, given, region->end - 1);
    return given >= least ? 0 : hub_top_wrong(hub, "expert %u: %u slots were given, expected %u", expert, given, least);
}

int hub_top_writes_left_over(struct moehub_hub_top *hub, unsigned context)
{
    for (unsigned number = 0; number <= hub_top_loop(hub); number++) {
        struct moehub_hub_top_way *way = &hub->ways[number];
        hub_top_refuse_rest(hub, number, context);
        for (uint32_t i = 0; i < way->store_count; i++)
            if (hub_top_way_store(way, i)->packet.header.context == context)
                return hub_top_wrong(hub, "way %u: %u stores were not written", number, way->store_count);
        for (uint32_t i = 0; i < way->write_count; i++)
            if (hub_top_way_write(way, i)->context == context)
                return hub_top_wrong(hub, "way %u: %u writes have no B", number, way->write_count);
    }
    for (unsigned expert = 0; expert < hub->config.local_experts; expert++)
        if (check_region(hub, context, expert) != 0)
            return MOEHUB_E_STATE;
    return 0;
}
