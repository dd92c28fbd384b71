/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/integer.h"
#include "system/system_packet_hub.h"

#include <stdlib.h>
#include <string.h>

/* A line is locked LOCK_TO_LINK cycles before it leaves: rtl/doc/hub/packet_manager.md section 9. */
enum { LOCK_TO_LINK = 7, WINDOW_STEP = 5, WINDOW_START = 3, DRAW_LSB = 32 };

static uint32_t value(const struct moehub_system_constants *constants, enum moehub_system_constant constant)
{
    return (uint32_t)moehub_system_value(constants, constant);
}

static void configure(struct packet_hubs *hubs, const struct moehub_system_constants *constants)
{
    hubs->loop_places = value(constants, MOEHUB_SYSTEM_hub_loop_places);
    hubs->loop_share = value(constants, MOEHUB_SYSTEM_hub_loop_share);
    hubs->places[STORE] = value(constants, MOEHUB_SYSTEM_hub_places_store);
    hubs->places[REQUEST] = value(constants, MOEHUB_SYSTEM_hub_places_request);
    hubs->places[RESPONSE] = value(constants, MOEHUB_SYSTEM_hub_places_response);
    hubs->pending = value(constants, MOEHUB_SYSTEM_hub_pending);
    hubs->waiting = value(constants, MOEHUB_SYSTEM_hub_waiting);
    hubs->answers = value(constants, MOEHUB_SYSTEM_hub_answers);
    hubs->request_answers = value(constants, MOEHUB_SYSTEM_hub_request_answers);
    hubs->writes = value(constants, MOEHUB_SYSTEM_hub_writes);
    hubs->read_lines = value(constants, MOEHUB_SYSTEM_hub_read_lines);
    hubs->lane_cycles = MOEHUB_LINE_BYTES / value(constants, MOEHUB_SYSTEM_hub_lane_bytes);
    hubs->partial_lines = value(constants, MOEHUB_SYSTEM_hub_partial_rows) / MOEHUB_LINE_UNITS;
    hubs->rows = value(constants, MOEHUB_SYSTEM_hub_rows);
    hubs->lines = value(constants, MOEHUB_SYSTEM_hub_lines);
    hubs->stores_of_line = MOEHUB_LINE_BYTES / value(constants, MOEHUB_SYSTEM_hub_store_bytes);
    hubs->reduces = value(constants, MOEHUB_SYSTEM_hub_reduces);
    hubs->final_groups = value(constants, MOEHUB_SYSTEM_hub_final_groups);
    hubs->local_experts = value(constants, MOEHUB_SYSTEM_hub_local_experts);
    hubs->row_latency = value(constants, MOEHUB_SYSTEM_hub_row_latency);
    hubs->open_latency = value(constants, MOEHUB_SYSTEM_hub_open_latency);
    hubs->write_latency = value(constants, MOEHUB_SYSTEM_hub_write_latency);
    hubs->arrive_latency = value(constants, MOEHUB_SYSTEM_hub_arrive_latency);
    hubs->ready_cycles = value(constants, MOEHUB_SYSTEM_hub_ready_cycles);
    hubs->tell_latency = value(constants, MOEHUB_SYSTEM_hub_tell_latency);
    hubs->token_latency = value(constants, MOEHUB_SYSTEM_hub_token_latency);
    hubs->ask_latency = value(constants, MOEHUB_SYSTEM_hub_ask_latency);
    hubs->row_cycles = value(constants, MOEHUB_SYSTEM_hub_row_cycles);
    hubs->given_before = hubs->row_latency > hubs->open_latency ? hubs->row_latency - hubs->open_latency : 0;
    hubs->lock_latency = hubs->given_before > LOCK_TO_LINK ? hubs->given_before - LOCK_TO_LINK : 0;
    hubs->group_latency = value(constants, MOEHUB_SYSTEM_hub_group_latency);
    hubs->ask_cycles = value(constants, MOEHUB_SYSTEM_hub_ask_cycles);
    hubs->answer_latency = value(constants, MOEHUB_SYSTEM_hub_answer_latency);
    hubs->final_latency = value(constants, MOEHUB_SYSTEM_hub_final_latency);
    hubs->rows_open = value(constants, MOEHUB_SYSTEM_gpu_rows_open);
    hubs->window = value(constants, MOEHUB_SYSTEM_gpu_window);
    hubs->tokens_asked = value(constants, MOEHUB_SYSTEM_gpu_tokens_asked);
    hubs->tile_shift = value(constants, MOEHUB_SYSTEM_gpu_tile_shift);
    hubs->gemm = value(constants, MOEHUB_SYSTEM_gpu_gemm);
    hubs->memory_least = value(constants, MOEHUB_SYSTEM_gpu_memory_least);
    hubs->memory_most = value(constants, MOEHUB_SYSTEM_gpu_memory_most);
}

/* The loop-back's part of what a link has. */
static uint32_t share(const struct packet_hubs *hubs, unsigned way, uint32_t places)
{
    const uint32_t part = way == LOOP ? places / hubs->loop_share : places;
    return part > 0 ? part : 1;
}

static uint32_t finals_of(const struct packet_hubs *hubs)
{
    return hubs->links * hubs->final_groups;
}

static int create_way(const struct packet_plane *plane, struct packet_hub *hub, unsigned number)
{
    const struct packet_hubs *hubs = plane->hubs;
    struct packet_way *way = &hub->ways[number];
    const uint64_t requests = number == LOOP ? finals_of(hubs) : (uint64_t)plane->groups_of_port * plane->rows->ports;
    uint64_t places = 1;
    while (places < requests)
        places *= 2;
    way->requests = calloc(places, sizeof *way->requests);
    way->mask = (uint32_t)(places - 1);
    int error = way->requests == NULL ? MOEHUB_E_MEMORY : 0;
    if (error == 0)
        error = packet_window_create(&way->answers, share(hubs, number, hubs->answers));
    if (error == 0)
        error = packet_window_create(&way->buffers, LINE_BUFFERS);
    if (error == 0)
        error = packet_window_create(&way->writes, share(hubs, number, hubs->writes));
    if (error == 0)
        error = packet_window_create(&way->reads, share(hubs, number, hubs->read_lines));
    if (error == 0)
        error = packet_ring_create(&way->stores, (number == LOOP ? hubs->loop_places : hubs->places[STORE]) / RESPONSE_FLITS + 1);
    if (error == 0)
        error = packet_ring_create(&way->unasked, requests);
    if (error == 0)
        error = packet_ring_create(&way->unasked_names, requests);
    return error;
}

/* Stores of a row come in any order within a window of them. */
static uint32_t line_of_store(const struct packet_hubs *hubs, uint32_t stores, uint32_t n)
{
    const uint32_t first = n / hubs->window * hubs->window;
    if (first + hubs->window > stores)
        return n / hubs->stores_of_line;
    return (first + (n * WINDOW_STEP + WINDOW_START) % hubs->window) / hubs->stores_of_line;
}

static int create_lines(const struct packet_plane *plane, struct packet_hubs *hubs)
{
    const uint32_t stores = plane->options.dispatch_lines * hubs->stores_of_line;
    hubs->line_of_store = malloc(stores);
    for (uint32_t n = 0; n < stores && hubs->line_of_store != NULL; n++)
        hubs->line_of_store[n] = (uint8_t)line_of_store(hubs, stores, n);
    return hubs->line_of_store == NULL ? MOEHUB_E_MEMORY : 0;
}

/* Rows of each expert here, and the tiles that they fill. */
static int create_tiles(const struct packet_plane *plane, struct packet_hub *hub, unsigned number)
{
    const struct packet_hubs *hubs = plane->hubs;
    const struct moehub_layer *layer = hubs->layer;
    const unsigned experts = layer->placement.local_counts[number];
    hub->region_first = calloc(experts + 1, sizeof *hub->region_first);
    hub->region_next = calloc(experts + 1, sizeof *hub->region_next);
    hub->region_tile = calloc(experts + 1, sizeof *hub->region_tile);
    if (hub->region_first == NULL || hub->region_next == NULL || hub->region_tile == NULL)
        return MOEHUB_E_MEMORY;
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        struct packet_target *targets;
        const unsigned count = moehub_layer_row_exists(layer, row) ? packet_hub_own_targets(plane, row, number, &targets) : 0;
        for (unsigned i = 0; i < count; i++)
            hub->region_first[targets[i].local + 1]++;
    }
    const uint32_t full = 1u << hubs->tile_shift;
    for (unsigned i = 0; i < experts; i++) {
        hub->region_tile[i + 1] = hub->region_tile[i] + (hub->region_first[i + 1] + full - 1) / full;
        hub->region_first[i + 1] += hub->region_first[i];
    }
    hub->tiles = calloc(hub->region_tile[experts] + 1, sizeof *hub->tiles);
    hub->slot_rows = calloc(hub->region_first[experts] + 1, sizeof *hub->slot_rows);
    if (hub->tiles == NULL || hub->slot_rows == NULL)
        return MOEHUB_E_MEMORY;
    for (unsigned i = 0; i < experts; i++)
        for (uint32_t tile = hub->region_tile[i]; tile < hub->region_tile[i + 1]; tile++) {
            const uint32_t first = hub->region_first[i] + (tile - hub->region_tile[i]) * full;
            const uint32_t left = hub->region_first[i + 1] - first, rows = left < full ? left : full;
            hub->tiles[tile] = (struct packet_tile){rows * plane->options.dispatch_lines, rows, first, 0};
        }
    hub->pairs_left = (uint64_t)hub->region_first[experts] * plane->options.dispatch_lines;
    hub->closes_left = layer->gpus;
    const int error = packet_ring_create(&hub->to_tell[READY_TILE], hub->region_tile[experts]);
    return error != 0 ? error : packet_ring_create(&hub->to_tell[READY_COMPUTED], hub->region_tile[experts]);
}

static int create_sums(const struct packet_plane *plane, struct packet_hub *hub)
{
    const struct packet_hubs *hubs = plane->hubs;
    const uint32_t tokens = plane->rows->stride;
    hub->notifies_left = malloc(tokens + 1);
    hub->ready = calloc(tokens + 1, sizeof *hub->ready);
    hub->finals = calloc(finals_of(hubs), sizeof *hub->finals);
    hub->final_rows = calloc(finals_of(hubs), sizeof *hub->final_rows);
    hub->final_parts = calloc(finals_of(hubs), sizeof *hub->final_parts);
    if (hub->notifies_left == NULL || hub->ready == NULL || hub->finals == NULL || hub->final_rows == NULL ||
        hub->final_parts == NULL)
        return MOEHUB_E_MEMORY;
    memset(hub->notifies_left, (int)hubs->layer->topk, tokens + 1);
    int error = packet_ring_create(&hub->to_tell[READY_TOKEN], tokens);
    if (error == 0)
        error = packet_ring_create(&hub->loop_requests, finals_of(hubs));
    if (error == 0)
        error = packet_ring_create(&hub->judged, hubs->reduces);
    return error != 0 ? error : packet_ring_create(&hub->judged_parts, hubs->reduces);
}

static int create_link(const struct packet_hubs *hubs, struct packet_hub *hub, unsigned number, uint32_t notices)
{
    struct packet_hub_link *link = &hub->links[number];
    int error = packet_ring_create(&link->free_finals, hubs->final_groups);
    if (error == 0)
        error = packet_ring_create(&link->requests, hubs->final_groups);
    if (error == 0)
        error = packet_ring_create(&link->notices, notices);
    if (error == 0)
        error = packet_ring_create(&link->notice_targets, notices);
    for (uint32_t i = 0; i < hubs->final_groups && error == 0; i++)
        packet_ring_add(&link->free_finals, number * hubs->final_groups + i);
    return error != 0 ? error : packet_ring_create(&link->partials, hubs->partial_lines + 1);
}

static int create_hub(const struct packet_plane *plane, const struct moehub_system_constants *constants, unsigned number)
{
    const struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    const unsigned experts = hubs->layer->placement.local_counts[number];
    hub->random = (uint64_t)plane->options.draw << DRAW_LSB | number;
    hub->sender.tokens = hubs->layer->gpu_tokens[number];
    int error = create_tiles(plane, hub, number);
    if (error == 0)
        error = packet_ring_create(&hub->sender.locks, WAYS * (hubs->lock_latency + 1) + 2 * hubs->lines);
    const uint32_t notices = error == 0 ? hub->region_first[experts] + hubs->layer->gpus : 1;
    for (unsigned link = 0; link < hubs->links && error == 0; link++)
        error = create_link(hubs, hub, link, notices);
    for (unsigned link = 0; link < hubs->links && error == 0; link++)
        error = create_way(plane, hub, link);
    if (error == 0)
        error = create_way(plane, hub, LOOP);
    if (error == 0)
        error = packet_ring_create(&hub->loop_notices, notices);
    for (unsigned i = 0; i < CLASSES && error == 0; i++)
        error = packet_credits_create(&hub->loop_credits[i], hubs->loop_places);
    if (error == 0)
        error = packet_window_create(&hub->notify_tiles, NOTIFY_TILES);
    if (error == 0)
        error = create_sums(plane, hub);
    return error != 0 ? error
                      : packet_addresses_create(&hub->addresses, hubs, value(constants, MOEHUB_SYSTEM_hub_sets),
                                                value(constants, MOEHUB_SYSTEM_hub_ways),
                                                value(constants, MOEHUB_SYSTEM_hub_replacement), experts);
}

/* At once: a notify or its tile for each target, and of each hub what its pools hold, and what is busy. */
static uint64_t events_of(const struct packet_hubs *hubs)
{
    const struct moehub_layer *layer = hubs->layer;
    const uint64_t of_link = hubs->places[STORE] + hubs->places[REQUEST] + hubs->places[RESPONSE] + hubs->final_groups +
                             2 * hubs->partial_lines;
    const uint64_t pools = hubs->links * of_link + hubs->rows + hubs->reduces + 16;
    return (uint64_t)layer->row_limit * layer->topk * 2 + pools * layer->gpus;
}

static int create_targets(struct packet_hubs *hubs)
{
    const struct moehub_layer *layer = hubs->layer;
    const unsigned owner_shift = moehub_log2_ceiling(layer->tokens_per_gpu);
    hubs->targets = malloc((size_t)layer->row_limit * layer->topk * sizeof *hubs->targets);
    if (hubs->targets == NULL)
        return MOEHUB_E_MEMORY;
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        const uint32_t index = moehub_layer_row_gpu(layer, row) << owner_shift | moehub_layer_row_token(layer, row);
        for (size_t i = (size_t)row * layer->topk; i < (row + (size_t)1) * layer->topk; i++)
            hubs->targets[i] = (struct packet_target){.index = index, .tile = NOTHING, .local = layer->targets[i].local};
    }
    return 0;
}

/* A plane has a link of each hub. */
static void join(struct packet_hubs *hubs, unsigned link, const struct packet_rows *rows)
{
    struct packet_plane *plane = &hubs->planes[link];
    plane->hubs = hubs;
    plane->link = link;
    for (unsigned number = 0; number < hubs->layer->gpus; number++)
        plane->hub_of[number] = &hubs->hubs[number];
    plane->rows = rows;
    plane->notices = (uint64_t)hubs->layer->tokens_per_gpu * hubs->layer->topk + hubs->layer->gpus;
    plane->hub_events = events_of(hubs);
    for (int i = 0; i < CLASSES; i++)
        plane->gpu_places[i] = hubs->places[i];
}

int packet_hubs_create(struct packet_hubs *hubs, const struct moehub_system_constants *constants, struct packet_plane *planes,
                       unsigned links, const struct moehub_layer *layer, const struct packet_rows *rows)
{
    configure(hubs, constants);
    hubs->layer = layer;
    hubs->planes = planes;
    hubs->links = links;
    hubs->hubs = aligned_alloc(CACHE_LINE, layer->gpus * sizeof *hubs->hubs);
    if (hubs->hubs != NULL)
        memset(hubs->hubs, 0, layer->gpus * sizeof *hubs->hubs);
    if (hubs->hubs == NULL || create_targets(hubs) != 0 || create_lines(planes, hubs) != 0)
        return MOEHUB_E_MEMORY;
    for (unsigned link = 0; link < links; link++)
        join(hubs, link, rows);
    int error = 0;
    for (unsigned number = 0; number < layer->gpus && error == 0; number++)
        error = create_hub(planes, constants, number);
    return error;
}

static void destroy_way(struct packet_way *way)
{
    free(way->answers.ends);
    free(way->buffers.ends);
    free(way->writes.ends);
    free(way->reads.ends);
    free(way->requests);
    free(way->stores.items);
    free(way->unasked.items);
    free(way->unasked_names.items);
}

static void destroy_link(struct packet_hub_link *link)
{
    free(link->free_finals.items);
    free(link->requests.items);
    free(link->notices.items);
    free(link->notice_targets.items);
    free(link->partials.items);
}

static void destroy_hub(struct packet_hub *hub)
{
    for (unsigned i = 0; i < WAYS; i++)
        destroy_way(&hub->ways[i]);
    for (unsigned i = 0; i < LINKS_MAX; i++)
        destroy_link(&hub->links[i]);
    for (unsigned i = 0; i < CLASSES; i++)
        free(hub->loop_credits[i].away);
    packet_addresses_destroy(&hub->addresses);
    free(hub->notify_tiles.ends);
    for (unsigned i = 0; i < READY_ARRIVED; i++)
        free(hub->to_tell[i].items);
    free(hub->loop_requests.items);
    free(hub->loop_notices.items);
    free(hub->sender.locks.items);
    free(hub->judged.items);
    free(hub->judged_parts.items);
    free(hub->finals);
    free(hub->final_rows);
    free(hub->final_parts);
    free(hub->tiles);
    free(hub->slot_rows);
    free(hub->region_first);
    free(hub->region_next);
    free(hub->region_tile);
    free(hub->notifies_left);
    free(hub->ready);
}

void packet_hubs_destroy(struct packet_hubs *hubs)
{
    for (unsigned i = 0; hubs->hubs != NULL && i < hubs->layer->gpus; i++)
        destroy_hub(&hubs->hubs[i]);
    free(hubs->hubs);
    free(hubs->targets);
    free(hubs->line_of_store);
}
