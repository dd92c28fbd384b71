/* SPDX-License-Identifier: Apache-2.0 */
/* A target list as a GPU gave it: checked, and split into own and remote ids (rtl/doc/hub/packet_manager.md section 3; RTL:
 * moehub_list_check). */
#ifndef MOEHUB_LIST_CHECK_H
#define MOEHUB_LIST_CHECK_H

#include "moehub/defines.h"

#include <stdint.h>

/* Whose list it is. */
struct moehub_list_rules {
    uint64_t peers;              /* of the context: a bit a GPU */
    uint32_t gpus;               /* 2..64 */
    uint32_t own;                /* below gpus */
    uint32_t local_expert_bits;  /* 0..8 */
};

/* The ids of a list, ascending. */
struct moehub_split_list {
    uint16_t remote[MOEHUB_TARGETS_MAX];
    uint16_t own[MOEHUB_TARGETS_MAX];
    uint8_t remote_count;
    uint8_t own_count;
};

/* MOEHUB_STATUS_MALFORMED: ids do not ascend strictly; else MOEHUB_STATUS_PEER: one is of no peer; else MOEHUB_STATUS_OK.
 * count: 0..MOEHUB_TARGETS_MAX. `split` is written in each case, and of use with OK. */
unsigned moehub_list_check(const struct moehub_list_rules *rules, const uint16_t *ids, unsigned count,
                           struct moehub_split_list *split);

#endif
