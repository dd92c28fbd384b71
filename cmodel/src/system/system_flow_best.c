/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_flow.h"

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

int moehub_system_flow_best(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                            enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                            struct moehub_system_plan *plan, struct moehub_system_flow_result *result,
                            struct moehub_message *message)
{
    const unsigned largest = 8;
    struct search search = {.constants = constants, .work = work, .scheme = scheme, .message = message};
    struct moehub_system_plan_options tried = *options;
    int error = try_one(&search, &tried);
    const bool tiles = search.plan.tiles_ready;
    const bool split = search.plan.split;
    for (tried.group = 2 * options->group; tried.group <= largest && tiles && error == 0; tried.group *= 2)
        error = try_one(&search, &tried);
    if (split && error == 0) {
        tried.group = search.plan.group;
        tried.one_pool = true;
        error = try_one(&search, &tried);
    }
    *plan = search.plan;
    *result = search.result;
    return error;
}
