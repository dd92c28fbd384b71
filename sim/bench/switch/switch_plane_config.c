/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_config.h"

#include "kit/parameters.h"

struct switch_plane_parameters switch_plane_config_read(const char *description)
{
    uint32_t with_fp32 = 1, unseen; /* what says how fast and how full, and not what leaves */
    struct switch_plane_parameters read = {
        .model = {.ports = 8, .local_expert_bits = 8, .max_targets = 32, .request_lines = 8, .groups = 13,
                  .generation_width = 8, .places = {2048, 256, 2048}},
        .copies = 1024, .slots = 4};
    struct moehub_switch_plane_config *config = &read.model;
    const struct parameter parameters[] = {
        {.name = "PORTS", .value = &config->ports},
        {.name = "LOCAL_EXPERT_BITS", .value = &config->local_expert_bits},
        {.name = "MAX_TARGETS", .value = &config->max_targets},
        {.name = "REQUEST_LINES", .value = &config->request_lines},
        {.name = "GROUPS", .value = &config->groups},
        {.name = "PLACES_STORE", .value = &config->places[MOEHUB_CLASS_STORE]},
        {.name = "PLACES_REQUEST", .value = &config->places[MOEHUB_CLASS_REQUEST]},
        {.name = "PLACES_RESPONSE", .value = &config->places[MOEHUB_CLASS_RESPONSE]},
        {.name = "WITH_FP32", .value = &with_fp32},
        {.name = "GENERATION_WIDTH", .value = &config->generation_width},
        {.name = "COPIES", .value = &read.copies},
        {.name = "SLOTS", .value = &read.slots},
        {.name = "REQUEST_SLOTS", .value = &unseen},
        {.name = "NOTICES", .value = &unseen},
        {.name = "BOUND", .value = &unseen},
    };
    parameters_read(description, "", NULL, parameters, sizeof parameters / sizeof *parameters);
    config->with_fp32 = with_fp32 != 0;
    return read;
}

struct moehub_check_config switch_plane_check_config(const struct moehub_switch_plane_config *config, unsigned port)
{
    return (struct moehub_check_config){
        .own = (uint16_t)port, .ports = (uint16_t)config->ports, .local_expert_bits = (uint8_t)config->local_expert_bits,
        .max_targets = (uint8_t)config->max_targets, .request_lines = (uint8_t)config->request_lines};
}
