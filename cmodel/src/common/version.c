/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/version.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

const char *moehub_version_string(void)
{
    return TEXT(MOEHUB_VERSION_MAJOR) "." TEXT(MOEHUB_VERSION_MINOR) "." TEXT(MOEHUB_VERSION_PATCH);
}

uint32_t moehub_version(void)
{
    return MOEHUB_VERSION;
}
