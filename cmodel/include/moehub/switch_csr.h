/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a switch port's reduction buffer (rtl/doc/reduction_buffer.md, section 7), as far as they are a function
 * of the order of events. The buffer is the caller's; reservations, partials and results go to it directly. */
#ifndef MOEHUB_SWITCH_CSR_H
#define MOEHUB_SWITCH_CSR_H

#include "moehub/csr.h"
#include "moehub/reduction_buffer.h"

struct moehub_switch_csr {
    struct moehub_csr_bank bank;
    struct moehub_reduction_buffer *buffer;
    uint32_t command_data;
    bool drained;                /* draining and empty, when last looked */
};

/* As after reset. The buffer must outlive it. */
void moehub_switch_csr_init(struct moehub_switch_csr *csr, struct moehub_reduction_buffer *buffer);

/* Call after every event of the buffer that may have emptied it, so that the drained interrupt is seen; reads and
 * writes do it themselves. */
void moehub_switch_csr_update(struct moehub_switch_csr *csr);

/* One write; `busy`: a command was busy (only matters to COMMAND, and is the hardware's). */
enum moehub_csr_response moehub_switch_csr_write(struct moehub_switch_csr *csr, uint32_t address, uint32_t data,
                                                 unsigned strobe, bool busy);

/* One read, with everything accepted before it done. */
struct moehub_csr_word moehub_switch_csr_read(struct moehub_switch_csr *csr, uint32_t address);

/* Whether the latch registers may read so: LATCH_STATUS, LATCH_HEADER 0..3, LATCH_NAME. */
bool moehub_switch_csr_latch_possible(const struct moehub_switch_csr *csr, uint32_t status, const uint32_t header[4],
                                      uint32_t name);

#endif
