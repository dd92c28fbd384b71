/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of the switch plane that go down in the middle of random traffic, and are revived (rtl/doc/plane/switch.md section 4). No
 * request waits for its group while a port goes down or comes back, as the model demands; all else flows on, and requests flow
 * while the port is down. */
#ifndef BENCH_SWITCH_PLANE_OUTAGE_H
#define BENCH_SWITCH_PLANE_OUTAGE_H

#include "bench/switch/switch_plane_run.h"

/* After a reset, with the timeouts of all groups in force: those of the ports. */
void plane_outage_prepare(struct plane_run *run);

/* Any port goes down, in turn as its GPU returns no credits or answers no requests. It is revived some time later;
 * every third stays down where `events` have been compared by then. */
void plane_outage(struct plane_run *run, uint64_t events);

#endif
