/* SPDX-License-Identifier: Apache-2.0 */
/* The claims: what each compares. */
#ifndef SYSTEM_CLAIMS_LIST_H
#define SYSTEM_CLAIMS_LIST_H

#include "moehub/system_grid.h"

enum system_claim_form {
    SYSTEM_CLAIM_NOT_RUN,
    SYSTEM_CLAIM_USELESS,        /* arithmetic; `topk` */
    SYSTEM_CLAIM_CUT,
    SYSTEM_CLAIM_PAYLOAD,        /* `topk` targets */
    SYSTEM_CLAIM_ADDRESSES,      /* the same with an address for each */
    SYSTEM_CLAIM_SHARE,          /* wire over layer, large-8 */
    SYSTEM_CLAIM_TENSOR,         /* tensor-parallel layers, collectives in the GEMMs over apart */
    SYSTEM_CLAIM_COMMUNICATION,  /* packet level with hubs; true if above the paper's value */
    SYSTEM_CLAIM_TLB,            /* hit rate over that without end; true if near */
    SYSTEM_CLAIM_BUFFER,         /* time with a large reduction buffer over that with 64 KB, combine or fused; true if near */
    SYSTEM_CLAIM_GAIN,           /* `slow` over `fast` */
    SYSTEM_CLAIM_NOT_ABOVE,      /* the same; true if not above the paper's value */
    SYSTEM_CLAIM_ABOVE,          /* the same; true if above the paper's value */
    SYSTEM_CLAIM_GROWTH,         /* the gain at the longest sequences over that at the shortest; the same */
    SYSTEM_CLAIM_AT_SHORT,       /* at the shortest over the largest of longer ones; the same */
    SYSTEM_CLAIM_LEAST_BASELINE, /* means of the hub's scheme over each of its baselines: the least */
    SYSTEM_CLAIM_MOST_BASELINE   /* and the most */
};

enum system_claim_statistic { SYSTEM_CLAIM_MOST, SYSTEM_CLAIM_MEAN };

struct system_claim_entry {
    const char *name;
    double paper;
    enum system_claim_form form;
    unsigned topk;
    bool hub;                    /* the hub's cases rather than the training configurations */
    enum moehub_system_part part;
    enum moehub_system_scheme slow, fast;
    enum system_claim_statistic statistic;
    const char *reason;
};

const struct system_claim_entry *system_claim_entries(size_t *count);

#endif
