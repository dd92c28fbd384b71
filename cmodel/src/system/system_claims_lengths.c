/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_claims_lengths.h"

#include <math.h>
#include <stdio.h>

/* The place of a length, which joins in its order if it is new. */
static size_t place_of(struct system_claim_lengths *lengths, unsigned tokens)
{
    size_t i = 0;
    while (i < lengths->count && lengths->tokens[i] < tokens)
        i++;
    if (i < lengths->count && lengths->tokens[i] == tokens)
        return i;
    for (size_t j = lengths->count++; j > i; j--)
        lengths->tokens[j] = lengths->tokens[j - 1];
    lengths->tokens[i] = tokens;
    return i;
}

static double mean_gain(const struct moehub_system_grid *grid, const struct system_claim_entry *entry, unsigned tokens)
{
    double logarithms = 0;
    unsigned cases = 0;
    for (size_t i = 0; i < grid->count; i++) {
        if (grid->works[i].tokens != tokens)
            continue;
        logarithms += log(moehub_system_gain(grid, i, entry->part, entry->slow, entry->fast));
        cases++;
    }
    return exp(logarithms / cases);
}

struct system_claim_lengths system_claim_lengths(const struct moehub_system_grid *grid, const struct system_claim_entry *entry)
{
    struct system_claim_lengths lengths = {0};
    for (size_t i = 0; i < grid->count; i++)
        place_of(&lengths, grid->works[i].tokens);
    for (size_t i = 0; i < lengths.count; i++)
        lengths.gains[i] = mean_gain(grid, entry, lengths.tokens[i]);
    return lengths;
}

double system_claim_growth(const struct system_claim_lengths *lengths)
{
    return lengths->gains[lengths->count - 1] / lengths->gains[0];
}

double system_claim_at_short(const struct system_claim_lengths *lengths)
{
    double longer = 0;
    for (size_t i = 1; i < lengths->count; i++)
        longer = fmax(longer, lengths->gains[i]);
    return longer > 0 ? lengths->gains[0] / longer : 1;
}

void system_claim_lengths_text(const struct system_claim_lengths *lengths, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < 2 * lengths->count && used < size; i++) {
        const size_t at = i % lengths->count;
        const char *before = i == 0 ? "" : i == lengths->count ? " at " : ", ";
        const int length = i < lengths->count ? snprintf(text + used, size - used, "%s%.3f", before, lengths->gains[at])
                                              : snprintf(text + used, size - used, "%s%u", before, lengths->tokens[at]);
        used += (size_t)length;
    }
}
