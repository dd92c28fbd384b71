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

/* A size that is searched: which option it is, or which two, its best value so far and what took `seconds` with it, the
 * most it may be. */
struct size {
    unsigned *option, *other;
    int best, high;
    double seconds;
};

static void set_size(const struct size *size, int value)
{
    *size->option = (unsigned)value;
    if (size->other != NULL)
        *size->other = (unsigned)value;
}

/* More and fewer, in ever smaller steps from the best so far. */
static int try_sizes(struct search *search, const struct moehub_system_plan_options *tried, struct size *size)
{
    int step = LARGEST_STEP, error = 0;
    while (step > size->high / 2)
        step /= 2;
    for (; step > 0 && error == 0; step /= 2)
        for (int side = -1; side <= 1 && error == 0; side += 2) {
            const int value = size->best + side * step;
            if (value < 1 || value > size->high)
                continue;
            set_size(size, value);
            error = try_one(search, tried);
            if (search->tried < size->seconds) {
                size->seconds = search->tried;
                size->best = value;
                break;  /* to the other side lies what was the best before */
            }
        }
    set_size(size, size->best);
    return error;
}

static int larger(unsigned a, unsigned b)
{
    return (int)(a > b ? a : b);
}

/* Groups of SMs that move rows, which took `seconds` so far: fewer than fill the links leave more for the GEMMs, which may be
 * worth it. First as many for both ways, then each by itself. */
static int try_movers(struct search *search, struct moehub_system_plan_options *tried, double seconds)
{
    const unsigned dispatch_sms = search->plan.dispatch_sms, combine_sms = search->plan.combine_sms;
    const int most = larger(dispatch_sms, combine_sms);
    struct size both = {&tried->dispatch_sms, &tried->combine_sms, most, most, seconds};
    int error = try_sizes(search, tried, &both);
    if (both.best == most) {
        tried->dispatch_sms = dispatch_sms;
        tried->combine_sms = combine_sms;
    }
    struct size dispatch = {&tried->dispatch_sms, NULL, (int)tried->dispatch_sms, most, both.seconds};
    if (error == 0)
        error = try_sizes(search, tried, &dispatch);
    struct size combine = {&tried->combine_sms, NULL, (int)tried->combine_sms, most, dispatch.seconds};
    return error != 0 ? error : try_sizes(search, tried, &combine);
}

/* Other sizes of the GEMMs' groups, beside the movers that were found. */
static int try_gemms(struct search *search, struct moehub_system_plan_options *tried)
{
    tried->one_pool = false;
    const int error = try_one(search, tried);
    struct moehub_system_plan in_proportion = search->plan;
    moehub_system_plan_resize(&in_proportion, search->constants, search->work, search->scheme, tried);
    const int all = (int)(in_proportion.sms[0] + in_proportion.sms[1]);
    struct size first = {&tried->first_sms, NULL, (int)in_proportion.sms[0], all - 1, search->tried};
    return error != 0 ? error : try_sizes(search, tried, &first);
}

/* Groups of SMs, if the scheme has them: one for both GEMMs or one for each, the movers beside the faster of these, then other
 * sizes of the GEMMs' groups if they are nearly as fast. */
static int try_sms(struct search *search, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan_options tried = *options;
    const double in_proportion = search->result.seconds;
    tried.group = search->plan.group;
    tried.one_pool = true;
    int error = try_one(search, &tried);
    const double pool = search->tried;
    tried.one_pool = pool < in_proportion;
    if (error == 0)
        error = try_movers(search, &tried, tried.one_pool ? pool : in_proportion);
    if (error != 0 || in_proportion > worth_a_search * pool)
        return error;
    return try_gemms(search, &tried);
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
