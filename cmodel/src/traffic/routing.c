/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/routing.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum moehub_routing_kind kind;
    double most;  /* legal parameters are 0..most; -1: takes none */
} kinds[] = {
    {"uniform", MOEHUB_ROUTING_UNIFORM, -1},
    {"group", MOEHUB_ROUTING_GROUP, -1},
    {"normal", MOEHUB_ROUTING_NORMAL, MOEHUB_ROUTING_NORMAL_MAX},
    {"zipf", MOEHUB_ROUTING_ZIPF, MOEHUB_ROUTING_ZIPF_MAX},
};

/* Reads the number after "normal:" or "zipf:". */
static int parse_parameter(const char *name, const char *text, double most, double *parameter,
                           struct moehub_message *message)
{
    char *end = NULL;
    errno = 0;
    *parameter = strtod(text, &end);
    const bool legal = end != text && *end == '\0' && isfinite(*parameter) && *parameter >= 0 && *parameter <= most;
    if (legal)
        return 0;
    moehub_message_set(message, NULL, 0, "'%s:%s': a number 0..%g must follow %s:", name, text, most, name);
    return MOEHUB_E_ARGUMENT;
}

int moehub_routing_parse(const char *text, struct moehub_routing *routing, struct moehub_message *message)
{
    *routing = (struct moehub_routing){0};
    if (strncmp(text, "trace:", 6) == 0 && text[6] != '\0') {
        routing->kind = MOEHUB_ROUTING_TRACE;
        routing->trace = text + 6;
        return 0;
    }
    const size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const bool takes_number = kinds[i].most >= 0;
        if (strlen(kinds[i].name) != length || strncmp(text, kinds[i].name, length) != 0 ||
            takes_number != (text[length] == ':'))
            continue;
        routing->kind = kinds[i].kind;
        return takes_number ? parse_parameter(kinds[i].name, text + length + 1, kinds[i].most, &routing->parameter, message)
                            : 0;
    }
    moehub_message_set(message, NULL, 0, "unknown routing '%s'; legal are %s", text, MOEHUB_ROUTING_NAMES);
    return MOEHUB_E_ARGUMENT;
}
