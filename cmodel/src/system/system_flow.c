/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_flow.h"

#include "system/system_flow_state.h"

#include <math.h>
#include <stdlib.h>

static void arrive_and_start(struct system_flow *flow)
{
    for (unsigned gpu = 0; gpu < flow->plan->load.count; gpu++) {
        const unsigned ready = flow->gpus[gpu].ready;
        system_flow_tasks_arrive(flow, gpu);
        if (flow->gpus[gpu].ready != ready)
            system_flow_tasks_start(flow, gpu);
    }
}

/* The next thing that happens; false: nothing is left. */
static bool step(struct system_flow *flow)
{
    system_flow_links_solve(flow);
    const double links = system_flow_links_next(flow);
    const double tasks = system_flow_tasks_next(flow);
    const double next = fmin(links, tasks);
    if (isinf(next))
        return false;
    system_flow_links_advance(flow, fmax(next, flow->now));
    arrive_and_start(flow);
    if (tasks <= next)
        system_flow_tasks_take(flow);
    flow->result->events++;
    return true;
}

static int run(struct system_flow *flow)
{
    const int error = system_flow_tasks_create(flow);
    if (error != 0)
        return error;
    flow->now = flow->plan->start;
    system_flow_links_create(flow);
    arrive_and_start(flow);
    while (!flow->failed && step(flow))
        ;
    flow->result->seconds = flow->now + flow->plan->end;
    return flow->failed ? MOEHUB_E_MEMORY : 0;
}

int moehub_system_flow_run(const struct moehub_system_plan *plan, const struct moehub_system_observer *observer,
                           struct moehub_system_flow_result *result)
{
    static const struct moehub_system_observer nobody;
    struct system_flow *flow = calloc(1, sizeof *flow);
    if (flow == NULL)
        return MOEHUB_E_MEMORY;
    *result = (struct moehub_system_flow_result){0};
    flow->plan = plan;
    flow->observer = observer != NULL ? observer : &nobody;
    flow->result = result;
    const int error = run(flow);
    system_flow_tasks_destroy(flow);
    free(flow);
    return error;
}
