/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_contexts.h"

#include <inttypes.h>
#include <string.h>

void hub_contexts_create(struct hub_contexts *contexts, struct bench *bench, const struct moehub_address_path *model)
{
    const struct moehub_address_path_config *config = &model->alloc.config;
    *contexts = (struct hub_contexts){
        .bench = bench,
        .model = model,
        .enabled = bench_pin(bench, "enabled"),
        .faults = bench_pin(bench, "faults"),
        .events = bench_optional_pin(bench, "events"),
    };
    bus_create(&contexts->row_sizes, bench, "row_sizes", config->contexts * config->stages);
}

/* Two faults of one cycle are of two contexts, or one pulse: so there are no more pulses than events, and one if there is one. */
void hub_contexts_sample(struct hub_contexts *contexts)
{
    const unsigned faults = (unsigned)pin_get(contexts->faults);
    for (unsigned left = faults; left != 0; left &= left - 1)
        contexts->pulses[__builtin_ctz(left)]++;
    contexts->told += (unsigned)__builtin_popcount(faults);
    if (contexts->events == NULL)
        return;
    enum { FIRST = MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_REPEATED, CAUSES = 3 }; /* REPEATED, TABLE_READ, TABLE_WRITE */
    const unsigned causes = (unsigned)(pin_get(contexts->events) >> FIRST) & ((1u << CAUSES) - 1);
    if ((faults != 0) != (causes != 0) || __builtin_popcount(faults) > __builtin_popcount(causes))
        bench_fail(contexts->bench, BENCH_MISMATCH, "faults is 0x%x, the causes from REPEATED on in this cycle are 0x%x", faults,
                   causes);
}

void hub_contexts_compare(struct hub_contexts *contexts)
{
    const struct moehub_addr_alloc *alloc = &contexts->model->alloc;
    const uint64_t enabled = pin_get(contexts->enabled);
    bus_sample(&contexts->row_sizes);
    for (unsigned context = 0; context < alloc->config.contexts; context++) {
        const struct moehub_context *state = &alloc->contexts[context];
        if ((enabled >> context & 1) != state->enabled)
            bench_fail(contexts->bench, BENCH_MISMATCH, "enabled is 0x%" PRIx64 ", of context %u the model says %d", enabled,
                       context, state->enabled);
        for (unsigned stage = 0; stage < alloc->config.stages; stage++) {
            const uint64_t size = bus_get(&contexts->row_sizes, context * alloc->config.stages + stage);
            const uint32_t wanted = moehub_addr_alloc_row_size(state, stage);
            if (size != wanted)
                bench_fail(contexts->bench, BENCH_MISMATCH, "row_sizes of context %u, stage %u: %" PRIu64 ", the model says %u",
                           context, stage, size, wanted);
        }
    }
    contexts->compared++;
}

void hub_contexts_compare_faults(const struct hub_contexts *contexts)
{
    for (unsigned context = 0; context < contexts->model->alloc.config.contexts; context++) {
        const uint64_t pulses = contexts->pulses[context], events = contexts->model->faults[context];
        if ((pulses == 0) != (events == 0) || pulses > events)
            bench_fail(contexts->bench, BENCH_MISMATCH, "faults of context %u: %" PRIu64 " pulses, the model counts %" PRIu64
                       " events", context, pulses, events);
    }
}

void hub_contexts_forget(struct hub_contexts *contexts)
{
    memset(contexts->pulses, 0, sizeof contexts->pulses);
}
