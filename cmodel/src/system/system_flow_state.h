/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a run by tile flows share: links (system_flow_links), units and SMs (system_flow_tasks). */
#ifndef SYSTEM_FLOW_STATE_H
#define SYSTEM_FLOW_STATE_H

#include "moehub/system_flow.h"
#include "moehub/system_share.h"

#include <stddef.h>

/* Rows below which a flow counts as done: sums of rates times steps are not exact. */
#define SYSTEM_FLOW_ROWS_LEAST 1e-6

struct system_unit {
    double arrived;                          /* share of the GPU's rows after which all of its own are there */
    unsigned rows;
    unsigned waiting[MOEHUB_SYSTEM_STAGES];  /* tasks that have not started */
    unsigned left[MOEHUB_SYSTEM_STAGES];     /* tasks that have not ended */
};

/* Units of a class whose tasks of a stage may start, in order. */
struct system_queue {
    unsigned *units;
    unsigned head, tail;
};

struct system_gpu {
    struct system_unit *units;
    unsigned unit_count;
    unsigned ready;                        /* units whose rows are there */
    struct system_queue queues[MOEHUB_SYSTEM_STAGES];
    unsigned units_left[MOEHUB_SYSTEM_STAGES];
    unsigned free_sms[2];
    double rows;                           /* of all units */
    double rows_done;                      /* their GEMM-2 has ended */
    bool whole_release;                    /* combine of everything is on its way or done */
    bool open[MOEHUB_SYSTEM_STAGES];       /* tasks of the stage may start */

    double received, sent, available;      /* rows of dispatch, of combine, of combine that may leave */
    bool dispatching, combining;
    double dispatch_rate, combine_rate;    /* rows a second */
    double dispatch_memory, combine_memory;  /* shares of the memory's rate that rows take at these rates */
    double dispatch_since, combine_since;  /* for the observer */
};

enum system_event_kind { SYSTEM_EVENT_TASKS, SYSTEM_EVENT_OPEN, SYSTEM_EVENT_COMBINE };

struct system_event {
    double time;
    unsigned long number;  /* events of the same time in the order in which they were made */
    enum system_event_kind kind;
    unsigned gpu, unit, count, stage, pool;
};

struct system_heap {
    struct system_event *events;
    size_t count, capacity;
};

struct system_flow {
    const struct moehub_system_plan *plan;
    const struct moehub_system_observer *observer;
    struct moehub_system_flow_result *result;
    double now;
    struct system_gpu gpus[MOEHUB_SYSTEM_CLASSES_MAX];
    struct system_heap heap;
    unsigned long made;
    bool rates_old;
    bool failed;  /* no memory for an event */
    struct moehub_system_share share;
    double weight[MOEHUB_SYSTEM_CLASSES_MAX];     /* share of all GPUs that a class is */
    double untouched[MOEHUB_SYSTEM_CLASSES_MAX];  /* chance that a token has no expert in the whole class */
    double dispatch_scale[MOEHUB_SYSTEM_CLASSES_MAX];  /* rows of a GPU for each row that its flow is solved for */
    double combine_scale[MOEHUB_SYSTEM_CLASSES_MAX];
};

/* ---- units and SMs ---- */
int system_flow_tasks_create(struct system_flow *flow);
void system_flow_tasks_destroy(struct system_flow *flow);
/* Units whose rows have arrived. */
void system_flow_tasks_arrive(struct system_flow *flow, unsigned gpu);
/* Gives free SMs to waiting tasks. */
void system_flow_tasks_start(struct system_flow *flow, unsigned gpu);
/* The earliest event; its time, or INFINITY. */
double system_flow_tasks_next(const struct system_flow *flow);
/* Takes it. */
void system_flow_tasks_take(struct system_flow *flow);
bool system_flow_tasks_left(const struct system_flow *flow, unsigned gpu);

/* ---- links ---- */
void system_flow_links_create(struct system_flow *flow);
/* Solves the rates again if a flow has begun or ended. */
void system_flow_links_solve(struct system_flow *flow);
/* Seconds that the memory takes for what alone would take it `alone`, from now on, beside rows that move at these rates until all
 * have. They take no more than half of it. */
double system_flow_links_memory(const struct system_flow *flow, unsigned gpu, double alone);
/* When the next unit's rows are complete or a flow runs dry at these rates; INFINITY: never. */
double system_flow_links_next(const struct system_flow *flow);
/* Moves rows until `time`. */
void system_flow_links_advance(struct system_flow *flow, double time);
/* What may leave now that rows_done or a release has changed. */
void system_flow_links_release(struct system_flow *flow);

#endif
