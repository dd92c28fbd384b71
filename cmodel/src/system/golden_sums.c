/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of a golden run: what lies where the addresses say, against what belongs there; sums against the definition. */
#include "system/golden_run.h"
#include "system/golden_sum.h"

#include "moehub/element.h"

#include <string.h>

/* ---- dispatch ---------------------------------------------------------------------- */

/* The packet's payload was written to `place`: it must be what belongs there. */
static void check_write(struct golden *golden, const struct moehub_packet *packet, const struct golden_place *place,
                        const union golden_payload *sent)
{
    union golden_payload written = *sent;
    union golden_payload expected;
    if (golden_fault_due(golden, MOEHUB_GOLDEN_FAULT_PAYLOAD))
        written.bytes[packet->length / 2] ^= 1;
    moehub_driver_dispatched(golden->layer, place->row, place->offset, packet->length, &expected);
    golden->report->checks++;
    golden->report->elements += packet->length / moehub_element_size(golden->layer->dispatch_element);
    if (memcmp(&written, &expected, packet->length) != 0)
        golden_fail(golden, "row %u, offset %u: the payload written to local expert %u, slot %u does not belong there",
                    packet->row, packet->offset, place->local, place->slot);
}

void golden_check_writes(struct golden *golden, const struct moehub_packet *packet, const struct golden_place *places)
{
    union golden_payload sent;
    moehub_driver_dispatched(golden->layer, packet->row, packet->offset, packet->length, &sent);
    for (unsigned i = 0; i < golden->layer->topk; i++)
        check_write(golden, packet, &places[i], &sent);
}

/* ---- combine ------------------------------------------------------------------------ */

static unsigned elements_of(const struct golden *golden, const struct moehub_packet *packet)
{
    return packet->length / moehub_element_size(golden->layer->combine_element);
}

/* Reads each target's elements where its address says. */
void golden_partial(struct golden *golden, const struct golden_request *request, unsigned gpu, union golden_payload *sum)
{
    const struct moehub_layer *layer = golden->layer;
    const struct moehub_packet *packet = request->packet;
    union golden_payload read[MOEHUB_LAYER_TOPK_MAX];
    const void *pieces[MOEHUB_LAYER_TOPK_MAX];
    unsigned count;
    const struct moehub_target *targets = moehub_targets_on(packet->targets, layer->topk, gpu, &count);
    const struct golden_place *places = request->places + (targets - packet->targets);
    for (unsigned i = 0; i < count; i++) {
        const unsigned expert = moehub_placement_expert(&layer->placement, gpu, places[i].local);
        moehub_driver_returned(layer, places[i].row, expert, places[i].offset, packet->length, &read[i]);
        pieces[i] = &read[i];
    }
    golden->report->elements += (uint64_t)elements_of(golden, packet) * count;
    moehub_pre_reduce(&golden->arithmetic, layer->combine_element, pieces, count, elements_of(golden, packet), sum);
}

/* The same from the definition: the targets' true rows, summed without bins. */
static void expected_partial(const struct golden *golden, const struct moehub_packet *packet, unsigned gpu,
                             union golden_payload *partial)
{
    const struct moehub_layer *layer = golden->layer;
    union golden_payload rows[MOEHUB_LAYER_TOPK_MAX];
    const void *inputs[MOEHUB_LAYER_TOPK_MAX];
    unsigned count;
    const struct moehub_target *targets = moehub_targets_on(packet->targets, layer->topk, gpu, &count);
    for (unsigned i = 0; i < count; i++) {
        moehub_driver_returned(layer, packet->row, targets[i].expert, packet->offset, packet->length, &rows[i]);
        inputs[i] = &rows[i];
    }
    golden_sum(layer->combine_element, inputs, count, elements_of(golden, packet), partial);
}

static void expected_result(const struct golden *golden, const struct moehub_packet *packet, union golden_payload *result)
{
    union golden_payload partials[MOEHUB_LAYER_TOPK_MAX];
    const void *inputs[MOEHUB_LAYER_TOPK_MAX];
    for (unsigned i = 0; i < packet->remote_count; i++) {
        expected_partial(golden, packet, packet->remotes[i], &partials[i]);
        inputs[i] = &partials[i];
    }
    golden_sum(golden->layer->combine_element, inputs, packet->remote_count, elements_of(golden, packet), result);
}

static void check_sum(struct golden *golden, const struct moehub_packet *packet, const char *what, const void *got,
                      const void *expected)
{
    golden->report->checks++;
    if (memcmp(got, expected, packet->length) != 0)
        golden_fail(golden, "row %u, offset %u: %s is wrong", packet->row, packet->offset, what);
}

void golden_check_partial(struct golden *golden, const struct golden_request *request, unsigned gpu, const void *partial)
{
    union golden_payload expected;
    expected_partial(golden, request->packet, gpu, &expected);
    check_sum(golden, request->packet, "a partial", partial, &expected);
}

void golden_check_result(struct golden *golden, const struct golden_request *request, const void *result)
{
    union golden_payload expected;
    expected_result(golden, request->packet, &expected);
    check_sum(golden, request->packet, "the switch's sum", result, &expected);
}

/* The owner adds the sum of its own targets to the switch's result (if it has any of both). */
void golden_check_owner(struct golden *golden, const struct golden_request *request, const void *remote)
{
    const struct moehub_packet *packet = request->packet;
    const unsigned type = golden->layer->combine_element;
    const unsigned elements = elements_of(golden, packet);
    unsigned count;
    moehub_targets_on(packet->targets, golden->layer->topk, packet->gpu, &count);
    if (count == 0)
        return;
    union golden_payload own;
    union golden_payload expected;
    golden_partial(golden, request, packet->gpu, &own);
    expected_partial(golden, packet, packet->gpu, &expected);
    check_sum(golden, packet, "the owner's own sum", &own, &expected);
    if (remote == NULL)
        return;
    const void *const both[] = {remote, &own};
    union golden_payload total;
    moehub_pre_reduce(&golden->arithmetic, type, both, 2, elements, &total);
    golden_sum(type, both, 2, elements, &expected);
    check_sum(golden, packet, "the owner's total", &total, &expected);
}
