/* SPDX-License-Identifier: Apache-2.0 */
/* Random requests: which rows, in which order, how often wrong. */
#ifndef BENCH_HUB_TRAFFIC_H
#define BENCH_HUB_TRAFFIC_H

#include "bench/hub/hub_path.h"

enum { HUB_KEYS_MAX = 4096 };

/* Which rows the requests name. */
enum hub_keys {
    HUB_KEYS_FEW,      /* 1..8 rows: everything collides, most requests hit pending lines */
    HUB_KEYS_SAME_SET, /* rows of one or two sets: victims are pending */
    HUB_KEYS_BURSTS,   /* many rows, each in runs of up to 64 requests */
    HUB_KEYS_MANY,     /* several times the AL-TLB: evictions */
    HUB_KEYS_KINDS
};

struct hub_key {
    uint32_t row;
    uint16_t expert;
    uint8_t context;
    bool announced;
};

struct hub_traffic {
    struct hub_path *path;
    struct random_source random;
    enum hub_keys kind;
    struct hub_key keys[HUB_KEYS_MAX];
    unsigned count;      /* of keys */
    unsigned current, left; /* the burst's key, requests left in it */
    unsigned disorder;   /* of 256 requests: `first` at random rather than on a row's first touch */
    unsigned reads;      /* of 256 requests: read-lookups */
    unsigned wrong;      /* of 256 requests: a field that should be refused */
    uint64_t remaining;  /* requests still to be supplied */
};

void hub_traffic_create(struct hub_traffic *traffic, struct hub_path *path, const char *stream);

/* Draws the rows, among those that the contexts' present layouts allow. */
void hub_traffic_keys(struct hub_traffic *traffic, enum hub_keys kind);

/* The context's rows count as not announced: its epoch has changed. */
void hub_traffic_forget(struct hub_traffic *traffic, unsigned context);

/* path->supply; the user is the traffic. */
bool hub_traffic_supply(void *traffic, struct moehub_hub_request *request);

/* A write-touch for a key that passes every check its region allows. */
struct moehub_hub_request hub_traffic_request(struct hub_traffic *traffic, const struct hub_key *key);

#endif
