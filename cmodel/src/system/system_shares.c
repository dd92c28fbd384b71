/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_shares.h"

#include "system/system_normal.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* Time of all links over that of a mean one: the fullest is the last, and each has an order of rows of its own, which matters the
 * less the more rows there are than in the slice. Two causes that do not know of one another. */
static double slowest(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                      const struct moehub_system_slice *slice, double excess, double spread)
{
    const double links = VALUE(links);
    const double rows = fmax(slice->rows, work->tokens / links);
    const double order = links > 1 ? system_normal_rank(links, links) * spread * sqrt(slice->rows / rows) : 0;
    return 1 + hypot(excess - 1, order);
}

int moehub_system_hardware_shares(const struct moehub_system_constants *constants, const struct moehub_system_load *load,
                                  const struct moehub_system_work *work, bool in_switch, double *shares,
                                  struct moehub_message *message)
{
    struct moehub_system_slice slice;
    struct moehub_system_slice_result result;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++)
        shares[i] = moehub_system_value(constants, moehub_system_hardware_constant((enum moehub_system_pattern)i));
    if (VALUE(hardware_packets) <= 0)
        return 0;
    moehub_system_slice_of(&slice, constants, load, work, in_switch);
    const int error = moehub_system_shares_find(constants->shares, constants, &slice, &result, message);
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS && error == 0; i++) {
        const enum moehub_system_pattern pattern = (enum moehub_system_pattern)i;
        const double excess = in_switch ? moehub_system_links_excess(constants, load, work, pattern) : 1;
        shares[i] *= result.share[i] / slowest(constants, work, &slice, excess, in_switch ? result.spread[i] : 0);
    }
    return error;
}
