/* SPDX-License-Identifier: Apache-2.0 */
/* Hubs, a link of each at every plane, and the GPUs at them. Private to system_packet*.c.
 *
 * Of several planes a function that is given one and a hub's number means that link of the hub. What belongs to the hub and to
 * none of its links is the same on whichever plane: all have the same cycle.
 *
 * What is in order and waits for nothing outside of the hub is reckoned when a packet comes: the end of each step from the end of
 * the step before and of those that hold its places. So a packet costs one event, whatever it passes. */
#ifndef MOEHUB_SYSTEM_PACKET_HUB_H
#define MOEHUB_SYSTEM_PACKET_HUB_H

#include "moehub/al_tlb.h"
#include "system/system_packet_state.h"

enum { LINKS_MAX = MOEHUB_SYSTEM_PACKET_LINKS_MAX, LOOP = LINKS_MAX, WAYS };  /* a hub's ways: its links, its loop-back */
enum packet_ready { READY_TILE, READY_COMPUTED, READY_TOKEN, READY_ARRIVED, READY_KINDS };  /* what a GPU is told */
enum { REMOTE, OWN, KINDS };  /* of a row's targets: those behind its link, those behind the loop-back */
enum { ENTRIES_MAX = 64, NO_ENTRY = ENTRIES_MAX, OPEN_MAX = 64, ASKED_MAX = 64, NOTIFY_TILES = 16, LINE_BUFFERS = 16 };

/* Ends of the last things that hold one of so many places: the next one waits for the oldest. */
struct packet_window {
    uint64_t *ends;
    uint32_t size, next;
};

int packet_window_create(struct packet_window *window, uint32_t size);

static inline uint64_t packet_window_free(const struct packet_window *window)
{
    return window->ends[window->next];
}

static inline void packet_window_take(struct packet_window *window, uint64_t end)
{
    window->ends[window->next] = end;
    window->next = window->next + 1 == window->size ? 0 : window->next + 1;
}

/* A row in the packet manager. */
struct packet_entry {
    uint32_t token;
    uint32_t stores;                        /* that the GPU has given */
    uint32_t owed[KINDS];                   /* lines that have not left */
    uint64_t ready[KINDS][2];               /* a bit a line */
    uint64_t left[2];                       /* lines that one of two kinds has sent */
    uint8_t flits[KINDS];                   /* of a line's packet */
    uint8_t link;
    uint8_t filled[MOEHUB_SYSTEM_PACKET_LINES_MAX];  /* stores of a line */
};

/* What a GPU sends to its hub, and the lines that wait there. */
struct packet_sender {
    uint64_t free_entries;                  /* bits */
    uint64_t some_ready[WAYS];              /* entries */
    uint8_t next[WAYS];                     /* of those the one of the lowest row, NO_ENTRY: none */
    uint8_t loop_flits;                     /* of a line of that for the loop-back, 0: none */
    uint8_t open[OPEN_MAX];                 /* entries whose rows are being stored */
    unsigned open_count, opening;
    uint32_t tokens, taken, left;           /* rows of the GPU: all, taken by the hub, gone from it */
    uint32_t lines_used;
    struct packet_ring locks;               /* cycles: of lines that leave, each takes the turn of a store */
    uint32_t load[LINKS_MAX];               /* rows of each link: all are as long */
    unsigned link_turn;                     /* after the link that was last chosen */
    int held;                               /* entry whose next store waits for a line buffer, -1: none */
    bool storing;
    uint64_t listed;                        /* end of the last list's check */
    struct packet_entry entries[ENTRIES_MAX];
};

/* A request for partial sums, at a way. */
struct packet_asked {
    uint32_t name;                          /* the switch's group; on the loop-back the hub's own */
    uint64_t there;                         /* all addresses are known */
    uint8_t lines, targets;
};

struct packet_way {
    struct packet_ring stores;              /* items of packets that are still to be asked for */
    bool asking;                            /* the asker will go on */
    struct packet_window answers, buffers, writes;
    uint64_t asked, read, moved, written;   /* ends of the last packet's questions, read, writes, of the last B */
    uint64_t answered[2];                   /* last answer, of stores and requests: in order */
    struct packet_window reads;
    struct packet_asked *requests;          /* ring: not all of their lines are summed */
    uint32_t mask, first, count, lines_done;
    struct packet_ring unasked;             /* rows of requests that wait for places of their answers; names beside */
    struct packet_ring unasked_names;
    uint32_t answers_held;
    uint64_t addressed, returned, summed;   /* ends of the last AR, R, sum */
    uint64_t partial_left;                  /* of the loop-back: the last one */
    uint32_t partials_inside;               /* in the sums or waiting for the link */
    bool waits;                             /* a sum waits for room */
};

/* AL-TLB in time. */
struct packet_addresses {
    struct moehub_al_tlb tlb;
    uint64_t *busy;                         /* of a line: its table operation has ended */
    struct packet_target **owner;           /* of a line: the target that knows that it has it; NULL: none */
    struct packet_window pending, waiting;
    uint64_t front;                         /* cycle before which no question gets in */
};

/* A tile of rows that have come. */
struct packet_tile {
    uint32_t lines_left, rows;
    uint32_t first;                         /* of its slots among all of the hub */
    uint64_t written;
};

struct packet_final {
    uint8_t lines, left;                    /* lines; those that are not whole */
    uint8_t missing[LINES_OF_REQUEST];
};

/* What a hub has for one of its links out, and the sums of what comes back. */
struct packet_hub_link {
    struct packet_ring partials;            /* the switch's group and line */
    struct packet_ring notices;             /* to send; their GPUs beside */
    struct packet_ring notice_targets;
    struct packet_ring requests;            /* own groups */
    uint32_t reserving;                     /* requests that are on their way there */
    bool partial_turn;                      /* notices and partials take turns */
    struct packet_ring free_finals;         /* own groups */
    uint64_t entered;                       /* end of the last part that entered the final_reduce */
    uint64_t reduced;                       /* end of the last sum for the GPU */
};

struct packet_hub {
    _Alignas(CACHE_LINE) uint64_t random;
    struct packet_hub_link links[LINKS_MAX];
    struct packet_way ways[WAYS];
    struct packet_addresses addresses;
    /* loop-back */
    struct packet_credits loop_credits[CLASSES];
    struct packet_ring loop_requests;       /* own groups */
    uint32_t loop_reserving;                /* requests that are on their way there */
    struct packet_ring loop_notices;
    uint8_t loop_turn;
    bool loop_busy, loop_waking;
    /* what came: tiles, tokens, ends */
    struct packet_tile *tiles;
    uint32_t *slot_rows;                    /* row of each slot, region after region */
    uint32_t *region_first, *region_next, *region_tile;  /* [experts here + 1] */
    uint64_t pairs_left, pairs_end;
    uint32_t closes_left;
    struct packet_ring to_tell[READY_ARRIVED];  /* ready events that wait: names */
    uint64_t tell_next;                     /* cycle from which on the next one may be told */
    uint8_t tell_turn;                      /* of the kinds */
    bool telling, swept;                    /* an event will look then; all arrived is to be told */
    struct packet_window notify_tiles;
    uint64_t list_read, row_list_read, reduce_read;  /* last answers of the list port: in order for rows, notifies, reduces */
    uint64_t notify_asked, notified;
    uint8_t *notifies_left;                 /* [tokens] */
    bool settling;
    uint64_t arrived;                       /* in which all arrived was told */
    /* own sums */
    uint32_t *ready;                        /* tokens, in order */
    uint32_t ready_count, ready_asked;
    struct { uint32_t token, parts; bool active; } asked[ASKED_MAX];
    uint32_t asked_turn, reduces;           /* lists that are being read or wait for a group */
    uint64_t reduce_listed;
    struct packet_ring judged;              /* rows of reduces; parts beside */
    struct packet_ring judged_parts;
    uint32_t judged_count;                  /* whose lists have been read */
    unsigned reduce_turn;                   /* link that has the next reduce, if it can */
    struct packet_final *finals;            /* [links][final_groups] */
    uint32_t *final_rows, *final_parts;
    /* what its GPU stores */
    struct packet_sender sender;
};

/* A target of a row: an expert of its GPU. */
struct packet_target {
    uint32_t index;                         /* the row's algebraic one, as names have it */
    uint32_t tile;                          /* of its slot; NOTHING: it has none yet */
    uint64_t filled;                        /* of its line: its slot is there */
    uint16_t local;                         /* the expert's number on its GPU */
    uint16_t set;                           /* of its line */
    uint8_t way;
    bool has_line;                          /* in the AL-TLB; false: ask it */
};

struct packet_hubs {
    const struct moehub_layer *layer;
    struct packet_target *targets;          /* [row][top-k], in the layer's order */
    uint8_t *line_of_store;                 /* of a row's n-th */
    uint32_t places[CLASSES], loop_places, loop_share;
    uint32_t pending, waiting, answers, request_answers, writes, read_lines, lane_cycles, partial_lines, rows, lines;
    uint32_t stores_of_line, reduces, final_groups, local_experts;
    uint32_t row_latency, open_latency, write_latency, arrive_latency, ready_cycles, tell_latency, token_latency, ask_latency;
    uint32_t ask_cycles, group_latency, row_cycles;
    uint32_t given_before, lock_latency;    /* a line can leave: stores came so much before; they meet its lock so much later */
    uint32_t answer_latency, final_latency;
    uint32_t rows_open, window, tokens_asked, tile_shift, gemm, memory_least, memory_most;
    bool may_ask;                           /* GPUs may ask for sums */
    uint64_t misses, lookups;
    struct packet_hub *hubs;
    struct packet_plane *planes;            /* [links] */
    unsigned links;
};

static inline struct packet_hub *packet_hub_of(const struct packet_plane *plane, unsigned number)
{
    return plane->hub_of[number];
}

/* Flits of a row's list in memory: all rows have as many targets. */
static inline uint32_t packet_hub_list_flits(const struct packet_hubs *hubs)
{
    return (hubs->layer->topk + MOEHUB_TARGETS_PER_FLIT - 1) / MOEHUB_TARGETS_PER_FLIT;
}

/* splitmix64: 0 .. below - 1. */
static inline uint32_t packet_hub_random(struct packet_hub *hub, uint32_t below)
{
    uint64_t mixed = hub->random += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(((mixed ^ mixed >> 31) >> 32) * below >> 32);
}

static inline uint32_t packet_hub_latency(const struct packet_hubs *hubs, struct packet_hub *hub)
{
    return hubs->memory_least + packet_hub_random(hub, hubs->memory_most - hubs->memory_least + 1);
}

/* When an access that begins at `start` is answered, at a port that answers in order. */
static inline uint64_t packet_hub_access(const struct packet_hubs *hubs, struct packet_hub *hub, uint64_t *last, uint64_t start)
{
    const uint64_t end = start + packet_hub_latency(hubs, hub);
    *last = end > *last ? end : *last + 1;
    return *last;
}

/* At a cycle that has come or is to come. */
static inline void packet_hub_at(struct packet_plane *plane, uint64_t cycle, enum packet_event_kind kind, unsigned number,
                                 uint32_t item)
{
    const uint64_t delay = cycle > plane->now ? cycle - plane->now : 0;
    if (delay <= plane->wheel.mask)
        packet_plane_schedule(plane, (uint32_t)delay, kind, number, item);
    else
        moehub_event_queue_push(&plane->far, cycle, &(uint64_t){packet_event(kind, number, item)});
}

/* A row's targets on a GPU. */
static inline unsigned packet_hub_own_targets(const struct packet_plane *plane, uint32_t row, unsigned gpu,
                                              struct packet_target **targets)
{
    const struct packet_targets own = plane->rows->targets[(size_t)row * plane->rows->ports + gpu];
    *targets = &plane->hubs->targets[(size_t)row * plane->hubs->layer->topk + own.first];
    return own.count;
}

static inline struct packet_hub_link *packet_hub_link_of(const struct packet_plane *plane, unsigned number)
{
    return &packet_hub_of(plane, number)->links[plane->link];
}

/* Notices and partials take turns. */
static inline bool packet_hub_sends_notice(const struct packet_hub_link *link)
{
    return link->notices.count > 0 && (link->partials.count == 0 || !link->partial_turn);
}

/* What a hub has for the link, after each change: flits of its next packet of a class. */
static inline void packet_hub_offer_request(struct packet_plane *plane, unsigned number)
{
    const struct packet_ring *requests = &packet_hub_link_of(plane, number)->requests;
    const uint32_t *rows = packet_hub_of(plane, number)->final_rows;
    uint8_t flits = 0;
    if (requests->count > 0)
        flits = (uint8_t)(plane->rows->rows[rows[packet_ring_first(requests)]].up - MOEHUB_LINE_UNITS);
    plane->ports[number].offered[REQUEST] = flits;
}

static inline void packet_hub_offer_response(struct packet_plane *plane, unsigned number)
{
    const struct packet_hub_link *link = packet_hub_link_of(plane, number);
    const uint8_t partial = link->partials.count > 0 ? RESPONSE_FLITS : 0;
    plane->ports[number].offered[RESPONSE] = packet_hub_sends_notice(link) ? NOTICE_FLITS : partial;
}

/* ---- system_packet_hub.c */
int packet_hubs_create(struct packet_hubs *hubs, const struct moehub_system_constants *constants, struct packet_plane *planes,
                       unsigned links, const struct moehub_layer *layer, const struct packet_rows *rows);
void packet_hubs_destroy(struct packet_hubs *hubs);
/* The phase; before a combine alone its dispatch, which is not counted. */
void packet_hubs_run(struct packet_hubs *hubs);
/* Adds the flits of notifies and closes, of all links, to up[ports], down[ports]. */
void packet_hubs_notices(const struct packet_hubs *hubs, uint64_t *up, uint64_t *down);

/* All links of a hub send what they can. */
static inline void packet_hub_send(struct packet_plane *plane, unsigned number)
{
    for (unsigned link = 0; link < plane->hubs->links; link++)
        packet_gpu_send(&plane->hubs->planes[link], number);
}

/* The next packet for the link, whose class and flits are known. */
void packet_hub_take(struct packet_plane *plane, unsigned number, struct packet *packet);
void packet_hub_loop(struct packet_plane *plane, unsigned number);
/* What was on the loop-back has come. */
void packet_hub_loop_free(struct packet_plane *plane, unsigned number);
void packet_hub_notice(struct packet_plane *plane, unsigned number, unsigned to, uint32_t notice);
/* Places of a way are free from a cycle on. */
void packet_hub_freed(struct packet_plane *plane, unsigned number, unsigned way, unsigned packet_class, uint32_t flits,
                      uint64_t cycle);

/* ---- system_packet_sender.c */
void packet_sender_begin(struct packet_plane *plane, unsigned number);
void packet_sender_opened(struct packet_plane *plane, unsigned number, uint32_t entry);
void packet_sender_store(struct packet_plane *plane, unsigned number);
/* The lowest line of the entry that is next on a way goes: its token, and the line. */
uint32_t packet_sender_leave(struct packet_plane *plane, unsigned number, unsigned way, unsigned *line);

/* ---- system_packet_addresses.c */
int packet_addresses_create(struct packet_addresses *addresses, const struct packet_hubs *hubs, uint32_t sets, uint32_t ways,
                            uint32_t replacement, unsigned experts);
void packet_addresses_destroy(struct packet_addresses *addresses);
/* A question of a target that does not know its line; the cycle in which it gets in. */
uint64_t packet_addresses_look_up(struct packet_hubs *hubs, struct packet_hub *hub, struct packet_target *target, bool first,
                                  uint64_t cycle);

/* When a question that is asked at `cycle` is answered. */
static inline uint64_t packet_addresses_ask(struct packet_hubs *hubs, struct packet_hub *hub, struct packet_target *target,
                                            bool first, uint64_t cycle)
{
    struct packet_addresses *addresses = &hub->addresses;
    cycle = later(cycle, later(addresses->front, packet_window_free(&addresses->waiting)));
    hubs->lookups++;
    if (target->has_line)
        moehub_al_tlb_use(&addresses->tlb, target->set, target->way);
    else
        cycle = packet_addresses_look_up(hubs, hub, target, first, cycle);
    const uint64_t answer = later(cycle, target->filled);
    packet_window_take(&addresses->waiting, answer);
    return answer;
}

/* ---- system_packet_receiver.c */
void packet_receiver_store(struct packet_plane *plane, unsigned number, unsigned way, uint32_t item);
void packet_receiver_ask(struct packet_plane *plane, unsigned number, unsigned way);
void packet_receiver_request(struct packet_plane *plane, unsigned number, unsigned way, uint32_t row, uint32_t name);
void packet_receiver_partial(struct packet_plane *plane, unsigned number, unsigned way, uint32_t item);
void packet_receiver_partial_left(struct packet_plane *plane, unsigned number);

/* ---- system_packet_tracker.c */
void packet_tracker_check_arrived(struct packet_plane *plane, unsigned number);

/* A line of a tile has been written. */
static inline void packet_tracker_written(struct packet_plane *plane, unsigned number, uint32_t name, uint64_t cycle)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_tile *tile = &hub->tiles[name];
    tile->written = later(tile->written, cycle);
    hub->pairs_end = later(hub->pairs_end, cycle);
    if (--tile->lines_left == 0 && tile->rows == 1u << plane->hubs->tile_shift)
        packet_hub_at(plane, tile->written + plane->hubs->write_latency, TILE_FULL, number, name);
    if (--hub->pairs_left == 0)
        packet_tracker_check_arrived(plane, number);
}

void packet_tracker_settled(struct packet_plane *plane, unsigned number);
void packet_tracker_full(struct packet_plane *plane, unsigned number, uint32_t tile);
void packet_tracker_tell(struct packet_plane *plane, unsigned number);
void packet_tracker_token(struct packet_plane *plane, unsigned number, uint32_t token);
void packet_tracker_swept(struct packet_plane *plane, unsigned number);
void packet_tracker_computed(struct packet_plane *plane, unsigned number, uint32_t tile);
void packet_tracker_finished(struct packet_plane *plane, unsigned number, uint32_t tile);
void packet_tracker_notice(struct packet_plane *plane, unsigned number, uint32_t notice);

/* ---- system_packet_sums.c */
void packet_sums_token(struct packet_plane *plane, unsigned number, uint32_t token);
void packet_sums_ask(struct packet_plane *plane, unsigned number);
void packet_sums_judged(struct packet_plane *plane, unsigned number);
void packet_sums_reserved(struct packet_plane *plane, unsigned number, uint32_t name);
void packet_sums_go_on(struct packet_plane *plane, unsigned number);
void packet_sums_part(struct packet_plane *plane, unsigned number, uint32_t item);
void packet_sums_free(struct packet_plane *plane, unsigned number, uint32_t final);

#endif
