/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"
#include "moehub/integer.h"
#include "system/system_packet_crossbar.h"

#include <stdlib.h>

enum { GROUP_OUTPUTS = 8 /* whose heads' ages are compared */, QUEUE_PLACES = 16 /* at first */, LINE_ITEMS = 16 };

/* ---- creation -------------------------------------------------------------------------------------------------- */

static void group_outputs(struct packet_crossbar *crossbar, unsigned ports)
{
    crossbar->groups = (uint8_t)((ports + GROUP_OUTPUTS - 1) / GROUP_OUTPUTS);
    for (unsigned output = 0; output < ports; output++) {
        const unsigned group = output % crossbar->groups, place = group * GROUP_OUTPUTS + output / crossbar->groups;
        crossbar->members[group] |= bit(output);
        crossbar->head_place[output] = (uint8_t)place;
        crossbar->head_output[place] = (uint8_t)output;
    }
}

int packet_crossbar_create(struct packet_crossbar *crossbar, unsigned ports, uint16_t looks)
{
    *crossbar = (struct packet_crossbar){.ports = (uint8_t)ports, .look = UINT64_MAX, .needed = UINT64_MAX, .looks = looks,
                                         .free_entry = NOTHING,
                                         .log2_row = moehub_log2_ceiling((ports + GROUP_OUTPUTS - 1) / GROUP_OUTPUTS) +
                                                     moehub_log2_ceiling(GROUP_OUTPUTS)};
    group_outputs(crossbar, ports);
    crossbar->heads = calloc((size_t)PORTS_MAX << crossbar->log2_row, sizeof *crossbar->heads);
    return crossbar->heads == NULL ? MOEHUB_E_MEMORY : 0;
}

/* Queues of pairs begin in different sets of a cache: few of their places are in use. */
int packet_copies_create(struct packet_crossbar *crossbar, unsigned ports, uint32_t packets)
{
    const size_t pairs = (size_t)ports * ports;
    const uint32_t of_queue = 1u << moehub_log2_ceiling(packets + 1);
    crossbar->stride = of_queue + LINE_ITEMS;
    crossbar->places = calloc(pairs, sizeof *crossbar->places);
    crossbar->queues = malloc(pairs * crossbar->stride * sizeof *crossbar->queues);
    for (size_t i = 0; i < pairs && crossbar->places != NULL; i++)
        crossbar->places[i].mask = (uint16_t)((of_queue < QUEUE_PLACES ? of_queue : QUEUE_PLACES) - 1);
    for (unsigned i = 0; i < ports; i++)
        crossbar->pass[i] = NOTHING;
    return crossbar->places == NULL || crossbar->queues == NULL ? MOEHUB_E_MEMORY : 0;
}

int packet_responses_create(struct packet_crossbar *crossbar, unsigned ports, uint32_t places)
{
    crossbar->entries = malloc((size_t)ports * places * sizeof *crossbar->entries);
    crossbar->last = malloc(((size_t)ports << crossbar->log2_row) * sizeof *crossbar->last);
    const unsigned count_bits = moehub_log2_ceiling((uint64_t)places + 1);
    crossbar->level_shift = count_bits > LEVEL_BITS ? count_bits - LEVEL_BITS : 0;
    const unsigned level = places >> crossbar->level_shift;
    for (unsigned i = 0; i < ports; i++) {
        crossbar->free_places[i] = places;
        crossbar->at_level[level] |= bit(i);
    }
    crossbar->levels = 1u << level;
    return crossbar->entries == NULL || crossbar->last == NULL ? MOEHUB_E_MEMORY : 0;
}

void packet_crossbar_destroy(struct packet_crossbar *crossbar)
{
    free(crossbar->heads);
    free(crossbar->places);
    free(crossbar->queues);
    free(crossbar->entries);
    free(crossbar->last);
}

/* ---- when ------------------------------------------------------------------------------------------------------ */

/* Inputs with something for some outputs, when they may begin a pass; those whose pass one of the outputs may join. */
static uint64_t inputs_that_may_begin(const struct packet_crossbar *crossbar, uint64_t outputs)
{
    uint64_t inputs = 0;
    for (; outputs != 0; outputs &= outputs - 1)
        inputs |= crossbar->by_output[lowest(outputs)];
    return inputs;
}

static uint64_t inputs_to_join(const struct packet_crossbar *crossbar, uint64_t inputs, uint64_t outputs)
{
    uint64_t found = 0;
    for (inputs &= crossbar->joinable; inputs != 0; inputs &= inputs - 1)
        found |= (crossbar->joined[lowest(inputs)] & outputs) != 0 ? bit(lowest(inputs)) : 0;
    return found;
}

/* The next cycle in which somebody may propose something else, UINT64_MAX: none. Who is not silent now has nothing to propose
 * until a wait of its own ends. */
static uint64_t next_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    const uint64_t open = open_outputs(crossbar), closed = crossbar->wanted & crossbar->closed;
    const uint64_t begin = inputs_that_may_begin(crossbar, open), join = inputs_to_join(crossbar, begin, open);
    uint64_t silent = crossbar->silent, reading = crossbar->reading;
    for (uint64_t cycle = plane->now + 1; (((silent | reading) & begin) | closed) != 0; cycle++) {
        const struct packet_due *due = packet_due_at(crossbar, cycle);
        silent &= ~due->proposals;
        reading &= ~due->passes;
        const uint64_t able = (reading & join) | (~reading & begin);
        if (((due->outputs & closed) | ((due->proposals | due->passes) & ~silent & able)) != 0)
            return cycle;
    }
    return UINT64_MAX;
}

static void look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    packet_waits_end(crossbar, plane->now);
    if (crossbar == &plane->responses)
        packet_responses_look(plane, crossbar);
    else
        packet_copies_look(plane, crossbar);
    crossbar->needed = next_look(plane, crossbar);
}

/* A look that is not needed keeps its turn in the cycle, for what may yet come in it. */
void packet_crossbar_look(struct packet_plane *plane, struct packet_crossbar *crossbar)
{
    if (crossbar->look != plane->now)
        return;
    if (crossbar->needed <= plane->now)
        look(plane, crossbar);
    crossbar->look = crossbar->needed;
    if (crossbar->needed == crossbar->told || crossbar->needed == UINT64_MAX)
        return;
    crossbar->told = crossbar->needed;
    packet_plane_schedule(plane, (uint32_t)(crossbar->needed - plane->now), (enum packet_event_kind)crossbar->looks, 0, 0);
}
