/* SPDX-License-Identifier: Apache-2.0 */
/* A few threads that share tasks 0 .. count - 1, all of which end before any of the next turn begins. */
#ifndef BENCH_WORKERS_H
#define BENCH_WORKERS_H

typedef void worker_task(void *user, unsigned task);

struct workers;

/* `threads` 1..16, the caller's own among them. Ends the program when there are no threads to be had. */
struct workers *workers_create(unsigned threads, unsigned tasks, worker_task *task, void *user);
void workers_destroy(struct workers *workers);

/* Each task once. */
void workers_turn(struct workers *workers);

#endif
