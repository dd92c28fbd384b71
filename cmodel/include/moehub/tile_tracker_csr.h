/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the tile tracker (rtl/doc/hub/tile_tracker.md, section 9), as far as they are a function of the order of
 * events (RTL: moehub_tile_tracker_csr). The tracker is the caller's; records and closes go to it directly. */
#ifndef MOEHUB_TILE_TRACKER_CSR_H
#define MOEHUB_TILE_TRACKER_CSR_H

#include "moehub/csr.h"
#include "moehub/tile_tracker.h"

struct moehub_tile_tracker_csr {
    struct moehub_csr_bank bank;
    struct moehub_tile_tracker *tracker;
    uint8_t context;             /* operands of the next command */
    uint16_t index;
    uint64_t result[2];          /* of the last command */
};

/* As after reset. The tracker must outlive it. */
void moehub_tile_tracker_csr_init(struct moehub_tile_tracker_csr *csr, struct moehub_tile_tracker *tracker);

/* One write; a command is over with it: what the tracker is told before comes before its turn of the pipeline. `busy`: a
 * command was busy, which matters to COMMAND alone and is the hardware's. Clearing the latch drops all offenders so far. */
enum moehub_csr_response moehub_tile_tracker_csr_write(struct moehub_tile_tracker_csr *csr, uint32_t address, uint32_t data,
                                                       unsigned strobe, bool busy);

/* One read, with everything accepted before it done. Of STATUS sweeps and busy flags depend on cycles. */
struct moehub_csr_word moehub_tile_tracker_csr_read(struct moehub_tile_tracker_csr *csr, uint32_t address);

/* Whether the latch registers may read so: LATCH_STATUS, LATCH_HEADER 0..3, LATCH_NAME. */
bool moehub_tile_tracker_csr_latch_possible(const struct moehub_tile_tracker_csr *csr, uint32_t status,
                                            const uint32_t header[4], uint32_t name);

#endif
