/* SPDX-License-Identifier: Apache-2.0 */
/* Expected order statistics of normal deviates. */
#ifndef SYSTEM_NORMAL_H
#define SYSTEM_NORMAL_H

/* Expected rank-th smallest (1..n) of n normal deviates, by Blom's approximation. */
double system_normal_rank(double rank, double n);

#endif
