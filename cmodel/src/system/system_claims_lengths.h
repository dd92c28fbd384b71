/* SPDX-License-Identifier: Apache-2.0 */
/* What is claimed of long and of short sequences: gains by the tokens of a GPU. Private to system_claims*.c. */
#ifndef SYSTEM_CLAIMS_LENGTHS_H
#define SYSTEM_CLAIMS_LENGTHS_H

#include "system/system_claims_list.h"

/* Of all cases that have as many tokens the mean gain, shortest sequences first. */
struct system_claim_lengths {
    size_t count;
    unsigned tokens[MOEHUB_SYSTEM_GRID_MAX];
    double gains[MOEHUB_SYSTEM_GRID_MAX];
};

struct system_claim_lengths system_claim_lengths(const struct moehub_system_grid *grid, const struct system_claim_entry *entry);

/* The gain at the longest sequences over that at the shortest. */
double system_claim_growth(const struct system_claim_lengths *lengths);

/* The gain at the shortest sequences over the largest of longer ones. */
double system_claim_at_short(const struct system_claim_lengths *lengths);

/* "1.20, 1.10 at 128, 1024". */
void system_claim_lengths_text(const struct system_claim_lengths *lengths, char *text, size_t size);

#endif
