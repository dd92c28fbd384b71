/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a router trace: rows that are accepted hold different experts in range; a refusal names file and line. */
#include "fuzz.h"
#include "moehub/trace.h"

#include <stdlib.h>
#include <string.h>

const char *const fuzz_seeds[] = {
    "",
    "{\"type\": \"meta\", \"model_id\": \"m\", \"top_k\": 2, \"num_experts\": 8}\n"
    "{\"type\": \"route\", \"req_id\": \"r\", \"token_idx\": 0, \"layer\": 0,"
    " \"topk_ids\": [1, 2], \"topk_weights\": [0.5, 0.5]}\n"
    "{\"type\": \"route\", \"req_id\": \"r\", \"token_idx\": 1, \"layer\": 0,"
    " \"topk_ids\": [7, 0], \"topk_weights\": [0.5, 0.5]}\n",
    "{\"step\": 1, \"layer\": 0, \"rank\": 0, \"num_tokens\": 2, \"topk\": 2, \"top_indices\": [[1, 2], [3, 4]]}\n"
    "{\"step\": 2, \"layer\": 1, \"rank\": 0, \"num_tokens\": 2, \"topk\": 2, \"top_indices\": [1, 2, 3, 4]}\n",
    "layer_id,experts\n0,\"52 40 35 1\"\n1,\"5 4 3 1\"\n0,\"2 4 8 16\"\n",
    "\357\273\277{\"step\": 1, \"layer\": 0, \"rank\": 0, \"num_tokens\": 1, \"topk\": 2, \"top_indices\": [[1, 2]]}\r\n",
    "\357\273\277layer_id,experts\n0,\"52 40 35 1\"\n",
    "3,1 2\n3,1 2\n3,1 2\n3,1 2\n3,1 2\n3,1 2\n3,1 2\n3,1 2\n3,1 2\n3,4 2\n",
    NULL,
};

static void check(const struct moehub_trace *trace, unsigned experts)
{
    if (trace->tokens == 0 || trace->topk == 0)
        abort();
    for (size_t token = 0; token < trace->tokens; token++)
        for (unsigned i = 0; i < trace->topk; i++) {
            const uint16_t *row = trace->rows + token * trace->topk;
            if (row[i] >= experts)
                abort();
            for (unsigned j = 0; j < i; j++)
                if (row[i] == row[j])
                    abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct moehub_trace_options options = {
        .layer = size % 3 == 0 ? 0 : MOEHUB_TRACE_ANY_LAYER, .experts = 64, .keep_warmup = size % 2 == 0};
    FILE *file = fuzz_file(bytes, size);
    if (file == NULL)
        return 0;
    struct moehub_message message = {""};
    struct moehub_trace trace;
    const int error = moehub_trace_read(&trace, file, "input", &options, &message);
    fclose(file);
    if (error == 0)
        check(&trace, options.experts);
    else if (error == MOEHUB_E_FORMAT && strncmp(message.text, "input:", 6) != 0)
        abort();
    moehub_trace_destroy(&trace);
    return 0;
}
