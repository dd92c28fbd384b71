/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the packet manager (rtl/doc/hub/packet_manager.md, section 8), as far as they are a function of the order of
 * events (RTL: moehub_packet_manager_csr). The packet manager is the caller's; rows and stores go to it directly. */
#ifndef MOEHUB_PACKET_MANAGER_CSR_H
#define MOEHUB_PACKET_MANAGER_CSR_H

#include "moehub/csr.h"
#include "moehub/packet_manager.h"

struct moehub_packet_manager_csr {
    struct moehub_csr_bank bank;
    struct moehub_packet_manager *manager;
    uint32_t command_data;
};

/* As after reset. The packet manager must outlive it. `reduces`: the parameter REDUCES, which this model has no use for. */
void moehub_packet_manager_csr_init(struct moehub_packet_manager_csr *csr, struct moehub_packet_manager *manager,
                                    uint32_t reduces);

/* One write; a command is over with it. `busy`: a command was busy, which matters to COMMAND alone and is the hardware's.
 * Clearing the latch drops all offenders so far. */
enum moehub_csr_response moehub_packet_manager_csr_write(struct moehub_packet_manager_csr *csr, uint32_t address, uint32_t data,
                                                         unsigned strobe, bool busy);

/* One read, with everything accepted before it done. STATUS depends on cycles. */
struct moehub_csr_word moehub_packet_manager_csr_read(struct moehub_packet_manager_csr *csr, uint32_t address);

/* Whether the latch registers may read so: LATCH_STATUS, LATCH_HEADER 0..3, LATCH_NAME. */
bool moehub_packet_manager_csr_latch_possible(const struct moehub_packet_manager_csr *csr, uint32_t status,
                                              const uint32_t header[4], uint32_t name);

#endif
