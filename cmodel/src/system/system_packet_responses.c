/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbar of the responses, partials and notices: each is for one output, and all that is known of it is its item, so that
 * it is no packet but an entry of its pair's list. */
#include "system/system_packet_crossbar.h"

enum { GRANTS_OF_ALL = 4 /* one of so many is for all inputs alike */ };

/* ---- places ---------------------------------------------------------------------------------------------------- */

static void set_free(struct packet_crossbar *crossbar, unsigned input, uint32_t places)
{
    const unsigned before = crossbar->free_places[input] >> crossbar->level_shift, level = places >> crossbar->level_shift;
    crossbar->free_places[input] = places;
    if (level == before)
        return;
    crossbar->at_level[before] &= ~bit(input);
    crossbar->at_level[level] |= bit(input);
    crossbar->levels &= ~((uint32_t)(crossbar->at_level[before] == 0) << before);
    crossbar->levels |= 1u << level;
}

static uint64_t fullest_inputs(const struct packet_crossbar *crossbar)
{
    return crossbar->at_level[__builtin_ctz(crossbar->levels)];
}

/* ---- lists ----------------------------------------------------------------------------------------------------- */

static uint32_t take_entry(struct packet_crossbar *crossbar)
{
    const uint32_t entry = crossbar->free_entry;
    if (entry == NOTHING)
        return crossbar->entries_used++;
    crossbar->free_entry = crossbar->entries[entry].next;
    return entry;
}

static void free_entry(struct packet_crossbar *crossbar, uint32_t entry)
{
    crossbar->entries[entry].next = crossbar->free_entry;
    crossbar->free_entry = entry;
}

void packet_responses_join(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item)
{
    struct packet_crossbar *crossbar = &plane->responses;
    struct packet_head *head = packet_head_of(crossbar, input, output);
    uint32_t *last = &crossbar->last[head - crossbar->heads];
    const uint32_t entry = take_entry(crossbar), age = (uint32_t)plane->now;
    const bool leads = (crossbar->by_input[input] & bit(output)) == 0;
    set_free(crossbar, input, crossbar->free_places[input] - packet_response_flits(item));
    crossbar->entries[entry] = (struct packet_entry_of_response){.item = item, .next = NOTHING};
    if (leads) {
        *head = (struct packet_head){entry, age};
    } else {
        crossbar->entries[*last].next = entry;
        crossbar->entries[*last].next_age = age;
    }
    *last = entry;
    crossbar->by_output[output] |= bit(input);
    crossbar->by_input[input] |= bit(output);
    crossbar->wanted |= bit(output);
    crossbar->asking |= bit(input);
    look_now(plane, crossbar, leads);
}

/* ---- proposals ------------------------------------------------------------------------------------------------- */

/* An input asks for the output of one response. */
static void propose(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, struct proposals *proposals)
{
    const struct packet_head *head = choose_head(crossbar, input, proposals->seen & crossbar->by_input[input]);
    const unsigned output = crossbar->head_output[(size_t)(head - crossbar->heads) & ((1u << crossbar->log2_row) - 1)];
    plane->early += plane->now < crossbar->may_begin[input];
    proposals->inputs |= bit(input);
    proposals->outputs |= bit(output) & proposals->open;
    proposals->asking[output] |= bit(input);
}

/* ---- grants ---------------------------------------------------------------------------------------------------- */

/* In turn of those whose places are the fullest, but for one of some grants; else of all. Each kind has a turn of its own. */
static unsigned choose_input(struct packet_crossbar *crossbar, unsigned output, uint64_t asking)
{
    const uint64_t full = asking & fullest_inputs(crossbar);
    const bool of_all = ++crossbar->grants[output] % GRANTS_OF_ALL == 0 || full == 0;
    return of_all ? next_in_turn(crossbar, &crossbar->turn[output], asking)
                  : next_in_turn(crossbar, &crossbar->full_turn[output], full);
}

/* What an output has granted an input. */
struct passed {
    uint32_t item;
    uint32_t end;    /* cycles until its last row has passed */
    uint8_t output;
};

/* The head goes from the input to the output. */
static struct passed grant(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    struct packet_head *head = packet_head_of(crossbar, input, output);
    const uint32_t number = head->packet;
    const struct packet_entry_of_response *entry = &crossbar->entries[number];
    const uint32_t item = entry->item, flits = packet_response_flits(item);
    const uint64_t start = pass_copy(plane, crossbar, output, crossbar->pass_end[input], flits);
    if (entry->next == NOTHING)
        pair_empty(crossbar, input, output);
    else
        *head = (struct packet_head){entry->next, entry->next_age};
    free_entry(crossbar, number);
    crossbar->pass_end[input] = crossbar->output_end[output];
    packet_waits_read(crossbar, input, later(crossbar->pass_end[input] - ahead(crossbar), start + SPAN_LEAST));
    return (struct passed){item, (uint32_t)(start + flits - plane->now), (uint8_t)output};
}

static void grant_all(struct packet_plane *plane, struct packet_crossbar *crossbar, const struct proposals *proposals)
{
    struct passed passed[PORTS_MAX];
    uint64_t granted = 0;
    for (uint64_t outputs = proposals->outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        const unsigned input = choose_input(crossbar, output, proposals->asking[output]);
        passed[input] = grant(plane, crossbar, input, output);
        granted |= bit(input);
        plane->result->events++;
    }
    for (uint64_t inputs = granted; inputs != 0; inputs &= inputs - 1) {
        const unsigned input = lowest(inputs);
        packet_plane_schedule(plane, passed[input].end, PASSED_RESPONSE, packet_ports(input, passed[input].output),
                              passed[input].item);
    }
    end_look(plane, crossbar, proposals, granted);
}

void packet_responses_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    struct proposals proposals;
    uint64_t inputs = inputs_that_ask(plane, crossbar, &proposals) & ~crossbar->silent & ~crossbar->reading;
    for (; inputs != 0; inputs &= inputs - 1)
        propose(plane, crossbar, lowest(inputs), &proposals);
    grant_all(plane, crossbar, &proposals);
}

/* ---- what has passed ------------------------------------------------------------------------------------------- */

void packet_responses_there(struct packet_plane *plane, unsigned output, uint32_t item)
{
    if ((item & NOTICE) != 0)
        packet_egress_notice(plane, output, item);
    else
        packet_groups_partial(plane, item);
}

void packet_responses_passed(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item)
{
    packet_responses_there(plane, output, item);
    set_free(&plane->responses, input, plane->responses.free_places[input] + packet_response_flits(item));
    packet_plane_freed(plane, input, RESPONSE, packet_response_flits(item));
}
