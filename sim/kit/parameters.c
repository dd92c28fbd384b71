/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/parameters.h"

#include "kit/options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void refuse(const char *description, const char *assignment, const char *why)
{
    fprintf(stderr, "%s: parameter %s: %s\n", description, assignment, why);
    exit(BENCH_CONFIGURATION);
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* False: none of the parameters has that name. */
static bool assign(const char *description, const char *assignment, const struct parameter *parameters, size_t count)
{
    const char *equals = strchr(assignment, '=');
    const size_t length = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    for (size_t i = 0; i < count; i++) {
        if (strlen(parameters[i].name) != length || strncmp(parameters[i].name, assignment, length) != 0)
            continue;
        char *end = NULL;
        errno = 0;
        const unsigned long value = equals == NULL ? 0 : strtoul(equals + 1, &end, 10);
        if (equals == NULL || end == equals + 1 || *end != '\0' || errno != 0 || value > UINT32_MAX)
            refuse(description, assignment, "not NAME=number");
        *parameters[i].value = (uint32_t)value;
        return true;
    }
    return false;
}

void parameters_read(const char *description, const char *prefix, const char *others, const struct parameter *parameters,
                     size_t count)
{
    char *list = strdup(description), *rest = NULL;
    if (list == NULL)
        refuse(description, "list", "out of memory");
    strtok_r(list, " ", &rest); /* the top */
    for (const char *word = strtok_r(NULL, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (begins_with(word, prefix) && !(others != NULL && begins_with(word, others)))
            if (!assign(description, word + strlen(prefix), parameters, count))
                refuse(description, word + strlen(prefix), "the model has none of that name");
    free(list);
}

void parameters_find(const char *description, const struct parameter *parameters, size_t count)
{
    char *list = strdup(description), *rest = NULL;
    if (list == NULL)
        refuse(description, "list", "out of memory");
    strtok_r(list, " ", &rest); /* the top */
    for (const char *word = strtok_r(NULL, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        assign(description, word, parameters, count);
    free(list);
}
