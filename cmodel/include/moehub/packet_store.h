/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of one class behind a link, cycle by cycle (rtl/doc/plane/packet_store.md; RTL: moehub_packet_store).
 *
 * The model says which packets there are, what they hold, in what order they show, what is in the target queue and how many
 * places are free. Names and places are the hardware's choice: the caller tells them as it learns them, and hears whether
 * they may be. The state is that of the registers: what a cycle brings shows in the next, but for a packet that ends, and its
 * target flits: they show in the same cycle, between moehub_packet_store_end and moehub_packet_store_step. A target
 * flit that was written in the last cycle shows in the next.
 *
 * Cost: a packet is copied once; no allocation after create. */
#ifndef MOEHUB_PACKET_STORE_H
#define MOEHUB_PACKET_STORE_H

#include "moehub/packet.h"

#define MOEHUB_STORE_PACKET_FLITS 31         /* LONGEST is at most that */
#define MOEHUB_STORE_TARGET_QUEUE 64         /* TARGET_QUEUE is at most that */
#define MOEHUB_STORE_NO_PLACE UINT32_MAX

struct moehub_packet_store_config {
    uint32_t longest;                        /* 1..31 flits */
    uint32_t shortest;                       /* 1..longest: of a packet that is kept */
    uint32_t places;                         /* longest..8191 */
    uint32_t target_queue;                   /* 0, 4..64 target flits */
};

struct moehub_stored_packet {
    uint64_t mark[2];
    struct moehub_flit flits[MOEHUB_STORE_PACKET_FLITS];
    uint32_t place[MOEHUB_STORE_PACKET_FLITS]; /* of each flit; MOEHUB_STORE_NO_PLACE: not yet told */
    uint8_t count;                           /* flits */
    uint8_t target_flits;
    bool listed;                             /* it has target flits, and they are in the target queue */
};

/* What happens in a cycle. */
struct moehub_packet_store_cycle {
    bool write;                              /* a flit: only with free places, and fewer than `longest` in its packet */
    bool write_first;                        /* it begins a packet: then the open one has ended, or ends in this cycle */
    uint8_t write_targets;                   /* with it: how many target flits follow, 0..4 */
    struct moehub_flit write_data;
    bool end;                                /* the open packet ends (before `write`) */
    bool end_good;                           /* it is kept */
    uint64_t end_mark[2];
    bool packet_taken;                       /* the oldest packet that waits was taken */
    uint32_t packet_name;                    /* under this name */
    bool target_taken;                       /* the head of the target queue was taken */
    bool free;                               /* a named packet is gone */
    uint32_t free_name;
};

struct moehub_packet_store {
    struct moehub_packet_store_config config;
    uint32_t names;                          /* floor(places / shortest) */
    uint32_t free_places;
    uint32_t freed;                          /* places that came free, as told in the present cycle */
    uint32_t kept;                           /* packets that are kept */
    /* private */
    uint32_t leaving;                        /* places of the packet that was freed in the last cycle */
    uint32_t rewound;                        /* places of the packet that was rejected in this cycle */
    uint32_t queued;                         /* target flits in the queue as the registers stand in this cycle */
    struct moehub_stored_packet open;        /* count 0: no packet is open */
    struct moehub_stored_packet *packets;
    uint32_t *unused;                        /* of `packets`: names - kept of them */
    uint32_t *waiting;                       /* of `packets`: kept and not yet taken, a ring */
    uint32_t waiting_first, waiting_count;
    uint32_t *named;                         /* by name, of `packets` */
    uint32_t *owner;                         /* by place, of `packets` */
    struct moehub_flit queue[MOEHUB_STORE_TARGET_QUEUE];
    uint32_t queue_first, queue_count;       /* of the open packet too */
    uint32_t queue_open;                     /* of the open packet */
    bool queue_wrote;                        /* the last of them was written in the last cycle */
};

/* 0, MOEHUB_E_ARGUMENT (a parameter out of range) or MOEHUB_E_MEMORY. */
int moehub_packet_store_create(struct moehub_packet_store *store, const struct moehub_packet_store_config *config);
void moehub_packet_store_destroy(struct moehub_packet_store *store);

/* Everything is dropped. */
void moehub_packet_store_reset(struct moehub_packet_store *store);

/* A cycle begins: a packet ends, or none. False, and nothing done, if it may not: there is none, or it is kept and below
 * `shortest`. */
bool moehub_packet_store_end(struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle);

/* The rest of it. False, and nothing done, if what happens may not be: a write without a place or beyond `longest`, a taken
 * packet where none waits or under a name that another one has, and so on. */
bool moehub_packet_store_step(struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle);

/* The packet that `packet` shows next, NULL: none. */
const struct moehub_stored_packet *moehub_packet_store_waiting(const struct moehub_packet_store *store);
/* The target flit that `targets` shows next, NULL: none. */
const struct moehub_flit *moehub_packet_store_target(const struct moehub_packet_store *store);
/* The packet that was taken under this name and has not been freed, NULL: there is none. */
const struct moehub_stored_packet *moehub_packet_store_find(const struct moehub_packet_store *store, uint32_t name);

/* Flit number `flit` of the named packet is in this place. False if that cannot be: no such place, another flit of a named
 * packet is there, or this one is elsewhere. */
bool moehub_packet_store_tell_place(struct moehub_packet_store *store, uint32_t name, unsigned flit, uint32_t place);

#endif
