/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in order: cycles, latencies. */
#ifndef KIT_SORT_H
#define KIT_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending, in place. */
void sort_numbers(uint64_t *numbers, size_t count);

#endif
