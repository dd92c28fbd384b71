/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_time.h"

#include "moehub/system_rates.h"

const struct moehub_system_plan_options moehub_system_forward = {.classes = 4, .group = 1};
const struct moehub_system_plan_options moehub_system_backward = {.backward = true, .classes = 4, .group = 1};

double moehub_system_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                          enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                          struct moehub_message *message)
{
    if (!moehub_system_plan_exists(scheme))
        return moehub_system_rates_time(constants, work, scheme, options, message);
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    const int error = moehub_system_flow_best(constants, work, scheme, options, &plan, &result, message);
    return error != 0 ? error : result.seconds;
}

const char *moehub_system_level_name(enum moehub_system_scheme scheme)
{
    if (moehub_system_plan_exists(scheme))
        return "tiles";
    return moehub_system_is_bound(scheme) ? "bound" : "rates";
}
