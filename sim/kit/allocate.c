/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/allocate.h"

#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(BENCH_CONFIGURATION);
    }
    return memory;
}
