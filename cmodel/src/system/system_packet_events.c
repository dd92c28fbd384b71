/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* ---- of the plane and its links -------------------------------------------------------------------------------- */

static void up_free(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    plane->ports[port].up_busy = false;
    packet_gpu_send(plane, port);
}

static void arrived(struct packet_plane *plane, unsigned port, uint32_t item)
{
    if (plane->packets[item].packet_class == STORE)
        packet_plane_copy(plane, &plane->stores, port, item);
    else
        packet_groups_request(plane, port, item);
}

static void arrived_response(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_plane_respond(plane, packet_port_in(port), packet_port_out(port), item);
}

static void look_stores(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)port;
    (void)item;
    packet_crossbar_look(plane, &plane->stores);
}

static void look_requests(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)port;
    (void)item;
    packet_crossbar_look(plane, &plane->requests);
}

static void look_responses(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)port;
    (void)item;
    packet_crossbar_look(plane, &plane->responses);
}

static void passed_response(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_responses_passed(plane, packet_port_in(port), packet_port_out(port), item);
}

static void taken(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_ideal_taken(plane, port);
}

static void down_free(struct packet_plane *plane, unsigned port, uint32_t item)
{
    plane->ports[port].down_busy = false;
    if (item == STORE_LEFT)
        packet_copies_left(plane, &plane->stores, port);
    else if (item == REQUEST_LEFT)
        packet_copies_left(plane, &plane->requests, port);
    else if (item != NOTHING)
        packet_groups_result_left(plane, item);
    packet_egress_send(plane, port);
}

static void asked(struct packet_plane *plane, unsigned port, uint32_t item)
{
    if (plane->hubs != NULL)
        packet_receiver_request(plane, port, plane->link, plane->groups[item].row, item);
    else
        packet_gpu_asked(plane, port, item);
}

static void wake_up(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    plane->ports[port].up_waking = false;
    packet_gpu_send(plane, port);
}

static void wake_down(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    plane->ports[port].down_waking = false;
    packet_egress_send(plane, port);
}

/* ---- of hubs --------------------------------------------------------------------------------------------------- */

static void store_rows(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_sender_store(plane, port);
}

static void store_came(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_receiver_store(plane, port, plane->link, item);
}

static void loop_store(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_hub_loop_free(plane, port);
    packet_receiver_store(plane, port, LOOP, item);
}

static void loop_request(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_hub_loop_free(plane, port);
    packet_receiver_request(plane, port, LOOP, packet_hub_of(plane, port)->final_rows[item], item);
}

static void loop_notice(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_hub_loop_free(plane, port);
    packet_tracker_notice(plane, port, item);
}

static void wake_loop(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_hub_of(plane, port)->loop_waking = false;
    packet_hub_loop(plane, port);
}

static void partial_up(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_receiver_partial(plane, port, plane->link, item);
}

static void partial_loop(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_receiver_partial(plane, port, LOOP, item);
}

static void notify(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_hub_notice(plane, port, moehub_layer_row_gpu(plane->hubs->layer, item), NOTICE | item);
}

static void judged(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_sums_judged(plane, port);
}

static void settled(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_tracker_settled(plane, port);
}

static void swept(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_tracker_swept(plane, port);
}

static void tell(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_tracker_tell(plane, port);
}

static void ask_up(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_hub_of(plane, port)->ways[plane->link].asking = false;
    packet_receiver_ask(plane, port, plane->link);
}

static void ask_loop(struct packet_plane *plane, unsigned port, uint32_t item)
{
    (void)item;
    packet_hub_of(plane, port)->ways[LOOP].asking = false;
    packet_receiver_ask(plane, port, LOOP);
}

packet_event_function *const packet_events[EVENT_KINDS] = {
    [UP_FREE] = up_free, [ARRIVED] = arrived, [ARRIVED_RESPONSE] = arrived_response, [LOOK_STORES] = look_stores,
    [LOOK_REQUESTS] = look_requests, [LOOK_RESPONSES] = look_responses, [COPIED_STORE] = packet_egress_store,
    [COPIED_REQUEST] = packet_egress_request, [PASSED] = packet_plane_free, [PASSED_RESPONSE] = passed_response, [TAKEN] = taken,
    [COMPLETED] = packet_groups_completed, [DOWN_FREE] = down_free, [ASKED] = asked, [WAKE_UP] = wake_up,
    [WAKE_DOWN] = wake_down, [ROW_OPENED] = packet_sender_opened, [STORE_ROWS] = store_rows, [STORE_CAME] = store_came,
    [RESULT_CAME] = packet_sums_part, [NOTICE_CAME] = packet_tracker_notice, [LOOP_STORE] = loop_store,
    [LOOP_REQUEST] = loop_request, [LOOP_NOTICE] = loop_notice, [WAKE_LOOP] = wake_loop, [PARTIAL_UP] = partial_up,
    [PARTIAL_LOOP] = partial_loop, [TILE_FULL] = packet_tracker_full, [TILE_COMPUTED] = packet_tracker_computed,
    [TILE_FINISHED] = packet_tracker_finished, [NOTIFY] = notify, [TOKEN_READY] = packet_tracker_token, [JUDGED] = judged,
    [RESERVED] = packet_sums_reserved,
    [SUMMED] = packet_sums_free, [SETTLED] = settled, [SWEPT] = swept, [TELL] = tell, [ASK_UP] = ask_up, [ASK_LOOP] = ask_loop,
};
