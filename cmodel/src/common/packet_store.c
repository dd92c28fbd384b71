/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/packet_store.h"

#include "moehub/error.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 8191, TARGET_QUEUE_MIN = 4 };
#define NOBODY UINT32_MAX

static bool config_legal(const struct moehub_packet_store_config *config)
{
    return config->longest >= 1 && config->longest <= MOEHUB_STORE_PACKET_FLITS && config->shortest >= 1 &&
           config->shortest <= config->longest && config->places >= config->longest && config->places <= PLACES_MAX &&
           (config->target_queue == 0 ||
            (config->target_queue >= TARGET_QUEUE_MIN && config->target_queue <= MOEHUB_STORE_TARGET_QUEUE));
}

int moehub_packet_store_create(struct moehub_packet_store *store, const struct moehub_packet_store_config *config)
{
    *store = (struct moehub_packet_store){.config = *config};
    if (!config_legal(config))
        return MOEHUB_E_ARGUMENT;
    store->names = config->places / config->shortest;
    store->packets = calloc(store->names, sizeof *store->packets);
    store->unused = calloc(store->names, sizeof *store->unused);
    store->waiting = calloc(store->names, sizeof *store->waiting);
    store->named = calloc(store->names, sizeof *store->named);
    store->owner = calloc(config->places + 1, sizeof *store->owner);
    if (store->packets == NULL || store->unused == NULL || store->waiting == NULL || store->named == NULL ||
        store->owner == NULL) {
        moehub_packet_store_destroy(store);
        return MOEHUB_E_MEMORY;
    }
    moehub_packet_store_reset(store);
    return 0;
}

void moehub_packet_store_destroy(struct moehub_packet_store *store)
{
    if (store == NULL)
        return;
    free(store->packets);
    free(store->unused);
    free(store->waiting);
    free(store->named);
    free(store->owner);
    *store = (struct moehub_packet_store){.free_places = 0};
}

void moehub_packet_store_reset(struct moehub_packet_store *store)
{
    for (uint32_t i = 0; i < store->names; i++) {
        store->unused[i] = i;
        store->named[i] = NOBODY;
    }
    for (uint32_t place = 0; place <= store->config.places; place++)
        store->owner[place] = NOBODY;
    store->free_places = store->config.places;
    store->freed = store->leaving = store->rewound = 0;
    store->kept = 0;
    store->open.count = 0;
    store->waiting_first = store->waiting_count = 0;
    store->queue_first = store->queue_count = store->queue_open = 0;
    store->queue_wrote = false;
}

/* ---- what may be ------------------------------------------------------------------------------- */

static bool end_legal(const struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    return !cycle->end || (store->open.count > 0 && (!cycle->end_good || store->open.count >= store->config.shortest));
}

static bool write_legal(const struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    if (!cycle->write)
        return true;
    const bool open = store->open.count > 0;
    return store->free_places > 0 && open != cycle->write_first &&
           (cycle->write_first || store->open.count < store->config.longest);
}

static bool taken_legal(const struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    if (cycle->target_taken && moehub_packet_store_target(store) == NULL)
        return false;
    return !cycle->packet_taken || (store->waiting_count > 0 && cycle->packet_name < store->names &&
                                    store->named[cycle->packet_name] == NOBODY);
}

static bool free_legal(const struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    return !cycle->free || moehub_packet_store_find(store, cycle->free_name) != NULL;
}

/* ---- what happens --------------------------------------------------------------------------------- */

static void take_packet(struct moehub_packet_store *store, uint32_t name)
{
    store->named[name] = store->waiting[store->waiting_first];
    store->waiting_first = (store->waiting_first + 1) % store->names;
    store->waiting_count--;
}

static void take_target(struct moehub_packet_store *store)
{
    store->queue_first = (store->queue_first + 1) % MOEHUB_STORE_TARGET_QUEUE;
    store->queue_count--;
}

static void free_packet(struct moehub_packet_store *store, uint32_t name)
{
    const uint32_t number = store->named[name];
    const struct moehub_stored_packet *packet = &store->packets[number];
    for (unsigned i = 0; i < packet->count; i++)
        if (packet->place[i] != MOEHUB_STORE_NO_PLACE)
            store->owner[packet->place[i]] = NOBODY;
    store->leaving = packet->count;
    store->named[name] = NOBODY;
    store->kept--;
    store->unused[store->names - store->kept - 1] = number;
}

static void keep_open(struct moehub_packet_store *store, const uint64_t mark[2])
{
    const uint32_t number = store->unused[store->names - store->kept - 1];
    store->packets[number] = store->open;
    memcpy(store->packets[number].mark, mark, sizeof store->packets[number].mark);
    store->kept++;
    store->waiting[(store->waiting_first + store->waiting_count++) % store->names] = number;
}

/* Returns the places that the rejected packet gives back. */
static unsigned end_open(struct moehub_packet_store *store, bool good, const uint64_t mark[2])
{
    const unsigned flits = store->open.count;
    if (good)
        keep_open(store, mark);
    else {
        store->queue_count -= store->queue_open;
        store->queue_wrote = false;
    }
    store->queue_open = 0;
    store->open.count = 0;
    return good ? 0 : flits;
}

static void write_flit(struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    struct moehub_stored_packet *open = &store->open;
    if (cycle->write_first) {
        open->target_flits = cycle->write_targets;
        open->listed = open->target_flits > 0 && store->queued + open->target_flits <= store->config.target_queue;
    } else if (open->count <= open->target_flits && open->listed) {
        store->queue[(store->queue_first + store->queue_count++) % MOEHUB_STORE_TARGET_QUEUE] = cycle->write_data;
        store->queue_open++;
        store->queue_wrote = true;
    }
    open->place[open->count] = MOEHUB_STORE_NO_PLACE;
    open->flits[open->count++] = cycle->write_data;
}

bool moehub_packet_store_end(struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    if (!end_legal(store, cycle))
        return false;
    store->queued = store->queue_count;
    store->rewound = cycle->end ? end_open(store, cycle->end_good, cycle->end_mark) : 0;
    return true;
}

bool moehub_packet_store_step(struct moehub_packet_store *store, const struct moehub_packet_store_cycle *cycle)
{
    if (!write_legal(store, cycle) || !taken_legal(store, cycle) || !free_legal(store, cycle))
        return false;
    store->freed = store->leaving + store->rewound;
    store->leaving = store->rewound = 0;
    store->queue_wrote = false;
    if (cycle->target_taken)
        take_target(store);
    if (cycle->free)
        free_packet(store, cycle->free_name);
    if (cycle->packet_taken)
        take_packet(store, cycle->packet_name);
    if (cycle->write)
        write_flit(store, cycle);
    store->free_places += store->freed - (cycle->write ? 1 : 0);
    return true;
}

/* ---- what shows ------------------------------------------------------------------------------------- */

const struct moehub_stored_packet *moehub_packet_store_waiting(const struct moehub_packet_store *store)
{
    return store->waiting_count > 0 ? &store->packets[store->waiting[store->waiting_first]] : NULL;
}

const struct moehub_flit *moehub_packet_store_target(const struct moehub_packet_store *store)
{
    const bool unread = store->queue_count == 1 && store->queue_wrote;
    return store->queue_count > store->queue_open && !unread ? &store->queue[store->queue_first] : NULL;
}

const struct moehub_stored_packet *moehub_packet_store_find(const struct moehub_packet_store *store, uint32_t name)
{
    return name < store->names && store->named[name] != NOBODY ? &store->packets[store->named[name]] : NULL;
}

bool moehub_packet_store_tell_place(struct moehub_packet_store *store, uint32_t name, unsigned flit, uint32_t place)
{
    if (moehub_packet_store_find(store, name) == NULL || place > store->config.places)
        return false;
    const uint32_t number = store->named[name];
    struct moehub_stored_packet *packet = &store->packets[number];
    if (flit >= packet->count || (packet->place[flit] != MOEHUB_STORE_NO_PLACE && packet->place[flit] != place))
        return false;
    if (packet->place[flit] == place)
        return true;
    if (store->owner[place] != NOBODY)
        return false;
    packet->place[flit] = place;
    store->owner[place] = number;
    return true;
}
