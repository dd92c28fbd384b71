/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target: one reader, and inputs to start from.
 * libFuzzer calls LLVMFuzzerTestOneInput itself; seeded_driver.c does it without libFuzzer. */
#ifndef MOEHUB_FUZZ_H
#define MOEHUB_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads the bytes; returns 0. What must hold is checked by aborting. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Legal and nearly legal inputs, NULL at the end. */
extern const char *const fuzz_seeds[];

/* The bytes as an open file; NULL without memory. */
static inline FILE *fuzz_file(const uint8_t *bytes, size_t size)
{
    return size > 0 ? fmemopen((void *)(uintptr_t)bytes, size, "r") : fopen("/dev/null", "r");
}

#endif
