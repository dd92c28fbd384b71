/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/cause_count.h"

static const char *const names[MOEHUB_LINK_CAUSES] = {
    [MOEHUB_PACKET_CAUSE_TYPE] = "TYPE",         [MOEHUB_PACKET_CAUSE_CLASS] = "CLASS",
    [MOEHUB_PACKET_CAUSE_FORMAT] = "FORMAT",     [MOEHUB_PACKET_CAUSE_FIELD] = "FIELD",
    [MOEHUB_PACKET_CAUSE_SOURCE] = "SOURCE",     [MOEHUB_PACKET_CAUSE_LENGTH] = "LENGTH",
    [MOEHUB_PACKET_CAUSE_COUNT] = "COUNT",       [MOEHUB_PACKET_CAUSE_TARGET] = "TARGET",
    [MOEHUB_PACKET_CAUSE_FRAME] = "FRAME",       [MOEHUB_LINK_CAUSE_BAD_CLASS] = "BAD_CLASS",
    [MOEHUB_LINK_CAUSE_OUTSIDE] = "OUTSIDE",     [MOEHUB_LINK_CAUSE_UNENDED] = "UNENDED",
    [MOEHUB_LINK_CAUSE_PLACE] = "PLACE",         [MOEHUB_LINK_CAUSE_CREDIT] = "CREDIT",
};

void cause_count_report(const struct cause_count *count, struct bench *bench, unsigned first, unsigned last, uint32_t absent)
{
    for (unsigned cause = first; cause <= last; cause++)
        summary_number(&bench->summary, names[cause], (double)count->of[cause], "times");
    for (unsigned cause = first; cause <= last; cause++)
        if (count->of[cause] == 0 && !(absent >> cause & 1))
            bench_fail(bench, BENCH_NOTHING_COMPARED, "cause %s was never met: run longer (--events)", names[cause]);
}
