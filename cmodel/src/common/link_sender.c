/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/link_sender.h"

void moehub_link_sender_reset(struct moehub_link_sender *sender)
{
    *sender = (struct moehub_link_sender){.inside = false};
}

static bool cycle_legal(const struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    if (cycle->start != sender->due)
        return false;
    return !cycle->start ||
           (cycle->start_class < MOEHUB_CLASSES && cycle->start_flits <= sender->credits[cycle->start_class]);
}

static void count_credits(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    const struct moehub_link_grant *arrived = &sender->arrived;
    sender->credit_overflow = false;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const unsigned taken = cycle->start && cycle->start_class == i ? cycle->start_flits : 0;
        const unsigned granted = arrived->valid && arrived->packet_class == i ? arrived->flits : 0;
        const unsigned credits = sender->credits[i] - taken + granted;
        const bool overflow = credits > MOEHUB_CREDITS_MAX;
        sender->credits[i] = (uint16_t)(!cycle->link_up ? 0 : overflow ? MOEHUB_CREDITS_MAX : credits);
        sender->credit_overflow |= cycle->link_up && overflow;
    }
    sender->arrived = cycle->grant;
    sender->arrived.valid &= cycle->link_up;
}

static void pass_flit(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    const bool first = cycle->flit && !sender->inside;
    const bool sent = cycle->flit && cycle->link_up && !sender->dropping;
    sender->wire = (struct moehub_link_flit){.valid = false};
    if (sent)
        sender->wire = (struct moehub_link_flit){true, cycle->flit_class, first, cycle->flit_last, cycle->flit_data};
    if (cycle->flit)
        sender->inside = !cycle->flit_last;
    sender->dropping = sender->inside && (sender->dropping || !cycle->link_up);
    sender->due = first;
}

bool moehub_link_sender_step(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    if (!cycle_legal(sender, cycle))
        return false;
    count_credits(sender, cycle);
    pass_flit(sender, cycle);
    return true;
}
