/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/workers.h"

#include "kit/allocate.h"
#include "kit/options.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 16 };

struct workers {
    unsigned threads, tasks;
    worker_task *task;
    void *user;
    pthread_t others[THREADS_MAX];
    pthread_barrier_t begin, end;
    atomic_uint next;
    bool stop;
};

static void take_tasks(struct workers *workers)
{
    for (unsigned task; (task = atomic_fetch_add(&workers->next, 1)) < workers->tasks;)
        workers->task(workers->user, task);
}

static void *other(void *argument)
{
    struct workers *workers = argument;
    for (;;) {
        pthread_barrier_wait(&workers->begin);
        if (workers->stop)
            return NULL;
        take_tasks(workers);
        pthread_barrier_wait(&workers->end);
    }
}

struct workers *workers_create(unsigned threads, unsigned tasks, worker_task *task, void *user)
{
    struct workers *workers = allocate(1, sizeof *workers);
    workers->threads = threads;
    workers->tasks = tasks;
    workers->task = task;
    workers->user = user;
    pthread_barrier_init(&workers->begin, NULL, threads);
    pthread_barrier_init(&workers->end, NULL, threads);
    for (unsigned i = 1; i < threads; i++)
        if (pthread_create(&workers->others[i], NULL, other, workers) != 0) {
            fprintf(stderr, "no thread to be had: run with --threads 1\n");
            exit(BENCH_CONFIGURATION);
        }
    return workers;
}

void workers_destroy(struct workers *workers)
{
    workers->stop = true;
    if (workers->threads > 1)
        pthread_barrier_wait(&workers->begin);
    for (unsigned i = 1; i < workers->threads; i++)
        pthread_join(workers->others[i], NULL);
    pthread_barrier_destroy(&workers->begin);
    pthread_barrier_destroy(&workers->end);
    free(workers);
}

void workers_turn(struct workers *workers)
{
    atomic_store(&workers->next, 0);
    if (workers->threads > 1)
        pthread_barrier_wait(&workers->begin);
    take_tasks(workers);
    if (workers->threads > 1)
        pthread_barrier_wait(&workers->end);
}
