/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a bench needs for its whole run. */
#ifndef KIT_ALLOCATE_H
#define KIT_ALLOCATE_H

#include <stddef.h>

/* `count` zeroed items of `size` bytes; without memory the program ends with status 2. */
void *allocate(size_t count, size_t size);

#endif
