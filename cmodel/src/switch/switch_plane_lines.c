/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the switch plane's model: partials are summed, results leave. */
#include "moehub/element.h"
#include "moehub/finalize.h"
#include "moehub/header_check.h"
#include "switch/switch_plane_parts.h"

#include <string.h>

/* Bytes of a partial for a line. */
static unsigned line_length(const struct moehub_switch_plane_request *request, unsigned line)
{
    return moehub_request_line_bytes(request->header.length, request->lines, line);
}

static unsigned line_elements(const struct moehub_switch_plane_request *request, unsigned line)
{
    return line_length(request, line) / moehub_element_size(request->header.element);
}

void plane_lines_begin(const struct moehub_switch_plane_request *request)
{
    for (unsigned line = 0; line < request->lines; line++) {
        request->sums[line].answered = 0;
        request->sums[line].failure = MOEHUB_STATUS_OK;
        moehub_accumulate_empty_row(request->sums[line].sum, line_elements(request, line), request->header.element);
    }
}

/* ---- partials ------------------------------------------------------------------------------------------ */

/* The first check of rtl/doc/reduction_buffer.md section 4 that fails; MOEHUB_REDUCTION_CAUSES: none. */
static unsigned partial_cause(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                              const struct moehub_header *header)
{
    const unsigned entry = header->tag >> 8, line = entry % plane->config.request_lines;
    const unsigned group = entry / plane->config.request_lines;
    if (group >= plane->config.groups)
        return MOEHUB_REDUCTION_CAUSE_ENTRY;
    const struct moehub_switch_plane_request *user = port->groups[group].user;
    if (user == NULL || (header->tag & 0xFFu) != user->generation || (user->results >> line & 1) == 0 ||
        user->sums[line].answered == user->contributors)
        return MOEHUB_REDUCTION_CAUSE_STALE;
    if ((user->contributors >> header->source & 1) == 0)
        return MOEHUB_REDUCTION_CAUSE_FOREIGN;
    if ((user->sums[line].answered >> header->source & 1) != 0)
        return MOEHUB_REDUCTION_CAUSE_DUPLICATE;
    if (header->status != MOEHUB_STATUS_OK)
        return MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS;
    if (header->element != user->header.element)
        return MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE;
    return header->length != line_length(user, line) ? MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH : MOEHUB_REDUCTION_CAUSES;
}

/* Of several failures the first of these counts, whatever came first. */
static unsigned failure_rank(unsigned status)
{
    return status == MOEHUB_STATUS_PARTIAL ? 0 : status == MOEHUB_STATUS_TYPE ? 1 : status == MOEHUB_STATUS_LENGTH ? 2 : 3;
}

static void fail_line(struct moehub_switch_plane_line *line, unsigned cause)
{
    const unsigned status = cause == MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS ? MOEHUB_STATUS_PARTIAL
                            : cause == MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE ? MOEHUB_STATUS_TYPE
                                                                           : MOEHUB_STATUS_LENGTH;
    if (failure_rank(status) < failure_rank(line->failure))
        line->failure = (uint8_t)status;
}

static void add_payload(const struct moehub_switch_plane *plane, struct moehub_switch_plane_line *line,
                        const struct moehub_header *header, const struct moehub_flit *payload)
{
    uint8_t bytes[MOEHUB_LINE_BYTES];
    for (unsigned i = 0; i < moehub_payload_flits(header->length); i++)
        moehub_flit_to_bytes(payload[i], bytes + MOEHUB_FLIT_BYTES * i);
    moehub_accumulate_add_row(&plane->arithmetic, line->sum, header->element, bytes,
                              header->length / moehub_element_size(header->element));
}

void plane_partial_accept(struct moehub_switch_plane *plane, const struct moehub_header *header,
                          const struct moehub_flit *payload)
{
    struct moehub_switch_plane_port *port = &plane->ports[header->offset];
    const unsigned cause = partial_cause(plane, port, header);
    port->counts.reduction[MOEHUB_REDUCTION_EVENT_PARTIALS]++;
    if (cause != MOEHUB_REDUCTION_CAUSES)
        port->counts.reduction[MOEHUB_REDUCTION_EVENT_CAUSES + cause]++;
    if (cause < MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS)
        return;
    const unsigned entry = header->tag >> 8;
    const struct moehub_switch_plane_request *user = port->groups[entry / plane->config.request_lines].user;
    struct moehub_switch_plane_line *line = &user->sums[entry % plane->config.request_lines];
    line->answered |= UINT64_C(1) << header->source;
    if (cause == MOEHUB_REDUCTION_CAUSES)
        add_payload(plane, line, header, payload);
    else
        fail_line(line, cause);
}

/* ---- whose result it is ---------------------------------------------------------------------------------- */

/* The line that a tag is about, if the request asked for it and its result has not left; else `request_lines`. */
static unsigned line_of(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_request *request, uint32_t tag)
{
    const uint32_t line = (tag - request->header.tag) & MOEHUB_TAG_MASK;
    return line < request->lines && (request->results >> line & 1) != 0 ? line : plane->config.request_lines;
}

static bool is_refused(const struct moehub_switch_plane_request *request)
{
    return request->status != MOEHUB_STATUS_OK && request->results != 0;
}

/* Its first result says that it was refused, which it may have been. */
static bool was_drained(const struct moehub_switch_plane_request *request, const struct moehub_header *result)
{
    return request->may_drain && result->status == MOEHUB_STATUS_DRAINING && plane_request_untouched(request) &&
           result->tag == request->header.tag;
}

/* Refused requests are answered in their order, line 0 first, but for what was lost. Tags of malformed ones may be anyone's, so
 * the status decides. */
static struct moehub_switch_plane_request *find_refused(const struct moehub_switch_plane *plane,
                                                        struct moehub_switch_plane_port *port, const struct moehub_header *header)
{
    unsigned missing = 0; /* results that were lost if this one leaves now */
    for (unsigned i = 0; i < port->request_count && missing <= port->losses - port->lost; i++) {
        struct moehub_switch_plane_request *request = plane_request(port, i);
        if (was_drained(request, header))
            plane_request_drained(port, request);
        if (!is_refused(request))
            continue;
        const unsigned none = plane->config.request_lines;
        const unsigned line = header->status == request->status ? line_of(plane, request, header->tag) : none;
        missing += plane_sure_results(port, request, (1u << line) - 1);
        if (line < none)
            return missing <= port->losses - port->lost ? request : NULL;
    }
    return NULL;
}

/* The results of these lines of a refused request were lost. */
static void lose_answers(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request, unsigned lines)
{
    for (unsigned lost = request->results & lines; lost != 0; lost &= lost - 1) {
        plane_lose_packet(port, (request->doubtful_results & lost & (0u - lost)) != 0);
        port->counts.error_results++;
    }
    request->results &= (uint8_t)~lines;
    plane_request_end(port, request);
}

/* A line of a refused request is answered: what should have been answered before was lost. */
static void lose_answers_before(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request, unsigned line)
{
    unsigned i = 0;
    while (plane_request(port, i) != request) {
        struct moehub_switch_plane_request *older = plane_request(port, i);
        if (is_refused(older))
            lose_answers(port, older, UINT8_MAX);
        i += plane_request(port, i) == older;
    }
    lose_answers(port, request, (1u << line) - 1);
}

static struct moehub_switch_plane_request *find_request(const struct moehub_switch_plane *plane,
                                                        struct moehub_switch_plane_port *port, const struct moehub_header *header)
{
    struct moehub_switch_plane_request *refused = find_refused(plane, port, header);
    if (refused != NULL)
        return refused;
    for (unsigned i = 0; i < port->request_count; i++) {
        struct moehub_switch_plane_request *request = plane_request(port, i);
        if (!is_refused(request) && line_of(plane, request, header->tag) < plane->config.request_lines)
            return request;
    }
    return NULL;
}

/* ---- what a result has to be ------------------------------------------------------------------------------- */

/* A line's time may be up: `timeout` cycles at least after its grant, which was not before it arrived. */
static bool may_time_out(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                         const struct moehub_switch_plane_request *request)
{
    return port->timeout != 0 && plane->now - request->since >= port->timeout;
}

/* The status of a line's result, which leaves with `chosen`; negative: it cannot leave yet. */
static int line_status(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                       const struct moehub_switch_plane_request *request, unsigned line, unsigned chosen)
{
    if (request->status != MOEHUB_STATUS_OK)
        return request->status;
    if (chosen == MOEHUB_STATUS_TIMEOUT && may_time_out(plane, port, request))
        return MOEHUB_STATUS_TIMEOUT;
    if (request->sums == NULL || request->sums[line].answered != request->contributors)
        return MOEHUB_E_STATE;
    return request->sums[line].failure;
}

bool plane_lines_done(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                      const struct moehub_switch_plane_request *request)
{
    for (unsigned line = 0; line < request->lines; line++)
        if ((request->results >> line & 1) != 0 && line_status(plane, port, request, line, MOEHUB_STATUS_TIMEOUT) < 0)
            return false;
    return true;
}

static unsigned result_element(const struct moehub_header *request)
{
    return request->out_fp32 ? MOEHUB_ELEMENT_FP32 : request->element;
}

/* The header; of a result without error its length and data too. */
static void make_result(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                        const struct moehub_switch_plane_request *request, unsigned line, unsigned status,
                        struct moehub_crossbar_copy *packet)
{
    const struct moehub_header *asked = &request->header;
    const uint16_t own = port->receiver.config.own;
    struct moehub_header header = {
        .type = MOEHUB_PACKET_RESULT, .source = own, .offset = own, .context = asked->context, .round = asked->round,
        .tag = (asked->tag + line) & MOEHUB_TAG_MASK, .status = (uint8_t)status, .stage = MOEHUB_STAGE_COMBINE,
        .element = (uint8_t)result_element(asked)};
    uint8_t bytes[MOEHUB_LENGTH_MAX] = {0};
    if (status == MOEHUB_STATUS_OK) {
        const unsigned count = line_elements(request, line);
        header.length = (uint16_t)(count * moehub_element_size(header.element));
        moehub_finalize_row(&plane->arithmetic, request->sums[line].sum, asked->element,
                            asked->out_fp32, bytes, count);
    }
    packet->count = 1 + moehub_payload_flits(header.length);
    packet->flits[0] = moehub_header_pack(&header);
    for (unsigned i = 1; i < packet->count; i++)
        packet->flits[i] = moehub_flit_from_bytes(bytes + MOEHUB_FLIT_BYTES * (i - 1));
}

static void count_result(struct moehub_switch_plane_counts *counts, const struct moehub_switch_plane_request *request,
                         unsigned status)
{
    if (request->status != MOEHUB_STATUS_OK) {
        counts->error_results++;
        return;
    }
    counts->reduction[status == MOEHUB_STATUS_OK ? MOEHUB_REDUCTION_EVENT_RESULTS : MOEHUB_REDUCTION_EVENT_RESULT_ERRORS]++;
    if (status == MOEHUB_STATUS_TIMEOUT)
        counts->reduction[MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_TIMEOUT]++;
}

int plane_result_leave(struct moehub_switch_plane *plane, unsigned number, const struct moehub_header *header,
                       struct moehub_crossbar_copy *packet, struct moehub_message *why)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    struct moehub_switch_plane_request *request = find_request(plane, port, header);
    if (request == NULL) {
        moehub_message_set(why, NULL, 0, "a result with tag 0x%x and status %u leaves, which no request of the port waits for",
                           (unsigned)header->tag, (unsigned)header->status);
        return MOEHUB_E_STATE;
    }
    const unsigned line = line_of(plane, request, header->tag);
    const int status = line_status(plane, port, request, line, header->status);
    if (status < 0) {
        moehub_message_set(why, NULL, 0, "a result with tag 0x%x and status %u leaves, and not all ports have answered",
                           (unsigned)header->tag, (unsigned)header->status);
        return MOEHUB_E_STATE;
    }
    if (is_refused(request))
        lose_answers_before(port, request, line);
    make_result(plane, port, request, line, (unsigned)status, packet);
    request->results &= (uint8_t)~(1u << line);
    count_result(&port->counts, request, (unsigned)status);
    plane_request_end(port, request);
    return 0;
}
