/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/moe_requests.h"

#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>

void moe_requests_create(struct moehub_hub_requests *requests, const struct moehub_layer *layer, unsigned stage, unsigned gpu,
                         unsigned context, unsigned inflight, unsigned payload, unsigned ports)
{
    if (moehub_hub_requests_create(requests, layer, stage, gpu, inflight, payload, context, ports) == 0)
        return;
    fputs("no packets of this layer: out of memory, or a packet size that does not fit its elements\n", stderr);
    exit(BENCH_CONFIGURATION);
}
