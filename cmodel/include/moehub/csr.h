/* SPDX-License-Identifier: Apache-2.0 */
/* What the register models of all blocks share: the registers of rtl/registers/bank.registers (rtl/doc/registers.md). */
#ifndef MOEHUB_CSR_H
#define MOEHUB_CSR_H

#include "moehub/offenders.h"
#include "moehub/registers.h"

#include <stdbool.h>
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

/* As many as moehub_csr_bank can have. */
#define MOEHUB_CSR_PARAMETERS_MAX 24
#define MOEHUB_CSR_EVENTS_MAX 64

struct moehub_csr_bank {
    const struct moehub_register_map *map;
    struct moehub_offenders *offenders;
    const uint64_t *counters;    /* of the events that depend on order alone; the others' are not known */
    unsigned order_events;
    uint32_t id;
    uint32_t interrupt_status;   /* each bit is an event, cleared by writing 1 */
    uint32_t interrupt_mask;
    bool refused;                /* the last command was */
    bool latch_seen;             /* the latch held something when last looked */
    uint32_t parameters[MOEHUB_CSR_PARAMETERS_MAX];
    uint64_t snapshot[MOEHUB_CSR_EVENTS_MAX];
};

#endif
