/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/histogram.h"

uint64_t histogram_percentile(const struct histogram *histogram, double percent)
{
    double wanted = percent / 100 * (double)histogram->count;
    uint64_t seen = 0;
    for (unsigned i = 0; i < HISTOGRAM_BINS - 1; i++) {
        seen += histogram->bins[i];
        if (seen > 0 && (double)seen >= wanted)
            return i;
    }
    return histogram->maximum;
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : (double)histogram->sum / (double)histogram->count;
}
