/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_flow.h"

enum { LARGEST_STEP = 16 /* SMs that a group may grow by at first */ };

/* The search: what is tried and the fastest so far. */
struct search {
    const struct moehub_system_constants *constants;
    const struct moehub_system_work *work;
    enum moehub_system_scheme scheme;
    struct moehub_message *message;
    bool found;
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
};

static int try_one(struct search *search, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result = {0};
    int error = moehub_system_plan_make(&plan, search->constants, search->work, search->scheme, options, search->message);
    if (error == 0)
        error = moehub_system_flow_run(&plan, NULL, &result);
    if (error == 0)
        error = moehub_system_flow_check(&plan, &result, search->message);
    if (error == 0 && (!search->found || result.seconds < search->result.seconds)) {
        search->plan = plan;
        search->result = result;
        search->found = true;
    }
    return error;
}

/* Units of more tiles. */
static int try_groups(struct search *search, struct moehub_system_plan_options tried)
{
    const unsigned largest = 8;
    int error = 0;
    for (tried.group *= 2; tried.group <= largest && error == 0; tried.group *= 2)
        error = try_one(search, &tried);
    return error;
}

/* More SMs for either GEMM, in ever smaller steps from the best so far. */
static int try_sizes(struct search *search, struct moehub_system_plan_options tried)
{
    int error = 0;
    for (int step = LARGEST_STEP; step > 0 && error == 0; step /= 2)
        for (int side = -1; side <= 1 && error == 0; side += 2) {
            const int all = (int)(search->plan.sms[0] + search->plan.sms[1]), first = (int)search->plan.sms[0] + side * step;
            if (first < 1 || first >= all)
                continue;
            tried.first_sms = (unsigned)first;
            error = try_one(search, &tried);
        }
    return error;
}

/* Groups of SMs, if the scheme has them: their sizes, and one group for all. */
static int try_sms(struct search *search, struct moehub_system_plan_options tried)
{
    tried.group = search->plan.group;
    int error = try_sizes(search, tried);
    tried.one_pool = true;
    return error != 0 ? error : try_one(search, &tried);
}

int moehub_system_flow_best(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                            enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                            struct moehub_system_plan *plan, struct moehub_system_flow_result *result,
                            struct moehub_message *message)
{
    struct search search = {.constants = constants, .work = work, .scheme = scheme, .message = message};
    int error = try_one(&search, options);
    if (error == 0 && search.plan.tiles_ready)
        error = try_groups(&search, *options);
    if (error == 0 && search.plan.split)
        error = try_sms(&search, *options);
    *plan = search.plan;
    *result = search.result;
    return error;
}
