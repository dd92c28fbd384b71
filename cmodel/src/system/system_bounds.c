/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_bounds.h"

double moehub_system_chance_of_none(unsigned experts, unsigned here, unsigned topk)
{
    double chance = 1;
    for (unsigned i = 0; i < topk && chance > 0; i++)
        chance *= experts - here > i ? (double)(experts - here - i) / (experts - i) : 0;
    return chance;
}

double moehub_system_copies(unsigned experts, unsigned gpus, unsigned topk)
{
    return (gpus - 1) * (1 - moehub_system_chance_of_none(experts, experts / gpus, topk));
}

double moehub_system_spread_copies(unsigned gpus, unsigned topk)
{
    return (double)(topk < gpus ? topk : gpus) * (gpus - 1) / gpus;
}

double moehub_system_useless_share(unsigned gpus, double copies)
{
    return (gpus - 1 - copies) / copies;
}

double moehub_system_traffic_cut(double copies)
{
    return 1 - (1 + copies) / (2 * copies);
}

double moehub_system_fused_bound(double copies, double ratio, double hot)
{
    return (1 + ratio) * hot * copies / (1 + ratio * hot * copies);
}

double moehub_system_payload_share(unsigned targets)
{
    const unsigned payload = 8;
    const unsigned targets_per_flit = 8;
    const unsigned lists = (targets + targets_per_flit - 1) / targets_per_flit;
    return (double)payload / (1 + lists + payload);
}
