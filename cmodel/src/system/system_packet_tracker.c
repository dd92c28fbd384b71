/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* rtl/doc/hub/tile_tracker.md section 8: a tile of the notify machine, a notify of it; section 5: a region of the sweep; section
 * 6: an event of no tile, which is not looked up. */
enum { TILE_CYCLES = 16, NOTIFY_CYCLES = 3, LIST_WORDS = 4, REGION_CYCLES = 6, TOLD_CYCLES = 7 };

/* ---- the ready stream ----------------------------------------------------------------------------------------- */

/* *All arrived* waits for the tiles that are ready, not for those that are computed. */
static bool waits_to_be_told(const struct packet_hub *hub, unsigned kind)
{
    return kind == READY_ARRIVED ? hub->swept && hub->to_tell[READY_TILE].count == 0 : hub->to_tell[kind].count > 0;
}

static unsigned next_kind(const struct packet_hub *hub)
{
    unsigned kind = hub->tell_turn;
    for (unsigned i = 0; i < READY_KINDS; i++, kind = (kind + 1) % READY_KINDS)
        if (waits_to_be_told(hub, kind))
            return kind;
    return READY_KINDS;
}

/* What the GPU does with an event: of a tile two GEMMs, each told when it is done. */
static void told(struct packet_plane *plane, unsigned number, unsigned kind)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    if (kind == READY_ARRIVED) {
        hub->arrived = plane->now;
        hub->swept = false;
        return;
    }
    const uint32_t name = packet_ring_take(&hub->to_tell[kind]);
    if (kind == READY_TOKEN)
        packet_sums_token(plane, number, name);
    else
        packet_hub_at(plane, plane->now + plane->hubs->gemm, kind == READY_TILE ? TILE_COMPUTED : TILE_FINISHED, number, name);
}

/* Kinds take turns, an event of a tile in ready_cycles. */
static void tell(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    const unsigned kind = next_kind(hub);
    if (hub->telling || kind == READY_KINDS)
        return;
    if (plane->now < hub->tell_next) {
        hub->telling = true;
        packet_hub_at(plane, hub->tell_next, TELL, number, 0);
        return;
    }
    hub->tell_turn = (uint8_t)((kind + 1) % READY_KINDS);
    hub->tell_next = plane->now + (kind == READY_TILE || kind == READY_COMPUTED ? plane->hubs->ready_cycles : TOLD_CYCLES);
    told(plane, number, kind);
    tell(plane, number);
}

static void offer(struct packet_plane *plane, unsigned number, enum packet_ready kind, uint32_t name)
{
    packet_ring_add(&packet_hub_of(plane, number)->to_tell[kind], name);
    tell(plane, number);
}

void packet_tracker_tell(struct packet_plane *plane, unsigned number)
{
    packet_hub_of(plane, number)->telling = false;
    tell(plane, number);
}

void packet_tracker_full(struct packet_plane *plane, unsigned number, uint32_t tile)
{
    offer(plane, number, READY_TILE, tile);
}

void packet_tracker_computed(struct packet_plane *plane, unsigned number, uint32_t tile)
{
    offer(plane, number, READY_COMPUTED, tile);
}

void packet_tracker_token(struct packet_plane *plane, unsigned number, uint32_t token)
{
    offer(plane, number, READY_TOKEN, token);
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
            offer(plane, number, READY_TILE, tile);
    const uint64_t sweep = REGION_CYCLES * later(plane->hubs->local_experts, experts) + hub->region_tile[experts];
    packet_hub_at(plane, plane->now + plane->hubs->arrive_latency + sweep, SWEPT, number, 0);
}

void packet_tracker_swept(struct packet_plane *plane, unsigned number)
{
    packet_hub_of(plane, number)->swept = true;
    tell(plane, number);
}

void packet_tracker_check_arrived(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    if (hub->pairs_left > 0 || hub->closes_left > 0 || hub->settling)
        return;
    hub->settling = true;
    packet_hub_at(plane, later(plane->now, hub->pairs_end) + plane->hubs->write_latency, SETTLED, number, 0);
}

/* ---- the notify machine --------------------------------------------------------------------------------------- */

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
        packet_hub_at(plane, plane->now + plane->hubs->token_latency, TOKEN_READY, number, token);
}
