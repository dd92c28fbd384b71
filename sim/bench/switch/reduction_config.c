/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_config.h"

#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_parameter(struct moehub_reduction_buffer_config *config, const char *text)
{
    const struct {
        const char *name;
        uint32_t *value;
    } parameters[MOEHUB_REDUCTION_PARAMETERS] = {
        {"ENTRIES=", &config->entries},
        {"PORTS=", &config->ports},
        {"PAYLOAD_BYTES=", &config->payload_bytes},
        {"FLIT_BYTES=", &config->flit_bytes},
        {"MAX_CONTRIBUTORS=", &config->max_contributors},
        {"WITH_FP32=", &config->with_fp32},
        {"GENERATION_WIDTH=", &config->generation_width},
        {"TAG_WIDTH=", &config->tag_width},
    };
    for (size_t i = 0; i < MOEHUB_REDUCTION_PARAMETERS; i++) {
        size_t length = strlen(parameters[i].name);
        if (strncmp(text, parameters[i].name, length) == 0)
            *parameters[i].value = (uint32_t)strtoul(text + length, NULL, 10);
    }
}

struct moehub_reduction_buffer_config reduction_config_read(const char *description, const char *prefix)
{
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    for (const char *text = strchr(description, ' '); text != NULL; text = strchr(text + 1, ' '))
        if (strncmp(text + 1, prefix, strlen(prefix)) == 0)
            set_parameter(&config, text + 1 + strlen(prefix));
    if (moehub_reduction_buffer_config_check(&config) != 0) {
        fprintf(stderr, "the model refuses the parameters of '%s'\n", description);
        exit(BENCH_CONFIGURATION);
    }
    return config;
}

unsigned reduction_config_contributors(const struct moehub_reduction_buffer_config *config)
{
    unsigned others = config->ports - 1;
    return others < config->max_contributors ? others : config->max_contributors;
}

uint64_t reduction_config_patience(const struct moehub_reduction_buffer_config *config)
{
    return (uint64_t)config->entries * reduction_config_contributors(config) * reduction_config_flits(config, config->payload_bytes);
}
