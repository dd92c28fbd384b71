/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a way (rtl/doc/hub/ingress.md section 7), read when nothing is inside, against what the way has told them
 * since reset and what the bench expects of it. What the register block makes of its pins alone is proved
 * (formal/hub/formal_hub_way_csr.v). */
#ifndef BENCH_WAY_REGISTERS_H
#define BENCH_WAY_REGISTERS_H

#include "kit/axi_lite.h"
#include "kit/random.h"
#include "kit/scoreboard.h"
#include "moehub/defines.h"
#include "moehub/packet.h"
#include "moehub/registers.h"

enum { WAY_ORDER_EVENTS = 40, WAY_MARKS = 6 };

struct way_registers {
    struct bench *bench;
    const struct pin *events, *error_valid, *error_cause, *error_header, *used_places, *used_writes, *used_answers,
        *used_read_lines, *credits, *initialised, *link_up, *interrupt;
    struct axi_lite lite;
    struct scoreboard registers;
    struct random_source *random;
    uint32_t way, parameters[MOEHUB_HUB_WAY_CSR_PARAMETER_COUNT];
    uint64_t met[MOEHUB_HUB_WAY_EVENTS];
    uint64_t marks[WAY_MARKS];         /* HIGH_WATER and the two after it, lower half first */
    bool latched;
    uint32_t cause;
    uint64_t header[2];
    uint64_t latches, refusals;
};

/* On the pins s_axil_*. way and parameters have to be set before. */
void way_registers_create(struct way_registers *self, struct bench *bench, struct random_source *random);
void way_registers_drive(struct way_registers *self, bool resting);
void way_registers_sample(struct way_registers *self);

/* With nothing inside. order_events: what the bench expects of each event that depends on order alone. */
void way_registers_check(struct way_registers *self, const uint64_t order_events[WAY_ORDER_EVENTS]);

#endif
