/* SPDX-License-Identifier: Apache-2.0 */
/* Max-min fair rates of flows that share links. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_SHARE_H
#define MOEHUB_SYSTEM_SHARE_H

#include <stdbool.h>

enum { MOEHUB_SYSTEM_FLOWS_MAX = 128, MOEHUB_SYSTEM_LINKS_MAX = 193 /* links of 64 classes, groups of SMs that move rows */ };

/* A flow at rate r takes r * use[link] of each link. Every flow that is active uses some link. */
struct moehub_system_share {
    unsigned flows, links;
    double capacity[MOEHUB_SYSTEM_LINKS_MAX];
    double use[MOEHUB_SYSTEM_FLOWS_MAX][MOEHUB_SYSTEM_LINKS_MAX];
    bool active[MOEHUB_SYSTEM_FLOWS_MAX];
    double rate[MOEHUB_SYSTEM_FLOWS_MAX];  /* result; 0 where not active */
};

/* Raises all active flows alike until a link is full; its flows keep their rate, the others go on. */
void moehub_system_share_solve(struct moehub_system_share *share);

#endif
