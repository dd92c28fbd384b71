/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups of a golden run: every target of every packet at its GPU's hub, each answer checked. */
#include "system/golden_run.h"

#include <string.h>

/* Whether the answer is what the row's place in the region demands; `place` receives what its address names. */
static bool answer_is_right(const struct golden *golden, const struct golden_hub *hub,
                            const struct moehub_hub_request *request, const struct moehub_hub_answer *answer,
                            bool announces, struct golden_place *place)
{
    return answer->status == MOEHUB_STATUS_OK && answer->tag == request->tag && answer->port == request->port &&
           answer->allocated == announces && golden_hub_place(&golden->hubs, hub, answer->address, place) &&
           place->local == request->expert && place->row == request->row_index && place->offset == request->offset &&
           place->slot == answer->slot && (!announces || place->slot + 1 == hub->announced[place->local]);
}

/* Sends a packet to one target's hub; `place` receives what the answer's address names. */
static void look_up(struct golden *golden, const struct moehub_packet *packet, const struct moehub_target *target,
                    unsigned stage, struct golden_place *place)
{
    struct golden_hub *hub = &golden->hubs.list[target->gpu];
    const struct moehub_hub_request request = moehub_driver_request(packet, target, stage, 0, golden->options->ports,
                                                                    golden->lookups & MOEHUB_TAG_MASK);
    struct moehub_hub_answer answer;
    moehub_address_path_request(&hub->path, &request, &answer);
    if (request.first)
        golden_hub_announce(hub, target->local, packet->row);
    if (golden_fault_due(golden, MOEHUB_GOLDEN_FAULT_ADDRESS))
        answer.address += golden->hubs.row_size;
    golden->lookups++;
    golden->report->checks++;
    if (answer_is_right(golden, hub, &request, &answer, request.first, place))
        return;
    golden_fail(golden, "GPU %u, expert %u, row %u, offset %u: status %u, slot %u, address 0x%llx do not belong there",
                target->gpu, target->expert, packet->row, packet->offset, answer.status, answer.slot,
                (unsigned long long)answer.address);
    *place = (struct golden_place){0, 0, 0, 0};
}

/* Sorts the batch's lookups by GPU, each GPU's in the order of the packets. */
static void sort_lookups(struct golden *golden, size_t count)
{
    const unsigned topk = golden->layer->topk;
    const unsigned gpus = golden->layer->gpus;
    uint32_t *next = golden->next;
    memset(next, 0, (gpus + 1) * sizeof *next);
    for (size_t packet = 0; packet < count; packet++)
        for (unsigned target = 0; target < topk; target++)
            next[golden->batch[packet].targets[target].gpu + 1]++;
    for (unsigned gpu = 0; gpu < gpus; gpu++)
        next[gpu + 1] += next[gpu];
    memcpy(golden->starts, next, (gpus + 1) * sizeof *next);
    for (size_t packet = 0; packet < count; packet++)
        for (unsigned target = 0; target < topk; target++)
            golden->sorted[next[golden->batch[packet].targets[target].gpu]++] =
                (struct golden_lookup){(uint16_t)packet, (uint16_t)target};
}

/* Hub after hub: a hub's state stays in the host's cache, and hubs do not see each other. */
void golden_look_up(struct golden *golden, size_t count, unsigned stage)
{
    sort_lookups(golden, count);
    for (unsigned gpu = 0; gpu < golden->layer->gpus; gpu++)
        for (uint32_t i = golden->starts[gpu]; i < golden->starts[gpu + 1]; i++) {
            const struct golden_lookup lookup = golden->sorted[i];
            const struct moehub_packet *packet = &golden->batch[lookup.packet];
            look_up(golden, packet, &packet->targets[lookup.target], stage,
                    &golden->places[(size_t)lookup.packet * golden->layer->topk + lookup.target]);
        }
}
