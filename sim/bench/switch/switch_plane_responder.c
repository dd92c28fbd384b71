/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_responder.h"

#include "moehub/header_check.h"

#include <string.h>

void plane_responder_create(struct plane_responder *responder, const struct bench *bench, unsigned port)
{
    char name[32];
    snprintf(name, sizeof name, "responder %u", port);
    *responder = (struct plane_responder){.own = (uint16_t)port};
    bench_random(bench, &responder->random, name);
}

static bool rarely(struct plane_responder *responder, unsigned of_256)
{
    return random_chance(&responder->random, of_256, 256);
}

/* Lines that a request which has been copied asks for. */
static unsigned request_lines(const struct moehub_header *request)
{
    return moehub_request_lines(request->length, MOEHUB_REQUEST_LINES_MAX);
}

static struct moehub_header partial_header(struct plane_responder *responder, const struct moehub_header *request, unsigned line)
{
    struct moehub_header header = {
        .type = MOEHUB_PACKET_PARTIAL, .source = responder->own, .context = request->context, .round = request->round,
        .tag = (request->tag + (line << 8)) & MOEHUB_TAG_MASK, .element = request->element, .offset = request->source,
        .stage = MOEHUB_STAGE_COMBINE,
        .length = (uint16_t)moehub_request_line_bytes(request->length, request_lines(request), line)};
    if (rarely(responder, responder->manners.other_type))
        header.element = (uint8_t)((header.element + 1 + random_below(&responder->random, 2)) % 3);
    if (rarely(responder, responder->manners.other_length))
        header.length = (uint16_t)(MOEHUB_FLIT_BYTES * random_range(&responder->random, 1, MOEHUB_LINE_UNITS));
    if (rarely(responder, responder->manners.fails)) {
        header.status = (uint8_t)random_range(&responder->random, 1, 15);
        header.length = 0;
    }
    return header;
}

static void answer_line(struct plane_responder *responder, const struct moehub_header *request, unsigned line,
                        struct plane_queue *responses)
{
    const struct moehub_header header = partial_header(responder, request, line);
    const enum reduction_payload style = (enum reduction_payload)random_below(&responder->random, PAYLOAD_CANCEL);
    uint8_t bytes[MOEHUB_LINE_BYTES];
    if (rarely(responder, responder->manners.silent))
        return;
    struct made_packet partial = {.packet_class = MOEHUB_CLASS_RESPONSE, .count = moehub_packet_flits(&header)};
    reduction_payload_fill(&responder->random, style, header.element, bytes, header.length, NULL);
    partial.flits[0] = moehub_header_pack(&header);
    for (unsigned i = 1; i < partial.count; i++)
        partial.flits[i] = moehub_flit_from_bytes(bytes + MOEHUB_FLIT_BYTES * (i - 1));
    *plane_queue_add(responses) = partial;
    if (rarely(responder, responder->manners.repeats))
        *plane_queue_add(responses) = partial;
}

/* 0 .. count - 1 in any order. */
static void shuffle(struct plane_responder *responder, unsigned *order, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        const unsigned other = (unsigned)random_below(&responder->random, i), swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
}

void plane_responder_answer(struct plane_responder *responder, const struct made_packet *request, struct plane_queue *responses)
{
    const struct moehub_header header = moehub_header_unpack(request->flits[0]);
    unsigned order[MOEHUB_REQUEST_LINES_MAX];
    const unsigned lines = request_lines(&header);
    for (unsigned i = 0; i < lines; i++)
        order[i] = i;
    if (responder->manners.shuffles)
        shuffle(responder, order, lines);
    for (unsigned i = 0; i < lines; i++)
        answer_line(responder, &header, order[i], responses);
}
