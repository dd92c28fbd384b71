/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of small integers (latencies in cycles, occupancies): exact below HISTOGRAM_BINS, larger values share the last bin. */
#ifndef KIT_HISTOGRAM_H
#define KIT_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BINS = 16384 };

struct histogram {
    uint64_t bins[HISTOGRAM_BINS];
    uint64_t count;
    uint64_t sum;
    uint64_t maximum;
};

static inline void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->bins[value < HISTOGRAM_BINS ? value : HISTOGRAM_BINS - 1]++;
    histogram->count++;
    histogram->sum += value;
    if (value > histogram->maximum)
        histogram->maximum = value;
}

/* The smallest value that at least `percent` of the values do not exceed (0 when empty); the maximum from the last bin on. */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);
double histogram_mean(const struct histogram *histogram);

#endif
