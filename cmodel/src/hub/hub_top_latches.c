/* SPDX-License-Identifier: Apache-2.0 */
/* Error latches and interrupts of a whole hub (rtl/doc/registers.md section 3, and the pages' lists of causes). */
#include "hub/hub_top_parts.h"

#include "moehub/address_path.h"

#include <string.h>

enum { NAME_PORT = 16 }; /* its place in LATCH_NAME */

/* ---- offenders ----------------------------------------------------------------------------------------------------------- */

static bool is_behind(const struct moehub_hub_top_offender *a, const struct moehub_hub_top_offender *b)
{
    return a->stream == b->stream && b->certain && a->number > b->number;
}

static bool is_known(struct moehub_hub_top_offender *known, const struct moehub_hub_top_offender *offender)
{
    const bool equal = known->stream == offender->stream && known->number == offender->number &&
                       known->causes == offender->causes && known->name == offender->name &&
                       moehub_flit_equal(known->header, offender->header) && moehub_flit_equal(known->unknown, offender->unknown);
    known->certain = known->certain || (equal && offender->certain);
    return equal;
}

/* Of a stream those behind its first certain one are never the first. */
void hub_top_offend(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_top_offender *offender)
{
    struct moehub_hub_top_latch *latch = &hub->latches[window];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < latch->count; i++)
        if (is_behind(offender, &latch->list[i]) || is_known(&latch->list[i], offender))
            return;
    for (uint32_t i = 0; i < latch->count; i++)
        if (!is_behind(&latch->list[i], offender))
            latch->list[kept++] = latch->list[i];
    latch->count = kept;
    if (latch->count == MOEHUB_HUB_TOP_OFFENDERS)
        latch->more = true;
    else
        latch->list[latch->count++] = *offender;
}

void hub_top_offend_in_order(struct moehub_hub_top *hub, unsigned window, unsigned stream, unsigned cause,
                             struct moehub_flit header)
{
    const struct moehub_hub_top_offender offender = {
        .stream = (uint8_t)stream, .certain = true, .causes = 1u << cause, .number = ++hub->offences, .header = header};
    hub_top_offend(hub, window, &offender);
}

static unsigned way_window(unsigned number)
{
    return MOEHUB_WINDOW_WAY + number;
}

void hub_top_way_offends(struct moehub_hub_top *hub, unsigned number, unsigned stream, uint64_t packet, unsigned cause,
                         struct moehub_flit header)
{
    struct moehub_hub_top_offender offender = {.stream = (uint8_t)stream,
                                               .certain = true,
                                               .causes = 1u << cause,
                                               .name = number << NAME_PORT,
                                               .number = packet,
                                               .header = header};
    if (number == hub_top_loop(hub)) { /* its packets are inside: which was first does not show */
        const struct moehub_header tag = {.tag = MOEHUB_TAG_MASK};
        offender.number = 0;
        if (stream == HUB_TOP_WAY_READS)
            offender.unknown = moehub_header_pack(&tag);
    }
    hub_top_offend(hub, way_window(number), &offender);
}

void hub_top_own_notify_offends(struct moehub_hub_top *hub, const struct moehub_header *header)
{
    const struct moehub_header any = {.row_index = UINT32_MAX, .status = UINT8_MAX, .offset = UINT16_MAX};
    const unsigned number = hub_top_loop(hub);
    const struct moehub_hub_top_offender offender = {.stream = HUB_TOP_WAY_ANSWERS,
                                                     .causes = 1u << MOEHUB_HUB_WAY_CAUSE_CONTEXT,
                                                     .name = number << NAME_PORT,
                                                     .header = moehub_header_pack(header),
                                                     .unknown = moehub_header_pack(&any)};
    hub_top_offend(hub, way_window(number), &offender);
}

/* What the way's model says of a packet or pair. */
void hub_top_way_said(struct moehub_hub_top *hub, unsigned number, unsigned stream, uint64_t packet)
{
    struct moehub_offenders *said = &hub->ways[number].way.offenders;
    for (size_t i = 0; i < said->count; i++)
        hub_top_way_offends(hub, number, stream, packet, said->list[i].cause, said->list[i].header);
    moehub_offenders_clear(said);
}

/* Requests are refused as they are taken or, with UNMAPPED and MEMORY, as they are answered. */
void hub_top_path_offends(struct moehub_hub_top *hub, unsigned number, const struct moehub_hub_request *request, unsigned status)
{
    struct moehub_offender said;
    moehub_address_path_offender(&hub->addresses.config, request, status, &said);
    struct moehub_hub_top_offender offender = {.stream = (uint8_t)(2 * request->port + (status >= MOEHUB_STATUS_UNMAPPED)),
                                               .certain = true,
                                               .causes = 1u << said.cause,
                                               .name = (uint32_t)said.port << NAME_PORT | said.expert,
                                               .number = ++hub->offences,
                                               .header = said.header};
    if (number == hub_top_loop(hub) && request->operation == MOEHUB_REQUEST_WRITE_TOUCH) {
        const struct moehub_header cut = {.offset = UINT16_MAX, .length = UINT16_MAX};
        offender.number = 0;
        offender.unknown = moehub_header_pack(&cut);
    }
    hub_top_offend(hub, MOEHUB_WINDOW_ADDRESS_PATH, &offender);
}

void hub_top_repeated(struct moehub_hub_top *hub, const struct moehub_hub_request *request)
{
    const struct moehub_header header = {.context = request->context, .row_index = request->row_index};
    const struct moehub_hub_top_offender offender = {.stream = HUB_TOP_PATH_TABLE,
                                                     .certain = true,
                                                     .causes = 1u << MOEHUB_HUB_CAUSE_REPEATED,
                                                     .name = request->expert,
                                                     .header = moehub_header_pack(&header)};
    hub_top_flag(hub, request->context, MOEHUB_HUB_TOP_MAYBE);
    hub_top_offend(hub, MOEHUB_WINDOW_ADDRESS_PATH, &offender);
}

void hub_top_tracker_offends(struct moehub_hub_top *hub, unsigned cause, const struct moehub_header *header,
                             const struct moehub_header *unknown, bool certain)
{
    const struct moehub_header nothing = {.type = 0};
    const struct moehub_hub_top_offender offender = {.certain = certain,
                                                     .causes = 1u << cause,
                                                     .header = moehub_header_pack(header),
                                                     .unknown = moehub_header_pack(unknown != NULL ? unknown : &nothing)};
    hub_top_offend(hub, MOEHUB_WINDOW_TILE_TRACKER, &offender);
}

void hub_top_final_offends(struct moehub_hub_top *hub, unsigned link, unsigned port, struct moehub_hub_top_offender *offender)
{
    offender->stream = (uint8_t)port;
    offender->name = port == MOEHUB_FINAL_REDUCE_OWN ? port << NAME_PORT : 0;
    offender->number = port == MOEHUB_FINAL_REDUCE_NETWORK ? ++hub->offences : 0;
    hub_top_offend(hub, MOEHUB_WINDOW_FINAL_REDUCE + link, offender);
}

void hub_top_latches_doubt(struct moehub_hub_top *hub)
{
    for (unsigned window = 0; window < MOEHUB_HUB_TOP_WINDOWS; window++)
        hub_top_latch_doubt(hub, window);
}

/* ---- what software reads --------------------------------------------------------------------------------------------------- */

static bool same(const struct moehub_hub_offender *a, const struct moehub_hub_offender *b)
{
    return a->caught == b->caught && a->cause == b->cause && a->name == b->name &&
           memcmp(a->header, b->header, sizeof a->header) == 0;
}

static bool may_hold(const struct moehub_hub_top_latch *latch, const struct moehub_hub_offender *offender)
{
    const struct moehub_flit header = moehub_flit_from_words(offender->header);
    for (uint32_t i = 0; i < latch->count; i++) {
        const struct moehub_hub_top_offender *one = &latch->list[i];
        if ((one->causes >> offender->cause & 1) != 0 && one->name == offender->name &&
            ((one->header.half[0] ^ header.half[0]) & ~one->unknown.half[0]) == 0 &&
            ((one->header.half[1] ^ header.half[1]) & ~one->unknown.half[1]) == 0)
            return true;
    }
    return latch->more;
}

static bool must_hold(const struct moehub_hub_top_latch *latch)
{
    for (uint32_t i = 0; i < latch->count; i++)
        if (latch->list[i].certain)
            return true;
    return false;
}

static int wrong_latch(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_offender *offender, const char *why)
{
    const struct moehub_flit header = moehub_flit_from_words(offender->header);
    return hub_top_wrong(hub, "window %u: the error latch has caught %d, cause %u, header %016llx%016llx, name 0x%x: %s", window,
                         offender->caught, offender->cause, (unsigned long long)header.half[1],
                         (unsigned long long)header.half[0], offender->name, why);
}

static int check_pin(struct moehub_hub_top *hub)
{
    return hub->interrupt_fell ? hub_top_wrong(hub, "the interrupt has fallen, and software has taken no event") : 0;
}

int moehub_hub_top_latch(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_offender *offender)
{
    struct moehub_hub_top_latch *latch = &hub->latches[window];
    if (latch->read && !same(&latch->seen, offender))
        return wrong_latch(hub, window, offender, "it held another, and was not freed");
    latch->read = offender->caught;
    latch->seen = *offender;
    return check_pin(hub);
}

static int check_latch(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_offender *offender)
{
    const struct moehub_hub_top_latch *latch = &hub->latches[window];
    if (latch->doubtful)
        return 0;
    if (!offender->caught)
        return must_hold(latch) ? wrong_latch(hub, window, offender, "there was an offender") : 0;
    return may_hold(latch, offender) ? 0 : wrong_latch(hub, window, offender, "there was no such offender, or others before it");
}

int moehub_hub_top_offender(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_offender *offender)
{
    struct moehub_hub_top_latch *latch = &hub->latches[window];
    int error = moehub_hub_top_latch(hub, window, offender);
    if (error == 0)
        error = check_latch(hub, window, offender);
    latch->count = 0;
    latch->more = latch->doubtful = latch->read = false;
    latch->caught = latch->caught || (offender->caught && !latch->held);
    latch->held = false;
    return error;
}

/* ---- interrupts ---------------------------------------------------------------------------------------------------------- */

/* Events that are high, or may be. */
static uint32_t events(const struct moehub_hub_top *hub, unsigned window, enum moehub_hub_top_known known)
{
    const struct moehub_hub_top_latch *latch = &hub->latches[window];
    const uint32_t latched = MOEHUB_CSR_INTERRUPT_STATUS_LATCHED;
    const bool must = latch->caught || (!latch->held && must_hold(latch));
    if (known == MOEHUB_HUB_TOP_YES)
        return latch->events_doubtful ? 0 : latch->must | (must ? latched : 0);
    const uint32_t may = latch->may | (must || (!latch->held && (latch->count != 0 || latch->more)) ? latched : 0);
    if (window == MOEHUB_WINDOW_ADDRESS_PATH)
        return may | MOEHUB_HUB_CSR_INTERRUPT_STATUS_CLEAR_NEEDED | (latch->events_doubtful ? latched : 0);
    return latch->events_doubtful ? UINT32_MAX & ~(uint32_t)MOEHUB_CSR_INTERRUPT_STATUS_REFUSED : may;
}

void hub_top_event(struct moehub_hub_top *hub, unsigned window, uint32_t event, enum moehub_hub_top_known known)
{
    hub->latches[window].may |= event;
    hub->latches[window].must |= known == MOEHUB_HUB_TOP_YES ? event : 0;
}

int moehub_hub_top_events(struct moehub_hub_top *hub, unsigned window, uint32_t taken)
{
    struct moehub_hub_top_latch *latch = &hub->latches[window];
    const uint32_t must = events(hub, window, MOEHUB_HUB_TOP_YES), may = events(hub, window, MOEHUB_HUB_TOP_MAYBE);
    int error = 0;
    if ((must & ~taken) != 0 || (taken & ~may) != 0)
        error = hub_top_wrong(hub, "window %u: INTERRUPT_STATUS is 0x%x, expected 0x%x, or as much of 0x%x", window, taken, must,
                              may);
    latch->held = latch->held || (!latch->caught && (taken & MOEHUB_CSR_INTERRUPT_STATUS_LATCHED) != 0);
    latch->caught = latch->events_doubtful = false;
    latch->must = latch->may = 0;
    hub->interrupt_fell = false;
    return error;
}

void moehub_hub_top_mask(struct moehub_hub_top *hub, unsigned window, uint32_t mask)
{
    hub->latches[window].mask = mask;
    hub->interrupt_fell = false;
}

int moehub_hub_top_interrupts(struct moehub_hub_top *hub, uint32_t windows)
{
    uint32_t must = 0, may = 0;
    for (unsigned window = 0; window < MOEHUB_HUB_TOP_WINDOWS; window++) {
        const uint32_t mask = hub->latches[window].mask;
        must |= (uint32_t)((events(hub, window, MOEHUB_HUB_TOP_YES) & mask) != 0) << window;
        may |= (uint32_t)((events(hub, window, MOEHUB_HUB_TOP_MAYBE) & mask) != 0) << window;
    }
    if ((must & ~windows) != 0 || (windows & ~may) != 0)
        return hub_top_wrong(hub, "interrupts of the windows 0x%x, expected 0x%x, or some of 0x%x", windows, must, may);
    if (hub->interrupt != (windows != 0))
        return hub_top_wrong(hub, "interrupt_request is %d, and windows 0x%x ask for it", hub->interrupt, windows);
    return check_pin(hub);
}

void moehub_hub_top_interrupt(struct moehub_hub_top *hub, bool high)
{
    hub->interrupt_fell = hub->interrupt_fell || (hub->interrupt && !high);
    hub->interrupt = high;
}
