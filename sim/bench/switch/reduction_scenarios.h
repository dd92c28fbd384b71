/* SPDX-License-Identifier: Apache-2.0 */
/* Directed tests of the reduction buffer: each states facts of the specification as numbers of its own, beside the
 * comparison with the model that always runs. */
#ifndef BENCH_REDUCTION_SCENARIOS_H
#define BENCH_REDUCTION_SCENARIOS_H

#include "bench/switch/reduction_port.h"

/* Runs the scenario of that name, or each in turn for "all". False when there is none of that name. */
bool reduction_scenarios_run(struct reduction_port *port, const char *name);

/* After other traffic: one result with nothing in its way passes as after a reset. The buffer is empty. */
void reduction_scenarios_probe(struct reduction_port *port);

/* Their names, for messages. */
void reduction_scenarios_list(void);

#endif
