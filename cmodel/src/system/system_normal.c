/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_normal.h"

#include <math.h>

/* A bisection needs no library and no table. */
double system_normal_rank(double rank, double n)
{
    const double chance = (rank - 0.375) / (n + 0.25);
    double low = -8;
    double high = 8;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (0.5 * erfc(-middle / sqrt(2)) < chance)
            low = middle;
        else
            high = middle;
    }
    return low;
}
