/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_layer.h"

#include <string.h>

static const char *const names[] = {
#define NAME(name, text, what) text,
    MOEHUB_SYSTEM_SCHEMES(NAME)
#undef NAME
};

static const char *const whats[] = {
#define WHAT(name, text, what) what,
    MOEHUB_SYSTEM_SCHEMES(WHAT)
#undef WHAT
};

/* name, experts, topk, hidden, intermediate, tokens, bytes of a dispatched element */
static const struct moehub_system_work training[] = {
    {"small-8", 64, 8, 2048, 512, 2048, 2},      {"small-16", 64, 16, 2048, 512, 2048, 2},
    {"small-32", 64, 32, 2048, 512, 2048, 2},    {"medium-8", 128, 8, 4096, 1024, 4096, 2},
    {"medium-16", 128, 16, 4096, 1024, 4096, 2}, {"medium-32", 128, 32, 4096, 1024, 4096, 2},
    {"large-8", 256, 8, 7168, 2048, 8192, 2},    {"large-16", 256, 16, 7168, 2048, 8192, 2},
    {"large-32", 256, 32, 7168, 2048, 8192, 2},
};

const struct moehub_system_work *moehub_system_training(size_t *count)
{
    *count = sizeof training / sizeof training[0];
    return training;
}

enum moehub_system_scheme moehub_system_scheme_find(const char *name)
{
    int i = 0;
    while (i < MOEHUB_SYSTEM_SCHEME_COUNT && strcmp(name, names[i]) != 0)
        i++;
    return (enum moehub_system_scheme)i;
}

const char *moehub_system_scheme_name(enum moehub_system_scheme scheme)
{
    return names[scheme];
}

const char *moehub_system_scheme_what(enum moehub_system_scheme scheme)
{
    return whats[scheme];
}
