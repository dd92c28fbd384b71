/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/egress.h"

enum {
    SOURCES = MOEHUB_EGRESS_SOURCES,
    RESPONSES = MOEHUB_EGRESS_RESULT,        /* the first source of the class */
    NO_SOURCE = MOEHUB_EGRESS_SOURCES
};

/* What the decision of one cycle is made from. */
struct decision {
    struct moehub_egress_flit head[SOURCES]; /* the flit that each source shows */
    unsigned source[MOEHUB_CLASSES];         /* whose packet is the class's candidate */
    bool candidate[MOEHUB_CLASSES];
    bool enough[MOEHUB_CLASSES];             /* credits for all of it */
    bool eligible[MOEHUB_CLASSES];
};

void moehub_egress_reset(struct moehub_egress *egress, uint32_t bound)
{
    *egress = (struct moehub_egress){.bound = bound, .chosen = NO_SOURCE};
}

/* ---- candidates --------------------------------------------------------------------------------------------- */

static void find_heads(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, struct decision *now)
{
    egress->candidates = 0;
    for (unsigned i = 0; i < SOURCES; i++) {
        now->head[i] = egress->held[i];
        if (egress->ready[i])
            now->head[i] = cycle->offered[i];
        if (i == MOEHUB_EGRESS_ERROR || i == MOEHUB_EGRESS_NOTICE) {
            now->head[i].last = true;
            now->head[i].flits = 1;
        }
        const bool inside = egress->sending && egress->source == i;
        if (now->head[i].valid && !inside)
            egress->candidates |= (uint8_t)(1u << i);
    }
}

/* The turn falls to a source as soon as nobody has it, a response is there, and none is being sent. */
static void pass_turn(struct moehub_egress *egress)
{
    if (egress->sending && moehub_egress_class(egress->source) == MOEHUB_CLASS_RESPONSE)
        return;
    for (unsigned i = 0; i < SOURCES - RESPONSES && !egress->has_turn; i++) {
        const unsigned place = (egress->next_turn + i) % (SOURCES - RESPONSES);
        if ((egress->candidates >> (RESPONSES + place) & 1) == 0)
            continue;
        egress->has_turn = true;
        egress->turn = (uint8_t)(RESPONSES + place);
        egress->next_turn = (uint8_t)((place + 1) % (SOURCES - RESPONSES));
    }
}

static void find_candidates(struct moehub_egress *egress, struct decision *now)
{
    pass_turn(egress);
    now->source[MOEHUB_CLASS_REQUEST] = MOEHUB_EGRESS_REQUEST;
    now->source[MOEHUB_CLASS_STORE] = MOEHUB_EGRESS_STORE;
    now->source[MOEHUB_CLASS_RESPONSE] = egress->turn;
    now->candidate[MOEHUB_CLASS_REQUEST] = egress->candidates >> MOEHUB_EGRESS_REQUEST & 1;
    now->candidate[MOEHUB_CLASS_STORE] = egress->candidates >> MOEHUB_EGRESS_STORE & 1;
    now->candidate[MOEHUB_CLASS_RESPONSE] = egress->has_turn;
}

/* The credits that `start` takes in this cycle do not show in `credits` yet. */
static bool has_credits(const struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, unsigned packet_class,
                        unsigned flits)
{
    const unsigned taken = egress->start && egress->start_class == packet_class ? egress->start_flits : 0;
    return cycle->link_up && cycle->credits[packet_class] >= taken + flits;
}

static void find_eligible(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, struct decision *now)
{
    egress->eligible = 0;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        now->enough[i] = now->candidate[i] && has_credits(egress, cycle, i, now->head[now->source[i]].flits);
        now->eligible[i] = now->candidate[i] && (cycle->down || now->enough[i]);
        egress->eligible |= (uint8_t)(now->eligible[i] << i);
    }
}

/* ---- choice --------------------------------------------------------------------------------------------------- */

static bool overdue(const struct moehub_egress *egress, const struct decision *now, unsigned packet_class)
{
    return now->eligible[packet_class] && egress->overtaken[packet_class] == egress->bound;
}

/* Turns: request, store, response; MOEHUB_CLASSES: none. */
static unsigned choose_in_turn(struct moehub_egress *egress, const struct decision *now)
{
    static const unsigned order[MOEHUB_CLASSES] = {MOEHUB_CLASS_REQUEST, MOEHUB_CLASS_STORE, MOEHUB_CLASS_RESPONSE};
    for (unsigned i = 0; i < MOEHUB_CLASSES && !egress->sending; i++) {
        const unsigned place = (egress->next_class + i) % MOEHUB_CLASSES;
        if (!now->eligible[order[place]])
            continue;
        egress->next_class = (uint8_t)((place + 1) % MOEHUB_CLASSES);
        return order[place];
    }
    return MOEHUB_CLASSES;
}

/* MOEHUB_CLASSES: none. */
static unsigned choose_class(const struct moehub_egress *egress, const struct decision *now)
{
    static const unsigned order[] = {MOEHUB_CLASS_REQUEST, MOEHUB_CLASS_RESPONSE, MOEHUB_CLASS_STORE};
    if (egress->sending)
        return MOEHUB_CLASSES;
    if (overdue(egress, now, MOEHUB_CLASS_RESPONSE))
        return MOEHUB_CLASS_RESPONSE;
    if (overdue(egress, now, MOEHUB_CLASS_STORE))
        return MOEHUB_CLASS_STORE;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        if (now->eligible[order[i]])
            return order[i];
    return MOEHUB_CLASSES;
}

static void count_overtaken(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, const struct decision *now,
                            unsigned chosen)
{
    static const unsigned counted[] = {MOEHUB_CLASS_RESPONSE, MOEHUB_CLASS_STORE};
    for (unsigned i = 0; i < sizeof counted / sizeof *counted; i++) {
        uint8_t *overtaken = &egress->overtaken[counted[i]];
        if (chosen == counted[i] || (!cycle->link_up && !cycle->down))
            *overtaken = 0;
        else if (chosen != MOEHUB_CLASSES && now->eligible[counted[i]] && *overtaken < egress->bound)
            ++*overtaken;
    }
}

static void choose(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, const struct decision *now)
{
    const unsigned chosen = egress->bound == 0 ? choose_in_turn(egress, now) : choose_class(egress, now);
    count_overtaken(egress, cycle, now, chosen);
    egress->start = false;
    egress->start_class = egress->start_flits = 0;
    egress->chosen = NO_SOURCE;
    if (chosen == MOEHUB_CLASSES)
        return;
    egress->chosen = (uint8_t)now->source[chosen];
    egress->source = egress->chosen;
    egress->discarding = cycle->down;
    if (chosen == MOEHUB_CLASS_RESPONSE)
        egress->has_turn = false;
    if (egress->discarding)
        return;
    egress->start = true;
    egress->start_class = (uint8_t)chosen;
    egress->start_flits = now->head[egress->source].flits;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Of the packet whose flit was offered to the link sender in the last cycle. */
static void tell_packet(struct moehub_egress *egress)
{
    egress->packets = egress->sent_last;
    egress->discarded = egress->discarded_last;
}

/* What becomes of the flit of this cycle, and with its last one of the packet. */
static void count_packet(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, bool dropped_last)
{
    const struct moehub_link_flit *flit = &egress->packet;
    const bool ends = flit->valid && flit->last;
    if (flit->valid && flit->first)
        egress->cut = false;
    egress->cut |= !cycle->link_up;
    egress->sent_last = (uint8_t)(ends && !egress->cut ? 1u << flit->packet_class : 0u);
    egress->discarded_last = (ends && egress->cut) || dropped_last;
}

static void count_cycle(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, const struct decision *now)
{
    egress->blocked = 0;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const bool being_sent = egress->sending && moehub_egress_class(egress->source) == i;
        if (now->candidate[i] && !now->enough[i] && !being_sent && !cycle->down)
            egress->blocked |= (uint8_t)(1u << i);
    }
    egress->idle = !egress->sending && egress->candidates == 0;
}

/* ---- one cycle ----------------------------------------------------------------------------------------------------- */

static bool takes(const struct moehub_egress *egress, unsigned source)
{
    return (egress->sending && egress->source == source) || egress->chosen == source;
}

/* What is not taken is held, and the source waits. */
static void take_flits(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle, const struct decision *now)
{
    const bool first = egress->chosen != NO_SOURCE;
    struct moehub_egress_flit taken = {.valid = false};
    for (unsigned i = 0; i < SOURCES; i++) {
        egress->held[i] = now->head[i];
        if (takes(egress, i)) {
            taken = now->head[i];
            egress->held[i].valid = false;
        }
        egress->ready[i] = !egress->held[i].valid;
    }
    const bool last = taken.valid && taken.last;
    egress->packet = (struct moehub_link_flit){.valid = false};
    if (taken.valid && !egress->discarding)
        egress->packet =
            (struct moehub_link_flit){true, (uint8_t)moehub_egress_class(egress->source), first, last, taken.data};
    count_packet(egress, cycle, last && egress->discarding);
    egress->sending = (egress->sending || first) && !last;
}

void moehub_egress_step(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle)
{
    struct decision now;
    tell_packet(egress);
    find_heads(egress, cycle, &now);
    find_candidates(egress, &now);
    find_eligible(egress, cycle, &now);
    count_cycle(egress, cycle, &now);
    choose(egress, cycle, &now);
    take_flits(egress, cycle, &now);
}
