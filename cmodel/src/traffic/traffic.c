/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/traffic.h"

#include <stdlib.h>

/* Sums over all tokens, from which everything follows. */
struct counts {
    uint64_t remotes;      /* remote destination GPUs */
    uint64_t own;          /* tokens with a target on their own GPU */
    uint64_t sent;         /* tokens with a remote destination */
    uint64_t most_loaded;  /* tokens of the busiest expert */
};

static bool has_own(const struct moehub_layer *layer, unsigned gpu, uint32_t row)
{
    unsigned count = 0;
    moehub_targets_on(moehub_layer_targets(layer, row), layer->topk, gpu, &count);
    return count > 0;
}

static void count_row(const struct moehub_layer *layer, unsigned gpu, uint32_t row, uint64_t *loads,
                      struct counts *counts)
{
    counts->remotes += layer->remote_counts[row];
    counts->sent += layer->remote_counts[row] > 0;
    counts->own += has_own(layer, gpu, row);
    for (unsigned i = 0; i < layer->topk; i++) {
        const uint64_t load = ++loads[moehub_layer_targets(layer, row)[i].expert];
        if (load > counts->most_loaded)
            counts->most_loaded = load;
    }
}

static uint64_t sum(const struct moehub_link_bytes *bytes)
{
    return bytes->dispatch_up + bytes->dispatch_down + bytes->combine_up + bytes->combine_down;
}

static struct moehub_link_bytes link_bytes(const struct moehub_layer *layer, uint64_t few, uint64_t many)
{
    return (struct moehub_link_bytes){
        .dispatch_up = few * layer->dispatch_row_bytes,
        .dispatch_down = many * layer->dispatch_row_bytes,
        .combine_up = many * layer->combine_row_bytes,
        .combine_down = few * layer->combine_row_bytes,
    };
}

static void derive(const struct moehub_layer *layer, const struct counts *counts, struct moehub_traffic *traffic)
{
    const uint64_t tokens = layer->tokens;
    const uint64_t nvls_up = layer->gpus > 1 ? tokens : 0;
    traffic->assignments = tokens * layer->topk;
    traffic->fanout_mean = (double)(counts->remotes + counts->own) / (double)tokens;
    traffic->remote_fanout_mean = (double)counts->remotes / (double)tokens;
    traffic->expert_load_max_over_mean =
        (double)counts->most_loaded * layer->experts / (double)traffic->assignments;
    traffic->unicast = link_bytes(layer, counts->remotes, counts->remotes);
    traffic->in_switch = link_bytes(layer, counts->sent, counts->remotes);
    traffic->nvls = link_bytes(layer, nvls_up, tokens * (layer->gpus - 1));
    const double unicast_down = (double)traffic->unicast.dispatch_down;
    if (counts->remotes > 0) {
        traffic->traffic_cut = 1 - (double)sum(&traffic->in_switch) / (double)sum(&traffic->unicast);
        traffic->nvls_useless = ((double)traffic->nvls.dispatch_down - unicast_down) / unicast_down;
    }
}

int moehub_traffic_measure(const struct moehub_layer *layer, struct moehub_traffic *traffic)
{
    *traffic = (struct moehub_traffic){0};
    uint64_t *loads = calloc(layer->experts, sizeof *loads);
    if (loads == NULL)
        return MOEHUB_E_MEMORY;
    struct counts counts = {0};
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        for (uint32_t token = 0; token < layer->gpu_tokens[gpu]; token++)
            count_row(layer, gpu, moehub_layer_row(layer, gpu, token), loads, &counts);
    free(loads);
    derive(layer, &counts, traffic);
    return 0;
}
