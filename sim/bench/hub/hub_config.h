/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters that the design was built with, from dut_description(). */
#ifndef BENCH_HUB_CONFIG_H
#define BENCH_HUB_CONFIG_H

#include "moehub/hub.h"

/* Ends the program with status 2 on a parameter that the model does not know or that is out of range. */
struct moehub_address_path_config hub_config_built(void);

#endif
