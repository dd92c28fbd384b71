/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that are served: reads and partials (rtl/doc/hub/ingress.md section 5, reduce.md section 2). */
#include "hub/hub_top_parts.h"

int hub_top_serve(struct moehub_hub_top *hub, unsigned number, const struct moehub_way_packet *packet, unsigned cause,
                  uint32_t sum)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    if (way->served_count == way->served_room)
        return hub_top_full(hub, "requests that came");
    struct moehub_hub_top_served *request = hub_top_way_served(way, way->served_count++);
    *request = (struct moehub_hub_top_served){.packet = *packet, .sum = sum};
    moehub_way_requested(packet, cause, &request->request.asked);
    request->lines = (uint8_t)moehub_pre_reduce_lines(&request->request);
    return 0;
}

/* ---- what the address path says ------------------------------------------------------------------------------------------ */

static struct moehub_way_answer answer_of(const struct moehub_hub_top *hub, const struct moehub_hub_request *request)
{
    unsigned status = moehub_addr_alloc_check(&hub->addresses, request);
    if (status != MOEHUB_STATUS_OK)
        return (struct moehub_way_answer){.status = (uint8_t)status};
    const uint32_t slot = hub_top_slot(hub, request->context, request->expert, request->row_index);
    if (slot == UINT32_MAX)
        return (struct moehub_way_answer){.status = MOEHUB_STATUS_UNMAPPED};
    return (struct moehub_way_answer){.address = hub_top_address(hub, request, 1, slot)};
}

/* As late as can be: when its first read or partial is seen. */
static void decide(struct moehub_hub_top *hub, unsigned number, struct moehub_hub_top_served *request)
{
    if (request->decided)
        return;
    for (unsigned i = 0; i < request->request.asked.targets && request->request.asked.status == MOEHUB_STATUS_OK; i++) {
        const struct moehub_hub_request question = hub_top_question(hub, number, &request->packet, i);
        request->request.answers[i] = answer_of(hub, &question);
        if (request->request.answers[i].status != MOEHUB_STATUS_OK)
            hub_top_path_offends(hub, number, &question, request->request.answers[i].status);
    }
    request->status = (uint8_t)moehub_pre_reduce_status(&hub->ways[number].pre_reduce, &request->request);
    request->decided = true;
}

/* ---- partials ------------------------------------------------------------------------------------------------------------ */

static int make_partial(struct moehub_hub_top *hub, unsigned number, struct moehub_hub_top_served *request)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    struct moehub_partial_packet packet;
    moehub_pre_reduce_partial(&way->pre_reduce, &request->request, request->line, way->data, &packet);
    if (packet.read_error)
        hub_top_way_offends(hub, number, HUB_TOP_WAY_READS, ++hub->offences, MOEHUB_HUB_WAY_CAUSE_READ, packet.error_header);
    if (number == hub_top_loop(hub)) {
        hub_top_own_part(hub, request->sum, request->line, &packet);
    } else if (way->partial_count == way->partial_room) {
        return hub_top_full(hub, "partials");
    } else {
        way->partials[(way->partial_first + way->partial_count++) % way->partial_room] = packet;
    }
    request->target = 0;
    request->line++;
    if (request->line < request->lines)
        return 0;
    way->reading -= way->reading > 0;
    way->served_first = (way->served_first + 1) % way->served_room;
    way->served_count--;
    return 0;
}

/* Those at the head that have a status are answered, each line. */
int hub_top_answer_errors(struct moehub_hub_top *hub, unsigned number)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    int error = 0;
    while (way->served_count != 0 && error == 0) {
        struct moehub_hub_top_served *request = hub_top_way_served(way, 0);
        decide(hub, number, request);
        if (request->status == MOEHUB_STATUS_OK)
            return 0;
        error = make_partial(hub, number, request);
    }
    return error;
}

void hub_top_served_doubt(struct moehub_hub_top *hub, unsigned context)
{
    for (unsigned number = 0; number <= hub_top_loop(hub); number++)
        for (uint32_t i = 0; i < hub->ways[number].served_count; i++) {
            struct moehub_hub_top_served *request = hub_top_way_served(&hub->ways[number], i);
            if (request->request.asked.context == context && !request->decided)
                request->doubtful = hub_top_doubt(hub, context);
        }
}

/* The next request is answered as one of a disabled context. */
static void refuse_doubtful(struct moehub_hub_top_way *way, unsigned status)
{
    struct moehub_hub_top_served *request = way->served_count != 0 ? hub_top_way_served(way, 0) : NULL;
    if (request != NULL && request->doubtful && !request->decided && status == MOEHUB_STATUS_CONTEXT)
        request->request.asked.status = MOEHUB_STATUS_CONTEXT;
}

int hub_top_partial_leaves(struct moehub_hub_top *hub, unsigned link, const struct hub_top_leaving *packet)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    if (way->partial_count == 0)
        refuse_doubtful(way, moehub_header_unpack(packet->flits[0]).status);
    const int error = way->partial_count == 0 ? hub_top_answer_errors(hub, link) : 0;
    if (error != 0)
        return error;
    if (way->partial_count == 0)
        return hub_top_wrong(hub, "link %u: a partial leaves, and no request has all its data", link);
    const struct moehub_partial_packet *expected = &way->partials[way->partial_first];
    way->partial_first = (way->partial_first + 1) % way->partial_room;
    way->partial_count--;
    return hub_top_compare_leaving(hub, "a partial", packet, expected->flits, expected->count);
}

/* ---- reads --------------------------------------------------------------------------------------------------------------- */

/* The oldest request that has reads to come, or NULL. */
static struct moehub_hub_top_served *next_to_read(struct moehub_hub_top *hub, unsigned number)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    for (; way->reading < way->served_count; way->reading++) {
        struct moehub_hub_top_served *request = hub_top_way_served(way, way->reading);
        decide(hub, number, request);
        if (request->status == MOEHUB_STATUS_OK && request->read_line < request->lines)
            return request;
    }
    return NULL;
}

int moehub_hub_top_read(struct moehub_hub_top *hub, unsigned number, uint64_t address, unsigned beats)
{
    struct moehub_hub_top_served *request = next_to_read(hub, number);
    struct moehub_line_read read;
    if (request == NULL)
        return hub_top_wrong(hub, "way %u: a read at 0x%llx, and no request is to be served", number,
                             (unsigned long long)address);
    moehub_pre_reduce_read(&hub->ways[number].pre_reduce, &request->request, request->read_line, request->read_target, &read);
    if (read.address != address || read.beats != beats)
        return hub_top_wrong(hub, "way %u: a read of %u beats at 0x%llx, expected %u at 0x%llx", number, beats,
                             (unsigned long long)address, read.beats, (unsigned long long)read.address);
    if (++request->read_target == request->request.asked.targets) {
        request->read_target = 0;
        request->read_line++;
    }
    return 0;
}

static bool was_read(const struct moehub_hub_top_served *request)
{
    return request->line < request->read_line || request->target < request->read_target;
}

int moehub_hub_top_data(struct moehub_hub_top *hub, unsigned number, const struct moehub_line_data *data)
{
    struct moehub_hub_top_way *way = &hub->ways[number];
    const int error = hub_top_answer_errors(hub, number);
    if (error != 0)
        return error;
    struct moehub_hub_top_served *request = way->served_count != 0 ? hub_top_way_served(way, 0) : NULL;
    if (request == NULL || !was_read(request))
        return hub_top_wrong(hub, "way %u: data that nobody has asked for", number);
    way->data[request->target++] = *data;
    return request->target < request->request.asked.targets ? 0 : make_partial(hub, number, request);
}

/* ---- the end of a context ------------------------------------------------------------------------------------------------ */

int hub_top_served_left_over(struct moehub_hub_top *hub, unsigned context)
{
    for (unsigned number = 0; number <= hub_top_loop(hub); number++) {
        struct moehub_hub_top_way *way = &hub->ways[number];
        for (uint32_t i = 0; i < way->served_count; i++)
            if (hub_top_way_served(way, i)->request.asked.context == context)
                return hub_top_wrong(hub, "way %u: %u requests were not answered", number, way->served_count);
        for (uint32_t i = 0; i < way->partial_count; i++) {
            const struct moehub_partial_packet *packet = &way->partials[(way->partial_first + i) % way->partial_room];
            if (moehub_header_unpack(packet->flits[0]).context == context)
                return hub_top_wrong(hub, "way %u: %u partials have not left", number, way->partial_count);
        }
    }
    return 0;
}
