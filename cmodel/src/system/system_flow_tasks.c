/* SPDX-License-Identifier: Apache-2.0 */
/* Units of tiles, and the SMs that compute them. */
#include "moehub/system_flow.h"
#include "system/system_flow_heap.h"

#include <math.h>
#include <stdlib.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned tasks_of(const struct moehub_system_cut *cut, unsigned rows)
{
    return cut->columns == 0 ? 0 : (rows + cut->rows - 1) / cut->rows * cut->columns;
}

/* Units in the order of their last rows: the first of every expert, then the next of every expert. */
static void fill_units(const struct moehub_system_plan *plan, struct system_gpu *state, unsigned gpu, unsigned expert_rows)
{
    const unsigned experts = plan->load.classes[gpu].experts;
    const unsigned unit_rows = plan->group * MOEHUB_SYSTEM_TILE_ROWS;
    for (unsigned i = 0; i < state->unit_count; i++) {
        struct system_unit *unit = &state->units[i];
        const unsigned first = i / experts * unit_rows;
        unit->rows = least(unit_rows, expert_rows - first);
        unit->arrived = plan->tiles_ready ? (double)(first + unit->rows) / expert_rows : 1;
        for (int stage = 0; stage < MOEHUB_SYSTEM_STAGES; stage++)
            unit->waiting[stage] = unit->left[stage] = tasks_of(&plan->cuts[gpu][stage], unit->rows);
        state->rows += unit->rows;
    }
}

static int create_gpu(struct system_flow *flow, unsigned gpu)
{
    const struct moehub_system_plan *plan = flow->plan;
    const struct moehub_system_class *one = &plan->load.classes[gpu];
    struct system_gpu *state = &flow->gpus[gpu];
    const unsigned expert_rows = one->experts == 0 ? 0 : (unsigned)ceil(one->rows / one->experts);
    const unsigned unit_rows = plan->group * MOEHUB_SYSTEM_TILE_ROWS;
    state->unit_count = (expert_rows + unit_rows - 1) / unit_rows * one->experts;
    state->units = calloc((size_t)state->unit_count + 1, sizeof state->units[0]);
    bool failed = state->units == NULL;
    for (int stage = 0; stage < MOEHUB_SYSTEM_STAGES; stage++) {
        state->queues[stage].units = calloc((size_t)state->unit_count + 1, sizeof state->queues[stage].units[0]);
        failed = failed || state->queues[stage].units == NULL;
        state->units_left[stage] = plan->cuts[gpu][stage].columns == 0 ? 0 : state->unit_count;
    }
    if (failed)
        return MOEHUB_E_MEMORY;
    state->free_sms[0] = plan->sms[0];
    state->free_sms[1] = plan->split ? plan->sms[1] : 0;
    state->open[MOEHUB_SYSTEM_GEMM_1] = plan->tiles_ready;
    state->open[MOEHUB_SYSTEM_GEMM_2] = !plan->kernels_apart;
    state->open[MOEHUB_SYSTEM_WEIGHTS] = true;
    fill_units(plan, state, gpu, expert_rows);
    return 0;
}

int system_flow_tasks_create(struct system_flow *flow)
{
    int error = 0;
    for (unsigned gpu = 0; gpu < flow->plan->load.count && error == 0; gpu++)
        error = create_gpu(flow, gpu);
    return error;
}

void system_flow_tasks_destroy(struct system_flow *flow)
{
    for (unsigned gpu = 0; gpu < flow->plan->load.count; gpu++) {
        free(flow->gpus[gpu].units);
        for (int stage = 0; stage < MOEHUB_SYSTEM_STAGES; stage++)
            free(flow->gpus[gpu].queues[stage].units);
    }
    free(flow->heap.events);
}

static void push(struct system_flow *flow, struct system_event event, double delay)
{
    event.time = flow->now + delay;
    event.number = flow->made++;
    flow->failed = !system_heap_push(&flow->heap, &event) || flow->failed;
}

static void enqueue(struct system_queue *queue, unsigned unit)
{
    queue->units[queue->tail++] = unit;
}

void system_flow_tasks_arrive(struct system_flow *flow, unsigned gpu)
{
    struct system_gpu *state = &flow->gpus[gpu];
    const double rows = flow->plan->dispatch_rows[gpu];
    while (state->ready < state->unit_count &&
           state->received >= state->units[state->ready].arrived * rows - SYSTEM_FLOW_ROWS_LEAST) {
        if (state->ready == 0 && !flow->plan->tiles_ready)
            push(flow, (struct system_event){.kind = SYSTEM_EVENT_OPEN, .gpu = gpu, .stage = MOEHUB_SYSTEM_GEMM_1},
                 flow->plan->kernel_start);
        enqueue(&state->queues[MOEHUB_SYSTEM_GEMM_1], state->ready++);
    }
}

/* Of a task that starts now. */
static double task_seconds(const struct system_flow *flow, unsigned gpu, unsigned stage)
{
    const struct moehub_system_cut *cut = &flow->plan->cuts[gpu][stage];
    return fmax(cut->seconds, system_flow_links_memory(flow, gpu, cut->memory));
}

/* Starts what fits of a queue's first unit on a pool of SMs; false: nothing can start. */
static bool start_some(struct system_flow *flow, unsigned gpu, unsigned stage, unsigned pool)
{
    struct system_gpu *state = &flow->gpus[gpu];
    struct system_queue *queue = &state->queues[stage];
    if (!state->open[stage] || queue->head == queue->tail || state->free_sms[pool] == 0)
        return false;
    const unsigned number = queue->units[queue->head];
    struct system_unit *unit = &state->units[number];
    const unsigned count = least(state->free_sms[pool], unit->waiting[stage]);
    const double seconds = task_seconds(flow, gpu, stage);
    unit->waiting[stage] -= count;
    state->free_sms[pool] -= count;
    queue->head += unit->waiting[stage] == 0;
    flow->result->busy[gpu] += count * flow->plan->cuts[gpu][stage].seconds;
    push(flow, (struct system_event){.kind = SYSTEM_EVENT_TASKS, .gpu = gpu, .unit = number, .count = count, .stage = stage,
                                     .pool = pool}, seconds);
    if (flow->observer->span != NULL)
        flow->observer->span(flow->observer->context, gpu, MOEHUB_SYSTEM_LANE_GEMM_1 + stage, number, count, flow->now,
                             flow->now + seconds);
    return true;
}

void system_flow_tasks_start(struct system_flow *flow, unsigned gpu)
{
    /* What lets rows leave comes first, what nothing waits for last. */
    static const unsigned order[] = {MOEHUB_SYSTEM_GEMM_2, MOEHUB_SYSTEM_GEMM_1, MOEHUB_SYSTEM_WEIGHTS};
    for (int i = 0; i < MOEHUB_SYSTEM_STAGES; i++)
        for (unsigned pool = 0; pool < 1U + flow->plan->split; pool++)
            if (!flow->plan->split || order[i] == pool || order[i] == MOEHUB_SYSTEM_WEIGHTS)
                while (start_some(flow, gpu, order[i], pool))
                    ;
}

double system_flow_tasks_next(const struct system_flow *flow)
{
    return flow->heap.count > 0 ? flow->heap.events[0].time : INFINITY;
}

/* Everything of the GPU that combine waits for has ended. */
static bool whole_done(const struct system_flow *flow, const struct system_gpu *state)
{
    return state->units_left[MOEHUB_SYSTEM_GEMM_2] == 0 &&
           (!flow->plan->serial || state->units_left[MOEHUB_SYSTEM_WEIGHTS] == 0);
}

/* A stage of a unit has ended: what waited for it. */
static void end_stage(struct system_flow *flow, unsigned gpu, unsigned number, unsigned stage)
{
    struct system_gpu *state = &flow->gpus[gpu];
    state->units_left[stage]--;
    if (stage == MOEHUB_SYSTEM_GEMM_1) {
        enqueue(&state->queues[MOEHUB_SYSTEM_GEMM_2], number);
        if (state->units_left[stage] == 0) {
            flow->result->first_end = flow->now;
            if (flow->plan->kernels_apart)
                push(flow, (struct system_event){.kind = SYSTEM_EVENT_OPEN, .gpu = gpu, .stage = MOEHUB_SYSTEM_GEMM_2},
                     flow->plan->kernel_start);
        }
    }
    if (stage == MOEHUB_SYSTEM_GEMM_2) {
        state->rows_done += state->units[number].rows;
        if (flow->plan->cuts[gpu][MOEHUB_SYSTEM_WEIGHTS].columns > 0)
            enqueue(&state->queues[MOEHUB_SYSTEM_WEIGHTS], number);
    }
    if (flow->plan->combine_tiles)
        system_flow_links_release(flow);
    else if (!state->whole_release && whole_done(flow, state)) {
        state->whole_release = true;
        push(flow, (struct system_event){.kind = SYSTEM_EVENT_COMBINE, .gpu = gpu}, flow->plan->combine_start);
    }
}

static void end_tasks(struct system_flow *flow, const struct system_event *event)
{
    struct system_gpu *state = &flow->gpus[event->gpu];
    struct system_unit *unit = &state->units[event->unit];
    state->free_sms[event->pool] += event->count;
    unit->left[event->stage] -= event->count;
    flow->result->compute_end = flow->now;
    if (unit->left[event->stage] == 0)
        end_stage(flow, event->gpu, event->unit, event->stage);
}

void system_flow_tasks_take(struct system_flow *flow)
{
    const struct system_event event = system_heap_pop(&flow->heap);
    struct system_gpu *state = &flow->gpus[event.gpu];
    switch (event.kind) {
    case SYSTEM_EVENT_OPEN:
        state->open[event.stage] = true;
        break;
    case SYSTEM_EVENT_COMBINE:
        state->available = flow->plan->combine_rows[event.gpu];
        system_flow_links_release(flow);
        break;
    case SYSTEM_EVENT_TASKS:
    default:
        end_tasks(flow, &event);
        break;
    }
    system_flow_tasks_start(flow, event.gpu);
}

bool system_flow_tasks_left(const struct system_flow *flow, unsigned gpu)
{
    const struct system_gpu *state = &flow->gpus[gpu];
    return state->units_left[MOEHUB_SYSTEM_GEMM_1] > 0 || state->units_left[MOEHUB_SYSTEM_GEMM_2] > 0 ||
           state->units_left[MOEHUB_SYSTEM_WEIGHTS] > 0;
}
