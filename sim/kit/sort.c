/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/sort.h"

#include <stdlib.h>

static int compare_numbers(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

void sort_numbers(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
}
