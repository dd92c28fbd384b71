/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"
#include "system/system_packet_hub.h"

#include <stdlib.h>

uint32_t packet_plane_take(struct packet_plane *plane)
{
    const uint32_t place = plane->free_packet;
    if (place == NOTHING)
        return plane->packets_used++;
    plane->free_packet = plane->packets[place].next;
    return place;
}

void packet_plane_freed(struct packet_plane *plane, unsigned number, unsigned packet_class, uint32_t flits)
{
    packet_credits_give(&plane->ports[number].up_credits[packet_class], plane->now + plane->down_latency, flits);
    packet_gpu_send(plane, number);
}

void packet_plane_free(struct packet_plane *plane, unsigned number, uint32_t place)
{
    struct packet *packet = &plane->packets[place];
    packet->next = plane->free_packet;
    plane->free_packet = place;
    packet_plane_freed(plane, number, packet->packet_class, packet->flits);
}

/* Events that the wheel now reaches. */
static void come_near(struct packet_plane *plane)
{
    uint64_t event, due = moehub_event_queue_next(&plane->far);
    while (moehub_event_queue_pop(&plane->far, plane->now + plane->wheel.mask, &event)) {
        packet_hub_at(plane, due, packet_event_kind(event), packet_event_port(event), packet_event_item(event));
        due = moehub_event_queue_next(&plane->far);
    }
}

/* All that is due in a cycle, in its order; what it brings for this cycle is last. */
static void run_cycle(struct packet_plane *plane, struct packet_wheel_list *list)
{
    struct packet_wheel *wheel = &plane->wheel;
    uint32_t position = list->first;
    for (; position != list->end; position++) {
        if (position % WHEEL_PLACES == WHEEL_EVENTS) {
            const uint32_t full = position - WHEEL_EVENTS;
            position = (uint32_t)wheel->places[position];
            packet_wheel_release(wheel, full);
        }
        const uint64_t event = wheel->places[position];
        packet_events[packet_event_kind(event)](plane, packet_event_port(event), packet_event_item(event));
    }
    if (position != NOTHING)
        packet_wheel_release(wheel, (position - 1) / WHEEL_PLACES * WHEEL_PLACES);
    *list = (struct packet_wheel_list){NOTHING, NOTHING};
}

static struct packet_wheel_list *due(struct packet_plane *plane)
{
    return &plane->wheel.lists[(uint32_t)plane->now & plane->wheel.mask];
}

void packet_plane_run(struct packet_plane *plane)
{
    for (unsigned port = 0; port < plane->rows->ports; port++) {
        packet_gpu_begin(plane, port);
        packet_gpu_send(plane, port);
    }
    for (; plane->wheel.used > 0; plane->now++)
        run_cycle(plane, due(plane));
}

static bool some_left(const struct packet_plane *planes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (planes[i].wheel.used > 0 || planes[i].far.count > 0)
            return true;
    return false;
}

static bool some_due(struct packet_plane *planes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (due(&planes[i])->end != NOTHING)
            return true;
    return false;
}

/* What is due at one plane may bring something for this cycle at another. */
void packet_planes_run(struct packet_plane *planes, unsigned count)
{
    while (some_left(planes, count)) {
        for (unsigned i = 0; i < count; i++)
            if (moehub_event_queue_next(&planes[i].far) <= planes[i].now + planes[i].wheel.mask)
                come_near(&planes[i]);
        while (some_due(planes, count))
            for (unsigned i = 0; i < count; i++)
                run_cycle(&planes[i], due(&planes[i]));
        for (unsigned i = 0; i < count; i++)
            planes[i].now++;
    }
}

/* Those of stores and requests: packets that an input may have for an output, copies of so many rows, copies at an output. */
static int create_copies(struct packet_plane *plane, struct packet_crossbar *crossbar, enum packet_event_kind looks,
                         uint32_t packets, uint32_t rows, uint32_t slots)
{
    const unsigned ports = plane->rows->ports;
    const int error = packet_crossbar_create(crossbar, ports, (uint16_t)looks);
    crossbar->ahead = (uint8_t)plane->ahead;
    crossbar->rows = (uint8_t)rows;
    crossbar->slots = (uint8_t)slots;
    return error != 0 ? error : packet_copies_create(crossbar, ports, packets);
}

static int create_responses(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    const int error = packet_crossbar_create(crossbar, plane->rows->ports, LOOK_RESPONSES);
    crossbar->ahead = (uint8_t)plane->ahead_response;
    return error != 0 ? error : packet_responses_create(crossbar, plane->rows->ports, plane->places[RESPONSE]);
}

static int create_crossbars(struct packet_plane *plane)
{
    int error = create_copies(plane, &plane->stores, LOOK_STORES, plane->places[STORE] / RESPONSE_FLITS, RESPONSE_FLITS,
                              plane->slots);
    if (error == 0)
        error = create_copies(plane, &plane->requests, LOOK_REQUESTS, plane->groups_of_port, REQUEST_ROWS, plane->request_slots);
    return error != 0 ? error : create_responses(plane, &plane->responses);
}

static int create_credits(struct packet_plane *plane, struct packet_port *port)
{
    int error = 0;
    for (int i = 0; i < CLASSES && error == 0; i++) {
        error = packet_credits_create(&port->up_credits[i], plane->places[i]);
        if (error == 0)
            error = packet_credits_create(&port->down_credits[i], plane->gpu_places[i]);
    }
    return error;
}

/* Copies that wait at an output for its link. In the ideal plane all that it will have can. */
static uint64_t copies_at(const struct packet_plane *plane, unsigned number)
{
    const struct packet_rows *rows = plane->rows;
    uint64_t targets = 0;
    if (!plane->options.ideal_plane)
        return plane->slots;
    for (size_t row = 0; row < (size_t)rows->ports * rows->stride; row++)
        targets += rows->rows[row].outputs >> number & 1;
    return targets * plane->options.dispatch_lines + 1;
}

static int create_queues(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    const uint64_t groups = plane->groups_of_port, all = groups * plane->rows->ports;
    int error = packet_ring_create(&port->answers, all);
    if (error == 0)
        error = packet_ring_create(&port->reserving, plane->places[REQUEST]);
    if (error == 0)
        error = packet_ring_create(&port->groups, groups);
    if (error == 0)
        error = packet_ring_create(&port->out[REQUEST], all);
    if (error == 0)
        error = packet_ring_create(&port->out[RESPONSE], groups * LINES_OF_REQUEST + plane->notices);
    if (error == 0)
        error = packet_ring_create(&port->out[STORE], copies_at(plane, number));
    if (error == 0 && plane->options.ideal_plane)
        error = packet_ring_create(&port->partials, groups * LINES_OF_REQUEST * plane->rows->ports + plane->notices);
    for (uint32_t i = 0; i < groups && error == 0; i++)
        packet_ring_add(&port->groups, (uint32_t)(number * groups) + i);
    return error;
}

static int create_port(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    const uint64_t parts = (plane->options.combine_lines + plane->request_lines - 1) / plane->request_lines;
    const uint64_t rows = plane->rows->counts[number];
    port->stores_left = plane->options.phase == MOEHUB_SYSTEM_PACKET_COMBINE ? 0 : rows * plane->options.dispatch_lines;
    port->requests_left = plane->options.phase == MOEHUB_SYSTEM_PACKET_DISPATCH ? 0 : rows * parts;
    const int error = create_credits(plane, port);
    return error != 0 ? error : create_queues(plane, number);
}

/* A packet holds places while it is under way: never more of them than places. */
static int create_packets(struct packet_plane *plane)
{
    const size_t count = plane->rows->ports * ((size_t)plane->places[STORE] + plane->places[REQUEST]);
    plane->packets = malloc(count * sizeof *plane->packets);
    plane->groups = calloc((size_t)plane->rows->ports * plane->groups_of_port, sizeof *plane->groups);
    plane->free_packet = NOTHING;
    return plane->packets == NULL || plane->groups == NULL ? MOEHUB_E_MEMORY : 0;
}

/* Under way for a port: packets up, copies down, a result and an asked copy for each line of a group, and what is busy. */
static int create_wheel(struct packet_plane *plane)
{
    const uint64_t groups = (uint64_t)plane->groups_of_port * (plane->rows->ports + LINES_OF_REQUEST);
    const uint64_t places = (uint64_t)plane->places[0] + plane->places[1] + plane->places[2];
    const uint64_t events = places + groups + plane->slots + plane->request_slots + 32;
    const uint64_t latency = 256 + 2u * plane->up_latency + 2u * plane->down_latency + plane->copy_latency +
                             plane->request_latency + plane->sum_latency + plane->answer_latency;
    const int error = packet_wheel_create(&plane->wheel, latency, events * plane->rows->ports + plane->hub_events + 1);
    if (error != 0 || plane->hubs == NULL)
        return error;
    return moehub_event_queue_create(&plane->far, plane->hub_events, sizeof(uint64_t));
}

int packet_plane_create(struct packet_plane *plane, const struct packet_rows *rows)
{
    plane->rows = rows;
    int error = plane->options.ideal_plane ? 0 : create_crossbars(plane);
    if (error == 0)
        error = create_packets(plane);
    if (error == 0)
        error = create_wheel(plane);
    for (unsigned i = 0; i < rows->ports && error == 0; i++)
        error = create_port(plane, i);
    return error;
}

static void destroy_port(struct packet_port *port)
{
    for (int i = 0; i < CLASSES; i++) {
        free(port->up_credits[i].away);
        free(port->down_credits[i].away);
        free(port->out[i].items);
    }
    free(port->answers.items);
    free(port->reserving.items);
    free(port->groups.items);
    free(port->partials.items);
}

void packet_plane_destroy(struct packet_plane *plane)
{
    for (unsigned i = 0; i < plane->rows->ports; i++)
        destroy_port(&plane->ports[i]);
    packet_crossbar_destroy(&plane->stores);
    packet_crossbar_destroy(&plane->requests);
    packet_crossbar_destroy(&plane->responses);
    packet_wheel_destroy(&plane->wheel);
    moehub_event_queue_destroy(&plane->far);
    free(plane->packets);
    free(plane->groups);
}
