/* SPDX-License-Identifier: Apache-2.0 */
/* What the register models of hub and switch have in common: the registers both have, and how they read. */
#ifndef MOEHUB_CSR_REGISTERS_H
#define MOEHUB_CSR_REGISTERS_H

#include "moehub/csr.h"
#include "moehub/offenders.h"

#include <stdbool.h>
#include <stdint.h>

enum csr_register {
    CSR_ID = 0x000,
    CSR_VERSION = 0x004,
    CSR_STATUS = 0x008,
    CSR_INTERRUPT_STATUS = 0x00C,
    CSR_INTERRUPT_MASK = 0x010,
    CSR_PARAMETER = 0x020,
    CSR_COMMAND = 0x098,
    CSR_COMMAND_STATUS = 0x09C,
    CSR_SNAPSHOT = 0x0C0,
    CSR_LATCH_STATUS = 0x0C4,
    CSR_LATCH_HEADER = 0x0C8,
    CSR_LATCH_NAME = 0x0D8,
    CSR_HIGH_WATER = 0x0DC,
    CSR_COUNTER = 0x100
};

/* The registers that lie in a block of equal ones. */
struct csr_blocks {
    const uint32_t *parameters;
    unsigned parameter_count;
    const uint64_t *snapshot; /* of the events that depend on order alone; the others' counters are not known */
    unsigned order_events;
    unsigned events;
};

/* A word of which all bits, or those of `mask`, are known. */
struct moehub_csr_word csr_known(uint32_t data);
struct moehub_csr_word csr_partly(uint32_t data, uint32_t mask);

/* A parameter, half a counter, a word of the latch; SLVERR where there is no register. */
struct moehub_csr_word csr_block_word(const struct csr_blocks *blocks, uint32_t address);

/* LATCH_STATUS. The latch holds one of the offenders; if there is just one, its cause is known. */
struct moehub_csr_word csr_latch_status(const struct moehub_offenders *offenders);

/* Whether LATCH_STATUS, the header and LATCH_NAME, read together, name one of the offenders, or none if there is none.
 * `name_fields`: the bits of LATCH_NAME that mean something on this side; the others must be 0. */
bool csr_latch_possible(const struct moehub_offenders *offenders, uint32_t status, const uint32_t header[4], uint32_t name,
                        uint32_t name_fields);

#endif
