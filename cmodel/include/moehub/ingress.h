/* SPDX-License-Identifier: Apache-2.0 */
/* Which ingress port of a hub a row's packets take.
 *
 * All packets of a row take one path, so the port is a hash of (context, algebraic index) alone:
 *     h = (context * 2^32 + row) * 0x9E3779B97F4A7C15   (mod 2^64; the odd integer next to 2^64 / golden ratio)
 *     h = (h ^ h >> 32) * the same                      (mod 2^64)
 *     port = floor((h >> 32) * ports / 2^32)
 * The second multiplication lets every bit of the row reach the top bits, so that any number of ports mixes well:
 * consecutive rows, rows a power of two apart and single bits all spread evenly. */
#ifndef MOEHUB_INGRESS_H
#define MOEHUB_INGRESS_H

#include <stdint.h>

/* ports 1..64 (any number below 2^32 works); the result is below ports. */
static inline unsigned moehub_ingress_port(uint32_t context, uint32_t row, unsigned ports)
{
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = ((uint64_t)context << 32 | row) * golden;
    hash = (hash ^ hash >> 32) * golden;
    return (unsigned)((hash >> 32) * ports >> 32);
}

#endif
