/* SPDX-License-Identifier: Apache-2.0 */
/* What a layer costs the links: payload bytes over all GPUs, three ways.
 *
 * Per token with r remote destination GPUs out of G, in rows (own GPU's copy never crosses a link):
 *
 *               dispatch up   dispatch down   combine up   combine down
 *   unicast          r              r              r             r        one copy per destination GPU
 *   in_switch     min(1,r)          r              r          min(1,r)    multicast and reduction in the switch
 *   nvls             1             G-1            G-1            1        every token to every GPU
 *
 * A dispatch row has hidden * dispatch element bytes, a combine row hidden * combine element bytes.
 * (With one GPU nvls moves nothing.) */
#ifndef MOEHUB_TRAFFIC_H
#define MOEHUB_TRAFFIC_H

#include "moehub/layer.h"

struct moehub_link_bytes {
    uint64_t dispatch_up;
    uint64_t dispatch_down;
    uint64_t combine_up;
    uint64_t combine_down;
};

struct moehub_traffic {
    uint64_t assignments;              /* tokens * topk */
    double fanout_mean;                /* distinct destination GPUs of a token, the own one included */
    double remote_fanout_mean;         /* without the own one */
    double expert_load_max_over_mean;  /* most loaded expert over assignments / experts */
    struct moehub_link_bytes unicast;
    struct moehub_link_bytes in_switch;
    struct moehub_link_bytes nvls;
    double traffic_cut;                /* 1 - in_switch / unicast, all four summed; 0 without traffic */
    double nvls_useless;               /* (nvls - unicast) / unicast on dispatch down; 0 without traffic */
};

/* Counts a layer. 0 or MOEHUB_E_MEMORY. */
int moehub_traffic_measure(const struct moehub_layer *layer, struct moehub_traffic *traffic);

#endif
