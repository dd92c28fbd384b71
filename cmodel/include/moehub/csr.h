/* SPDX-License-Identifier: Apache-2.0 */
/* What the register models of hub and switch share. */
#ifndef MOEHUB_CSR_H
#define MOEHUB_CSR_H

#include <stdint.h>

/* AXI4-Lite responses. */
enum moehub_csr_response { MOEHUB_CSR_OKAY = 0, MOEHUB_CSR_SLVERR = 2 };

/* A register read: `data` where `known` has ones. The other bits depend on cycles (stall counters, high-water marks,
 * busy flags, which of the possible offenders was latched) and are 0 in `data`. */
struct moehub_csr_word {
    uint32_t data;
    uint32_t known;
    enum moehub_csr_response response;
};

#endif
