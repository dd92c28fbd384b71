/* SPDX-License-Identifier: Apache-2.0 */
/* A layer's requests to one hub (moehub/layer_driver.h), for benches. */
#ifndef BENCH_MOE_REQUESTS_H
#define BENCH_MOE_REQUESTS_H

#include "moehub/layer_driver.h"

/* moehub_hub_requests_create(), which must succeed: otherwise the program ends with a sentence. */
void moe_requests_create(struct moehub_hub_requests *requests, const struct moehub_layer *layer, unsigned stage, unsigned gpu,
                         unsigned context, unsigned inflight, unsigned payload, unsigned ports);

#endif
