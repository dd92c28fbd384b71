/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of every result, computed from the plan alone. */
#include "moehub/system_flow.h"

#include <math.h>

static const double share_of_error = 1e-6;

static const char *const traffics[] = {"dispatch", "combine", "requests"};

static bool same(double value, double expected)
{
    return fabs(value - expected) <= share_of_error * (expected + 1);
}

static int check_bytes(const struct moehub_system_plan *plan, const struct moehub_system_flow_result *result, unsigned number,
                       struct moehub_message *message)
{
    const struct moehub_system_bytes expected = moehub_system_plan_bytes(plan, number);
    const struct moehub_system_bytes *bytes = &result->bytes[number];
    for (int i = 0; i < MOEHUB_SYSTEM_TRAFFICS; i++) {
        const bool up = same(bytes->up[i], expected.up[i]);
        if (up && same(bytes->down[i], expected.down[i]))
            continue;
        moehub_message_set(message, NULL, 0, "bytes of %s %s a GPU of class %u: %.9g, not %.9g", traffics[i],
                           up ? "to" : "from", number, up ? bytes->down[i] : bytes->up[i],
                           up ? expected.down[i] : expected.up[i]);
        return MOEHUB_E_STATE;
    }
    return 0;
}

static double sum(const double *bytes)
{
    return bytes[MOEHUB_SYSTEM_DISPATCH] + bytes[MOEHUB_SYSTEM_COMBINE] + bytes[MOEHUB_SYSTEM_REQUESTS];
}

/* SM-seconds that the plan's units take at least: no tile is cut short, so whole tasks for the class's mean rows. */
static double least_busy(const struct moehub_system_plan *plan, unsigned number)
{
    const struct moehub_system_class *one = &plan->load.classes[number];
    double busy = 0;
    for (int stage = 0; stage < MOEHUB_SYSTEM_STAGES; stage++)
        if (plan->cuts[number][stage].columns > 0)
            busy += one->rows / plan->cuts[number][stage].rows * plan->cuts[number][stage].columns *
                    plan->cuts[number][stage].seconds;
    return busy;
}

/* Seconds that the groups of SMs that move rows take at least; every GPU sends, and asks for, as many rows. */
static double least_moving(const struct moehub_system_plan *plan)
{
    if (plan->dispatch_sms == 0 || plan->combine_sms == 0)
        return 0;
    return fmax(moehub_system_plan_mean(plan, plan->dispatch_rows) * plan->dispatch_sm_seconds / plan->dispatch_sms,
                moehub_system_plan_mean(plan, plan->combine_rows) * plan->combine_sm_seconds / plan->combine_sms);
}

static double best_efficiency(const struct moehub_system_plan *plan)
{
    double best = 0;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++)
        best = fmax(best, plan->efficiency[i]);
    return best;
}

static int check_bounds(const struct moehub_system_plan *plan, const struct moehub_system_flow_result *result, unsigned number,
                        struct moehub_message *message)
{
    const struct moehub_system_bytes expected = moehub_system_plan_bytes(plan, number);
    const double link = fmax(sum(expected.up), sum(expected.down)) / plan->link_rate / best_efficiency(plan);
    const double sms = plan->sms[0] + (plan->split ? plan->sms[1] : 0);
    const double moving = fmax(link, least_moving(plan));
    const double least = plan->start + plan->end + fmax(moving, least_busy(plan, number) / sms);
    const double tolerated = 1 - share_of_error;
    if (result->seconds >= least * tolerated && result->busy[number] >= least_busy(plan, number) * tolerated)
        return 0;
    moehub_message_set(message, NULL, 0, "layer of %.9g s, class %u with %.9g SM-seconds: less than the bounds, %.9g and %.9g",
                       result->seconds, number, result->busy[number], least, least_busy(plan, number));
    return MOEHUB_E_STATE;
}

int moehub_system_flow_check(const struct moehub_system_plan *plan, const struct moehub_system_flow_result *result,
                             struct moehub_message *message)
{
    int error = 0;
    for (unsigned i = 0; i < plan->load.count && error == 0; i++) {
        error = check_bytes(plan, result, i, message);
        if (error == 0)
            error = check_bounds(plan, result, i, message);
    }
    return error;
}
