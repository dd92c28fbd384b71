/* SPDX-License-Identifier: Apache-2.0 */
/* A layer's time from tile-level flows: rows arrive over links that are shared max-min fairly, units of 128-row tiles
 * become ready, SMs take their tasks, results leave. Events, no random choice. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_FLOW_H
#define MOEHUB_SYSTEM_FLOW_H

#include "moehub/system_plan.h"

struct moehub_system_flow_result {
    double seconds;        /* of the layer */
    double dispatch_end;   /* last row has arrived */
    double first_end;      /* last GEMM-1 has ended */
    double compute_end;    /* last task has ended */
    double combine_begin;  /* first row has left */
    double busy[MOEHUB_SYSTEM_CLASSES_MAX];  /* SM-seconds of each GPU's tasks, as they would be alone with the memory */
    struct moehub_system_bytes bytes[MOEHUB_SYSTEM_CLASSES_MAX];
    unsigned long events;
};

enum moehub_system_lane {
    MOEHUB_SYSTEM_LANE_DISPATCH,
    MOEHUB_SYSTEM_LANE_GEMM_1,
    MOEHUB_SYSTEM_LANE_GEMM_2,
    MOEHUB_SYSTEM_LANE_WEIGHTS,
    MOEHUB_SYSTEM_LANE_COMBINE
};

/* Who wants to see the run as it happens; every member may be NULL. */
struct moehub_system_observer {
    void *context;
    /* `count` tasks of a unit, or rows on the links (unit and count 0), from `begin` to `end`. */
    void (*span)(void *context, unsigned class_number, enum moehub_system_lane lane, unsigned unit, unsigned count,
                 double begin, double end);
    /* Shares of a GPU's links in use from `time` on. */
    void (*links)(void *context, unsigned class_number, double time, double up, double down);
};

/* 0 or MOEHUB_E_MEMORY. `observer` may be NULL. */
int moehub_system_flow_run(const struct moehub_system_plan *plan, const struct moehub_system_observer *observer,
                           struct moehub_system_flow_result *result);

/* Whether a result can be true: bytes of each link and class are those of the plan's rows, to 1e-6; the time is not below
 * what the busiest link and the SMs need. MOEHUB_E_STATE with a sentence. */
int moehub_system_flow_check(const struct moehub_system_plan *plan, const struct moehub_system_flow_result *result,
                             struct moehub_message *message);

/* Runs and checks. Where tiles start by themselves: with each of the unit sizes 1, 2, 4, 8. Where the scheme has a group of SMs
 * for each GEMM: then with one group for both, and with other sizes of the groups if that is not much faster. The fastest is
 * kept. */
int moehub_system_flow_best(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                            enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                            struct moehub_system_plan *plan, struct moehub_system_flow_result *result,
                            struct moehub_message *message);

#endif
