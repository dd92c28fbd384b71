/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/request_unit.h"

#include "moehub/element.h"
#include "moehub/error.h"
#include "moehub/header_check.h"
#include "moehub/integer.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 4096

/* ---- creation, reset ------------------------------------------------------------ */

static bool is_legal(const struct moehub_request_unit_config *config)
{
    return moehub_within(config->ports, 2, 64) && moehub_within(config->request_lines, 1, 8) &&
           moehub_power_of_two(config->request_lines) &&
           moehub_within(config->groups, 1, ENTRIES_MAX / config->request_lines) &&
           moehub_within(config->places, 5, 8191) && config->own < config->ports;
}

int moehub_request_unit_create(struct moehub_request_unit *unit, const struct moehub_request_unit_config *config)
{
    if (!is_legal(config))
        return MOEHUB_E_ARGUMENT;
    *unit = (struct moehub_request_unit){
        .config = *config,
        .slots = calloc(config->places, sizeof *unit->slots),
        .queue = calloc(config->places, sizeof *unit->queue),
    };
    if (unit->slots == NULL || unit->queue == NULL) {
        moehub_request_unit_destroy(unit);
        return MOEHUB_E_MEMORY;
    }
    return 0;
}

void moehub_request_unit_destroy(struct moehub_request_unit *unit)
{
    if (unit == NULL)
        return;
    free(unit->slots);
    free(unit->queue);
    *unit = (struct moehub_request_unit){0};
}

void moehub_request_unit_reset(struct moehub_request_unit *unit)
{
    memset(unit->slots, 0, unit->config.places * sizeof *unit->slots);
    unit->head = unit->count = unit->in_use = 0;
    unit->reserved = unit->refused = unit->refused_down = unit->error_results = 0;
}

/* ---- requests --------------------------------------------------------------------- */

static struct moehub_reduction_reserve reservation(const struct moehub_request_unit *unit,
                                                   const struct moehub_request *request, unsigned lines)
{
    return (struct moehub_reduction_reserve){
        .tag = (uint64_t)request->round << (MOEHUB_HEADER_TAG_WIDTH + MOEHUB_HEADER_CONTEXT_WIDTH) |
               (uint64_t)request->context << MOEHUB_HEADER_TAG_WIDTH | request->tag,
        .contributors = request->ports,
        .requester = (uint16_t)unit->config.own,
        .length = (uint16_t)moehub_request_line_bytes(request->length, lines, lines - 1),
        .element = request->element,
        .out_fp32 = request->out_fp32,
        .lines_less_1 = (uint8_t)(lines - 1),
    };
}

/* Without a grant: MALFORMED, TIMEOUT for a port that is down, or OK for one that reserves. */
static uint8_t first_status(const struct moehub_request *request, uint64_t down)
{
    return request->refused ? MOEHUB_STATUS_MALFORMED : (request->ports & down) != 0 ? MOEHUB_STATUS_TIMEOUT : MOEHUB_STATUS_OK;
}

int moehub_request_unit_accept(struct moehub_request_unit *unit, const struct moehub_request *request, uint64_t down,
                               struct moehub_reduction_reserve *reserve, bool *reserves)
{
    if (request->name >= unit->config.places)
        return MOEHUB_E_ARGUMENT;
    struct moehub_request_slot *slot = &unit->slots[request->name];
    if (slot->state != MOEHUB_REQUEST_NONE)
        return MOEHUB_E_STATE;
    const unsigned lines = moehub_request_lines(request->length, unit->config.request_lines);
    slot->outcome = (struct moehub_request_outcome){*request, lines, first_status(request, down)};
    *reserves = slot->outcome.status == MOEHUB_STATUS_OK;
    slot->state = *reserves ? MOEHUB_REQUEST_RESERVED : MOEHUB_REQUEST_DECIDED;
    if (*reserves)
        *reserve = reservation(unit, request, lines);
    unit->refused_down += slot->outcome.status == MOEHUB_STATUS_TIMEOUT;
    unit->queue[(unit->head + unit->count++) % unit->config.places] = request->name;
    unit->in_use++;
    return 0;
}

static struct moehub_request_slot *oldest_reserved(const struct moehub_request_unit *unit)
{
    for (uint32_t i = 0; i < unit->count; i++) {
        struct moehub_request_slot *slot = &unit->slots[unit->queue[(unit->head + i) % unit->config.places]];
        if (slot->state == MOEHUB_REQUEST_RESERVED)
            return slot;
    }
    return NULL;
}

int moehub_request_unit_grant(struct moehub_request_unit *unit, const struct moehub_reduction_grant *grant)
{
    struct moehub_request_slot *slot = oldest_reserved(unit);
    if (slot == NULL)
        return MOEHUB_E_STATE;
    const uint32_t lines = unit->config.request_lines;
    const bool granted = grant->status == MOEHUB_STATUS_OK;
    if (granted && (grant->entry % lines != 0 || grant->entry / lines >= unit->config.groups))
        return MOEHUB_E_ARGUMENT;
    slot->outcome.status = grant->status;
    slot->state = MOEHUB_REQUEST_DECIDED;
    if (granted)
        slot->patch = moehub_entry_tag(grant->entry, grant->generation);
    unit->reserved += granted;
    return 0;
}

int moehub_request_unit_next(struct moehub_request_unit *unit, struct moehub_request_outcome *outcome)
{
    struct moehub_request_slot *slot = unit->count > 0 ? &unit->slots[unit->queue[unit->head]] : NULL;
    if (slot == NULL || slot->state != MOEHUB_REQUEST_DECIDED)
        return MOEHUB_E_STATE;
    unit->head = (unit->head + 1) % unit->config.places;
    unit->count--;
    slot->state = MOEHUB_REQUEST_LEAVES;
    *outcome = slot->outcome;
    if (outcome->status != MOEHUB_STATUS_OK) {
        unit->refused++;
        unit->error_results += outcome->lines;
    }
    return 0;
}

/* ---- what leaves -------------------------------------------------------------------- */

struct moehub_flit moehub_request_unit_error(const struct moehub_request_unit *unit,
                                             const struct moehub_request_outcome *outcome, unsigned line)
{
    const struct moehub_request *request = &outcome->request;
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_RESULT,
        .stage = 1,
        .source = (uint16_t)unit->config.own,
        .offset = (uint16_t)unit->config.own,
        .tag = (request->tag + line) & MOEHUB_TAG_MASK,
        .context = request->context,
        .round = request->round,
        .status = outcome->status,
        .element = request->out_fp32 ? MOEHUB_ELEMENT_FP32 : request->element,
    };
    return moehub_header_pack(&header);
}

uint32_t moehub_request_unit_patch(const struct moehub_request_unit *unit, unsigned name)
{
    return unit->slots[name].patch;
}

int moehub_request_unit_leave(struct moehub_request_unit *unit, unsigned name, uint16_t *entry)
{
    if (name >= unit->config.places || unit->slots[name].state != MOEHUB_REQUEST_LEAVES)
        return MOEHUB_E_STATE;
    unit->slots[name].state = MOEHUB_REQUEST_NONE;
    unit->in_use--;
    *entry = (uint16_t)(unit->slots[name].patch >> 8);
    return 0;
}
