/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs of `moehub system` side by side. Results do not depend on how many threads there are. */
#ifndef MOEHUB_CLI_SYSTEM_THREADS_H
#define MOEHUB_CLI_SYSTEM_THREADS_H

#include "moehub/error.h"

#include <stddef.h>

enum { SYSTEM_THREADS_MAX = 64, SYSTEM_THREADS_DEFAULT = 2 };

/* Numbered tasks that do not see each other's results. */
struct system_job {
    const char *name;  /* for the progress */
    size_t count;
    int (*run)(void *context, size_t number, struct moehub_message *message);  /* 0, or an error with a sentence */
    void *context;
};

/* Runs all tasks on 1..SYSTEM_THREADS_MAX threads; how many are done is shown where standard error is a terminal. 0, or the error
 * of the failed task with the smallest number; tasks behind one that failed may not have run. */
int system_threads_run(const struct system_job *job, unsigned threads, struct moehub_message *message);

#endif
