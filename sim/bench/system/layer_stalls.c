/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_stalls.h"

#include <inttypes.h>
#include <stdio.h>

#include "moehub/defines.h"
#include "moehub/driver.h"

enum place { OF_ADDRESS_PATH, OF_PACKET_MANAGER, OF_TILE_TRACKER, OF_WAY, OF_PORT };

static const struct {
    enum place place;
    unsigned event;
    const char *name;
} causes[] = {
    {OF_PACKET_MANAGER, MOEHUB_PACKET_MANAGER_EVENT_ROW_STALLED, "packet manager: row waits for an entry"},
    {OF_PACKET_MANAGER, MOEHUB_PACKET_MANAGER_EVENT_STORE_NO_SLOT, "packet manager: store waits for a slot"},
    {OF_PACKET_MANAGER, MOEHUB_PACKET_MANAGER_EVENT_STORE_LINE_STALLED, "packet manager: store waits for its line"},
    {OF_PACKET_MANAGER, MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_GROUP, "packet manager: reduce waits for a group"},
    {OF_PACKET_MANAGER, MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_ROOM, "packet manager: reduce waits for room"},
    {OF_ADDRESS_PATH, MOEHUB_HUB_EVENT_REQUEST_STALLED, "address path: request"},
    {OF_ADDRESS_PATH, MOEHUB_HUB_EVENT_ANSWER_STALLED, "address path: answer"},
    {OF_ADDRESS_PATH, MOEHUB_HUB_EVENT_TABLE_READ_STALLED, "address path: table read"},
    {OF_ADDRESS_PATH, MOEHUB_HUB_EVENT_TABLE_WRITE_STALLED, "address path: table write"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED, "way: question"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_NO_ANSWER_PLACE, "way: no answer place"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_ANSWER_MISSING, "way: answer missing"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_MEMORY_STALLED, "way: memory"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_NO_WRITE_PLACE, "way: no write place"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_COMPLETED_STALLED, "way: completed write waits for its turn"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_NO_DATA, "way: no data to sum"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_NO_PARTIAL_PLACE, "way: no partial place"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_BLOCKED + MOEHUB_CLASS_STORE, "way: stores blocked"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_BLOCKED + MOEHUB_CLASS_REQUEST, "way: requests blocked"},
    {OF_WAY, MOEHUB_HUB_WAY_EVENT_BLOCKED + MOEHUB_CLASS_RESPONSE, "way: responses blocked"},
    {OF_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_COMPLETED_STALLED, "tile tracker: completed write"},
    {OF_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_RESPONSE_STALLED, "tile tracker: response"},
    {OF_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_READY_STALLED, "tile tracker: ready"},
    {OF_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_NOTICE_STALLED, "tile tracker: notice"},
    {OF_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_LIST_STALLED, "tile tracker: row list read"},
    {OF_PORT, MOEHUB_SWITCH_PORT_EVENT_BLOCKED + MOEHUB_CLASS_STORE, "switch port: stores blocked"},
    {OF_PORT, MOEHUB_SWITCH_PORT_EVENT_BLOCKED + MOEHUB_CLASS_REQUEST, "switch port: requests blocked"},
    {OF_PORT, MOEHUB_SWITCH_PORT_EVENT_BLOCKED + MOEHUB_CLASS_RESPONSE, "switch port: responses blocked"},
    {OF_PORT, MOEHUB_SWITCH_PORT_EVENT_RECORD_WAITS, "switch port: request waits for a record"},
    {OF_PORT, MOEHUB_SWITCH_PORT_EVENT_GROUP_WAITS, "switch port: request waits for a group"},
};

static uint64_t of_window(const struct system_hub *hub, unsigned window, unsigned event)
{
    return hub->counters[window][event] - hub->counters_before[window][event];
}

static uint64_t of_hub(const struct system_hub *hub, enum place place, unsigned event)
{
    uint64_t sum = 0;
    switch (place) {
    case OF_ADDRESS_PATH:
        return of_window(hub, MOEHUB_WINDOW_ADDRESS_PATH, event);
    case OF_PACKET_MANAGER:
        return of_window(hub, MOEHUB_WINDOW_PACKET_MANAGER, event);
    case OF_TILE_TRACKER:
        return of_window(hub, MOEHUB_WINDOW_TILE_TRACKER, event);
    default:
        for (unsigned way = 0; way <= hub->shape.links; way++)
            sum += of_window(hub, MOEHUB_WINDOW_WAY + way, event);
        return sum;
    }
}

static uint64_t of_all(const struct system_plane *planes, const struct system_hub *hubs, enum place place, unsigned event)
{
    uint64_t sum = 0;
    if (place != OF_PORT) {
        for (unsigned gpu = 0; gpu < hubs[0].shape.gpus; gpu++)
            sum += of_hub(&hubs[gpu], place, event);
        return sum;
    }
    for (unsigned plane = 0; plane < hubs[0].shape.links; plane++)
        for (unsigned port = 0; port < planes[plane].ports; port++)
            sum += planes[plane].counters[port][event] - planes[plane].counters_before[port][event];
    return sum;
}

json_t *layer_stalls(const struct system_plane *planes, const struct system_hub *hubs)
{
    json_t *stalls = json_object();
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        const uint64_t cycles = of_all(planes, hubs, causes[i].place, causes[i].event);
        json_object_set_new(stalls, causes[i].name, json_integer((json_int_t)cycles));
        if (cycles > 0)
            printf("waited: %-40s %12" PRIu64 " cycles\n", causes[i].name, cycles);
    }
    return stalls;
}
