/* SPDX-License-Identifier: Apache-2.0 */
#include "system_threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* What the threads share, under the lock. */
struct crew {
    const struct system_job *job;
    pthread_mutex_t lock;
    size_t next, done;
    size_t failed;  /* the first task that has; the count: none */
    int error;
    struct moehub_message message;
    bool shown;     /* the progress */
};

static void show(const struct crew *crew)
{
    if (crew->shown)
        fprintf(stderr, "\r%s: %zu of %zu ", crew->job->name, crew->done, crew->job->count);
}

/* Tasks are taken in order, none after a failure: whatever is before one that fails has been taken. */
static bool take(struct crew *crew, size_t *number)
{
    pthread_mutex_lock(&crew->lock);
    *number = crew->next;
    const bool there = crew->failed == crew->job->count && crew->next < crew->job->count;
    crew->next += there;
    pthread_mutex_unlock(&crew->lock);
    return there;
}

static void settle(struct crew *crew, size_t number, int error, const struct moehub_message *message)
{
    pthread_mutex_lock(&crew->lock);
    if (error != 0 && number < crew->failed) {
        crew->failed = number;
        crew->error = error;
        crew->message = *message;
    }
    crew->done++;
    show(crew);
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *argument)
{
    struct crew *crew = argument;
    for (size_t number; take(crew, &number);) {
        struct moehub_message message = {""};
        const int error = crew->job->run(crew->job->context, number, &message);
        settle(crew, number, error, &message);
    }
    return NULL;
}

int system_threads_run(const struct system_job *job, unsigned threads, struct moehub_message *message)
{
    struct crew crew = {.job = job, .failed = job->count, .shown = isatty(STDERR_FILENO) != 0};
    pthread_t others[SYSTEM_THREADS_MAX];
    unsigned begun = 0;
    pthread_mutex_init(&crew.lock, NULL);
    show(&crew);
    /* A thread that cannot be had is one less: this one does the work of all if need be. */
    while (begun + 1 < threads && begun + 1 < job->count && pthread_create(&others[begun], NULL, work, &crew) == 0)
        begun++;
    work(&crew);
    for (unsigned i = 0; i < begun; i++)
        pthread_join(others[i], NULL);
    pthread_mutex_destroy(&crew.lock);
    if (crew.shown)
        fprintf(stderr, "\r%60s\r", "");
    if (crew.failed < job->count)
        *message = crew.message;
    return crew.error;
}
