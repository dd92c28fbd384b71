/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_report.h"

#include "bench/system/layer_occupancy.h"
#include "bench/system/layer_stalls.h"
#include "bench/system/layer_tiles.h"
#include "kit/allocate.h"
#include "kit/sort.h"
#include "moehub/driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct facts {
    struct bench *bench;
    const struct moehub_layer *layer;
    const struct system_plane *planes;
    unsigned gpus, links;
    const struct system_hub *hubs;
    const struct layer_phases *phases;
    uint64_t arrived, reduced; /* cycles of the last of each */
};

static double share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Cycles from `start` to the last of what came; 0 when nothing did. */
static uint64_t since(uint64_t start, uint64_t last)
{
    return last > start ? last - start : 0;
}

static void put(struct facts *facts, const char *key, json_t *value)
{
    summary_json(&facts->bench->summary, key, value);
}

static json_t *whole(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* ---- links ---------------------------------------------------------------------------------------------------- */

/* Cycles that the busiest GPU and direction takes at best, a flit a cycle and link: before the sums were asked for, since then,
 * or in all. */
enum part { PART_DISPATCH, PART_COMBINE, PART_ALL };

static uint64_t part_of(enum part part, uint64_t before, uint64_t all)
{
    return part == PART_DISPATCH ? before : part == PART_COMBINE ? all - before : all;
}

/* Flits of a direction of a link, and of a GPU's links. */
static uint64_t flits_of_link(const struct facts *facts, enum part part, unsigned link, unsigned gpu, bool down)
{
    const struct layer_phases *phases = facts->phases;
    const struct system_link *links = down ? facts->planes[link].down : facts->planes[link].up;
    return part_of(part, down ? phases->down[link][gpu] : phases->up[link][gpu], links[gpu].sent.flits);
}

static uint64_t flits_of_gpu(const struct facts *facts, enum part part, unsigned gpu, bool down)
{
    uint64_t flits = 0;
    for (unsigned link = 0; link < facts->links; link++)
        flits += flits_of_link(facts, part, link, gpu, down);
    return flits;
}

static uint64_t ideal_cycles(const struct facts *facts, enum part part)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < 2 * facts->gpus; i++)
        most = larger(most, flits_of_gpu(facts, part, i / 2, i % 2 != 0));
    return (most + facts->links - 1) / facts->links;
}

/* Of one link: more than the ideal where a hub has several, as a row takes one of them. */
static uint64_t fullest_flits(const struct facts *facts, enum part part)
{
    uint64_t most = 0;
    for (unsigned link = 0; link < facts->links; link++)
        for (unsigned i = 0; i < 2 * facts->gpus; i++)
            most = larger(most, flits_of_link(facts, part, link, i / 2, i % 2 != 0));
    return most;
}

static json_t *link_figures(const struct link_tally *link, unsigned gpu, unsigned plane, const char *direction,
                            uint64_t cycles)
{
    const double use = share(link->flits, cycles), payload = share(link->payload, link->flits);
    printf("GPU %-2u plane %u %-4s  flits %10" PRIu64 "  use %5.1f %%  payload %5.1f %%\n", gpu, plane, direction,
           link->flits, 100 * use, 100 * payload);
    return json_pack("{s:I, s:I, s:s, s:I, s:I, s:f, s:f}", "gpu", (json_int_t)gpu, "plane", (json_int_t)plane, "direction",
                     direction, "flits", (json_int_t)link->flits, "packets", (json_int_t)link->packets, "use", use,
                     "payload_share", payload);
}

static void report_links(struct facts *facts, uint64_t cycles)
{
    json_t *links = json_array();
    uint64_t flits = 0, payload = 0;
    for (unsigned i = 0; i < facts->gpus * facts->links; i++) {
        const unsigned gpu = i / facts->links, plane = i % facts->links;
        const struct link_tally *up = &facts->planes[plane].up[gpu].sent, *down = &facts->planes[plane].down[gpu].sent;
        json_array_append_new(links, link_figures(up, gpu, plane, "up", cycles));
        json_array_append_new(links, link_figures(down, gpu, plane, "down", cycles));
        flits += up->flits + down->flits;
        payload += up->payload + down->payload;
    }
    put(facts, "links", links);
    put(facts, "payload_share", json_real(share(payload, flits)));
}

/* ---- phases --------------------------------------------------------------------------------------------------- */

/* Flits of each GPU in one direction. */
static json_t *flits_of_gpus(const struct facts *facts, enum part part, bool down)
{
    json_t *flits = json_array();
    for (unsigned gpu = 0; gpu < facts->gpus; gpu++)
        json_array_append_new(flits, whole(flits_of_gpu(facts, part, gpu, down)));
    return flits;
}

/* Of all hubs in this round, the AL-TLB's hits or misses: those of stores, those of requests, or both. */
static uint64_t looked_up(const struct facts *facts, enum part part, unsigned event)
{
    uint64_t sum = 0;
    for (unsigned gpu = 0; gpu < facts->gpus; gpu++) {
        const struct system_hub *hub = &facts->hubs[gpu];
        const uint64_t before = hub->counters_before[MOEHUB_WINDOW_ADDRESS_PATH][event];
        sum += part_of(part, hub->counters_served[event] - before, hub->counters[MOEHUB_WINDOW_ADDRESS_PATH][event] - before);
    }
    return sum;
}

static json_t *phase_figures(const struct facts *facts, const char *name, enum part part, uint64_t cycles)
{
    const uint64_t ideal = ideal_cycles(facts, part);
    const uint64_t hits = looked_up(facts, part, MOEHUB_HUB_EVENT_HITS);
    const uint64_t misses = looked_up(facts, part, MOEHUB_HUB_EVENT_MISSES);
    const double rate = share(hits, hits + misses);
    printf("AL-TLB  %-8s  hits %" PRIu64 "  misses %" PRIu64 "  hit rate %.2f %%\n", name, hits, misses, 100 * rate);
    return json_pack("{s:I, s:I, s:f, s:I, s:o, s:o, s:I, s:I, s:f}", "cycles", (json_int_t)cycles, "ideal_cycles",
                     (json_int_t)ideal, "ratio", share(ideal, cycles), "fullest_flits",
                     (json_int_t)fullest_flits(facts, part), "up", flits_of_gpus(facts, part, false), "down",
                     flits_of_gpus(facts, part, true), "al_tlb_hits", (json_int_t)hits, "al_tlb_misses", (json_int_t)misses,
                     "al_tlb_hit_rate", rate);
}

/* Of each GPU its tokens in the order in which it asks for their sums: that in which they became ready. */
static json_t *tokens_asked(const struct facts *facts)
{
    json_t *gpus = json_array();
    for (unsigned number = 0; number < facts->gpus; number++) {
        const struct gpu *gpu = facts->hubs[number].rounds.gpus;
        json_t *tokens = json_array();
        for (uint32_t i = 0; i < gpu->ready_count; i++)
            json_array_append_new(tokens, whole(gpu->ready[i]));
        json_array_append_new(gpus, tokens);
    }
    return gpus;
}

static void report_phases(struct facts *facts, uint64_t cycles)
{
    const struct layer_phases *phases = facts->phases;
    json_t *object = json_object();
    uint64_t ideal = ideal_cycles(facts, PART_ALL);
    if (phases->fused) {
        json_object_set_new(object, "fused", phase_figures(facts, "fused", PART_ALL, cycles));
    } else {
        json_object_set_new(object, "dispatch",
                            phase_figures(facts, "dispatch", PART_DISPATCH, since(phases->begun, facts->arrived)));
        ideal = ideal_cycles(facts, PART_DISPATCH);
    }
    if (phases->sums && !phases->fused) {
        json_t *combine = phase_figures(facts, "combine", PART_COMBINE, since(phases->asked, facts->reduced));
        json_object_set_new(combine, "asked", tokens_asked(facts));
        json_object_set_new(object, "combine", combine);
        ideal += ideal_cycles(facts, PART_COMBINE);
    }
    put(facts, "phases", object);
    put(facts, "cycles", whole(cycles));
    put(facts, "ideal_cycles", whole(ideal));
    put(facts, "ended_cycles", whole(phases->ended - phases->begun));
    put(facts, "ratio", json_real(share(ideal, cycles)));
}

/* Distinct GPUs that a row goes to but its own, on average. */
static double fan_out(const struct moehub_layer *layer)
{
    uint64_t pairs = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        if (!moehub_layer_row_exists(layer, row))
            continue;
        const struct moehub_target *targets = moehub_layer_targets(layer, row);
        for (unsigned i = 0; i < layer->topk; i++)
            pairs += targets[i].gpu != row / layer->tokens_per_gpu && (i == 0 || targets[i].gpu != targets[i - 1].gpu);
    }
    return share(pairs, layer->tokens);
}

/* A line goes up once and down d times, its sum up d times and down once: unfused 2 d a direction, fused 1 + d. */
static void report_bound(struct facts *facts)
{
    const double d = fan_out(facts->layer);
    put(facts, "fan_out", json_real(d));
    put(facts, "bound", json_real(2 * d / (1 + d)));
}

/* ---- AL-TLB --------------------------------------------------------------------------------------------------- */

static uint64_t counted(const struct facts *facts, unsigned window, unsigned event)
{
    uint64_t sum = 0;
    for (unsigned gpu = 0; gpu < facts->gpus; gpu++)
        sum += facts->hubs[gpu].counters[window][event];
    return sum;
}

static void report_tlb(struct facts *facts)
{
    const unsigned window = MOEHUB_WINDOW_ADDRESS_PATH;
    const uint64_t hits = counted(facts, window, MOEHUB_HUB_EVENT_HITS), misses = counted(facts, window, MOEHUB_HUB_EVENT_MISSES);
    const uint64_t entries = counted(facts, window, MOEHUB_HUB_EVENT_ALLOCATIONS);
    const double rate = share(hits, hits + misses);
    printf("AL-TLB  in all    hits %" PRIu64 "  misses %" PRIu64 "  hit rate %.2f %%  entries allocated %" PRIu64 "\n", hits,
           misses, 100 * rate, entries);
    put(facts, "al_tlb_hits", whole(hits));
    put(facts, "al_tlb_misses", whole(misses));
    put(facts, "al_tlb_hit_rate", json_real(rate));
    put(facts, "entries", whole(entries));
}

/* ---- rows ----------------------------------------------------------------------------------------------------- */

enum { LATENCY_BINS = 100 };

struct latencies {
    uint64_t *cycles;
    size_t count;
};

/* From the cycle in which a GPU's row is taken to that of its tile's ready at an expert's GPU. */
static void add_latencies(const struct facts *facts, unsigned number, unsigned round, struct latencies *latencies)
{
    const struct gpu *at = &facts->hubs[number].rounds.gpus[round];
    const struct gpu_layout *layout = at->layout;
    for (uint32_t row = 0; row < layout->row_limit; row++)
        for (unsigned expert = 0; expert < layout->local_experts; expert++) {
            const uint64_t visible = at->visible[(size_t)row * layout->local_experts + expert];
            if (visible == 0)
                continue;
            const struct gpu *owner = &facts->hubs[row >> layout->owner_shift].rounds.gpus[round];
            latencies->cycles[latencies->count++] = visible - owner->tokens[row & ((1u << layout->owner_shift) - 1)].opened;
        }
}

/* The smallest that at least `percent` of them do not exceed; of none 0. */
static uint64_t percentile(const struct latencies *latencies, unsigned percent)
{
    return latencies->count == 0 ? 0 : latencies->cycles[(latencies->count * percent + 99) / 100 - 1];
}

/* [first cycle of a bin, rows in it], bins of one width. */
static json_t *bins_of(const struct latencies *latencies, uint64_t width)
{
    json_t *bins = json_array();
    for (size_t first = 0, end; first < latencies->count; first = end) {
        const uint64_t bin = latencies->cycles[first] / width;
        for (end = first; end < latencies->count && latencies->cycles[end] / width == bin; end++)
            ;
        json_array_append_new(bins, json_pack("[I, I]", (json_int_t)bin * (json_int_t)width, (json_int_t)(end - first)));
    }
    return bins;
}

static void put_latencies(struct facts *facts, const struct latencies *latencies)
{
    const uint64_t most = percentile(latencies, 100), width = most / LATENCY_BINS + 1;
    put(facts, "row_latency",
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "rows", (json_int_t)latencies->count, "p50",
                  (json_int_t)percentile(latencies, 50), "p99", (json_int_t)percentile(latencies, 99), "maximum",
                  (json_int_t)most, "bin_cycles", (json_int_t)width, "histogram", bins_of(latencies, width)));
}

static void report_rows(struct facts *facts)
{
    uint64_t rows = 0, tiles = 0;
    for (unsigned gpu = 0; gpu < facts->gpus; gpu++) {
        const struct gpu_sums sums = gpu_rounds_sums(&facts->hubs[gpu].rounds);
        rows += sums.counts.rows_received;
        tiles += sums.tiles;
    }
    struct latencies latencies = {.cycles = allocate(rows + 1, sizeof *latencies.cycles)};
    for (unsigned gpu = 0; gpu < facts->gpus; gpu++)
        for (unsigned round = 0; round < facts->hubs->rounds.count; round++)
            add_latencies(facts, gpu, round, &latencies);
    sort_numbers(latencies.cycles, latencies.count);
    printf("rows    %zu in %" PRIu64 " tiles, visible after p50 %" PRIu64 ", p99 %" PRIu64 " cycles\n", latencies.count, tiles,
           percentile(&latencies, 50), percentile(&latencies, 99));
    put(facts, "tiles", whole(tiles));
    put_latencies(facts, &latencies);
    free(latencies.cycles);
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

void layer_report(struct bench *bench, const struct moehub_layer *layer, const struct system_plane *planes,
                  const struct system_hub *hubs, const struct layer_phases *phases)
{
    struct facts facts = {.bench = bench,
                          .layer = layer,
                          .planes = planes,
                          .gpus = layer->gpus,
                          .links = hubs->shape.links,
                          .hubs = hubs,
                          .phases = phases};
    for (unsigned gpu = 0; gpu < facts.gpus; gpu++) {
        const struct gpu *last = &hubs[gpu].rounds.gpus[hubs[gpu].rounds.count - 1];
        facts.arrived = larger(facts.arrived, last->last_arrived);
        facts.reduced = larger(facts.reduced, last->last_reduced);
    }
    const uint64_t counters = phases->asked - phases->served; /* cycles of reading them */
    const uint64_t cycles =
        phases->sums ? since(phases->begun + counters, facts.reduced) : since(phases->begun, facts.arrived);
    put(&facts, "gpus", whole(facts.gpus));
    put(&facts, "planes", whole(facts.links));
    put(&facts, "tokens", whole(layer->tokens));
    put(&facts, "phase", json_string(phases->fused ? "fused" : phases->sums ? "unfused" : "dispatch"));
    put(&facts, "events", whole(bench->compared));
    put(&facts, "tools", json_pack("{s:s, s:s}", "compiler", __VERSION__, "jansson", JANSSON_VERSION));
    report_links(&facts, cycles);
    report_phases(&facts, cycles);
    report_bound(&facts);
    report_tlb(&facts);
    const unsigned manager = MOEHUB_WINDOW_PACKET_MANAGER;
    put(&facts, "whole_packets", whole(counted(&facts, manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE)));
    put(&facts, "part_packets", whole(counted(&facts, manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART)));
    report_rows(&facts);
    put(&facts, "gemm", layer_tiles(hubs, phases->begun));
    put(&facts, "stalls", layer_stalls(planes, hubs));
    put(&facts, "occupancy", layer_occupancy(hubs));
}
