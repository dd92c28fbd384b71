/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/list_check.h"

#include <stdbool.h>

unsigned moehub_list_check(const struct moehub_list_rules *rules, const uint16_t *ids, unsigned count,
                           struct moehub_split_list *split)
{
    bool ascend = true;
    bool peers = true;
    *split = (struct moehub_split_list){.remote_count = 0};
    for (unsigned i = 0; i < count; i++) {
        const unsigned gpu = ids[i] >> rules->local_expert_bits;
        ascend &= i == 0 || ids[i] > ids[i - 1];
        peers &= gpu < rules->gpus && (rules->peers >> gpu & 1) != 0;
        if (gpu == rules->own)
            split->own[split->own_count++] = ids[i];
        else
            split->remote[split->remote_count++] = ids[i];
    }
    return !ascend ? MOEHUB_STATUS_MALFORMED : !peers ? MOEHUB_STATUS_PEER : MOEHUB_STATUS_OK;
}
