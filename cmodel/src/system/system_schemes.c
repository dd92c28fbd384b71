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

/* name, experts, topk, hidden, intermediate, tokens, bytes of a dispatched element, of a product's operand */
static const struct moehub_system_work training[] = {
    {"small-8", 64, 8, 2048, 512, 2048, 2, 1},      {"small-16", 64, 16, 2048, 512, 2048, 2, 1},
    {"small-32", 64, 32, 2048, 512, 2048, 2, 1},    {"medium-8", 128, 8, 4096, 1024, 4096, 2, 1},
    {"medium-16", 128, 16, 4096, 1024, 4096, 2, 1}, {"medium-32", 128, 32, 4096, 1024, 4096, 2, 1},
    {"large-8", 256, 8, 7168, 2048, 8192, 2, 1},    {"large-16", 256, 16, 7168, 2048, 8192, 2, 1},
    {"large-32", 256, 32, 7168, 2048, 8192, 2, 1},
};

const struct moehub_system_work *moehub_system_training(size_t *count)
{
    *count = sizeof training / sizeof training[0];
    return training;
}

/* arXiv 2605.05888: three models, bf16, tokens of a GPU. */
static const struct moehub_system_work hub_cases[] = {
    {"mixtral-128", 8, 2, 4096, 14336, 128, 2, 2},   {"mixtral-1024", 8, 2, 4096, 14336, 1024, 2, 2},
    {"mixtral-8192", 8, 2, 4096, 14336, 8192, 2, 2}, {"mixtral-32768", 8, 2, 4096, 14336, 32768, 2, 2},
    {"qwen1.5-128", 60, 4, 2048, 1408, 128, 2, 2},   {"qwen1.5-1024", 60, 4, 2048, 1408, 1024, 2, 2},
    {"qwen1.5-8192", 60, 4, 2048, 1408, 8192, 2, 2}, {"qwen1.5-32768", 60, 4, 2048, 1408, 32768, 2, 2},
    {"phi3.5-128", 16, 2, 4096, 6400, 128, 2, 2},    {"phi3.5-1024", 16, 2, 4096, 6400, 1024, 2, 2},
    {"phi3.5-8192", 16, 2, 4096, 6400, 8192, 2, 2},  {"phi3.5-32768", 16, 2, 4096, 6400, 32768, 2, 2},
};

const struct moehub_system_work *moehub_system_hub_cases(size_t *count)
{
    *count = sizeof hub_cases / sizeof hub_cases[0];
    return hub_cases;
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
