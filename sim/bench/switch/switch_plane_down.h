/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of the switch plane that go down (rtl/doc/plane/switch.md section 4), as a scenario drives them. */
#ifndef BENCH_SWITCH_PLANE_DOWN_H
#define BENCH_SWITCH_PLANE_DOWN_H

#include "bench/switch/switch_plane_run.h"

enum { DOWN_GROUP_TIMEOUT = 800, DOWN_PORT_TIMEOUT = 100 };

/* A reset, with so many places a class at each GPU; then those of the set `starving` grant nothing, and the timeouts of all
 * ports are in force. */
void plane_down_prepare(struct plane_run *run, uint32_t places, uint64_t starving);

/* The interrupt of a port that becomes down reaches the pin. */
void plane_down_unmask(struct plane_run *run, unsigned port);

/* The port may be down from now on. Requests that name it have been granted, and none come until it is down. */
void plane_down_expect(struct plane_run *run, unsigned port);

/* Runs until the pin says that the port is down, or the register that those of the set are; they must be within `cycles`. */
void plane_down_await_pin(struct plane_run *run, unsigned port, unsigned cycles);
void plane_down_await(struct plane_run *run, uint64_t ports, unsigned cycles);

#endif
