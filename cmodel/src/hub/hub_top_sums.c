/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces, their requests and their sums (rtl/doc/hub/reduce.md sections 1, 3). */
#include "hub/hub_top_parts.h"

#include "moehub/element.h"

#include <string.h>

enum { ENTRY_BITS = 16, PARTS = 2 };

/* ---- reduces ------------------------------------------------------------------------------------------------------------- */

static unsigned lines_of(const struct moehub_hub_top_sum *sum)
{
    return sum->answer.count != 0 ? sum->answer.count : sum->asked.lines_less_1 + 1u;
}

static unsigned line_bytes(const struct moehub_hub_top_sum *sum, unsigned line)
{
    return line < sum->asked.lines_less_1 ? MOEHUB_LINE_BYTES : sum->asked.length;
}

/* What the network and the own experts have to give of a line has come. */
static bool has_parts(const struct moehub_hub_top_sum *sum, unsigned line)
{
    return (sum->copies.up.count == 0 || sum->parts[line][MOEHUB_FINAL_REDUCE_NETWORK].came) &&
           (sum->copies.loop.count == 0 || sum->parts[line][MOEHUB_FINAL_REDUCE_OWN].came);
}

static struct moehub_hub_top_sum *new_sum(struct moehub_hub_top *hub)
{
    for (uint32_t i = 0; i < hub->sum_count; i++)
        if (!hub->sums[i].used) {
            memset(&hub->sums[i], 0, sizeof hub->sums[i]);
            hub->sums[i].used = true;
            hub->sums[i].link = MOEHUB_HUB_TOP_WAYS;
            hub->sums[i].number = ++hub->sums_asked;
            return &hub->sums[i];
        }
    return NULL;
}

/* Requests of the loop-back are served in the order of their reduces. */
static int serve_own(struct moehub_hub_top *hub, struct moehub_hub_top_sum *sum)
{
    const struct moehub_request_packet *copy = &sum->copies.loop;
    const unsigned loop = hub_top_loop(hub);
    struct moehub_way_packet packet;
    if (copy->count == 0)
        return 0;
    moehub_way_packet_read(&packet, copy->flits, copy->count);
    const unsigned cause = moehub_way_check(&hub->ways[loop].way, copy->flits[0]);
    hub_top_way_said(hub, loop, HUB_TOP_WAY_REQUESTS, 0);
    return hub_top_serve(hub, loop, &packet, cause, (uint32_t)(sum - hub->sums));
}

/* Which link and group it gets is seen when its request leaves, or its sums come. */
static int take_group(struct moehub_hub_top *hub, struct moehub_hub_top_sum *sum)
{
    const struct moehub_reduction_grant any = {.status = MOEHUB_STATUS_OK};
    struct moehub_reduce_answer none;
    moehub_reduce_request_reserve(&hub->reduces, 0, &sum->asked);
    moehub_reduce_request_grant(&hub->reduces, &any, &sum->copies, &none);
    moehub_reduce_request_freed(&hub->reduces, 0);
    return serve_own(hub, sum);
}

static int go_on(struct moehub_hub_top *hub, enum moehub_reduce_next next)
{
    struct moehub_hub_top_sum *sum = new_sum(hub);
    if (sum == NULL)
        return hub_top_full(hub, "reduces");
    if (next == MOEHUB_REDUCE_GROUP)
        return take_group(hub, sum);
    moehub_reduce_request_answer(&hub->reduces, &sum->answer);
    sum->asked.context = sum->answer.lines[0].context;
    sum->asked.tag = sum->answer.lines[0].tag;
    if (sum->answer.status == MOEHUB_STATUS_OK)
        return 0;
    hub->manager_counts[MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_REDUCE]++;
    hub_top_offend_in_order(hub, MOEHUB_WINDOW_PACKET_MANAGER, HUB_TOP_MANAGER_REDUCES, MOEHUB_PACKET_MANAGER_CAUSE_REDUCE,
                            sum->answer.header);
    return 0;
}

int hub_top_reduces_go_on(struct moehub_hub_top *hub)
{
    int error = 0;
    for (;;) {
        const enum moehub_reduce_next next = moehub_reduce_request_next(&hub->reduces);
        if (error != 0 || (next != MOEHUB_REDUCE_GROUP && next != MOEHUB_REDUCE_ANSWER))
            return error;
        error = go_on(hub, next);
    }
}

int moehub_hub_top_reduce(struct moehub_hub_top *hub, const struct moehub_reduce *reduce)
{
    struct moehub_reduce_reads reads;
    if (!moehub_reduce_request_take(&hub->reduces, reduce, &reads))
        return hub_top_full(hub, "reduces");
    int error = 0;
    for (unsigned i = 0; i < reads.count && error == 0; i++)
        error = hub_top_expect_read(hub, MOEHUB_HUB_TOP_LIST_REDUCES, reads.address[i]);
    return error != 0 ? error : hub_top_reduces_go_on(hub);
}

/* ---- requests leave ------------------------------------------------------------------------------------------------------ */

/* All but the tag, which has the group. */
static bool is_request(const struct moehub_hub_top_sum *sum, const struct hub_top_leaving *packet)
{
    const struct moehub_request_packet *copy = &sum->copies.up;
    struct moehub_header header = moehub_header_unpack(copy->flits[0]);
    if (packet->cut ? copy->count < packet->count : copy->count != packet->count)
        return false;
    header.tag = moehub_header_unpack(packet->flits[0]).tag;
    if (!moehub_flit_equal(moehub_header_pack(&header), packet->flits[0]))
        return false;
    for (unsigned i = 1; i < packet->count; i++)
        if (!moehub_flit_equal(copy->flits[i], packet->flits[i]))
            return false;
    return true;
}

static struct moehub_hub_top_sum *find_request(struct moehub_hub_top *hub, const struct hub_top_leaving *packet)
{
    struct moehub_hub_top_sum *found = NULL;
    for (uint32_t i = 0; i < hub->sum_count; i++) {
        struct moehub_hub_top_sum *sum = &hub->sums[i];
        if (sum->used && !sum->left && sum->copies.up.count != 0 && is_request(sum, packet) &&
            (found == NULL || sum->number < found->number))
            found = sum;
    }
    return found;
}

/* All parts of all lines have come: what was not taken may be on its way out of final_reduce, and its group free. */
static bool is_complete(const struct moehub_hub_top_sum *sum)
{
    for (unsigned line = 0; line < lines_of(sum); line++)
        if ((sum->told >> line & 1) == 0 && !has_parts(sum, line))
            return false;
    return true;
}

static bool group_is_used(const struct moehub_hub_top *hub, unsigned link, unsigned entry)
{
    for (uint32_t i = 0; i < hub->sum_count; i++)
        if (hub->sums[i].used && hub->sums[i].left && hub->sums[i].link == link && hub->sums[i].entry == entry &&
            !is_complete(&hub->sums[i]))
            return true;
    return false;
}

int hub_top_request_leaves(struct moehub_hub_top *hub, unsigned link, const struct hub_top_leaving *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    const unsigned entry = header.tag & ((1u << ENTRY_BITS) - 1);
    struct moehub_hub_top_sum *sum = find_request(hub, packet);
    if (sum == NULL)
        return hub_top_wrong(hub, "link %u: a request of row 0x%x, offset %u, %u units, %u targets leaves: no reduce is so", link,
                             header.row_index, header.offset, header.length, header.target_count);
    if (entry % hub->config.request_lines != 0 || entry >= hub->config.final_groups * hub->config.request_lines ||
        group_is_used(hub, link, entry))
        return hub_top_wrong(hub, "link %u: a request leaves with entry %u: of no group, or of one that is used", link, entry);
    if (sum->number < hub->link_sum[link])
        return hub_top_wrong(hub, "link %u: a request of row 0x%x leaves behind that of a later reduce", link, header.row_index);
    hub->link_sum[link] = sum->number;
    sum->left = true;
    sum->link = (uint8_t)link;
    sum->entry = (uint16_t)entry;
    sum->generation = (uint8_t)(header.tag >> ENTRY_BITS);
    return 0;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

static void put_part(struct moehub_hub_top_part *part, unsigned status, const struct moehub_flit *flits, unsigned count)
{
    part->came = true;
    part->status = (uint8_t)status;
    for (unsigned i = 0; i < count && i < MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES; i++)
        moehub_flit_to_bytes(flits[i], part->bytes + (size_t)i * MOEHUB_FLIT_BYTES);
}

void hub_top_own_part(struct moehub_hub_top *hub, uint32_t sum, unsigned line, const struct moehub_partial_packet *packet)
{
    struct moehub_hub_top_part *own = &hub->sums[sum].parts[line][MOEHUB_FINAL_REDUCE_OWN];
    struct moehub_line_part part;
    moehub_own_part(packet->flits, packet->count, &part);
    put_part(own, part.status, packet->flits + 1, packet->count - 1);
    own->element = part.element;
    own->length = part.length;
}

/* What the reduction buffer says of a part whose line waits for it. */
static unsigned cause_of(const struct moehub_hub_top_sum *sum, unsigned line, const struct moehub_line_part *part)
{
    return part->status != MOEHUB_STATUS_OK              ? MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS
           : part->element != sum->asked.element         ? MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE
           : part->length != line_bytes(sum, line)       ? MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH
                                                         : MOEHUB_REDUCTION_NO_CAUSE;
}

/* What the latch has of a part. */
static struct moehub_flit part_header(const struct moehub_line_part *part)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_PARTIAL,
                                         .length = part->length,
                                         .tag = moehub_entry_tag(part->entry, part->generation),
                                         .status = part->status,
                                         .element = part->element};
    return moehub_header_pack(&header);
}

static void result_offends(struct moehub_hub_top *hub, unsigned link, const struct moehub_line_part *part, uint32_t causes,
                           bool certain)
{
    struct moehub_hub_top_offender offender = {.certain = certain, .causes = causes, .header = part_header(part)};
    hub_top_final_offends(hub, link, MOEHUB_FINAL_REDUCE_NETWORK, &offender);
}

static const uint32_t late_causes = 1u << MOEHUB_REDUCTION_CAUSE_STALE | 1u << MOEHUB_REDUCTION_CAUSE_FOREIGN |
                                    1u << MOEHUB_REDUCTION_CAUSE_DUPLICATE;

/* Its line waits for it; or did, if its time was up. */
static void take_result(struct moehub_hub_top *hub, unsigned link, struct moehub_hub_top_sum *sum, unsigned line,
                        const struct moehub_line_part *part)
{
    const unsigned cause = cause_of(sum, line, part);
    const bool wrong = cause != MOEHUB_REDUCTION_NO_CAUSE, may_be_late = hub->contexts[sum->asked.context].time_is_up;
    put_part(&sum->parts[line][MOEHUB_FINAL_REDUCE_NETWORK], wrong ? MOEHUB_STATUS_PARTIAL : MOEHUB_STATUS_OK, part->data,
             part->flits);
    if (wrong || may_be_late)
        result_offends(hub, link, part, (wrong ? 1u << cause : 0) | (may_be_late ? late_causes : 0), wrong);
}

/* A result of no group, or a second one, changes nothing. */
void hub_top_result_came(struct moehub_hub_top *hub, unsigned link, const struct moehub_flit *flits, unsigned count)
{
    struct moehub_line_part part;
    moehub_result_part(flits, count, &part);
    hub->ways[link].results++;
    for (uint32_t i = 0; i < hub->sum_count; i++) {
        struct moehub_hub_top_sum *sum = &hub->sums[i];
        const unsigned line = (unsigned)(part.entry - sum->entry);
        if (!sum->used || !sum->left || sum->link != link || sum->generation != part.generation || part.entry < sum->entry ||
            line >= lines_of(sum) || (sum->told >> line & 1) != 0 || sum->parts[line][MOEHUB_FINAL_REDUCE_NETWORK].came)
            continue;
        take_result(hub, link, sum, line, &part);
        return;
    }
    const bool no_entry = part.entry >= hub->config.final_groups * hub->config.request_lines;
    result_offends(hub, link, &part, no_entry ? 1u << MOEHUB_REDUCTION_CAUSE_ENTRY : late_causes, true);
}

/* ---- sums come ----------------------------------------------------------------------------------------------------------- */

static struct moehub_hub_top_sum *find_sum(struct moehub_hub_top *hub, unsigned link, const struct moehub_reduced *came)
{
    struct moehub_hub_top_sum *found = NULL;
    for (uint32_t i = 0; i < hub->sum_count; i++) {
        struct moehub_hub_top_sum *sum = &hub->sums[i];
        const bool there = sum->answer.count != 0 ? link == 0 : sum->link == MOEHUB_HUB_TOP_WAYS || sum->link == link;
        if (sum->used && there && sum->asked.context == came->context && sum->asked.tag == came->tag &&
            came->line < lines_of(sum) && (sum->told >> came->line & 1) == 0 && (found == NULL || sum->number < found->number))
            found = sum;
    }
    return found;
}

static void add(const struct moehub_hub_top *hub, const struct moehub_hub_top_sum *sum, unsigned line,
                struct moehub_reduced *expected)
{
    const void *pieces[PARTS];
    const unsigned bytes = line_bytes(sum, line);
    uint8_t data[MOEHUB_LINE_BYTES] = {0};
    unsigned count = 0;
    for (unsigned i = 0; i < PARTS; i++)
        if (sum->parts[line][i].came)
            pieces[count++] = sum->parts[line][i].bytes;
    moehub_pre_reduce(&hub->arithmetic, sum->asked.element, pieces, count, bytes / moehub_element_size(sum->asked.element), data);
    expected->length = (uint16_t)bytes;
    expected->flits = moehub_payload_flits(bytes);
    for (unsigned i = 0; i < expected->flits; i++)
        expected->data[i] = moehub_flit_from_bytes(data + (size_t)i * MOEHUB_FLIT_BYTES);
}

/* What the line has to be; false: a part of it has not come. */
static bool expect_line(const struct moehub_hub_top *hub, const struct moehub_hub_top_sum *sum, unsigned line,
                        struct moehub_reduced *expected)
{
    const struct moehub_hub_top_part *parts = sum->parts[line];
    if (sum->answer.count != 0) {
        *expected = sum->answer.lines[line];
        return true;
    }
    *expected = (struct moehub_reduced){.flits = 1, .tag = sum->asked.tag, .context = sum->asked.context, .line = (uint8_t)line,
                                        .element = sum->asked.element};
    if (!has_parts(sum, line))
        return false;
    if (parts[0].status != MOEHUB_STATUS_OK || parts[1].status != MOEHUB_STATUS_OK)
        expected->status = MOEHUB_STATUS_PARTIAL;
    else
        add(hub, sum, line, expected);
    return true;
}

/* Own parts that had a status, and lines whose time was up: which link and entry they were of is known now at the earliest. */
static void tell_own_part(struct moehub_hub_top *hub, const struct moehub_hub_top_sum *sum, unsigned link, unsigned line,
                          bool timed_out)
{
    const struct moehub_hub_top_part *own = &sum->parts[line][MOEHUB_FINAL_REDUCE_OWN];
    const struct moehub_line_part part = {.status = own->status,
                                          .element = own->element,
                                          .length = own->length,
                                          .entry = (uint16_t)(sum->entry + line),
                                          .generation = sum->generation};
    const struct moehub_header late = {.type = MOEHUB_PACKET_RESULT,
                                       .tag = moehub_entry_tag(sum->entry + line, 0),
                                       .status = MOEHUB_STATUS_TIMEOUT};
    const struct moehub_header any_tag = {.tag = MOEHUB_TAG_MASK};
    struct moehub_hub_top_offender offender = {.certain = true};
    if (!sum->left)
        offender.unknown = moehub_header_pack(&any_tag);
    if (timed_out) {
        offender.causes = 1u << MOEHUB_REDUCTION_CAUSE_TIMEOUT;
        offender.header = moehub_header_pack(&late);
        hub_top_final_offends(hub, link, HUB_TOP_FINAL_TIMEOUTS, &offender);
    }
    if (own->came && own->status != MOEHUB_STATUS_OK) {
        offender.certain = !timed_out;
        offender.causes = 1u << MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS | (timed_out ? late_causes : 0);
        offender.header = part_header(&part);
        hub_top_final_offends(hub, link, MOEHUB_FINAL_REDUCE_OWN, &offender);
    }
}

static void line_told(struct moehub_hub_top_sum *sum, unsigned link, unsigned line)
{
    sum->told |= (uint8_t)(1u << line);
    sum->link = (uint8_t)link;
    if (sum->told == (1u << lines_of(sum)) - 1)
        sum->used = false;
}

static int compare_line(struct moehub_hub_top *hub, unsigned link, const struct moehub_reduced *came, uint64_t user)
{
    struct moehub_hub_top_sum *sum = find_sum(hub, link, came);
    struct moehub_reduced expected;
    int error = hub_top_answer_errors(hub, hub_top_loop(hub));
    if (error != 0)
        return error;
    if (sum == NULL)
        return hub_top_wrong(hub, "reduced %u: tag 0x%x, line %u of context %u, and no reduce waits for it", link, came->tag,
                             came->line, came->context);
    if (!expect_line(hub, sum, came->line, &expected)) {
        if (came->context >= hub->config.contexts || !hub->contexts[came->context].time_is_up)
            return hub_top_wrong(hub, "reduced %u: tag 0x%x, line %u, before its parts have come", link, came->tag, came->line);
        expected.status = MOEHUB_STATUS_TIMEOUT;
    }
    if (sum->answer.count == 0)
        tell_own_part(hub, sum, link, came->line, expected.status == MOEHUB_STATUS_TIMEOUT);
    if (user != moehub_reduced_user(&expected))
        return hub_top_wrong(hub, "reduced %u: tag 0x%x, line %u: tuser 0x%llx, expected 0x%llx", link, came->tag, came->line,
                             (unsigned long long)user, (unsigned long long)moehub_reduced_user(&expected));
    error = hub_top_compare(hub, "a line of a sum", came->data, came->flits, expected.data, expected.flits);
    line_told(sum, link, came->line);
    moehub_reduce_request_line_taken(&hub->reduces, came->context);
    return error;
}

int moehub_hub_top_reduced(struct moehub_hub_top *hub, unsigned link, struct moehub_flit data, uint64_t user, bool last)
{
    struct moehub_reduced *came = &hub->reduced[link];
    if (came->flits == MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES)
        return hub_top_wrong(hub, "reduced %u: more flits than a line has", link);
    came->data[came->flits++] = data;
    if (!last)
        return 0;
    moehub_reduced_read_user(user, came);
    const int error = compare_line(hub, link, came, user);
    came->flits = 0;
    return error;
}

int hub_top_sums_left_over(struct moehub_hub_top *hub, unsigned context)
{
    for (uint32_t i = 0; i < hub->sum_count; i++)
        if (hub->sums[i].used && hub->sums[i].asked.context == context)
            return hub_top_wrong(hub, "the reduce of tag 0x%x: lines 0x%x of %u have come", hub->sums[i].asked.tag,
                                 hub->sums[i].told, lines_of(&hub->sums[i]));
    return 0;
}
