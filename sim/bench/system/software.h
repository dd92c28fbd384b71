/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a GPU beside its hub's clock: straight-line code that waits by giving the clock back.
 *
 * It has a stack of its own. software_step() lets it run until it waits, once a cycle, from whichever thread steps the hub. */
#ifndef BENCH_SOFTWARE_H
#define BENCH_SOFTWARE_H

#include <stdbool.h>
#include <ucontext.h>

typedef void software_program(void *user);

struct software {
    ucontext_t own, clock;
    char *stack;
    software_program *program;
    void *user;
    bool ended;
};

void software_create(struct software *software, software_program *program, void *user);
void software_destroy(struct software *software);

/* Of the clock: goes on until it waits, or has ended. */
void software_step(struct software *software);

/* Of the program: until the next cycle. */
void software_wait(struct software *software);

#endif
