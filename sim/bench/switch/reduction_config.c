/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_config.h"

#include "kit/options.h"
#include "kit/parameters.h"

#include <stdio.h>
#include <stdlib.h>

struct moehub_reduction_buffer_config reduction_config_read(const char *description, const char *prefix)
{
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    uint32_t parity = 0; /* nothing that the model knows */
    const struct parameter parameters[] = {
        {.name = "ENTRIES", .value = &config.entries},
        {.name = "PORTS", .value = &config.ports},
        {.name = "PAYLOAD_BYTES", .value = &config.payload_bytes},
        {.name = "FLIT_BYTES", .value = &config.flit_bytes},
        {.name = "MAX_CONTRIBUTORS", .value = &config.max_contributors},
        {.name = "WITH_FP32", .value = &config.with_fp32},
        {.name = "GENERATION_WIDTH", .value = &config.generation_width},
        {.name = "TAG_WIDTH", .value = &config.tag_width},
        {.name = "PARITY", .value = &parity},
        {.name = "REQUEST_LINES", .value = &config.request_lines},
        {.name = "QUARANTINE", .value = &config.quarantine},
        {.name = "WITH_RELEASE", .value = &config.with_release},
    };
    _Static_assert(sizeof parameters / sizeof *parameters == MOEHUB_REDUCTION_PARAMETERS + 1, "every parameter");
    parameters_read(description, prefix, NULL, parameters, sizeof parameters / sizeof *parameters);
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
    return (uint64_t)config->entries * reduction_config_contributors(config) *
           reduction_config_flits(config, config->payload_bytes);
}
