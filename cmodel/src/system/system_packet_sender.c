/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

#include <string.h>

/* rtl/doc/hub/packet_manager.md section 9: a list is checked in a cycle for each target, some for each further flit; rows open in
 * LIST_CYCLES more than one for each target. */
enum { STORES_OF_EVENT = 4, LINE_WORD = 64, LIST_CYCLES = 18, LIST_FLIT_CYCLES = 3 };

static uint32_t row_of(const struct packet_plane *plane, unsigned number, uint32_t token)
{
    return moehub_layer_row(plane->hubs->layer, number, token);
}

/* ---- rows ----------------------------------------------------------------------------------------------------- */

/* Stores are reckoned when their line can leave. The GPU has given them that much earlier, and then the next row. */
static uint64_t given(const struct packet_plane *plane)
{
    return plane->now > plane->hubs->given_before ? plane->now - plane->hubs->given_before : 0;
}

/* From a row that opens to the next one. */
static uint32_t turn_of(const struct packet_hubs *hubs)
{
    const uint32_t checked = hubs->layer->topk + LIST_CYCLES;
    return checked > hubs->row_cycles ? checked : hubs->row_cycles;
}

static uint32_t check_of(const struct packet_hubs *hubs)
{
    return hubs->layer->topk + LIST_FLIT_CYCLES * (packet_hub_list_flits(hubs) - 1);
}

/* Lists are read side by side and checked one after the other. */
static void open_row(struct packet_plane *plane, unsigned number, uint64_t cycle)
{
    struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_sender *sender = &hub->sender;
    const unsigned entry = (unsigned)__builtin_ctzll(sender->free_entries);
    sender->free_entries &= ~(UINT64_C(1) << entry);
    sender->entries[entry] = (struct packet_entry){.token = sender->taken++};
    sender->opening++;
    const uint64_t there = packet_hub_access(hubs, hub, &hub->list_read, cycle);
    sender->listed = later(sender->listed + turn_of(hubs), there + check_of(hubs));
    packet_hub_at(plane, sender->listed + hubs->row_latency, ROW_OPENED, number, entry);
}

static void open_rows(struct packet_plane *plane, unsigned number, uint64_t cycle)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    while (sender->open_count + sender->opening < plane->hubs->rows_open && sender->taken < sender->tokens &&
           sender->free_entries != 0)
        open_row(plane, number, cycle);
}

static void close(struct packet_plane *plane, unsigned number)
{
    for (unsigned gpu = 0; gpu < plane->rows->ports; gpu++)
        packet_hub_notice(plane, number, gpu, NOTICE | CLOSE | number);
}

void packet_sender_begin(struct packet_plane *plane, unsigned number)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    sender->free_entries = plane->hubs->rows == 64 ? UINT64_MAX : (UINT64_C(1) << plane->hubs->rows) - 1;
    sender->held = -1;
    memset(sender->next, NO_ENTRY, sizeof sender->next);
    open_rows(plane, number, plane->now);
    if (sender->tokens == 0)
        close(plane, number);
}

/* Of lines that have left, since this was asked last. */
static uint32_t locks_until_now(const struct packet_plane *plane, struct packet_sender *sender)
{
    uint32_t locks = 0;
    for (; sender->locks.count > 0 && (int32_t)((uint32_t)plane->now - packet_ring_first(&sender->locks)) >= 0; locks++)
        packet_ring_take(&sender->locks);
    return locks;
}

static void go_on(struct packet_plane *plane, unsigned number, uint32_t delay)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    if (sender->storing || sender->open_count == 0)
        return;
    sender->storing = true;
    locks_until_now(plane, sender); /* took the turn of no store */
    packet_plane_schedule(plane, delay, STORE_ROWS, number, 0);
}

/* That with the least rows, of several the next in turn. */
static unsigned choose_link(struct packet_sender *sender, unsigned links)
{
    unsigned least = sender->link_turn;
    for (unsigned i = 1; i < links; i++) {
        const unsigned link = (sender->link_turn + i) % links;
        least = sender->load[link] < sender->load[least] ? link : least;
    }
    sender->link_turn = (least + 1) % links;
    sender->load[least]++;
    return least;
}

void packet_sender_opened(struct packet_plane *plane, unsigned number, uint32_t name)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    struct packet_entry *entry = &sender->entries[name];
    const struct packet_row *row = &plane->rows->rows[row_of(plane, number, entry->token)];
    entry->owed[REMOTE] = row->outputs != 0 ? plane->options.dispatch_lines : 0;
    entry->owed[OWN] = row->loop != 0 ? plane->options.dispatch_lines : 0;
    entry->flits[REMOTE] = row->outputs != 0 ? row->up : 0;
    entry->flits[OWN] = row->loop;
    entry->link = (uint8_t)choose_link(sender, plane->hubs->links);
    sender->opening--;
    sender->open[sender->open_count++] = (uint8_t)name;
    go_on(plane, number, 0);
}

/* ---- stores --------------------------------------------------------------------------------------------------- */

static unsigned kind_of(unsigned way)
{
    return way == LOOP ? OWN : REMOTE;
}

static void set_next(struct packet_plane *plane, unsigned number, unsigned way, unsigned name)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    sender->next[way] = (uint8_t)name;
    *(way == LOOP ? &sender->loop_flits : &plane->hubs->planes[way].ports[number].offered[STORE]) =
        name == NO_ENTRY ? 0 : sender->entries[name].flits[kind_of(way)];
}

static void make_ready(struct packet_plane *plane, unsigned number, unsigned name, uint32_t line)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    struct packet_entry *entry = &sender->entries[name];
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (entry->owed[kind] > 0) {
            const unsigned way = kind == OWN ? LOOP : entry->link;
            entry->ready[kind][line / LINE_WORD] |= UINT64_C(1) << line % LINE_WORD;
            sender->some_ready[way] |= UINT64_C(1) << name;
            if (sender->next[way] == NO_ENTRY || entry->token < sender->entries[sender->next[way]].token)
                set_next(plane, number, way, name);
        }
}

/* False: it waits for a line buffer. */
static bool store(struct packet_plane *plane, unsigned number, unsigned position)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    const unsigned name = sender->open[position];
    struct packet_entry *entry = &sender->entries[name];
    const uint32_t line = plane->hubs->line_of_store[entry->stores], of_line = plane->hubs->stores_of_line;
    if (entry->filled[line] == 0 && sender->lines_used == plane->hubs->lines)
        return false;
    sender->lines_used += entry->filled[line] == 0;
    if (++entry->filled[line] == of_line)
        make_ready(plane, number, name, line);
    if (++entry->stores == plane->options.dispatch_lines * of_line)
        sender->open[position] = sender->open[--sender->open_count];
    return true;
}

static unsigned position_of(const struct packet_sender *sender, unsigned name)
{
    unsigned position = 0;
    while (sender->open[position] != name)
        position++;
    return position;
}

void packet_sender_store(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_sender *sender = &hub->sender;
    const unsigned open = sender->open_count;
    sender->storing = false;
    for (unsigned i = 0; i < STORES_OF_EVENT && sender->open_count > 0; i++) {
        const unsigned position =
            sender->held >= 0 ? position_of(sender, (unsigned)sender->held) : packet_hub_random(hub, sender->open_count);
        const unsigned name = sender->open[position];
        sender->held = -1;
        if (!store(plane, number, position)) {
            sender->held = (int)name;
            break;
        }
    }
    if (sender->open_count < open)
        open_rows(plane, number, given(plane));
    if (sender->held < 0)
        go_on(plane, number, STORES_OF_EVENT + locks_until_now(plane, sender));
    packet_hub_send(plane, number);
    packet_hub_loop(plane, number);
}

/* ---- lines that leave ----------------------------------------------------------------------------------------- */

/* Of the rows with lines for the way that of the lowest index. */
static unsigned lowest_row(const struct packet_sender *sender, unsigned way)
{
    unsigned lowest = NO_ENTRY;
    for (uint64_t left = sender->some_ready[way]; left != 0; left &= left - 1) {
        const unsigned name = (unsigned)__builtin_ctzll(left);
        if (lowest == NO_ENTRY || sender->entries[name].token < sender->entries[lowest].token)
            lowest = name;
    }
    return lowest;
}

static void row_left(struct packet_plane *plane, unsigned number, unsigned name)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    hub->sender.free_entries |= UINT64_C(1) << name;
    hub->sender.load[hub->sender.entries[name].link]--;
    if (++hub->sender.left == hub->sender.tokens)
        close(plane, number);
    open_rows(plane, number, plane->now);
}

/* The line has left for one kind of targets. */
static void line_left(struct packet_plane *plane, unsigned number, unsigned kind, unsigned name, unsigned line)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    struct packet_entry *entry = &sender->entries[name];
    const uint64_t bit = UINT64_C(1) << line % LINE_WORD;
    const bool once = (entry->left[line / LINE_WORD] & bit) != 0;
    const bool other = entry->flits[kind == REMOTE ? OWN : REMOTE] != 0;
    entry->left[line / LINE_WORD] |= bit;
    entry->owed[kind]--;
    if (other && !once)
        return;
    sender->lines_used--;
    if (entry->owed[REMOTE] + entry->owed[OWN] == 0)
        row_left(plane, number, name);
    go_on(plane, number, 1);
}

uint32_t packet_sender_leave(struct packet_plane *plane, unsigned number, unsigned way, unsigned *line)
{
    struct packet_sender *sender = &packet_hub_of(plane, number)->sender;
    const unsigned name = sender->next[way], kind = kind_of(way);
    struct packet_entry *entry = &sender->entries[name];
    const uint32_t token = entry->token;
    uint64_t *ready = entry->ready[kind];
    *line = ready[0] != 0 ? (unsigned)__builtin_ctzll(ready[0]) : LINE_WORD + (unsigned)__builtin_ctzll(ready[1]);
    ready[*line / LINE_WORD] &= ~(UINT64_C(1) << *line % LINE_WORD);
    packet_ring_add(&sender->locks, (uint32_t)plane->now + plane->hubs->lock_latency);
    if ((ready[0] | ready[1]) == 0) {
        sender->some_ready[way] &= ~(UINT64_C(1) << name);
        set_next(plane, number, way, lowest_row(sender, way));
    }
    line_left(plane, number, kind, name, *line);
    return token;
}
