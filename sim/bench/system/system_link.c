/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/system_link.h"

#include "kit/allocate.h"

#include <stdlib.h>
#include <string.h>

void system_link_create(struct system_link *link, unsigned latency)
{
    *link = (struct system_link){.latency = latency, .moments = allocate(2 * (size_t)latency, sizeof *link->moments)};
}

void system_link_destroy(struct system_link *link)
{
    free(link->moments);
    free(link->injector);
}

void link_tally_count(struct link_tally *tally, uint64_t cycle, const struct moehub_link_flit *flit)
{
    tally->flits++;
    tally->last = cycle;
    if (!flit->first)
        return;
    const struct moehub_header header = moehub_header_unpack(flit->data);
    tally->packets++;
    tally->payload += moehub_payload_flits(moehub_header_payload(&header));
    if (flit->packet_class < MOEHUB_CLASSES)
        tally->classes[flit->packet_class]++;
    tally->types[header.type]++;
    if (flit->packet_class != MOEHUB_CLASS_STORE)
        return;
    tally->stores[header.context]++;
    tally->pairs[header.context] += header.target_count;
    tally->announced[header.context] += header.first ? header.target_count : 0;
    tally->nop_pairs += header.nop ? header.target_count : 0;
}

void system_link_cut(struct system_link *link, uint64_t cycle, bool cut)
{
    for (unsigned ahead = 0; cut && !link->cut && ahead < link->latency; ahead++) {
        struct link_moment *moment = &link->moments[(cycle + ahead) % (2 * link->latency)];
        link->lost += moment->flit.valid;
        *moment = (struct link_moment){.flit = {.valid = false}};
    }
    link->cut = cut;
}

void system_link_forget(struct system_link *link)
{
    link->sent = link->came = (struct link_tally){.last = 0};
}
