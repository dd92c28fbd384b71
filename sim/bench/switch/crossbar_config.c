/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_config.h"

#include "kit/options.h"
#include "kit/parameters.h"

#include <stdio.h>
#include <stdlib.h>

/* The defaults of the two modules. */
static struct crossbar_config defaults(void)
{
    return (struct crossbar_config){
        .ports = 8, .data_width = 128, .join = 1, .with_ids = 1, .local_expert_bits = 8, .max_targets = 32, .copies = 1024,
        .slots = 4, .ahead = 6, .longest = 14, .shortest = 3, .places = 2048, .packets = 682, .target_queue = 16};
}

struct crossbar_config crossbar_config_read(const char *description)
{
    struct crossbar_config config = defaults();
    const struct parameter parameters[] = {
        {.name = "PORTS", .value = &config.ports},
        {.name = "DATA_WIDTH", .value = &config.data_width},
        {.name = "JOIN", .value = &config.join},
        {.name = "WITH_IDS", .value = &config.with_ids},
        {.name = "WITH_TAG", .value = &config.with_tag},
        {.name = "LOCAL_EXPERT_BITS", .value = &config.local_expert_bits},
        {.name = "MAX_TARGETS", .value = &config.max_targets},
        {.name = "COPIES", .value = &config.copies},
        {.name = "SLOTS", .value = &config.slots},
        {.name = "AHEAD", .value = &config.ahead},
        {.name = "LONGEST", .value = &config.longest},
        {.name = "SHORTEST", .value = &config.shortest},
        {.name = "PLACES", .value = &config.places},
        {.name = "PACKETS", .value = &config.packets},
        {.name = "TARGET_QUEUE", .value = &config.target_queue},
    };
    parameters_read(description, "", NULL, parameters, sizeof parameters / sizeof *parameters);
    const struct moehub_crossbar_config model = crossbar_config_model(&config);
    struct moehub_crossbar crossbar;
    if (moehub_crossbar_create(&crossbar, &model) != 0) {
        fprintf(stderr, "the model refuses the parameters of '%s'\n", description);
        exit(BENCH_CONFIGURATION);
    }
    moehub_crossbar_destroy(&crossbar);
    return config;
}

struct crossbar_kind crossbar_config_kind(const struct crossbar_config *config)
{
    return (struct crossbar_kind){
        .class = config->with_ids == 0       ? MOEHUB_CLASS_RESPONSE
                 : config->data_width == 128 ? MOEHUB_CLASS_STORE
                                             : MOEHUB_CLASS_REQUEST,
        .ports = config->ports,
        .local_expert_bits = config->local_expert_bits,
        .max_targets = config->max_targets,
    };
}

struct moehub_crossbar_config crossbar_config_model(const struct crossbar_config *config)
{
    return (struct moehub_crossbar_config){
        .ports = config->ports, .local_expert_bits = config->local_expert_bits,
        /* A copy in a copy buffer may be of a packet whose places hold another one already. */
        .packets = config->packets + config->ports * config->slots};
}

uint64_t crossbar_config_patience(const struct crossbar_config *config)
{
    return (uint64_t)config->ports * config->places * 4;
}
