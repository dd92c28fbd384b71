/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads that look for trouble: the values at which a floating-point sum can go wrong. */
#ifndef BENCH_REDUCTION_PAYLOAD_H
#define BENCH_REDUCTION_PAYLOAD_H

#include "kit/random.h"

#include <stddef.h>
#include <stdint.h>

enum reduction_payload {
    PAYLOAD_RANDOM,     /* any bits: NaN and infinities now and then */
    PAYLOAD_NEAR,       /* exponents within a few of each other */
    PAYLOAD_SUBNORMAL,  /* subnormals, zeros of both signs, the smallest normals */
    PAYLOAD_LARGE,      /* around overflow */
    PAYLOAD_SPECIAL,    /* every second element NaN, infinity or zero */
    PAYLOAD_CANCEL,     /* the negation of an earlier packet, the last bit changed now and then */
    PAYLOAD_STYLES
};

/* Fills `bytes` bytes with elements of a type (MOEHUB_ELEMENT_*; anything else: random bytes).
 * PAYLOAD_CANCEL negates `earlier`; where that is NULL it is PAYLOAD_NEAR. */
void reduction_payload_fill(struct random_source *random, enum reduction_payload style, unsigned element, uint8_t *data,
                            size_t bytes, const uint8_t *earlier);

#endif
