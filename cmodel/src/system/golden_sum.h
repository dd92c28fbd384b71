/* SPDX-License-Identifier: Apache-2.0 */
/* What a reduction must give, computed from the definition and not from bins: the largest input fixes the window, every
 * input is cut toward zero at its lowest position, the sum of the rest is exact in double precision, and is rounded once.
 *
 * Exact for finite inputs while a window of 48 positions and the carries of `count` inputs fit the 53 bits of a double:
 * up to 32 inputs. */
#ifndef MOEHUB_GOLDEN_SUM_H
#define MOEHUB_GOLDEN_SUM_H

#include <stddef.h>

#define GOLDEN_SUM_INPUTS_MAX 32

/* rows[0 .. inputs-1] each hold `length` elements of `type` (uint16_t or uint32_t, aligned); so does `sum`. */
void golden_sum(unsigned type, const void *const *rows, unsigned inputs, size_t length, void *sum);

#endif
