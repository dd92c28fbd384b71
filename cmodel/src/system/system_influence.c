/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Top-8 of each size: three layers stand for nine, so that a hundred runs stay seconds. */
static const unsigned layers[] = {0, 3, 6};

enum { LAYERS = sizeof layers / sizeof layers[0] };

/* Negative: an error. */
static double mean_gain(const struct moehub_system_constants *constants, struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    double logarithms = 0;
    for (int i = 0; i < LAYERS; i++) {
        const struct moehub_system_work *work = &works[layers[i]];
        const double fast = moehub_system_time(constants, work, MOEHUB_SYSTEM_SCHEME_DYSHARP, &moehub_system_forward, message);
        const double slow = moehub_system_time(constants, work, MOEHUB_SYSTEM_SCHEME_COMET, &moehub_system_forward, message);
        if (fast < 0 || slow < 0)
            return fmin(fast, slow);
        logarithms += log(slow / fast);
    }
    return exp(logarithms / LAYERS);
}

static bool counts_things(enum moehub_system_constant constant)
{
    return constant == MOEHUB_SYSTEM_gpus || constant == MOEHUB_SYSTEM_links || constant == MOEHUB_SYSTEM_sms ||
           constant == MOEHUB_SYSTEM_packet_flits || constant == MOEHUB_SYSTEM_list_flits ||
           constant == MOEHUB_SYSTEM_copy_list_flits || constant == MOEHUB_SYSTEM_request_flits ||
           constant == MOEHUB_SYSTEM_request_packets || constant == MOEHUB_SYSTEM_expert_matrices ||
           constant == MOEHUB_SYSTEM_hardware_packets;
}

/* An end of the constant's range; without one a fifth away, within what is legal, counts by one at least. */
static double moved(const struct moehub_system_constants *constants, enum moehub_system_constant constant, int direction)
{
    const double share = 0.2;
    const struct moehub_system_constant_facts *facts = moehub_system_facts(constant);
    const struct moehub_system_range *range = &constants->ranges[constant];
    if (range->evidence != MOEHUB_SYSTEM_UNSET)
        return direction < 0 ? range->low : range->high;
    const double value = moehub_system_value(constants, constant);
    double step = share * value;
    if (counts_things(constant))
        step = fmax(1, round(step));
    return fmin(facts->highest, fmax(facts->lowest, value + direction * step));
}

static double gain_with(const struct moehub_system_constants *constants, enum moehub_system_constant constant, double value,
                        struct moehub_message *message)
{
    struct moehub_system_constants changed = *constants;
    changed.entries[constant].value = value;
    return mean_gain(&changed, message);
}

static int by_influence(const void *left, const void *right)
{
    const struct moehub_system_influence *a = left;
    const struct moehub_system_influence *b = right;
    if (a->influence < b->influence || a->influence > b->influence)
        return a->influence < b->influence ? 1 : -1;
    return (int)a->constant - (int)b->constant;
}

int moehub_system_influences(const struct moehub_system_constants *constants, struct moehub_system_influence *influences,
                             struct moehub_message *message)
{
    const double base = mean_gain(constants, message);
    if (base < 0)
        return (int)base;
    for (int i = 0; i < MOEHUB_SYSTEM_LAYER_COUNT; i++) {
        struct moehub_system_influence *one = &influences[i];
        one->constant = (enum moehub_system_constant)i;
        one->low = moved(constants, one->constant, -1);
        one->high = moved(constants, one->constant, 1);
        one->ranged = constants->ranges[i].evidence != MOEHUB_SYSTEM_UNSET;
        one->at_base = base;
        one->at_low = gain_with(constants, one->constant, one->low, message);
        one->at_high = gain_with(constants, one->constant, one->high, message);
        if (one->at_low < 0 || one->at_high < 0)
            return MOEHUB_E_STATE;
        one->influence = fmax(fabs(one->at_low / base - 1), fabs(one->at_high / base - 1));
    }
    qsort(influences, MOEHUB_SYSTEM_LAYER_COUNT, sizeof influences[0], by_influence);
    return 0;
}
