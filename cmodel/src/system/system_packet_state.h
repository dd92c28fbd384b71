/* SPDX-License-Identifier: Apache-2.0 */
/* State of a plane's run. Private to system_packet*.c. */
#ifndef MOEHUB_SYSTEM_PACKET_STATE_H
#define MOEHUB_SYSTEM_PACKET_STATE_H

#include "moehub/event_queue.h"
#include "moehub/header_check.h"
#include "moehub/system_packet.h"

#include <string.h>

enum { PORTS_MAX = MOEHUB_SYSTEM_PACKET_GPUS_MAX, CLASSES = 3, LINES_OF_REQUEST = 8 };
enum { OFFERED = 4 /* classes, and none: a word */ };
enum { STORE = MOEHUB_CLASS_STORE, REQUEST = MOEHUB_CLASS_REQUEST, RESPONSE = MOEHUB_CLASS_RESPONSE };
enum { RESPONSE_FLITS = 1 + MOEHUB_LINE_UNITS, REQUEST_ROWS = 4 /* of its flit in the crossbar */ };
enum { LEVEL_BITS = 5 };     /* of a count of free places, by which the fullest inputs are told */
enum { CYCLES_AHEAD = 32 };  /* a power of two above any wait of a crossbar's port */
#define NOTHING UINT32_MAX
#define STORE_LEFT (UINT32_MAX - 1)  /* what left a link was a store */
#define REQUEST_LEFT (UINT32_MAX - 2)

/* Items of queues and events are 32 bits: a row and the flits of a copy of one of its lines; a group and its line; of hubs a
 * notice, of a row or of a GPU that closes. */
enum { FLITS_BITS = 7, ROWS_MAX = 1 << 24, GROUP_LINE_BITS = 3, NOTICE_FLITS = 1, PORT_BITS = 8 };
#define NOTICE UINT32_C(0x80000000)
#define CLOSE UINT32_C(0x40000000)

/* First in, first out; a power of two of places. Of those that it was created with it uses no more than it has needed: what goes
 * round lies in few cache lines. */
struct packet_ring {
    uint32_t *items;
    uint32_t mask, head, count;
};
enum { RING_PLACES = 16 /* at first */, CACHE_LINE = 64 };

/* What is due when: a list for each cycle of the near future. */
enum packet_event_kind {
    UP_FREE, ARRIVED, ARRIVED_RESPONSE, LOOK_STORES, LOOK_REQUESTS, LOOK_RESPONSES, COPIED_STORE, COPIED_REQUEST, PASSED,
    PASSED_RESPONSE, TAKEN, COMPLETED, DOWN_FREE, ASKED, WAKE_UP, WAKE_DOWN,
    /* of hubs */
    ROW_OPENED, STORE_ROWS, STORE_CAME, RESULT_CAME, NOTICE_CAME, LOOP_STORE, LOOP_REQUEST, LOOP_NOTICE, WAKE_LOOP, PARTIAL_UP,
    PARTIAL_LOOP, TILE_FULL, TILE_COMPUTED, TILE_FINISHED, NOTIFY, TOKEN_READY, JUDGED, RESERVED, SUMMED, SETTLED, SWEPT, TELL,
    ASK_UP, ASK_LOOP, EVENT_KINDS
};
/* An event is one word: its item, its port, its kind. */
enum { EVENT_ITEM_LSB = 32, EVENT_PORT_LSB = 16 };

/* Events of a list lie beside each other: WHEEL_EVENTS in a piece, whose last place says which piece is next.
 * Positions count places of all pieces; a list's `end` is where its next event goes, or the last place of a full piece. */
enum { WHEEL_PLACES = 32, WHEEL_EVENTS = WHEEL_PLACES - 1 };
struct packet_wheel_list {
    uint32_t first, end;           /* positions; NOTHING: it is empty */
};
struct packet_wheel {
    uint64_t *places;              /* [pieces][WHEEL_PLACES]; of a free piece, too, the last place says the next one */
    struct packet_wheel_list *lists;  /* [mask + 1] */
    uint32_t mask, used;           /* pieces that hold events */
    uint32_t free, fresh;          /* the first piece that was given back; where those begin that never were in use */
};

/* Credits that are there, and those on their way back: cycle and flits of each in a word, first in, first out, in a ring that
 * uses what it has needed, too. */
enum { CREDIT_FLITS_BITS = 8 };
struct packet_credits {
    uint64_t next;     /* cycle of the first that is away, UINT64_MAX: none is */
    uint32_t here, count;
    uint64_t *away;
    uint32_t mask, head;
};

/* A row as the plane sees it. Flits of its copies are in packet_rows.down. */
struct packet_row {
    uint64_t outputs;   /* ports that it goes to */
    uint8_t up;         /* flits of a line's store */
    uint8_t loop;       /* the same for own targets; 0: there are none */
};
/* A row's targets on a GPU, among all of the row. */
struct packet_targets {
    uint8_t first, count;
};
struct packet_rows {
    unsigned ports;
    bool own;                   /* rows that stay on their GPU, too: a row's place is its algebraic index */
    struct packet_row *rows;    /* [GPUs][tokens]: those that cross a link, in order, at the start of each GPU's */
    uint8_t *down;              /* [row][port] flits of a line's copy; 0: none */
    struct packet_targets *targets;  /* [row][port], own GPU included, where own rows are here, too; else NULL */
    uint32_t *counts;           /* [GPUs] */
    uint32_t stride;
};

/* A store or a request under way. */
struct packet {
    uint64_t outputs;   /* that have not had it */
    uint64_t heads;     /* of those outputs the ones whose queue it leads */
    uint32_t row;
    uint32_t item;      /* a request's tag: the hub's group; when it has entries, their group */
    union {
        uint32_t age;   /* cycle in which it joined the queues */
        uint32_t next;  /* free ones */
    };
    uint8_t flits, packet_class;
    uint8_t source;
    union {
        uint8_t line;   /* of a row; of a request its part */
        uint8_t output; /* of a response, which is one only until it leaves its GPU; its item is what waits and comes then */
    };
};

/* A request that holds reduction entries. */
struct packet_group {
    uint32_t row, tag;
    uint8_t requester, lines, results;
    uint8_t missing[LINES_OF_REQUEST];
};

/* The first packet of a pair of input and output, or the entry of its first response. */
struct packet_head {
    uint32_t packet, age;
};

/* What is taken of a ring, and its places but one. */
struct packet_places {
    uint32_t head;
    uint16_t count, mask;
};

/* A response that waits: a group and its line, or a notice; and what is behind it for the same output. */
struct packet_entry_of_response {
    uint32_t item, next, next_age;
};

/* Ports whose wait ends in a cycle. */
struct packet_due {
    uint64_t outputs, proposals, passes;
};

/* Passes from inputs to outputs: an input reads one packet at a time. Inputs propose, outputs grant in turn, both some cycles
 * ahead of what they are about. An output may join a pass under way, which then lasts until each has had all rows.
 *
 * Who may do what is kept as sets of ports, a bit a port, so that a look costs what it grants and not the ports. */
struct packet_crossbar {
    uint16_t looks;                                           /* event */
    uint8_t ports, groups, ahead;                             /* groups of outputs; cycles that an output grants ahead */
    uint64_t look;                                            /* cycle of the next look, UINT64_MAX: none */
    uint64_t needed, told;                                    /* cycle of the next one that may find something; the last such
                                                               * cycle that a look had told, for which there is an event */
    uint64_t asking, joinable;                                /* inputs with something to send; whose pass outputs may join */
    uint64_t wanted, full;                                    /* outputs with something to send; without a slot */
    uint64_t granted, granted_in;                             /* outputs that granted in the last look; its cycle */
    /* waits */
    uint64_t closed, silent, reading;                         /* outputs that do not grant yet; inputs that do not propose yet;
                                                               * that do not begin a pass yet */
    uint64_t seen;                                            /* cycle of these sets */
    struct packet_due due[CYCLES_AHEAD];                      /* ends of waits, by cycle */
    /* pairs of input and output */
    uint64_t by_input[PORTS_MAX], by_output[PORTS_MAX];       /* with something to send */
    uint64_t members[PORTS_MAX];                              /* outputs of each group */
    struct packet_head *heads;                                /* of each pair with something to send: [input][place] */
    uint8_t head_place[PORTS_MAX], head_output[PORTS_MAX];    /* places of outputs, and back: groups lie together */
    unsigned log2_row;                                        /* places of an input */
    /* of each input */
    uint64_t pass_end[PORTS_MAX];
    uint64_t may_begin[PORTS_MAX];                            /* a new pass */
    uint8_t group[PORTS_MAX];                                 /* of outputs whose turn it is */
    /* of each output */
    uint64_t output_end[PORTS_MAX];                           /* its last copy's */
    uint8_t turn[PORTS_MAX];
    /* of stores and requests */
    struct packet_places *places;                             /* of each pair's queue: [input][output] */
    uint32_t *queues;                                         /* [input][output][stride] packets, rings */
    uint32_t stride;
    uint8_t slots, rows;                                      /* copies at an output; rows of each */
    uint8_t copies[PORTS_MAX];                                /* of each output: granted and not gone */
    uint32_t pass[PORTS_MAX];                                 /* packet of an input's last pass, while copies of it are left */
    uint64_t joined[PORTS_MAX];                               /* outputs that may join that: whose head the packet is */
    uint64_t pass_start[PORTS_MAX];
    /* of responses alone */
    struct packet_entry_of_response *entries;
    uint32_t *last;                                           /* of each pair: the last entry, where heads have its first */
    uint32_t free_entry, entries_used;                        /* the first that was given back; those that ever were in use */
    uint32_t free_places[PORTS_MAX];                          /* of each input */
    unsigned level_shift;                                     /* their low bits, which a level has not */
    uint64_t at_level[1 << LEVEL_BITS];                       /* inputs at each level of free places */
    uint32_t levels;                                          /* at which there are any: the fullest are at the lowest */
    uint8_t full_turn[PORTS_MAX], grants[PORTS_MAX];          /* of each output: the turn of the fullest; grants, counted */
};

/* What a GPU without a hub sends next: a row of its own, and a line or a request of it. */
struct packet_cursor {
    uint32_t row, part;
    uint32_t first;  /* of the rows that take turns */
};

struct packet_port {
    /* the link up */
    _Alignas(CACHE_LINE) uint8_t offered[OFFERED];  /* flits of the next packet of a class; 0: none */
    uint8_t turn;
    bool up_busy, up_waking;
    uint64_t up_until;                   /* cycle after the last flit that was started, for the check alone */
    struct packet_credits up_credits[CLASSES];
    /* the link down */
    _Alignas(CACHE_LINE) bool down_busy;
    bool down_waking;
    uint32_t overtaken[CLASSES];
    uint64_t down_until;
    struct packet_ring out[CLASSES];     /* stores: rows and flits; requests: groups; responses: groups' lines, and notices */
    struct packet_credits down_credits[CLASSES];
    /* groups */
    struct packet_ring reserving;        /* requests that wait for one */
    struct packet_ring groups;           /* free ones */
    struct packet_ring partials;         /* of the ideal plane: responses that wait for the port's reduction buffer */
    /* a GPU without a hub */
    uint64_t stores_left, requests_left;
    struct packet_cursor store, request;
    struct packet_ring answers;          /* request copies that the GPU has: groups */
    uint8_t answered;                    /* lines of the first */
};

struct packet_hub;
struct packet_hubs;
struct packet_plane {
    const struct packet_rows *rows;
    struct moehub_system_packet_options options;
    struct moehub_system_packet_result *result;
    uint32_t places[CLASSES];
    uint32_t gpu_places[CLASSES], groups_of_port, request_lines, bound, rows_in_flight;
    uint32_t slots, request_slots, ahead, ahead_response;
    uint32_t up_latency, down_latency, copy_latency, request_latency, sum_latency, notice_latency, answer_latency;
    struct packet_wheel wheel;
    struct packet_crossbar stores, requests, responses;
    struct packet_port ports[PORTS_MAX];
    struct packet *packets;
    uint32_t free_packet, packets_used;  /* the first that was given back; those that ever were in use */
    struct packet_group *groups;         /* [ports][groups of a port] */
    uint64_t now, last;                  /* cycle after the last flit that left */
    uint64_t overlaps;                   /* packets that began on a link before the one before had ended: none */
    uint64_t early;                      /* passes that were asked for before their input might begin one: none */
    struct moehub_event_queue far;       /* events beyond the wheel; without hubs there are none */
    unsigned link;                       /* of each hub the one that is at this plane */
    struct packet_hubs *hubs;            /* NULL: GPUs send and answer at once */
    struct packet_hub *hub_of[PORTS_MAX];
    uint64_t notices, hub_events;        /* that can wait for a port; that can be under way at all hubs: without hubs 0 */
};

/* ---- system_packet_rows.c */
int packet_rows_create(struct packet_rows *rows, const struct moehub_layer *layer, unsigned planes, unsigned plane, bool own);
void packet_rows_destroy(struct packet_rows *rows);
/* Adds a direction's flits that the layer asks for to up[ports], down[ports]. */
void packet_rows_flits(const struct packet_rows *rows, const struct moehub_system_packet_options *options,
                       uint32_t request_lines, uint64_t *up, uint64_t *down);

static inline uint32_t packet_store_item(uint32_t row, uint32_t flits)
{
    return row << FLITS_BITS | flits;
}

static inline uint32_t packet_store_row(uint32_t item)
{
    return item >> FLITS_BITS;
}

static inline uint32_t packet_store_flits(uint32_t item)
{
    return item & ((1u << FLITS_BITS) - 1);
}

/* What an output's copy is to the egress: of a store its row and flits, of a request its group. */
static inline uint32_t packet_copy_item(const struct packet_plane *plane, const struct packet *packet, unsigned output)
{
    if (packet->packet_class == REQUEST)
        return packet->item;
    return packet_store_item(packet->row, plane->rows->down[(size_t)packet->row * plane->rows->ports + output]);
}

/* ---- system_packet_queue.c */
uint64_t packet_power_of_two(uint64_t least);
int packet_ring_create(struct packet_ring *ring, uint64_t places);
/* Twice the places in use, of a full ring that has room for them: what had come round to the start goes behind the old end.
 * Returns the new mask. */
uint32_t packet_places_double(void *items, size_t size, uint32_t *head, uint32_t mask);
void packet_ring_grow(struct packet_ring *ring);
int packet_wheel_create(struct packet_wheel *wheel, uint64_t farthest, uint64_t capacity);
void packet_wheel_destroy(struct packet_wheel *wheel);

static inline void packet_ring_add(struct packet_ring *ring, uint32_t item)
{
    if (ring->count > ring->mask)
        packet_ring_grow(ring);
    ring->items[(ring->head + ring->count++) & ring->mask] = item;
}

static inline uint32_t packet_ring_take(struct packet_ring *ring)
{
    const uint32_t item = ring->items[ring->head & ring->mask];
    ring->head++;
    ring->count--;
    return item;
}

static inline uint32_t packet_ring_first(const struct packet_ring *ring)
{
    return ring->items[ring->head & ring->mask];
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t packet_event(enum packet_event_kind kind, unsigned port, uint32_t item)
{
    return (uint64_t)item << EVENT_ITEM_LSB | (uint64_t)port << EVENT_PORT_LSB | (uint64_t)kind;
}

static inline enum packet_event_kind packet_event_kind(uint64_t event)
{
    return (enum packet_event_kind)(event & ((1u << EVENT_PORT_LSB) - 1));
}

static inline unsigned packet_event_port(uint64_t event)
{
    return (uint32_t)event >> EVENT_PORT_LSB;
}

static inline uint32_t packet_event_item(uint64_t event)
{
    return (uint32_t)(event >> EVENT_ITEM_LSB);
}

/* One more piece for a list that is empty or whose last one is full. */
static inline void packet_wheel_extend(struct packet_wheel *wheel, struct packet_wheel_list *list)
{
    const uint32_t position = wheel->free != NOTHING ? wheel->free : wheel->fresh;
    if (wheel->free != NOTHING)
        wheel->free = (uint32_t)wheel->places[position + WHEEL_EVENTS];
    else
        wheel->fresh += WHEEL_PLACES;
    wheel->used++;
    if (list->end == NOTHING)
        list->first = position;
    else
        wheel->places[list->end] = position;
    list->end = position;
}

static inline void packet_wheel_release(struct packet_wheel *wheel, uint32_t position)
{
    wheel->places[position + WHEEL_EVENTS] = wheel->free;
    wheel->free = position;
    wheel->used--;
}

/* `delay` cycles from now: at most the wheel's farthest. */
static inline void packet_plane_schedule(struct packet_plane *plane, uint32_t delay, enum packet_event_kind kind, unsigned port,
                                         uint32_t item)
{
    struct packet_wheel_list *list = &plane->wheel.lists[(uint32_t)(plane->now + delay) & plane->wheel.mask];
    if (list->end % WHEEL_PLACES == WHEEL_EVENTS)
        packet_wheel_extend(&plane->wheel, list);
    plane->wheel.places[list->end++] = packet_event(kind, port, item);
}

/* The same, or as far as the wheel reaches: for who looks again then. */
static inline void packet_plane_wake(struct packet_plane *plane, uint32_t delay, enum packet_event_kind kind, unsigned port)
{
    packet_plane_schedule(plane, delay < plane->wheel.mask ? delay : plane->wheel.mask, kind, port, 0);
}

/* ---- system_packet_credits.c */
int packet_credits_create(struct packet_credits *credits, uint32_t places);
void packet_credits_grow(struct packet_credits *credits);
/* Cycles until the next ones of all classes come, UINT32_MAX: none are away. */
uint32_t packet_credits_wait(struct packet_credits *all, uint64_t now);

static inline void packet_credits_give(struct packet_credits *credits, uint64_t cycle, uint32_t flits)
{
    if (credits->count > credits->mask)
        packet_credits_grow(credits);
    if (credits->count == 0)
        credits->next = cycle;
    credits->away[(credits->head + credits->count++) & credits->mask] = cycle << CREDIT_FLITS_BITS | flits;
}

/* Those that have come back are here. */
static inline uint32_t packet_credits_here(struct packet_credits *credits, uint64_t now)
{
    while (credits->next <= now) {
        credits->here += (uint32_t)credits->away[credits->head++ & credits->mask] & ((1u << CREDIT_FLITS_BITS) - 1);
        credits->next = --credits->count == 0 ? UINT64_MAX : credits->away[credits->head & credits->mask] >> CREDIT_FLITS_BITS;
    }
    return credits->here;
}

/* Whether there are so many: those that have come back are counted when they are needed. */
static inline bool packet_credits_are_there(struct packet_credits *credits, uint64_t now, uint32_t flits)
{
    return credits->here >= flits || packet_credits_here(credits, now) >= flits;
}

/* ---- classes take turns, on a GPU's link and in its loop-back; without a division */
static inline unsigned packet_class_after(unsigned packet_class)
{
    return packet_class + 1 == CLASSES ? 0 : packet_class + 1;
}

/* ---- system_packet_gpu.c */
/* What a GPU without a hub has to send. */
void packet_gpu_begin(struct packet_plane *plane, unsigned port);
/* What is offered, if there are credits. */
void packet_gpu_send_next(struct packet_plane *plane, unsigned port);

static inline void packet_gpu_send(struct packet_plane *plane, unsigned number)
{
    const struct packet_port *port = &plane->ports[number];
    uint32_t offered;
    memcpy(&offered, port->offered, sizeof offered);
    if (!port->up_busy && offered != 0)
        packet_gpu_send_next(plane, number);
}

void packet_gpu_asked(struct packet_plane *plane, unsigned port, uint32_t group);

/* ---- system_packet_crossbar.c */
int packet_crossbar_create(struct packet_crossbar *crossbar, unsigned ports, uint16_t looks);
int packet_copies_create(struct packet_crossbar *crossbar, unsigned ports, uint32_t packets);
int packet_responses_create(struct packet_crossbar *crossbar, unsigned ports, uint32_t places);
void packet_crossbar_destroy(struct packet_crossbar *crossbar);
void packet_crossbar_look(struct packet_plane *plane, struct packet_crossbar *crossbar);

/* ---- system_packet_copies.c */
void packet_copies_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet);
/* A copy has gone from an output: its slot is free. */
void packet_copies_left(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output);

/* ---- system_packet_responses.c */
void packet_responses_join(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item);
/* The last row of a response has passed. */
void packet_responses_passed(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item);
/* A response is where it was to go: at the requester's reduction buffer, or the egress. */
void packet_responses_there(struct packet_plane *plane, unsigned output, uint32_t item);

static inline uint32_t packet_response_flits(uint32_t item)
{
    return (item & NOTICE) != 0 ? NOTICE_FLITS : RESPONSE_FLITS;
}

/* A response's input and output in an event's port. */
static inline unsigned packet_ports(unsigned input, unsigned output)
{
    return input | output << PORT_BITS;
}

static inline unsigned packet_port_in(unsigned ports)
{
    return ports & ((1u << PORT_BITS) - 1);
}

static inline unsigned packet_port_out(unsigned ports)
{
    return ports >> PORT_BITS;
}

/* ---- system_packet_ideal.c */
void packet_ideal_copies(struct packet_plane *plane, unsigned input, uint32_t packet);
void packet_ideal_response(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item);
/* A reduction buffer has taken its first response. */
void packet_ideal_taken(struct packet_plane *plane, unsigned output);

/* ---- the way to the outputs of what has come to an input */
static inline void packet_plane_copy(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input,
                                     uint32_t packet)
{
    if (plane->options.ideal_plane)
        packet_ideal_copies(plane, input, packet);
    else
        packet_copies_join(plane, crossbar, input, packet);
}

static inline void packet_plane_respond(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item)
{
    if (plane->options.ideal_plane)
        packet_ideal_response(plane, input, output, item);
    else
        packet_responses_join(plane, input, output, item);
}

/* ---- system_packet_groups.c */
void packet_groups_request(struct packet_plane *plane, unsigned port, uint32_t packet);
void packet_groups_partial(struct packet_plane *plane, uint32_t item);
/* A line of a group is summed: its result waits at the port that asked for it. */
void packet_groups_completed(struct packet_plane *plane, unsigned port, uint32_t item);
void packet_groups_result_left(struct packet_plane *plane, uint32_t group);

/* ---- system_packet_egress.c */
void packet_egress_store(struct packet_plane *plane, unsigned port, uint32_t copy);
void packet_egress_request(struct packet_plane *plane, unsigned port, uint32_t group);
void packet_egress_send_next(struct packet_plane *plane, unsigned port);

/* If something waits. */
static inline void packet_egress_send(struct packet_plane *plane, unsigned number)
{
    const struct packet_port *port = &plane->ports[number];
    if (!port->down_busy && (port->out[STORE].count | port->out[REQUEST].count | port->out[RESPONSE].count) != 0)
        packet_egress_send_next(plane, number);
}

void packet_egress_notice(struct packet_plane *plane, unsigned port, uint32_t notice);

/* ---- system_packet_events.c: what each kind does; which one is next cannot be predicted, so it is one jump */
typedef void packet_event_function(struct packet_plane *plane, unsigned port, uint32_t item);
extern packet_event_function *const packet_events[EVENT_KINDS];

/* ---- system_packet_plane.c */
int packet_plane_create(struct packet_plane *plane, const struct packet_rows *rows);
void packet_plane_destroy(struct packet_plane *plane);
/* Of GPUs without hubs, until nothing is under way. */
void packet_plane_run(struct packet_plane *plane);
/* Planes of hubs, all in the same cycle, until nothing is under way on any. */
void packet_planes_run(struct packet_plane *planes, unsigned count);
/* A packet's places are free: its credits go back to the input. */
void packet_plane_freed(struct packet_plane *plane, unsigned port, unsigned packet_class, uint32_t flits);
/* And the packet is no more. */
void packet_plane_free(struct packet_plane *plane, unsigned port, uint32_t packet);
uint32_t packet_plane_take(struct packet_plane *plane);

#endif
