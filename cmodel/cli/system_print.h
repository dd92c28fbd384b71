/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of `moehub system`. */
#ifndef MOEHUB_CLI_SYSTEM_PRINT_H
#define MOEHUB_CLI_SYSTEM_PRINT_H

#include "moehub/system_claims.h"
#include "moehub/system_constants.h"
#include "moehub/system_validation.h"

#include <stddef.h>

enum { SYSTEM_ROWS_MAX = 256, SYSTEM_CLAIMS_MAX = 256 };

/* A row of the validation with what the model says. */
struct system_result {
    const struct moehub_system_row *row;
    double model;
    double error;  /* model / published - 1 */
};

void print_constants(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper);
/* What arithmetic says, beside the simulation; the machine is the layers'. */
void print_bounds(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper);
void print_validation(const struct system_result *results, size_t count);
void print_layers(const char *title, const struct moehub_system_grid *grid, bool backward);
void print_claims(const struct moehub_system_claim *claims, size_t count);

/* What is not modelled, so that nobody takes silence for an answer. */
void print_open(void);

#endif
