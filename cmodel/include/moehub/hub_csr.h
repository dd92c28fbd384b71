/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the hub's address path (rtl/doc/address_path.md, section 8), as far as they are a function of the order
 * of events. The address path is the caller's; requests go to it directly. */
#ifndef MOEHUB_HUB_CSR_H
#define MOEHUB_HUB_CSR_H

#include "moehub/address_path.h"
#include "moehub/csr.h"

struct moehub_hub_csr {
    struct moehub_csr_bank bank;
    struct moehub_address_path *path;
    struct moehub_hub_command command;   /* its registers */
    struct moehub_hub_result result;
};

/* As after reset. The path must outlive it. */
void moehub_hub_csr_init(struct moehub_hub_csr *csr, struct moehub_address_path *path);

/* One write. `busy`: a command was busy; `in_flight`: as in moehub_address_path_command (both only matter to COMMAND,
 * and are the hardware's: the model has no cycles). Clearing the latch drops all offenders so far. */
enum moehub_csr_response moehub_hub_csr_write(struct moehub_hub_csr *csr, uint32_t address, uint32_t data,
                                              unsigned strobe, bool busy, bool in_flight);

/* One read, with everything accepted before it done. */
struct moehub_csr_word moehub_hub_csr_read(struct moehub_hub_csr *csr, uint32_t address);

/* Whether the latch registers may read so: LATCH_STATUS, LATCH_HEADER 0..3, LATCH_NAME. */
bool moehub_hub_csr_latch_possible(const struct moehub_hub_csr *csr, uint32_t status, const uint32_t header[4],
                                   uint32_t name);

#endif
