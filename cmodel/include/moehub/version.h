/* SPDX-License-Identifier: Apache-2.0 */
/* The library's version; hardware and model carry the same one. */
#ifndef MOEHUB_VERSION_H
#define MOEHUB_VERSION_H

#include "moehub/defines.h"

#include <stdint.h>

/* The VERSION register: major << 16 | minor << 8 | patch. */
#define MOEHUB_VERSION                                                                                   \
    ((uint32_t)MOEHUB_VERSION_MAJOR << 16 | (uint32_t)MOEHUB_VERSION_MINOR << 8 | (uint32_t)MOEHUB_VERSION_PATCH)

/* "0.1.0" of the library linked in (the macros are those of the headers). */
const char *moehub_version_string(void);

/* The same as MOEHUB_VERSION. */
uint32_t moehub_version(void);

#endif
