/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub system --matrix`: a traffic matrix, packet by packet. */
#ifndef MOEHUB_CLI_SYSTEM_MATRIX_H
#define MOEHUB_CLI_SYSTEM_MATRIX_H

#include <stdbool.h>

/* Whether the arguments ask for a matrix: then its own options apply. */
bool system_matrix_asked(int argc, char **argv);

int command_system_matrix(int argc, char **argv);

#endif
