/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of the loop-back: their packets are inside, and are found out from the first write of each; the rest is as of a link. */
#include "hub/hub_top_parts.h"

#include "moehub/row_list_address.h"

#include <string.h>

/* Where a write goes. */
struct place {
    unsigned context, expert;
    uint32_t slot;
};

static struct moehub_hub_top_store *open_store(struct moehub_hub_top *hub)
{
    return hub_top_way_store(&hub->ways[hub_top_loop(hub)], 0);
}

/* ---- which row ----------------------------------------------------------------------------------------------------------- */

static bool find_word(const struct moehub_hub_top *hub, const struct moehub_way_write *write, struct place *place)
{
    for (place->context = 0; place->context < hub->config.contexts; place->context++)
        for (place->expert = 0; place->expert < hub->config.local_experts; place->expert++) {
            if (!hub->contexts[place->context].enabled)
                break;
            place->slot = hub_top_slot_of_word(hub, place->context, place->expert, write);
            if (place->slot != UINT32_MAX)
                return true;
        }
    return false;
}

static bool find_line(const struct moehub_hub_top *hub, const struct moehub_way_write *write, struct place *place)
{
    for (place->context = 0; place->context < hub->config.contexts; place->context++)
        for (place->expert = 0; place->expert < hub->config.local_experts; place->expert++) {
            const struct moehub_hub_region *bound = &hub->contexts[place->context].regions[place->expert].bound;
            const uint32_t stride =
                moehub_addr_alloc_stride(&hub->addresses, &hub->addresses.contexts[place->context], 0);
            if (!hub->contexts[place->context].enabled)
                break;
            if (write->address < bound->base[0] || write->address - bound->base[0] >= (uint64_t)bound->capacity * stride)
                continue;
            place->slot = (uint32_t)((write->address - bound->base[0]) / stride);
            return true;
        }
    return false;
}

static bool has_target(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, unsigned expert)
{
    for (unsigned i = 0; i < row->entry.targets.own_count; i++)
        if (hub_top_own_expert(hub, row, i) == expert)
            return true;
    return false;
}

/* The oldest such row with bytes for the loop-back, of which a packet went there already, or none. */
static bool find_row(struct moehub_hub_top *hub, const struct place *place, uint32_t row_index, bool begun)
{
    for (hub->loop_row = 0; hub->loop_row < hub->row_count; hub->loop_row++) {
        const struct moehub_hub_top_row *row = &hub->rows[hub->loop_row];
        if (row->used && row->entry.row.context == place->context && row->entry.row.row_index == row_index &&
            (row->left[MOEHUB_KIND_LOOP] != 0 || row->doubtful) && (row->entry.sent[MOEHUB_KIND_LOOP] != 0) == begun &&
            has_target(hub, row, place->expert))
            return true;
    }
    return false;
}

/* ---- its packet ---------------------------------------------------------------------------------------------------------- */

static int push(struct moehub_hub_top *hub, const struct moehub_store_packet *packet)
{
    struct moehub_hub_top_way *way = &hub->ways[hub_top_loop(hub)];
    way->store_count = 1;
    struct moehub_hub_top_store *store = open_store(hub);
    *store = (struct moehub_hub_top_store){.next = 0};
    moehub_way_packet_read(&store->packet, packet->flits, packet->count);
    return 0;
}

/* The bytes of a line that a burst writes, and which line: false if it is not in one line of the row. */
static bool read_burst(const struct moehub_hub_top *hub, const struct place *place, const struct moehub_way_write *write,
                       unsigned *line, struct moehub_flit *mask)
{
    const struct moehub_hub_request first_byte = {.context = (uint8_t)place->context, .expert = (uint16_t)place->expert};
    const uint64_t row = hub_top_address(hub, &first_byte, 0, place->slot);
    const uint64_t offset = write->address - row;
    const unsigned first = (unsigned)(offset % MOEHUB_LINE_BYTES);
    *mask = (struct moehub_flit){{0, 0}};
    *line = (unsigned)(offset / MOEHUB_LINE_BYTES);
    if (write->address < row || offset >= hub->contexts[place->context].shape.row_bytes[0] ||
        first + write->beats * MOEHUB_WAY_BEAT_BYTES > MOEHUB_LINE_BYTES)
        return false;
    for (unsigned beat = 0; beat < write->beats; beat++)
        *mask = byte_mask_or(*mask, byte_mask_up((struct moehub_flit){{write->strobes[beat], 0}},
                                                 first + beat * MOEHUB_WAY_BEAT_BYTES));
    return !byte_mask_empty(*mask);
}

/* Where a byte was stored twice, either may be sent. */
static void take_as_it_is(struct moehub_hub_top_row *row, unsigned line, struct moehub_flit mask,
                          const struct moehub_way_write *write)
{
    const unsigned first = (unsigned)(write->address % MOEHUB_LINE_BYTES);
    for (unsigned i = 0; i < MOEHUB_LINE_BYTES; i++)
        if (byte_mask_has(mask, i))
            row->bytes[(size_t)line * MOEHUB_LINE_BYTES + i] =
                write->data[(i - first) / MOEHUB_WAY_BEAT_BYTES][(i - first) % MOEHUB_WAY_BEAT_BYTES];
}

static int form(struct moehub_hub_top *hub, const struct place *place, const struct moehub_way_write *write,
                struct moehub_store_packet *packet)
{
    struct moehub_hub_top_row *row = &hub->rows[hub->loop_row];
    struct moehub_flit mask;
    unsigned line;
    if (!read_burst(hub, place, write, &line, &mask))
        return hub_top_wrong(hub, "loop-back: %u beats are written at 0x%llx, not in a line of row 0x%x, slot %u of expert %u",
                             write->beats, (unsigned long long)write->address, row->entry.row.row_index, place->slot,
                             place->expert);
    const struct moehub_flit unsent = hub_top_unsent(row, line, MOEHUB_KIND_LOOP);
    if (row->doubtful)
        take_as_it_is(row, line, mask, write);
    else if (!byte_mask_within(mask, unsent))
        return hub_top_wrong(hub, "loop-back: bytes of row 0x%x, line %u are written that were not stored, or are already",
                             row->entry.row.row_index, line);
    hub_top_form(hub, row, line, mask, MOEHUB_KIND_LOOP, packet);
    if (row->doubtful)
        row->entry.sent[MOEHUB_KIND_LOOP]++;
    else
        hub_top_bytes_left(row, line, mask, MOEHUB_KIND_LOOP);
    return 0;
}

/* ---- its writes ---------------------------------------------------------------------------------------------------------- */

/* The word comes before anybody knows which bytes do: until then the packet has the row's first ones. */
static int begin_row(struct moehub_hub_top *hub, const struct place *place, const struct moehub_way_write *write)
{
    const unsigned byte = (unsigned)__builtin_ctz(write->strobes[0]);
    struct moehub_store_packet packet;
    uint32_t row_index = 0;
    for (unsigned i = 0; i < 4 && byte + i < MOEHUB_WAY_BEAT_BYTES; i++)
        row_index |= (uint32_t)write->data[0][byte + i] << 8 * i;
    if (!find_row(hub, place, row_index, false))
        return hub_top_wrong(hub, "loop-back: the word of row 0x%x is written for slot %u of expert %u: no own row waits for it",
                             row_index, place->slot, place->expert);
    hub_top_form(hub, &hub->rows[hub->loop_row], 0, byte_mask_lowest(MOEHUB_FLIT_BYTES), MOEHUB_KIND_LOOP, &packet);
    hub->loop_worded = true;
    return push(hub, &packet);
}

static int begin_line(struct moehub_hub_top *hub, const struct place *place, const struct moehub_way_write *write)
{
    const uint32_t named = hub->contexts[place->context].regions[place->expert].rows[place->slot];
    struct moehub_store_packet packet;
    if (named == 0 || !find_row(hub, place, named - 1, true))
        return hub_top_wrong(hub, "loop-back: %u beats are written at 0x%llx, slot %u of expert %u: no own row waits for it",
                             write->beats, (unsigned long long)write->address, place->slot, place->expert);
    const int error = form(hub, place, write, &packet);
    return error != 0 ? error : push(hub, &packet);
}

int hub_top_loop_begins(struct moehub_hub_top *hub, const struct moehub_way_write *write)
{
    struct place place;
    int error;
    if (find_word(hub, write, &place))
        error = begin_row(hub, &place, write);
    else if (find_line(hub, write, &place))
        error = begin_line(hub, &place, write);
    else
        return hub_top_wrong(hub, "loop-back: %u beats are written at 0x%llx, in no region and no row list", write->beats,
                             (unsigned long long)write->address);
    return error != 0 ? error : hub_top_next_write(hub, hub_top_loop(hub), write);
}

/* Now the packet is known: what was said of its first target is said again. */
int hub_top_loop_line(struct moehub_hub_top *hub, const struct moehub_way_write *write)
{
    struct moehub_way *way = &hub->ways[hub_top_loop(hub)].way;
    struct moehub_hub_top_store *store = open_store(hub);
    const struct moehub_way_completed *word = &store->outcome.record[0];
    const struct place place = {word->context, word->expert, word->slot};
    struct moehub_store_packet packet;
    hub->loop_worded = false;
    const int error = form(hub, &place, write, &packet);
    if (error != 0)
        return error;
    moehub_way_packet_read(&store->packet, packet.flits, packet.count);
    const struct moehub_hub_request request = hub_top_question(hub, hub_top_loop(hub), &store->packet, store->next);
    const struct moehub_way_answer answer = {.expert = word->expert,
                                             .allocated = true,
                                             .slot = place.slot,
                                             .address = hub_top_address(hub, &request, 0, place.slot)};
    way->counters[MOEHUB_HUB_WAY_EVENT_WORDS_WRITTEN]--;
    way->counters[MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN]--;
    moehub_way_answered(way, &store->packet, &answer, false, &store->outcome);
    return 0;
}

/* ---- the end ------------------------------------------------------------------------------------------------------------- */

/* The question of the packet that announces a row to its n-th own target. */
static struct moehub_hub_request announcement(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, unsigned n)
{
    const unsigned expert = hub_top_own_expert(hub, row, n);
    return (struct moehub_hub_request){
        .tag = expert,
        .row_index = row->entry.row.row_index,
        .expert = (uint16_t)expert,
        .length = MOEHUB_FLIT_BYTES,
        .source = (uint16_t)hub->config.own,
        .operation = MOEHUB_REQUEST_WRITE_TOUCH,
        .context = row->entry.row.context,
        .port = (uint8_t)(2 * hub_top_loop(hub)),
        .first = true,
    };
}

/* Each of its packets is refused for each target, the first one as what it is. */
static void tell_refused(struct moehub_hub_top *hub, const struct moehub_hub_top_row *row)
{
    for (unsigned i = 0; i < row->entry.targets.own_count; i++) {
        const struct moehub_hub_request request = announcement(hub, row, i);
        const unsigned status = moehub_addr_alloc_check(&hub->addresses, &request);
        const struct moehub_header header = {.context = request.context,
                                             .source = request.source,
                                             .row_index = request.row_index,
                                             .status = (uint8_t)(status == MOEHUB_STATUS_OK ? MOEHUB_STATUS_FULL : status)};
        hub_top_path_offends(hub, hub_top_loop(hub), &request, header.status);
        hub_top_way_offends(hub, hub_top_loop(hub), HUB_TOP_WAY_ANSWERS, 0, MOEHUB_HUB_WAY_CAUSE_ANSWER,
                            moehub_header_pack(&header));
    }
}

/* None of its targets has a slot, and each may have found its region full. */
static bool is_refused(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row)
{
    for (unsigned i = 0; i < row->entry.targets.own_count; i++) {
        const struct moehub_hub_request request = announcement(hub, row, i);
        if (hub_top_slot(hub, request.context, request.expert, request.row_index) != UINT32_MAX ||
            (moehub_addr_alloc_check(&hub->addresses, &request) == MOEHUB_STATUS_OK && !hub_top_may_be_full(hub, &request)))
            return false;
    }
    return true;
}

void hub_top_loop_refused(struct moehub_hub_top *hub, unsigned context)
{
    for (uint32_t i = 0; i < hub->row_count; i++) {
        struct moehub_hub_top_row *row = &hub->rows[i];
        if (!row->used || row->entry.row.context != context || row->left[MOEHUB_KIND_LOOP] == 0 || row->stored < row->size ||
            !is_refused(hub, row))
            continue;
        row->left[MOEHUB_KIND_LOOP] = 0;
        tell_refused(hub, row);
        hub->loop_refused = true;
        hub_top_flag(hub, context, MOEHUB_HUB_TOP_YES);
        hub_top_row_ends(row);
    }
}

bool hub_top_loop_is_done(const struct moehub_hub_top *hub, unsigned context)
{
    for (uint32_t i = 0; i < hub->row_count; i++) {
        const struct moehub_hub_top_row *row = &hub->rows[i];
        if (row->used && row->entry.row.context == context && !row->aborted && !row->doubtful &&
            (row->left[MOEHUB_KIND_LOOP] != 0 || row->stored < row->size))
            return false;
    }
    return true;
}
