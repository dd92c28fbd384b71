/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the reduction buffer that was built, for the model and the stimulus. */
#ifndef BENCH_REDUCTION_CONFIG_H
#define BENCH_REDUCTION_CONFIG_H

#include "moehub/reduction_buffer.h"

/* Reads "top NAME=value NAME=value ..." (dut_description), of which it takes the names that begin with `prefix` (""
 * where the block is the top); a parameter that is not named has its default.
 * An unknown name, or a value outside of its legal range, ends the program with status 2. */
struct moehub_reduction_buffer_config reduction_config_read(const char *description, const char *prefix);

/* Flits that `length` bytes take. */
static inline unsigned reduction_config_flits(const struct moehub_reduction_buffer_config *config, unsigned length)
{
    return (length + config->flit_bytes - 1) / config->flit_bytes;
}

/* Cycles that the longest partials of every port for every entry take: as long may something wait that is no deadlock. */
uint64_t reduction_config_patience(const struct moehub_reduction_buffer_config *config);

/* Most ports that a legal set can have. */
unsigned reduction_config_contributors(const struct moehub_reduction_buffer_config *config);

#endif
