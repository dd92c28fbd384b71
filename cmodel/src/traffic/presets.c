/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/presets.h"

#include <string.h>

/* name, experts, topk, hidden, intermediate, layers, groups, groups_kept, router */
static const struct moehub_preset presets[] = {
    {"deepseek-v3", 256, 8, 7168, 2048, 58, 8, 4, "sigmoid + bias, best 4 of 8 groups"},
    {"kimi-k2", 384, 8, 7168, 2048, 60, 1, 1, "sigmoid + bias, one group"},
    {"kimi-k3", 896, 16, 7168, 3072, 92, 1, 1, "sigmoid + bias, one group"},
    {"qwen3-235b-a22b", 128, 8, 4096, 1536, 94, 0, 0, "softmax, renormalised"},
    {"qwen3-30b-a3b", 128, 8, 2048, 768, 48, 0, 0, "softmax, renormalised"},
    {"qwen3.5-397b-a17b", 512, 10, 4096, 1024, 60, 0, 0, "softmax"},
    {"qwen1.5-moe-a2.7b", 60, 4, 2048, 1408, 24, 0, 0, "softmax"},
    {"gpt-oss-120b", 128, 4, 2880, 2880, 36, 0, 0, "softmax over the top 4"},
    {"gpt-oss-20b", 32, 4, 2880, 2880, 24, 0, 0, "softmax over the top 4"},
    {"mixtral-8x7b", 8, 2, 4096, 14336, 32, 0, 0, "softmax over the top 2"},
    {"mixtral-8x22b", 8, 2, 6144, 16384, 56, 0, 0, "softmax over the top 2"},
    {"llama4-maverick", 128, 1, 5120, 8192, 24, 0, 0, "sigmoid"},
    {"glm-4.5", 160, 8, 5120, 1536, 89, 1, 1, "sigmoid + bias, one group"},
    {"pangu-ultra-moe", 256, 8, 7680, 2048, 58, 0, 0, "balanced over expert-parallel groups by its loss"},
    {"olmoe-1b-7b", 64, 8, 2048, 1024, 16, 0, 0, "softmax"},
    {"dysharp-small", 64, 8, 2048, 512, 0, 0, 0, "evaluated with shares normal:0.032"},
    {"dysharp-medium", 128, 8, 4096, 1024, 0, 0, 0, "evaluated with shares normal:0.032"},
    {"dysharp-large", 256, 8, 7168, 2048, 0, 0, 0, "evaluated with shares normal:0.032"},
};

const struct moehub_preset *moehub_presets(size_t *count)
{
    *count = sizeof presets / sizeof presets[0];
    return presets;
}

const struct moehub_preset *moehub_preset_find(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
        if (strcmp(name, presets[i].name) == 0)
            return &presets[i];
    return NULL;
}
