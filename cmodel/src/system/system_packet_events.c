/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* ---- of the plane and its links -------------------------------------------------------------------------------- */

static void up_free(struct packet_plane *plane, struct packet_event event)
{
    plane->ports[event.port].up_busy = false;
    packet_gpu_send(plane, event.port);
}

static void arrived(struct packet_plane *plane, struct packet_event event)
{
    if (plane->packets[event.item].packet_class == STORE)
        packet_stores_join(plane, event.port, event.item);
    else
        packet_groups_request(plane, event.port, event.item);
}

static void arrived_response(struct packet_plane *plane, struct packet_event event)
{
    packet_responses_join(plane, packet_port_in(event.port), packet_port_out(event.port), event.item);
}

static void look_stores(struct packet_plane *plane, struct packet_event event)
{
    (void)event;
    packet_crossbar_look(plane, &plane->stores);
}

static void look_responses(struct packet_plane *plane, struct packet_event event)
{
    (void)event;
    packet_crossbar_look(plane, &plane->responses);
}

static void copied(struct packet_plane *plane, struct packet_event event)
{
    packet_egress_copy(plane, event.port, event.item);
}

static void passed_store(struct packet_plane *plane, struct packet_event event)
{
    packet_plane_free(plane, event.port, event.item);
}

static void passed_response(struct packet_plane *plane, struct packet_event event)
{
    packet_responses_passed(plane, packet_port_in(event.port), packet_port_out(event.port), event.item);
}

static void completed(struct packet_plane *plane, struct packet_event event)
{
    packet_groups_completed(plane, event.item);
}

static void down_free(struct packet_plane *plane, struct packet_event event)
{
    plane->ports[event.port].down_busy = false;
    if (event.item == STORE_LEFT)
        packet_stores_left(plane, event.port);
    else if (event.item != NOTHING)
        packet_groups_result_left(plane, event.item);
    packet_egress_send(plane, event.port);
}

static void asked(struct packet_plane *plane, struct packet_event event)
{
    if (plane->hubs != NULL)
        packet_receiver_request(plane, event.port, UP, plane->groups[event.item].row, event.item);
    else
        packet_gpu_asked(plane, event.port, event.item);
}

static void wake_up(struct packet_plane *plane, struct packet_event event)
{
    plane->ports[event.port].up_waking = false;
    packet_gpu_send(plane, event.port);
}

static void wake_down(struct packet_plane *plane, struct packet_event event)
{
    plane->ports[event.port].down_waking = false;
    packet_egress_send(plane, event.port);
}

/* ---- of hubs --------------------------------------------------------------------------------------------------- */

static void row_opened(struct packet_plane *plane, struct packet_event event)
{
    packet_sender_opened(plane, event.port, event.item);
}

static void store_rows(struct packet_plane *plane, struct packet_event event)
{
    packet_sender_store(plane, event.port);
}

static void store_came(struct packet_plane *plane, struct packet_event event)
{
    packet_receiver_store(plane, event.port, UP, event.item);
}

static void result_came(struct packet_plane *plane, struct packet_event event)
{
    packet_sums_part(plane, event.port, event.item);
}

static void notice_came(struct packet_plane *plane, struct packet_event event)
{
    packet_tracker_notice(plane, event.port, event.item);
}

static void loop_store(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_loop_free(plane, event.port);
    packet_receiver_store(plane, event.port, LOOP, event.item);
}

static void loop_request(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_loop_free(plane, event.port);
    packet_receiver_request(plane, event.port, LOOP, packet_hub_of(plane, event.port)->final_rows[event.item], event.item);
}

static void loop_notice(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_loop_free(plane, event.port);
    packet_tracker_notice(plane, event.port, event.item);
}

static void wake_loop(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_of(plane, event.port)->loop_waking = false;
    packet_hub_loop(plane, event.port);
}

static void partial_up(struct packet_plane *plane, struct packet_event event)
{
    packet_receiver_partial(plane, event.port, UP, event.item);
}

static void partial_loop(struct packet_plane *plane, struct packet_event event)
{
    packet_receiver_partial(plane, event.port, LOOP, event.item);
}

static void tile_full(struct packet_plane *plane, struct packet_event event)
{
    packet_tracker_full(plane, event.port, event.item);
}

static void tile_ready(struct packet_plane *plane, struct packet_event event)
{
    packet_tracker_tile(plane, event.port, event.item);
}

static void tile_computed(struct packet_plane *plane, struct packet_event event)
{
    packet_tracker_computed(plane, event.port, event.item);
}

static void tile_finished(struct packet_plane *plane, struct packet_event event)
{
    packet_tracker_finished(plane, event.port, event.item);
}

static void notify(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_notice(plane, event.port, moehub_layer_row_gpu(plane->hubs->layer, event.item), NOTICE | event.item);
}

static void token_ready(struct packet_plane *plane, struct packet_event event)
{
    packet_sums_token(plane, event.port, event.item);
}

static void judged(struct packet_plane *plane, struct packet_event event)
{
    packet_sums_judged(plane, event.port);
}

static void summed(struct packet_plane *plane, struct packet_event event)
{
    packet_sums_free(plane, event.port, event.item);
}

static void settled(struct packet_plane *plane, struct packet_event event)
{
    packet_tracker_settled(plane, event.port);
}

static void ask_up(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_of(plane, event.port)->ways[UP].asking = false;
    packet_receiver_ask(plane, event.port, UP);
}

static void ask_loop(struct packet_plane *plane, struct packet_event event)
{
    packet_hub_of(plane, event.port)->ways[LOOP].asking = false;
    packet_receiver_ask(plane, event.port, LOOP);
}

packet_event_function *const packet_events[EVENT_KINDS] = {
    [UP_FREE] = up_free, [ARRIVED] = arrived, [ARRIVED_RESPONSE] = arrived_response, [LOOK_STORES] = look_stores,
    [LOOK_RESPONSES] = look_responses, [COPIED] = copied, [PASSED_STORE] = passed_store, [PASSED_RESPONSE] = passed_response,
    [COMPLETED] = completed, [DOWN_FREE] = down_free, [ASKED] = asked, [WAKE_UP] = wake_up, [WAKE_DOWN] = wake_down,
    [ROW_OPENED] = row_opened, [STORE_ROWS] = store_rows, [STORE_CAME] = store_came, [RESULT_CAME] = result_came,
    [NOTICE_CAME] = notice_came, [LOOP_STORE] = loop_store, [LOOP_REQUEST] = loop_request,
    [LOOP_NOTICE] = loop_notice,    [WAKE_LOOP] = wake_loop, [PARTIAL_UP] = partial_up, [PARTIAL_LOOP] = partial_loop, [TILE_FULL] = tile_full,
    [TILE_READY] = tile_ready, [TILE_COMPUTED] = tile_computed, [TILE_FINISHED] = tile_finished, [NOTIFY] = notify,
    [TOKEN_READY] = token_ready, [JUDGED] = judged, [SUMMED] = summed, [SETTLED] = settled, [ASK_UP] = ask_up,
    [ASK_LOOP] = ask_loop,
};
