/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that every block has, for the models of the blocks (rtl/doc/registers.md, section 4). */
#ifndef MOEHUB_CSR_BANK_H
#define MOEHUB_CSR_BANK_H

#include "moehub/csr.h"

/* Notices that the latch has caught something; before every access. */
void csr_bank_update(struct moehub_csr_bank *bank);

/* A command is over. */
void csr_bank_command(struct moehub_csr_bank *bank, bool refused);

/* SLVERR for a write that takes no effect: no such register, read-only, partial strobes, COMMAND while one is busy. */
enum moehub_csr_response csr_bank_accepts(const struct moehub_csr_bank *bank, uint32_t address, unsigned strobe, bool busy);

/* An accepted write; nothing to do for a register that is not the bank's, nor for COMMAND. */
void csr_bank_write(struct moehub_csr_bank *bank, uint32_t address, uint32_t data);

/* A read; SLVERR where the map has nothing to read. Not for registers of the block, nor for STATUS. */
struct moehub_csr_word csr_bank_read(const struct moehub_csr_bank *bank, uint32_t address);

/* A word of which all bits, or those of `mask`, are known. */
struct moehub_csr_word csr_known(uint32_t data);
struct moehub_csr_word csr_partly(uint32_t data, uint32_t mask);

/* Whether LATCH_STATUS, the header and LATCH_NAME, read together, name one of the offenders, or none if there is none. */
bool csr_bank_latch_possible(const struct moehub_csr_bank *bank, uint32_t status, const uint32_t header[4], uint32_t name);

#endif
