/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_bounds.h"

#include <math.h>

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

double moehub_system_unicast_flits(double copies, double packet)
{
    return 2 * packet * copies;
}

double moehub_system_fused_flits(double copies, double packet, double list, double copy_list, double request)
{
    const double down = copies * (packet + copy_list + request) + packet;
    const double up = copies * packet + packet + list + request;
    return fmax(up, down);
}

/* The mean of the largest count is the sum of the chances that it is above 0, 1, ... */
double moehub_system_hash_excess(double rows, unsigned links, unsigned gpus)
{
    const double chance = 1.0 / links;
    const double count = floor(rows);
    const unsigned long whole = (unsigned long)count;
    double below = 0;    /* chance of at most `i` rows on a link */
    double largest = 0;
    for (unsigned long i = 0; i < whole; i++) {
        const double here = (double)i;
        const double ways = lgamma(count + 1) - lgamma(here + 1) - lgamma(count - here + 1);
        below += exp(ways + here * log(chance) + (count - here) * log1p(-chance));
        largest += 1 - pow(fmin(1, below), (double)links * gpus);
    }
    return links > 1 && count > 0 ? largest / (count * chance) - 1 : 0;
}

enum { PAYLOAD_FLITS = 8, TARGETS_OF_FLIT = 8, FLIT_BITS = 128 };

double moehub_system_payload_share(unsigned targets)
{
    const unsigned lists = (targets + TARGETS_OF_FLIT - 1) / TARGETS_OF_FLIT;
    return (double)PAYLOAD_FLITS / (1 + lists + PAYLOAD_FLITS);
}

double moehub_system_payload_share_of_addresses(unsigned targets, unsigned bits)
{
    const double addresses = (targets - 1) * (double)bits / FLIT_BITS;
    return PAYLOAD_FLITS / (1 + addresses + PAYLOAD_FLITS);
}
