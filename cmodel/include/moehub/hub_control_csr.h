/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the hub's control window (rtl/doc/hub/hub.md, section 7; RTL: moehub_hub_control_csr), as far as they are a
 * function of the order of events. The contexts are the caller's: it has the command that COMMAND started taken when it is, and
 * tells what came of each cycle. */
#ifndef MOEHUB_HUB_CONTROL_CSR_H
#define MOEHUB_HUB_CONTROL_CSR_H

#include "moehub/csr.h"
#include "moehub/hub_contexts.h"

struct moehub_hub_control_csr {
    struct moehub_csr_bank bank;
    struct moehub_hub_contexts *contexts;
    struct moehub_hub_command command; /* its registers */
    struct moehub_hub_command started; /* the command that runs, or ran last */
    struct moehub_hub_result result;
};

/* As after reset. The contexts must outlive it. `parameters`: what PARAMETER 0 to 23 read. */
void moehub_hub_control_csr_init(struct moehub_hub_control_csr *csr, struct moehub_hub_contexts *contexts,
                                 const uint32_t parameters[MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT]);

/* One write; COMMAND copies the operands to `started`. `busy`: a command was busy, which is the hardware's to say. Clearing the
 * latch drops all offenders so far. */
enum moehub_csr_response moehub_hub_control_csr_write(struct moehub_hub_control_csr *csr, uint32_t address, uint32_t data,
                                                      unsigned strobe, bool busy);

/* What a cycle brought; `taken`: of `started`, whose result the registers show from its end on. */
void moehub_hub_control_csr_note(struct moehub_hub_control_csr *csr, const struct moehub_hub_outcome *outcome, bool taken);

/* One read, with everything that was told before it done. Of STATUS the states of contexts are known; INTERRUPTS is not. */
struct moehub_csr_word moehub_hub_control_csr_read(struct moehub_hub_control_csr *csr, uint32_t address);

/* Whether the latch registers may read so: LATCH_STATUS, LATCH_HEADER 0..3, LATCH_NAME. */
bool moehub_hub_control_csr_latch_possible(const struct moehub_hub_control_csr *csr, uint32_t status, const uint32_t header[4],
                                           uint32_t name);

#endif
