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

static int run(struct search *search, const struct moehub_system_plan *plan)
{
    struct moehub_system_flow_result result = {0};
    int error = moehub_system_flow_run(plan, NULL, &result);
    if (error == 0)
        error = moehub_system_flow_check(plan, &result, search->message);
    search->tried = result.seconds;
    if (error == 0 && (!search->found || result.seconds < search->result.seconds)) {
        search->plan = *plan;
        search->result = result;
        search->found = true;
    }
    return error;
}

static int try_first(struct search *search, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan plan;
    const int error =
        moehub_system_plan_make(&plan, search->constants, search->work, search->scheme, options, search->message);
    return error != 0 ? error : run(search, &plan);
}

/* Other sizes of what has been found. */
static int try_one(struct search *search, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan plan = search->plan;
    moehub_system_plan_resize(&plan, search->constants, search->work, search->scheme, options);
    return run(search, &plan);
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

/* A size that is searched: which option it is, its best value so far and what took `seconds` with it, its legal range. */
struct size {
    unsigned *option;
    int best, low, high;
    double seconds;
};

/* More and fewer, in ever smaller steps from the best so far. */
static int try_sizes(struct search *search, const struct moehub_system_plan_options *tried, struct size *size)
{
    int step = LARGEST_STEP, error = 0;
    while (step > size->high / 2)
        step /= 2;
    for (; step > 0 && error == 0; step /= 2)
        for (int side = -1; side <= 1 && error == 0; side += 2) {
            const int other = size->best + side * step;
            if (other < size->low || other > size->high)
                continue;
            *size->option = (unsigned)other;
            error = try_one(search, tried);
            if (search->tried < size->seconds) {
                size->seconds = search->tried;
                size->best = other;
                break;  /* to the other side lies what was the best before */
            }
        }
    *size->option = (unsigned)size->best;
    return error;
}

/* Groups of SMs that move rows: fewer than fill the links leave more for the GEMMs, which may be worth it. */
static int try_movers(struct search *search, struct moehub_system_plan_options *tried)
{
    const int dispatch_sms = (int)search->plan.dispatch_sms, combine_sms = (int)search->plan.combine_sms;
    struct size dispatch = {&tried->dispatch_sms, dispatch_sms, 1, dispatch_sms, search->result.seconds};
    tried->dispatch_sms = search->plan.dispatch_sms;
    tried->combine_sms = search->plan.combine_sms;
    const int error = try_sizes(search, tried, &dispatch);
    struct size combine = {&tried->combine_sms, combine_sms, 1, combine_sms, dispatch.seconds};
    return error != 0 ? error : try_sizes(search, tried, &combine);
}

/* The GEMMs' groups: one for both, and other sizes. */
static int try_gemms(struct search *search, struct moehub_system_plan_options *tried)
{
    const struct moehub_system_plan in_proportion = search->plan;
    const double seconds = search->result.seconds;
    const int all = (int)(in_proportion.sms[0] + in_proportion.sms[1]);
    tried->one_pool = true;
    const int error = try_one(search, tried);
    if (error != 0 || seconds > worth_a_search * search->tried)
        return error;
    tried->one_pool = false;
    struct size first = {&tried->first_sms, (int)in_proportion.sms[0], 1, all - 1, seconds};
    return try_sizes(search, tried, &first);
}

/* Groups of SMs, if the scheme has them. */
static int try_sms(struct search *search, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan_options tried = *options;
    tried.group = search->plan.group;
    const int error = try_movers(search, &tried);
    return error != 0 ? error : try_gemms(search, &tried);
}

int moehub_system_flow_best(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                            enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                            struct moehub_system_plan *plan, struct moehub_system_flow_result *result,
                            struct moehub_message *message)
{
    struct search search = {.constants = constants, .work = work, .scheme = scheme, .message = message};
    int error = try_first(&search, options);
    if (error == 0 && search.plan.tiles_ready)
        error = try_groups(&search, *options);
    if (error == 0 && search.plan.split)
        error = try_sms(&search, options);
    *plan = search.plan;
    *result = search.result;
    return error;
}
