/* SPDX-License-Identifier: Apache-2.0 */
/* The files of `moehub traffic` for other simulators. */
#ifndef MOEHUB_CLI_TRAFFIC_FILES_H
#define MOEHUB_CLI_TRAFFIC_FILES_H

#include "moehub/layer.h"

/* Paths, or NULL where nothing is asked for. */
struct traffic_files {
    const char *matrix;          /* dispatch for htsim */
    const char *combine_matrix;  /* combine for htsim */
    const char *chakra;          /* prefix of a trace for each GPU */
};

/* Writes what is asked for. 0, or an error with a sentence that names the file. */
int traffic_files_write(const struct traffic_files *files, const struct moehub_layer *layer, struct moehub_message *message);

#endif
