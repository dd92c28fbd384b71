/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/switch_plane.h"

#include "moehub/integer.h"
#include "switch/switch_plane_parts.h"

#include <stdlib.h>
#include <string.h>

/* Copies of an input that are in copy buffers, on their way to a link or in a queue of notices, for each output: their places
 * may hold others already. */
enum { BEHIND_PLACES = 96 };

/* ---- life ------------------------------------------------------------------------------------------- */

static bool config_is_legal(const struct moehub_switch_plane_config *config)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        if (!moehub_within(config->places[i], moehub_link_longest(i), MOEHUB_CROSSBAR_PACKETS_MAX))
            return false;
    return moehub_within(config->ports, 2, MOEHUB_CROSSBAR_PORTS_MAX) && config->local_expert_bits <= 8 &&
           moehub_within(config->max_targets, 1, MOEHUB_TARGETS_MAX) && moehub_power_of_two(config->request_lines) &&
           config->request_lines <= MOEHUB_REQUEST_LINES_MAX &&
           moehub_within(config->groups, 1, 4096 / config->request_lines) &&
           moehub_within(config->generation_width, 1, 8);
}

/* Packets of a class that an input may have inside at once. */
static uint32_t packets_inside(const struct moehub_switch_plane_config *config, unsigned packet_class, unsigned shortest)
{
    const uint32_t packets = config->places[packet_class] / shortest + BEHIND_PLACES * config->ports;
    return packets < MOEHUB_CROSSBAR_PACKETS_MAX ? packets : MOEHUB_CROSSBAR_PACKETS_MAX;
}

static int create_crossbars(struct moehub_switch_plane *plane)
{
    const struct moehub_switch_plane_config *config = &plane->config;
    struct moehub_crossbar_config crossbar = {.ports = config->ports, .local_expert_bits = config->local_expert_bits};
    crossbar.packets = packets_inside(config, MOEHUB_CLASS_STORE, MOEHUB_STORE_SHORTEST);
    int error = moehub_crossbar_create(&plane->stores, &crossbar);
    if (error != 0)
        return error;
    crossbar.packets = packets_inside(config, MOEHUB_CLASS_RESPONSE, MOEHUB_RESPONSE_SHORTEST);
    return moehub_crossbar_create(&plane->notices, &crossbar);
}

static uint32_t line_sets(const struct moehub_switch_plane_config *config)
{
    return config->groups + MOEHUB_SWITCH_PLANE_LATE + MOEHUB_SWITCH_PLANE_LOSSES;
}

static int create_port(struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port)
{
    const struct moehub_switch_plane_config *config = &plane->config;
    port->requests = calloc(plane->request_capacity, sizeof *port->requests);
    port->order = calloc(plane->request_capacity, sizeof *port->order);
    port->groups = calloc(config->groups, sizeof *port->groups);
    port->lines = calloc((size_t)line_sets(config) * config->request_lines, sizeof *port->lines);
    port->unused = calloc(line_sets(config), sizeof *port->unused);
    return port->requests != NULL && port->order != NULL && port->groups != NULL && port->lines != NULL && port->unused != NULL
               ? 0 : MOEHUB_E_MEMORY;
}

int moehub_switch_plane_create(struct moehub_switch_plane *plane, const struct moehub_switch_plane_config *config)
{
    if (!config_is_legal(config))
        return MOEHUB_E_ARGUMENT;
    *plane = (struct moehub_switch_plane){.config = *config};
    plane->request_capacity = packets_inside(config, MOEHUB_CLASS_REQUEST, MOEHUB_REQUEST_SHORTEST) + config->groups;
    moehub_arithmetic_init(&plane->arithmetic, 3, MOEHUB_CROSSBAR_PORTS_MAX);
    plane->ports = calloc(config->ports, sizeof *plane->ports);
    int error = plane->ports == NULL ? MOEHUB_E_MEMORY : create_crossbars(plane);
    for (unsigned i = 0; i < config->ports && error == 0; i++)
        error = create_port(plane, &plane->ports[i]);
    if (error != 0)
        moehub_switch_plane_destroy(plane);
    else
        moehub_switch_plane_reset(plane);
    return error;
}

void moehub_switch_plane_destroy(struct moehub_switch_plane *plane)
{
    if (plane == NULL)
        return;
    for (unsigned i = 0; plane->ports != NULL && i < plane->config.ports; i++) {
        free(plane->ports[i].requests);
        free(plane->ports[i].order);
        free(plane->ports[i].groups);
        free(plane->ports[i].lines);
        free(plane->ports[i].unused);
    }
    free(plane->ports);
    moehub_crossbar_destroy(&plane->stores);
    moehub_crossbar_destroy(&plane->notices);
    *plane = (struct moehub_switch_plane){0};
}

static void reset_port(const struct moehub_switch_plane *plane, unsigned number)
{
    const struct moehub_switch_plane_config *config = &plane->config;
    struct moehub_switch_plane_port *port = &plane->ports[number];
    const struct moehub_check_config check = {
        .own = (uint16_t)number, .ports = (uint16_t)config->ports, .local_expert_bits = (uint8_t)config->local_expert_bits,
        .max_targets = (uint8_t)config->max_targets, .request_lines = (uint8_t)config->request_lines};
    moehub_link_receiver_reset(&port->receiver, &check);
    port->open_count = 0;
    port->timeout = 0;
    port->losses = port->lost = 0;
    port->down = port->draining = MOEHUB_SWITCH_PLANE_NO;
    port->was_down = false;
    port->discarded = 0;
    memset(port->doubtful_stores, 0, sizeof port->doubtful_stores);
    memset(port->doubtful_notices, 0, sizeof port->doubtful_notices);
    port->offender = (struct moehub_switch_plane_offender){.caught = false};
    port->request_count = 0;
    for (unsigned i = 0; i < plane->request_capacity; i++)
        port->order[i] = (uint16_t)i;
    port->unused_count = line_sets(config);
    for (unsigned i = 0; i < port->unused_count; i++)
        port->unused[i] = &port->lines[(size_t)i * config->request_lines];
    memset(port->granted, 0, sizeof port->granted);
    memset(port->stored, 0, sizeof port->stored);
    memset(port->groups, 0, config->groups * sizeof *port->groups);
    port->counts = (struct moehub_switch_plane_counts){0};
}

void moehub_switch_plane_reset(struct moehub_switch_plane *plane)
{
    moehub_crossbar_reset(&plane->stores);
    moehub_crossbar_reset(&plane->notices);
    for (unsigned i = 0; i < plane->config.ports; i++)
        reset_port(plane, i);
}

/* ---- arriving links ------------------------------------------------------------------------------------ */

/* Its copies wait for their outputs from now on. */
static int accept_copies(struct moehub_switch_plane *plane, struct moehub_crossbar *crossbar, unsigned input)
{
    const struct moehub_switch_plane_port *port = &plane->ports[input];
    int error;
    do
        error = moehub_crossbar_accept(crossbar, input, port->open, port->open_count);
    while (error == MOEHUB_E_LIMIT && plane_discard_copy(plane, crossbar, input));
    return error;
}

/* A packet that its receiver has found good. */
static int accept(struct moehub_switch_plane *plane, unsigned number, const struct moehub_link_end *end)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    const struct moehub_header header = moehub_header_unpack(end->header);
    switch (header.type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        for (unsigned output = 0; output < plane->config.ports; output++)
            plane->ports[output].counts.store_copies += end->verdict.ports >> output & 1;
        return accept_copies(plane, &plane->stores, number);
    case MOEHUB_PACKET_LD_REDUCE:
        return plane_request_accept(plane, number, port->open, end->verdict.ports);
    case MOEHUB_PACKET_PARTIAL:
        plane_partial_accept(plane, &header, port->open + 1);
        return 0;
    default:
        return accept_copies(plane, &plane->notices, number);
    }
}

static void offend(struct moehub_switch_plane_port *port, unsigned cause, struct moehub_flit header)
{
    port->counts.causes[cause]++;
    if (!port->offender.caught)
        port->offender = (struct moehub_switch_plane_offender){true, (uint8_t)cause, header};
}

/* A packet has ended, or none. */
static int end_packet(struct moehub_switch_plane *plane, unsigned number, const struct moehub_link_end *end)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    int error = 0;
    if (!end->valid)
        return 0;
    port->counts.packets_in[end->packet_class]++;
    if (end->verdict.cause == MOEHUB_PACKET_CAUSES)
        error = accept(plane, number, end);
    else {
        offend(port, end->verdict.cause, end->header);
        if (end->verdict.answered)
            error = plane_request_refuse(plane, number, end->header);
    }
    port->open_count = 0;
    return error;
}

/* Classes with a place that the sender has been granted and has not used. There may be more places than that. */
static unsigned known_space(const struct moehub_switch_plane_port *port)
{
    unsigned space = 0;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        space |= port->granted[i] > port->stored[i] ? 1u << i : 0;
    return space;
}

int moehub_switch_plane_arrive(struct moehub_switch_plane *plane, unsigned number, const struct moehub_link_flit *flit,
                               struct moehub_link_taken *taken)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    *taken = moehub_link_receiver_flit(&port->receiver, flit, known_space(port));
    port->counts.flits_in++;
    if (taken->unended)
        offend(port, MOEHUB_LINK_CAUSE_UNENDED, taken->cut.header);
    const int error = end_packet(plane, number, &taken->cut);
    if (taken->cause != MOEHUB_LINK_CAUSES)
        offend(port, taken->cause, (struct moehub_flit){{0, 0}});
    if (taken->stored) {
        port->stored[flit->packet_class]++;
        port->open[port->open_count++] = flit->data;
    }
    const int last_error = end_packet(plane, number, &taken->end);
    return error != 0 ? error : last_error;
}

int moehub_switch_plane_grant(struct moehub_switch_plane *plane, unsigned number, unsigned packet_class, unsigned places)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    port->granted[packet_class] += places;
    return port->granted[packet_class] - port->stored[packet_class] > plane->config.places[packet_class] ? MOEHUB_E_LIMIT : 0;
}

void moehub_switch_plane_link_down(struct moehub_switch_plane *plane, unsigned number)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    const struct moehub_link_end end = moehub_link_receiver_down(&port->receiver);
    end_packet(plane, number, &end);
    memset(port->granted, 0, sizeof port->granted);
    memset(port->stored, 0, sizeof port->stored);
}

void moehub_switch_plane_lose(struct moehub_switch_plane *plane, unsigned port, unsigned flits)
{
    plane->ports[port].losses++;
    plane->ports[port].counts.flits_out += flits;
}

/* ---- leaving links --------------------------------------------------------------------------------------- */

/* The next copy of the input that the header names, by this output; or one behind it, if those before it may be lost. */
static int leave_crossbar(struct moehub_switch_plane *plane, struct moehub_crossbar *crossbar, unsigned output,
                          const struct moehub_header *header, const char *what, struct moehub_crossbar_copy *packet,
                          struct moehub_message *why)
{
    const struct moehub_flit flit = moehub_header_pack(header);
    struct moehub_switch_plane_port *port = &plane->ports[output];
    uint32_t *doubtful = header->source < crossbar->config.ports
                             ? &plane_doubtful_copies(plane, crossbar, output)[header->source] : NULL;
    bool found = doubtful != NULL && moehub_crossbar_next(crossbar, header->source, output, packet) == 0;
    while (found && plane_other_header(packet->flits[0], flit) && plane_may_be_lost(port, *doubtful > 0)) {
        plane_lose_packet(port, *doubtful > 0);
        plane_copy_left(doubtful);
        moehub_crossbar_leave(crossbar, header->source, output);
        found = moehub_crossbar_next(crossbar, header->source, output, packet) == 0;
    }
    if (!found) {
        moehub_message_set(why, NULL, 0, "a %s of GPU %u leaves, of which none waits here", what, (unsigned)header->source);
        return MOEHUB_E_STATE;
    }
    plane_copy_left(doubtful);
    return moehub_crossbar_leave(crossbar, header->source, output);
}

static int leave(struct moehub_switch_plane *plane, unsigned port, unsigned packet_class, const struct moehub_header *header,
                 struct moehub_crossbar_copy *packet, struct moehub_message *why)
{
    if (packet_class == MOEHUB_CLASS_STORE)
        return leave_crossbar(plane, &plane->stores, port, header, "store", packet, why);
    if (packet_class == MOEHUB_CLASS_REQUEST)
        return plane_request_leave(plane, port, header, packet, why);
    if (header->type == MOEHUB_PACKET_RESULT)
        return plane_result_leave(plane, port, header, packet, why);
    return leave_crossbar(plane, &plane->notices, port, header, "close or notify", packet, why);
}

int moehub_switch_plane_leave(struct moehub_switch_plane *plane, unsigned port, unsigned packet_class,
                              struct moehub_flit header, struct moehub_crossbar_copy *packet, struct moehub_message *why)
{
    const struct moehub_header fields = moehub_header_unpack(header);
    struct moehub_switch_plane_counts *counts = &plane->ports[port].counts;
    const int error = leave(plane, port, packet_class, &fields, packet, why);
    if (error != 0)
        return error;
    counts->packets_out[packet_class]++;
    counts->flits_out += packet->count;
    return 0;
}

/* ---- what is inside ---------------------------------------------------------------------------------------- */

uint64_t moehub_switch_plane_waiting_for(const struct moehub_switch_plane *plane, unsigned port)
{
    uint64_t waiting = 0;
    for (unsigned input = 0; input < plane->config.ports; input++) {
        waiting += moehub_crossbar_count(&plane->stores, input, port) + moehub_crossbar_count(&plane->notices, input, port);
        for (unsigned i = 0; i < plane->ports[input].request_count; i++) {
            const struct moehub_switch_plane_request *request = plane_request(&plane->ports[input], i);
            waiting += (request->copies >> port & 1) + (input == port ? (unsigned)__builtin_popcount(request->results) : 0);
        }
    }
    return waiting;
}

uint64_t moehub_switch_plane_waiting(const struct moehub_switch_plane *plane)
{
    uint64_t waiting = 0;
    for (unsigned i = 0; i < plane->config.ports; i++)
        waiting += moehub_switch_plane_waiting_for(plane, i);
    return waiting;
}

unsigned moehub_switch_plane_requests(const struct moehub_switch_plane *plane, unsigned port)
{
    unsigned requests = 0;
    for (unsigned i = 0; i < plane->ports[port].request_count; i++)
        requests += plane_request(&plane->ports[port], i)->results != 0;
    return requests;
}

unsigned moehub_switch_plane_undecided(const struct moehub_switch_plane *plane, unsigned number)
{
    unsigned requests = 0;
    for (unsigned i = 0; i < plane->config.ports; i++) {
        const struct moehub_switch_plane_port *port = &plane->ports[i];
        for (unsigned j = 0; j < port->request_count; j++) {
            const struct moehub_switch_plane_request *request = plane_request(port, j);
            requests += (request->contributors >> number & 1) != 0 && plane_request_untouched(request) &&
                        plane_sure_results(port, request, UINT8_MAX) != 0;
        }
    }
    return requests;
}
