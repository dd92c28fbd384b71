/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_config.h"

#include "kit/dut.h"
#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of struct moehub_address_path_config, which is all uint32_t. */
static const char *const names[MOEHUB_ADDRESS_PATH_PARAMETERS] = {
    "CONTEXTS", "LOCAL_EXPERTS", "GPUS", "ROW_INDEX_WIDTH", "SLOT_WIDTH", "OFFSET_WIDTH", "ADDRESS_WIDTH", "SETS",
    "WAYS", "REPLACEMENT", "PORTS", "PENDING", "WAITING", "TAG_WIDTH", "AXI_DATA_WIDTH",
};

_Static_assert(sizeof(struct moehub_address_path_config) == MOEHUB_ADDRESS_PATH_PARAMETERS * sizeof(uint32_t),
               "one word per parameter");

static _Noreturn void refuse(const char *assignment)
{
    fprintf(stderr, "%s: not a parameter of the address path\n", assignment);
    exit(BENCH_CONFIGURATION);
}

static void assign(uint32_t *values, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    for (unsigned i = 0; i < MOEHUB_ADDRESS_PATH_PARAMETERS; i++)
        if (strlen(names[i]) == (size_t)(equals - assignment) && strncmp(names[i], assignment, strlen(names[i])) == 0) {
            values[i] = (uint32_t)strtoul(equals + 1, NULL, 0);
            return;
        }
    refuse(assignment);
}

struct moehub_address_path_config hub_config_built(void)
{
    struct moehub_address_path_config config = moehub_address_path_config_default();
    uint32_t values[MOEHUB_ADDRESS_PATH_PARAMETERS];
    memcpy(values, &config, sizeof config);
    char text[1024];
    snprintf(text, sizeof text, "%s", dut_description());
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (strchr(word, '=') != NULL && strncmp(word, "SWITCH_", strlen("SWITCH_")) != 0) /* a top may have a switch beside */
            assign(values, word);
    memcpy(&config, values, sizeof config);
    if (moehub_address_path_config_check(&config) != 0)
        refuse(dut_description());
    return config;
}
