/* SPDX-License-Identifier: Apache-2.0 */
/* The link pins of the switch plane, port by port (rtl/doc/plane/link.md section 1). */
#ifndef BENCH_SWITCH_PLANE_PINS_H
#define BENCH_SWITCH_PLANE_PINS_H

#include "kit/bus.h"
#include "moehub/link.h"

/* Flits of one direction, and the credits for them. */
struct plane_direction {
    struct bus valid, first, last, packet_class, data;
    struct bus credit_valid, credit_class, credit_flits;
};

struct plane_pins {
    struct bus link_up;
    struct plane_direction in, out;
    struct random_source random;       /* what wires carry that are not valid */
};

void plane_pins_create(struct plane_pins *pins, const struct bench *bench, unsigned ports);

/* What the switch's registers show in this cycle: before bench_settle. */
void plane_pins_sample(struct plane_pins *pins);
struct moehub_link_flit plane_pins_flit(const struct plane_pins *pins, unsigned port);
struct moehub_link_grant plane_pins_grant(const struct plane_pins *pins, unsigned port);

/* What comes to a port in this cycle; then, once for all ports, to the pins. */
void plane_pins_set(struct plane_pins *pins, unsigned port, bool link_up, const struct moehub_link_flit *flit,
                    const struct moehub_link_grant *grant);
void plane_pins_drive(const struct plane_pins *pins);

#endif
