/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds a request unit: the store that gives requests, the reduction buffer that grants, the crossbar that finds
 * and frees. */
#include "bench/switch/reduction_records.h"
#include "bench/switch/request_unit_port.h"
#include "kit/bits.h"

#include <string.h>

/* Fields of a request's mark: rtl/doc/plane/link.md section 5, rtl/include/moehub_plane.vh. */
enum { MARK_COPY_BITS = 12, MARK_REFUSED = 12, MARK_TAG = 13, MARK_CONTEXT = 37, MARK_ROUND = 40, MARK_ELEMENT = 44,
       MARK_OUT_FP32 = 46, MARK_LENGTH = 47, MARK_PORTS = 56 };
enum { PACKET_NAME, PACKET_MARK };   /* words of the packet stream; the place is the last */

/* ---- the store --------------------------------------------------------------------------------------------------- */

static void pack_mark(const struct request_unit_port *port, const struct moehub_request *request, uint64_t *mark)
{
    bits_set(mark, 0, MARK_COPY_BITS, port->packets[request->name].mark);
    bits_set(mark, MARK_REFUSED, 1, request->refused);
    bits_set(mark, MARK_TAG, 24, request->tag);
    bits_set(mark, MARK_CONTEXT, 3, request->context);
    bits_set(mark, MARK_ROUND, 4, request->round);
    bits_set(mark, MARK_ELEMENT, 2, request->element);
    bits_set(mark, MARK_OUT_FP32, 1, request->out_fp32);
    bits_set(mark, MARK_LENGTH, 9, request->length);
    bits_set(mark, MARK_PORTS, port->model.config.ports, request->ports);
}

static void fill_packet(struct request_unit_port *port, struct request_packet *packet)
{
    const uint64_t places = port->model.config.places + UINT64_C(1);
    *packet = (struct request_packet){
        .head = (uint32_t)random_below(&port->random, places),
        .last = (uint32_t)random_below(&port->random, places),
        .place = (uint32_t)random_below(&port->random, places),
        .mark = (uint16_t)random_bits(&port->random, MARK_COPY_BITS),
        .flits = (uint8_t)random_range(&port->random, 1, 5),
    };
}

/* `ports` of a refused request mean nothing: any. */
static void offer_packet(struct request_unit_port *port)
{
    struct moehub_request request;
    if (!source_free(&port->packet) || port->free_count == 0 || !port->next_request(port->context, &request))
        return;
    const unsigned choice = (unsigned)random_below(&port->random, port->free_count);
    request.name = port->free_names[choice];
    port->free_names[choice] = port->free_names[--port->free_count];
    fill_packet(port, &port->packets[request.name]);
    port->offered = request;
    uint64_t *item = source_offer(&port->packet);
    memset(item, 0, port->packet.stream.table.words * sizeof *item);
    item[PACKET_NAME] = request.name;
    pack_mark(port, &request, &item[PACKET_MARK]);
    item[port->packet.stream.table.words - 1] = port->packets[request.name].place;
}

static void drive_parts(const struct pin *const pins[3], const struct request_packet *packet)
{
    pin_set(pins[0], packet->head);
    pin_set(pins[1], packet->last);
    pin_set(pins[2], packet->flits);
}

static void drive_down(struct request_unit_port *port)
{
    const uint64_t ports = bits_mask(port->model.config.ports);
    port->down = random_chance(&port->random, port->mood.down, 1024) ? random_next(&port->random) & ports : 0;
    pin_set(port->down_pin, port->down);
}

/* ---- the reduction buffer ---------------------------------------------------------------------------------------- */

static unsigned groups_in_use(const struct request_unit_port *port)
{
    unsigned count = 0;
    for (unsigned group = 0; group < port->model.config.groups; group++)
        count += port->group_free_at[group] > port->bench->cycle;
    return count;
}

static struct moehub_reduction_grant draw_grant(struct request_unit_port *port)
{
    static const uint8_t refusals[] = {MOEHUB_STATUS_DRAINING, MOEHUB_STATUS_CONTRIBUTORS, MOEHUB_STATUS_TYPE,
                                       MOEHUB_STATUS_LENGTH};
    if (random_chance(&port->random, port->mood.refusals, 1024))
        return (struct moehub_reduction_grant){.status = refusals[random_below(&port->random, 4)]};
    const unsigned groups = port->model.config.groups;
    unsigned group = (unsigned)random_below(&port->random, groups);
    while (port->group_free_at[group] > port->bench->cycle)
        group = (group + 1) % groups;
    port->group_free_at[group] = UINT64_MAX;
    return (struct moehub_reduction_grant){
        .entry = (uint16_t)(group * port->model.config.request_lines),
        .generation = (uint8_t)random_next(&port->random),
    };
}

static void offer_grant(struct request_unit_port *port)
{
    if (!source_free(&port->grant) || port->due_count == 0 || port->grant_due[port->due_head] > port->bench->cycle)
        return;
    port->granting = draw_grant(port);
    port->due_head = (port->due_head + 1) % port->model.config.places;
    port->due_count--;
    reduction_grant_pack(source_offer(&port->grant), &port->granting);
}

/* ---- the crossbar ------------------------------------------------------------------------------------------------ */

static bool choose_unfound(struct request_unit_port *port)
{
    for (unsigned i = 0; i < port->granted_count; i++) {
        port->finding = port->granted[i];
        if (!port->packets[port->finding].found)
            return random_chance(&port->random, port->mood.finds, 1024);
    }
    return false;
}

static bool choose_again(struct request_unit_port *port)
{
    if (port->granted_count == 0 || !random_chance(&port->random, port->mood.finds_again, 1024))
        return false;
    port->finding = port->granted[random_below(&port->random, port->granted_count)];
    return true;
}

static void choose_find(struct request_unit_port *port)
{
    port->finds_now = choose_unfound(port) || choose_again(port);
    pin_set(port->find_valid, port->finds_now);
    pin_set(port->find_name, port->finds_now ? port->finding : random_below(&port->random, port->model.config.places));
}

static void choose_free(struct request_unit_port *port)
{
    const unsigned choice = port->granted_count > 0 ? (unsigned)random_below(&port->random, port->granted_count) : 0;
    port->freeing = port->granted[choice];
    port->frees_now = port->granted_count > 0 && port->packets[port->freeing].found &&
                      !(port->finds_now && port->finding == port->freeing) &&
                      random_chance(&port->random, port->mood.frees, 1024);
    pin_set(port->free_valid, port->frees_now);
    pin_set(port->free_name, port->freeing);
    pin_set(port->free_tag, port->packets[port->freeing].tag);
    drive_parts(port->free, &port->packets[port->freeing]);
    if (port->frees_now)
        port->granted[choice] = port->granted[--port->granted_count];
}

void request_unit_drive(struct request_unit_port *port)
{
    port->finds_now = port->frees_now = false;
    if (!port->bench->reset) {
        offer_packet(port);
        offer_grant(port);
        choose_find(port);
        choose_free(port);
    } else {
        pin_set(port->find_valid, 0);
        pin_set(port->free_valid, 0);
    }
    drive_down(port);
    drive_parts(port->store_found, &port->store_packet);
    source_drive(&port->packet);
    source_drive(&port->grant);
    sink_drive(&port->reserve);
    sink_drive(&port->copies);
    sink_drive(&port->error);
    sink_drive(&port->released);
    if (groups_in_use(port) + port->due_count >= port->model.config.groups)
        pin_set(port->reserve.stream.ready, 0);
    if (port->hold_errors)
        pin_set(port->error.stream.ready, 0);
    if (port->hold_released)
        pin_set(port->released.stream.ready, 0);
}
