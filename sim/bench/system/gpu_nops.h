/* SPDX-License-Identifier: Apache-2.0 */
/* Stores off the critical path (`nop`): which of a GPU's stores are, and which of its packets must say so. A packet takes that of
 * the first store that came into its line (rtl/doc/hub/packet_manager.md section 4), whoever else is merged into it; all else of
 * it is as ever. */
#ifndef BENCH_GPU_NOPS_H
#define BENCH_GPU_NOPS_H

#include "moehub/link.h"
#include "moehub/packet.h"

struct gpu;

/* The packet that crosses an uplink. */
struct gpu_nop_watch {
    struct moehub_header header;
    unsigned flits; /* that came */
};

/* Whether the store of the row of that number (gpu_stores.h) is one. */
bool gpu_is_nop(const struct gpu *gpu, uint32_t row_index, uint32_t number);

/* Each flit that the hub sends on a link. A store with a wrong NOP ends the run. */
void gpu_watch_nops(struct gpu *gpu, unsigned link, const struct moehub_link_flit *flit);

#endif
