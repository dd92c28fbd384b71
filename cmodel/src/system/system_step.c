/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_step.h"

double moehub_system_surroundings(const struct moehub_system_constants *constants, const struct moehub_system_work *work)
{
    const double tokens = work->tokens;
    const double hidden = work->hidden;
    const double projections = 4 * 2 * tokens * hidden * hidden;
    const double attention = 2 * tokens * tokens * hidden;
    const double rate = moehub_system_value(constants, MOEHUB_SYSTEM_attention_efficiency) *
                        moehub_system_value(constants, MOEHUB_SYSTEM_bf16_peak);
    const double bytes = 2 * tokens * hidden * moehub_system_value(constants, MOEHUB_SYSTEM_rest_passes);
    return (projections + attention) / rate + bytes / moehub_system_value(constants, MOEHUB_SYSTEM_hbm_rate);
}
