/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/egress_waits.h"

enum { TURNS_MOST = 2 }; /* of other responses */

/* Worst case of a class. */
static unsigned most_of(const struct moehub_egress *egress, unsigned packet_class)
{
    return packet_class == MOEHUB_CLASS_REQUEST || egress->bound == 0 ? 2
           : packet_class == MOEHUB_CLASS_RESPONSE ? egress->bound + 1
                                                   : egress->bound + 2;
}

void egress_waits_forget(struct egress_waits *waits)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        waits->classes[i].waiting = false;
    for (unsigned i = 0; i < MOEHUB_EGRESS_SOURCES; i++)
        waits->sources[i].waiting = false;
}

/* `before`: the packets that are counted as the wait begins. */
static void begin_wait(struct egress_wait *wait, unsigned before)
{
    if (wait->waiting)
        return;
    wait->waiting = true;
    wait->packets = before;
}

static void end_wait(struct egress_wait *wait)
{
    wait->waiting = false;
    if (wait->packets > wait->longest)
        wait->longest = wait->packets;
}

static void check(struct egress_waits *waits, const struct egress_wait *wait, unsigned most, const char *who, unsigned number)
{
    if (wait->waiting && wait->packets > most)
        bench_fail(waits->bench, BENCH_MISMATCH, "%s %u has waited for %u packets of others, at most %u are allowed", who, number,
                   wait->packets, most);
}

static void count_class(struct egress_waits *waits, const struct moehub_egress *egress, unsigned packet_class, bool sending)
{
    struct egress_wait *wait = &waits->classes[packet_class];
    if ((egress->eligible >> packet_class & 1) == 0) {
        wait->waiting = false; /* link or port went down */
        return;
    }
    begin_wait(wait, sending);
    if (egress->chosen == MOEHUB_EGRESS_SOURCES)
        return;
    if (moehub_egress_class(egress->chosen) == packet_class)
        end_wait(wait);
    else
        wait->packets++;
    check(waits, wait, most_of(egress, packet_class), "class", packet_class);
}

static void count_source(struct egress_waits *waits, const struct moehub_egress *egress, unsigned source)
{
    struct egress_wait *wait = &waits->sources[source];
    if ((egress->candidates >> source & 1) == 0)
        return;
    begin_wait(wait, 0);
    if (egress->chosen == source)
        end_wait(wait);
    else if (egress->chosen != MOEHUB_EGRESS_SOURCES && moehub_egress_class(egress->chosen) == MOEHUB_CLASS_RESPONSE)
        wait->packets++;
    check(waits, wait, TURNS_MOST, "source", source);
}

void egress_waits_count(struct egress_waits *waits, const struct moehub_egress *egress, bool sending)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        count_class(waits, egress, i, sending);
    for (unsigned i = MOEHUB_EGRESS_RESULT; i < MOEHUB_EGRESS_SOURCES; i++)
        count_source(waits, egress, i);
}

static void demand(const struct egress_waits *waits, const char *who, const struct egress_wait *wait, unsigned most)
{
    summary_number(&waits->bench->summary, who, wait->longest, "packets");
    if (wait->longest != most)
        bench_fail(waits->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s is %u packets, %u are allowed and were never met", who,
                   wait->longest, most);
}

void egress_waits_check(const struct egress_waits *waits, const struct moehub_egress *egress)
{
    static const char *const classes[] = {"longest wait of a store", "longest wait of a request", "longest wait of a response"};
    static const char *const turns[MOEHUB_EGRESS_SOURCES] = {[MOEHUB_EGRESS_RESULT] = "longest wait of a result's turn",
                                                             [MOEHUB_EGRESS_ERROR] = "longest wait of an error's turn",
                                                             [MOEHUB_EGRESS_NOTICE] = "longest wait of a notice's turn"};
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        demand(waits, classes[i], &waits->classes[i], most_of(egress, i));
    for (unsigned i = MOEHUB_EGRESS_RESULT; i < MOEHUB_EGRESS_SOURCES; i++)
        demand(waits, turns[i], &waits->sources[i], TURNS_MOST);
}
