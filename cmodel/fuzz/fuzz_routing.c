/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a routing: one that is accepted can be drawn, and gives different experts. */
#include "fuzz.h"
#include "moehub/routing.h"

#include <stdlib.h>
#include <string.h>

enum { EXPERTS = 16, TOPK = 4, TOKENS = 3 };

const char *const fuzz_seeds[] = {"uniform", "normal:0.032", "zipf:1.5", "group", "trace:file", "zipf:8", NULL};

static void check(const uint16_t *rows)
{
    for (int token = 0; token < TOKENS; token++)
        for (int i = 0; i < TOPK; i++)
            for (int j = 0; j < i; j++)
                if (rows[token * TOPK + i] == rows[token * TOPK + j] || rows[token * TOPK + i] >= EXPERTS)
                    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char text[256];
    const size_t length = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, bytes, length);
    text[length] = '\0';
    struct moehub_message message = {""};
    struct moehub_routing routing;
    uint16_t rows[TOKENS * TOPK];
    if (moehub_routing_parse(text, &routing, &message) != 0) {
        if (message.text[0] == '\0')
            abort();
        return 0;
    }
    routing.groups = 4;
    routing.groups_kept = 2;
    if (routing.kind == MOEHUB_ROUTING_TRACE)
        return 0;
    if (moehub_routing_draw(&routing, EXPERTS, TOPK, TOKENS, size, rows, &message) != 0)
        abort();
    check(rows);
    return 0;
}
