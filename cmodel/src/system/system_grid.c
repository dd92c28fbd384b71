/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_grid.h"

#include "moehub/system_step.h"

#include <math.h>

static int fill_by_tiles(struct moehub_system_grid *grid, size_t i, enum moehub_system_scheme scheme, bool backward,
                         struct moehub_message *message)
{
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    int error =
        moehub_system_flow_best(grid->constants, &grid->works[i], scheme, &moehub_system_forward, &plan, &result, message);
    grid->forward[i][scheme] = result.seconds;
    grid->window[i][scheme] = result.first_end;
    if (!backward || error != 0)
        return error;
    error = moehub_system_flow_best(grid->constants, &grid->works[i], scheme, &moehub_system_backward, &plan, &result, message);
    grid->backward[i][scheme] = result.seconds;
    return error;
}

static int fill(struct moehub_system_grid *grid, size_t i, enum moehub_system_scheme scheme, bool backward,
                struct moehub_message *message)
{
    if (moehub_system_plan_exists(scheme))
        return fill_by_tiles(grid, i, scheme, backward, message);
    const struct moehub_system_work *work = &grid->works[i];
    const double forward = moehub_system_time(grid->constants, work, scheme, &moehub_system_forward, message);
    const double back = backward ? moehub_system_time(grid->constants, work, scheme, &moehub_system_backward, message) : 0;
    grid->forward[i][scheme] = forward;
    grid->backward[i][scheme] = back;
    return forward < 0 || back < 0 ? (int)fmin(forward, back) : 0;
}

int moehub_system_grid_make(struct moehub_system_grid *grid, const struct moehub_system_constants *constants,
                            const struct moehub_system_work *works, size_t count, bool backward,
                            struct moehub_message *message)
{
    *grid = (struct moehub_system_grid){.constants = constants, .works = works, .count = count};
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++)
        for (int scheme = 0; scheme < MOEHUB_SYSTEM_SCHEME_COUNT && error == 0; scheme++)
            error = fill(grid, i, (enum moehub_system_scheme)scheme, backward, message);
    return error;
}

static double seconds(const struct moehub_system_grid *grid, size_t i, enum moehub_system_part part,
                      enum moehub_system_scheme scheme)
{
    const double around = moehub_system_surroundings(grid->constants, &grid->works[i]);
    switch (part) {
    case MOEHUB_SYSTEM_BACKWARD:
        return grid->backward[i][scheme];
    case MOEHUB_SYSTEM_WINDOW:
        return grid->window[i][scheme];
    case MOEHUB_SYSTEM_STEP:
        return grid->forward[i][scheme] + grid->backward[i][scheme] + 3 * around;
    case MOEHUB_SYSTEM_INFERENCE:
        return grid->forward[i][scheme] + around;
    case MOEHUB_SYSTEM_FORWARD:
    default:
        return grid->forward[i][scheme];
    }
}

double moehub_system_gain(const struct moehub_system_grid *grid, size_t work, enum moehub_system_part part,
                          enum moehub_system_scheme slow, enum moehub_system_scheme fast)
{
    return seconds(grid, work, part, slow) / seconds(grid, work, part, fast);
}

struct moehub_system_gains moehub_system_gains(const struct moehub_system_grid *grid, enum moehub_system_part part,
                                               enum moehub_system_scheme slow, enum moehub_system_scheme fast)
{
    struct moehub_system_gains gains = {INFINITY, 0, 0};
    double logarithms = 0;
    for (size_t i = 0; i < grid->count; i++) {
        const double gain = moehub_system_gain(grid, i, part, slow, fast);
        gains.least = fmin(gains.least, gain);
        gains.most = fmax(gains.most, gain);
        logarithms += log(gain);
    }
    gains.mean = exp(logarithms / (double)grid->count);
    return gains;
}
