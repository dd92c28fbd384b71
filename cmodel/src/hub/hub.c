/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/hub.h"

#include "moehub/error.h"
#include "moehub/integer.h"

/* A stride of 128 bytes has a place in a row's size. */
#define STAGES_OFFSET_WIDTH_MIN 7

struct moehub_address_path_config moehub_address_path_config_default(void)
{
    return (struct moehub_address_path_config){
        .contexts = 4,
        .local_experts = 64,
        .gpus = 64,
        .row_index_width = 20,
        .slot_width = 22,
        .offset_width = 14,
        .address_width = 48,
        .sets = 128,
        .ways = 4,
        .replacement = MOEHUB_REPLACEMENT_PLRU,
        .ports = 16,
        .pending = 64,
        .waiting = 128,
        .tag_width = 24,
        .axi_data_width = 128,
        .stages = 1,
        .length_width = 9,
    };
}

int moehub_address_path_config_check(const struct moehub_address_path_config *config)
{
    const bool legal =
        moehub_within(config->contexts, 1, MOEHUB_CONTEXTS_MAX) &&
        moehub_within(config->local_experts, 1, MOEHUB_LOCAL_EXPERTS_MAX) &&
        moehub_within(config->gpus, 1, MOEHUB_GPUS_MAX) &&
        moehub_within(config->row_index_width, 1, 32) && moehub_within(config->slot_width, 1, 31) &&
        moehub_within(config->offset_width, 4, 16) && moehub_within(config->address_width, 32, 64) &&
        moehub_within(config->sets, 1, MOEHUB_SETS_MAX) && moehub_power_of_two(config->sets) &&
        moehub_within(config->ways, 1, MOEHUB_WAYS_MAX) && config->replacement <= MOEHUB_REPLACEMENT_FIFO &&
        (config->replacement == MOEHUB_REPLACEMENT_FIFO || moehub_power_of_two(config->ways)) &&
        moehub_within(config->ports, 1, 64) && moehub_within(config->pending, 1, 256) &&
        moehub_within(config->waiting, 2, 4096) &&
        moehub_within(config->tag_width, 1, 64) && moehub_within(config->axi_data_width, 32, 512) &&
        moehub_power_of_two(config->axi_data_width) && moehub_within(config->stages, 1, MOEHUB_STAGES_MAX) &&
        (config->stages == 1 || config->offset_width >= STAGES_OFFSET_WIDTH_MIN) &&
        moehub_within(config->length_width, 9, 11);
    return legal ? 0 : MOEHUB_E_ARGUMENT;
}
