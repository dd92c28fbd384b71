/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* rtl/doc/hub/tile_tracker.md section 8: a tile of the notify machine, a notify of it; section 5: a region of the sweep. */
enum { TILE_CYCLES = 16, NOTIFY_CYCLES = 3, LIST_WORDS = 4, REGION_CYCLES = 6 };

/* The cycle in which the GPU is told of an event that is there at `cycle`. */
static uint64_t tell(const struct packet_plane *plane, struct packet_hub *hub, uint64_t cycle)
{
    hub->told = later(hub->told + plane->hubs->ready_cycles, cycle);
    return hub->told;
}

/* ---- all arrived ---------------------------------------------------------------------------------------------- */

/* Tiles that are not full are ready when all has arrived, which is told after them. The sweep over all regions, those of its
 * experts at least, goes on while they are told, and each tile costs it a turn. */
void packet_tracker_settled(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    const unsigned experts = plane->hubs->layer->placement.local_counts[number];
    for (uint32_t tile = 0; tile < hub->region_tile[experts]; tile++)
        if (hub->tiles[tile].lines_left == 0 && hub->tiles[tile].rows != 1u << plane->hubs->tile_shift)
            packet_hub_at(plane, tell(plane, hub, plane->now), TILE_READY, number, tile);
    const uint64_t sweep = REGION_CYCLES * later(plane->hubs->local_experts, experts) + hub->region_tile[experts];
    hub->arrived = later(plane->now + plane->hubs->arrive_latency + sweep, hub->told + plane->hubs->ready_cycles);
}

void packet_tracker_check_arrived(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    if (hub->pairs_left > 0 || hub->closes_left > 0 || hub->settling)
        return;
    hub->settling = true;
    packet_hub_at(plane, later(plane->now, hub->pairs_end) + plane->hubs->write_latency, SETTLED, number, 0);
}

/* ---- tiles ---------------------------------------------------------------------------------------------------- */

void packet_tracker_full(struct packet_plane *plane, unsigned number, uint32_t tile)
{
    packet_hub_at(plane, tell(plane, packet_hub_of(plane, number), plane->now), TILE_READY, number, tile);
}

/* What a tile's GPU does with it: two GEMMs, each told when it is done. */
void packet_tracker_tile(struct packet_plane *plane, unsigned number, uint32_t tile)
{
    packet_plane_schedule(plane, plane->hubs->gemm, TILE_COMPUTED, number, tile);
}

void packet_tracker_computed(struct packet_plane *plane, unsigned number, uint32_t tile)
{
    const uint64_t told = tell(plane, packet_hub_of(plane, number), plane->now);
    packet_hub_at(plane, told + plane->hubs->gemm, TILE_FINISHED, number, tile);
}

/* Owners of a tile's rows, as its row list is read. */
void packet_tracker_finished(struct packet_plane *plane, unsigned number, uint32_t name)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    const struct packet_tile *tile = &hub->tiles[name];
    hub->notify_asked = later(later(hub->notify_asked, plane->now), packet_window_free(&hub->notify_tiles));
    for (uint32_t i = 0; i < tile->rows; i++) {
        if (i % LIST_WORDS == 0)
            packet_hub_access(plane->hubs, hub, &hub->row_list_read, ++hub->notify_asked);
        hub->notified = later(hub->notified + NOTIFY_CYCLES, hub->row_list_read);
        packet_hub_at(plane, hub->notified + plane->hubs->tell_latency, NOTIFY, number, hub->slot_rows[tile->first + i]);
    }
    hub->notify_asked += TILE_CYCLES;
    packet_window_take(&hub->notify_tiles, hub->notified);
}

/* ---- notices -------------------------------------------------------------------------------------------------- */

void packet_tracker_notice(struct packet_plane *plane, unsigned number, uint32_t notice)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    if ((notice & CLOSE) != 0) {
        hub->closes_left--;
        packet_tracker_check_arrived(plane, number);
        return;
    }
    const uint32_t token = moehub_layer_row_token(plane->hubs->layer, notice & ~NOTICE);
    if (--hub->notifies_left[token] == 0)
        packet_hub_at(plane, tell(plane, hub, plane->now + plane->hubs->token_latency), TOKEN_READY, number, token);
}
