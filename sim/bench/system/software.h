/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a GPU beside its hub's clock: straight-line code that waits by giving the clock back.
 *
 * It has a stack of its own. software_step() lets it run until it waits, once a cycle, from whichever thread steps the hub. */
#ifndef BENCH_SOFTWARE_H
#define BENCH_SOFTWARE_H

#include "kit/axi_lite.h"

#include <stdbool.h>
#include <ucontext.h>

typedef void software_program(void *user);
typedef bool software_condition(const void *user);

struct software {
    ucontext_t own, clock;
    char *stack;
    software_program *program;
    void *user;
    software_condition *awaited; /* NULL: it goes on with the next step */
    const void *of;              /* what must fulfil it */
    bool ended;
};

void software_create(struct software *software, software_program *program, void *user);
void software_destroy(struct software *software);

/* Of the clock: goes on until it waits, or has ended; not at all while what it awaits does not hold. */
void software_step(struct software *software);

/* Of the program: until a cycle in which the condition holds of its `user`, this one if it does. */
void software_await(struct software *software, software_condition *condition);
/* The same, until a bus has done what was started on it. */
void software_await_bus(struct software *software, const struct axi_lite *bus);

#endif
