/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/link_sender.h"

void moehub_link_sender_reset(struct moehub_link_sender *sender)
{
    *sender = (struct moehub_link_sender){.started = false};
}

static bool cycle_legal(const struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    const bool ends = cycle->flit && cycle->flit_last;
    if (cycle->start &&
        (cycle->start_class >= MOEHUB_CLASSES || cycle->start_flits > sender->credits[cycle->start_class] ||
         (sender->started && !ends)))
        return false;
    return !cycle->flit || sender->started || cycle->start;
}

static void count_credits(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    sender->credit_overflow = false;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const unsigned taken = cycle->start && cycle->start_class == i ? cycle->start_flits : 0;
        const unsigned granted = cycle->grant.valid && cycle->grant.packet_class == i ? cycle->grant.flits : 0;
        const unsigned credits = sender->credits[i] - taken + granted;
        const bool overflow = credits > MOEHUB_CREDITS_MAX;
        sender->credits[i] = (uint16_t)(!cycle->link_up ? 0 : overflow ? MOEHUB_CREDITS_MAX : credits);
        sender->credit_overflow |= cycle->link_up && overflow;
    }
}

/* A start in the cycle of a last flit is the next packet's: the flit is of the one before. */
static void pass_flit(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    const bool next = cycle->start && sender->started;
    if (cycle->start && !next)
        sender->started = true;
    sender->dropping |= sender->started && !cycle->link_up;
    sender->wire = (struct moehub_link_flit){.valid = cycle->flit && !sender->dropping};
    if (sender->wire.valid)
        sender->wire = (struct moehub_link_flit){true, cycle->flit_class, !sender->inside, cycle->flit_last, cycle->flit_data};
    if (!cycle->flit)
        return;
    sender->inside = !cycle->flit_last;
    if (!cycle->flit_last)
        return;
    sender->started = next;
    sender->dropping = next && !cycle->link_up;
}

bool moehub_link_sender_step(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle)
{
    if (!cycle_legal(sender, cycle))
        return false;
    count_credits(sender, cycle);
    pass_flit(sender, cycle);
    return true;
}
