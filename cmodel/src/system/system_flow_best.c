/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_flow.h"

enum { LARGEST_STEP = 16 /* SMs that a group may grow by at first */ };

/* Groups in proportion that are slower than one for both by more than this are not worth a search: other sizes gain less. */
static const double worth_a_search = 1.03;

/* The search: what is tried and the fastest so far. */
struct search {
    const struct moehub_system_constants *constants;
    const struct moehub_system_work *work;
    enum moehub_system_scheme scheme;
    struct moehub_message *message;
    bool found;
    double tried;  /* seconds of what was tried last */
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
    search->tried = result.seconds;
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

/* More SMs for either GEMM, in ever smaller steps from the best so far, which had `first` and took `seconds`. */
static int try_sizes(struct search *search, struct moehub_system_plan_options tried, int first, int all, double seconds)
{
    int error = 0;
    for (int step = LARGEST_STEP; step > 0 && error == 0; step /= 2)
        for (int side = -1; side <= 1 && error == 0; side += 2) {
            const int other = first + side * step;
            if (other < 1 || other >= all)
                continue;
            tried.first_sms = (unsigned)other;
            error = try_one(search, &tried);
            if (search->tried < seconds) {
                seconds = search->tried;
                first = other;
            }
        }
    return error;
}

/* Groups of SMs, if the scheme has them: one for all, and other sizes. */
static int try_sms(struct search *search, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan_options tried = *options;
    const double seconds = search->result.seconds;
    const unsigned *sms = search->plan.sms;
    const int first = (int)sms[0], all = (int)(sms[0] + sms[1]);
    tried.group = search->plan.group;
    tried.one_pool = true;
    const int error = try_one(search, &tried);
    if (error != 0 || seconds > worth_a_search * search->tried)
        return error;
    tried.one_pool = false;
    return try_sizes(search, tried, first, all, seconds);
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
        error = try_sms(&search, options);
    *plan = search.plan;
    *result = search.result;
    return error;
}
