/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_config.h"

#include "kit/dut.h"
#include "kit/options.h"
#include "kit/parameters.h"
#include "moehub/registers.h"

#include <stdio.h>
#include <stdlib.h>

struct moehub_address_path_config hub_config_built(void)
{
    struct moehub_address_path_config config = moehub_address_path_config_default();
    uint32_t parity; /* nothing to the model: its memories keep what they hold */
    const struct parameter parameters[] = {
        {.name = "CONTEXTS", .value = &config.contexts},
        {.name = "LOCAL_EXPERTS", .value = &config.local_experts},
        {.name = "GPUS", .value = &config.gpus},
        {.name = "ROW_INDEX_WIDTH", .value = &config.row_index_width},
        {.name = "SLOT_WIDTH", .value = &config.slot_width},
        {.name = "OFFSET_WIDTH", .value = &config.offset_width},
        {.name = "ADDRESS_WIDTH", .value = &config.address_width},
        {.name = "SETS", .value = &config.sets},
        {.name = "WAYS", .value = &config.ways},
        {.name = "REPLACEMENT", .value = &config.replacement},
        {.name = "PORTS", .value = &config.ports},
        {.name = "PENDING", .value = &config.pending},
        {.name = "WAITING", .value = &config.waiting},
        {.name = "TAG_WIDTH", .value = &config.tag_width},
        {.name = "AXI_DATA_WIDTH", .value = &config.axi_data_width},
        {.name = "STAGES", .value = &config.stages},
        {.name = "LENGTH_WIDTH", .value = &config.length_width},
        {.name = "PARITY", .value = &parity},
    };
    _Static_assert(sizeof parameters / sizeof *parameters == MOEHUB_HUB_CSR_PARAMETER_COUNT + 1,
                   "every parameter with a register, and PARITY");
    parameters_read(dut_description(), "", "SWITCH_", parameters, sizeof parameters / sizeof *parameters);
    if (moehub_address_path_config_check(&config) == 0)
        return config;
    fprintf(stderr, "the model refuses the parameters of '%s'\n", dut_description());
    exit(BENCH_CONFIGURATION);
}
