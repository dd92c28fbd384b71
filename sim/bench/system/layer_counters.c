/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_counters.h"

#include "moehub/driver.h"

#include <inttypes.h>

enum { CLASSES = MOEHUB_CLASSES };

/* One hub, or one port of a plane. */
struct counted {
    struct bench *bench;
    const char *block;
    unsigned gpu, number; /* of the way or plane */
    const uint64_t *now, *before;
    uint64_t *compared;
};

static uint64_t grown(const struct counted *counted, unsigned event)
{
    return counted->now[event] - counted->before[event];
}

static void demand(const struct counted *counted, const char *name, unsigned event, uint64_t value, uint64_t expected)
{
    (*counted->compared)++;
    if (value == expected)
        return;
    bench_fail(counted->bench, BENCH_MISMATCH, "GPU %u: %s %u counted %" PRIu64 " %s (event %u), expected %" PRIu64,
               counted->gpu, counted->block, counted->number, value, name, event, expected);
}

static void expect(const struct counted *counted, const char *name, unsigned event, uint64_t expected)
{
    demand(counted, name, event, grown(counted, event), expected);
}

static void expect_none(const struct counted *counted, const char *name, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        expect(counted, name, first + i, 0);
}

static struct counted window(struct system_hub *hub, const char *block, unsigned number, unsigned index, uint64_t *compared)
{
    return (struct counted){&hub->bench, block, hub->number, number, hub->counters[index], hub->counters_before[index], compared};
}

/* Results of requests that were put into a link up for the switch to refuse. */
static uint64_t lines_answered(const struct system_link *up)
{
    return up->injector != NULL ? up->injector->lines_answered : 0;
}

/* ---- a port of a plane ---------------------------------------------------------------------------------------- */

static void check_port(const struct system_plane *plane, unsigned number, unsigned port, bool whole, uint64_t *compared)
{
    const struct counted counted = {plane->bench, "port of plane", port, number, plane->counters[port],
                                    plane->counters_before[port], compared};
    const struct link_tally *up = &plane->up[port].came, *down = &plane->down[port].sent, *good = &plane->up[port].sent;
    const struct link_injector *injector = plane->up[port].injector;
    for (unsigned c = 0; c < CLASSES; c++) {
        expect(&counted, "packets in", MOEHUB_SWITCH_PORT_EVENT_PACKETS_IN + c, up->classes[c]);
        expect(&counted, "packets out", MOEHUB_SWITCH_PORT_EVENT_PACKETS_OUT + c, down->classes[c]);
    }
    expect(&counted, "flits in", MOEHUB_SWITCH_PORT_EVENT_FLITS_IN, up->flits);
    expect(&counted, "flits out", MOEHUB_SWITCH_PORT_EVENT_FLITS_OUT, down->flits);
    if (!whole)
        return;
    expect(&counted, "copies of stores", MOEHUB_SWITCH_PORT_EVENT_STORE_COPIES, down->classes[MOEHUB_CLASS_STORE]);
    expect(&counted, "requests reserved", MOEHUB_SWITCH_PORT_EVENT_RESERVED, good->types[MOEHUB_PACKET_LD_REDUCE]);
    for (unsigned cause = 0; cause < MOEHUB_SWITCH_PORT_EVENT_PACKETS_IN; cause++)
        expect(&counted, "packets of a cause", MOEHUB_SWITCH_PORT_EVENT_CAUSES + cause,
               injector != NULL ? injector->causes[cause] : 0);
}

/* Every sum that a port has asked for leaves by its link. */
static void check_sums(const struct system_plane *plane, unsigned number, unsigned port, uint64_t *compared)
{
    const struct counted counted = {plane->bench, "reduction buffer of plane", port, number, plane->sums[port],
                                    plane->sums_before[port], compared};
    const struct link_tally *good = &plane->up[port].sent, *down = &plane->down[port].sent;
    expect(&counted, "reservations", MOEHUB_REDUCTION_EVENT_RESERVATIONS, good->types[MOEHUB_PACKET_LD_REDUCE]);
    demand(&counted, "results, with and without a status", MOEHUB_REDUCTION_EVENT_RESULTS,
           grown(&counted, MOEHUB_REDUCTION_EVENT_RESULTS) + grown(&counted, MOEHUB_REDUCTION_EVENT_RESULT_ERRORS),
           down->types[MOEHUB_PACKET_RESULT] - lines_answered(&plane->up[port]));
    for (unsigned cause = 0; cause < MOEHUB_REDUCTION_CAUSES - 1; cause++)
        if (cause != MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS)
            expect(&counted, "items of a cause", MOEHUB_REDUCTION_EVENT_CAUSES + cause, 0);
}

/* ---- a hub ---------------------------------------------------------------------------------------------------- */

static uint64_t of_ways(const struct system_hub *hub, unsigned event)
{
    uint64_t sum = 0;
    for (unsigned way = 0; way <= hub->shape.links; way++)
        sum += hub->counters[MOEHUB_WINDOW_WAY + way][event] - hub->counters_before[MOEHUB_WINDOW_WAY + way][event];
    return sum;
}

static uint64_t of_final(const struct system_hub *hub, unsigned event)
{
    uint64_t sum = 0;
    for (unsigned link = 0; link < hub->shape.links; link++)
        sum += hub->counters[MOEHUB_WINDOW_FINAL_REDUCE + link][event] -
               hub->counters_before[MOEHUB_WINDOW_FINAL_REDUCE + link][event];
    return sum;
}

/* Of the contexts in which its rounds are. */
static uint64_t of_rounds(const struct system_hub *hub, const uint64_t *contexts)
{
    uint64_t sum = 0;
    for (unsigned round = 0; round < hub->rounds.count && round < hub->shape.contexts; round++)
        sum += contexts[hub->rounds.gpus[round].options.context];
    return sum;
}

static void check_link(struct system_hub *hub, unsigned link, bool whole, uint64_t *compared)
{
    const struct counted counted = window(hub, "way", link, MOEHUB_WINDOW_WAY + link, compared);
    const struct link_tally *up = &hub->out[link]->sent, *down = &hub->in[link]->came, *good = &hub->in[link]->sent;
    for (unsigned c = 0; c < CLASSES; c++) {
        expect(&counted, "packets in", MOEHUB_HUB_WAY_EVENT_PACKETS_IN + c, down->classes[c]);
        expect(&counted, "packets out", MOEHUB_HUB_WAY_EVENT_PACKETS_OUT + c, up->classes[c]);
    }
    expect(&counted, "flits in", MOEHUB_HUB_WAY_EVENT_FLITS_IN, down->flits);
    expect(&counted, "flits out", MOEHUB_HUB_WAY_EVENT_FLITS_OUT, up->flits);
    expect(&counted, "results", MOEHUB_HUB_WAY_EVENT_RESULTS, good->types[MOEHUB_PACKET_RESULT]);
    expect(&counted, "partials", MOEHUB_HUB_WAY_EVENT_PARTIALS, up->types[MOEHUB_PACKET_PARTIAL]);
    if (!whole)
        return;
    expect(&counted, "closes", MOEHUB_HUB_WAY_EVENT_CLOSES, good->types[MOEHUB_PACKET_CLOSE]);
    expect(&counted, "notifies", MOEHUB_HUB_WAY_EVENT_NOTIFIES, good->types[MOEHUB_PACKET_NOTIFY]);
    expect(&counted, "pairs written", MOEHUB_HUB_WAY_EVENT_BYTES, of_rounds(hub, good->pairs));
    expect(&counted, "lines written", MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN, of_rounds(hub, good->pairs));
    expect(&counted, "row list words", MOEHUB_HUB_WAY_EVENT_WORDS_WRITTEN, of_rounds(hub, good->announced));
}

static void check_loop(struct system_hub *hub, uint64_t *compared)
{
    const unsigned loop = hub->shape.links;
    const struct counted counted = window(hub, "way", loop, MOEHUB_WINDOW_WAY + loop, compared);
    for (unsigned c = 0; c < CLASSES; c++)
        expect(&counted, "packets in", MOEHUB_HUB_WAY_EVENT_PACKETS_IN + c,
               grown(&counted, MOEHUB_HUB_WAY_EVENT_PACKETS_OUT + c));
    expect(&counted, "flits in", MOEHUB_HUB_WAY_EVENT_FLITS_IN, grown(&counted, MOEHUB_HUB_WAY_EVENT_FLITS_OUT));
}

static uint64_t requests_up(const struct system_hub *hub)
{
    uint64_t sum = 0;
    for (unsigned link = 0; link < hub->shape.links; link++)
        sum += hub->out[link]->sent.types[MOEHUB_PACKET_LD_REDUCE];
    return sum;
}

/* Which row has left its entry when a store comes for it, and which not yet, is the hub's choice. */
static void check_dropped(const struct system_hub *hub, const struct counted *counted)
{
    const uint64_t aborted = grown(counted, MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_ABORTED);
    const uint64_t dropped = aborted + grown(counted, MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_HANDLE);
    uint64_t least, most;
    gpu_abort_drops(hub->rounds.gpus, &least, &most);
    (*counted->compared)++;
    if (dropped < least || dropped > most)
        bench_fail(counted->bench, BENCH_MISMATCH,
                   "GPU %u, which aborted: packet manager counted %" PRIu64 " stores dropped, expected %" PRIu64 " to %" PRIu64,
                   counted->gpu, dropped, least, most);
}

static bool is_of_abort(const struct system_hub *hub, unsigned cause)
{
    return gpu_aborts(hub->rounds.gpus) &&
           (cause == MOEHUB_PACKET_MANAGER_CAUSE_HANDLE || cause == MOEHUB_PACKET_MANAGER_CAUSE_ABORTED);
}

static void check_manager(struct system_hub *hub, uint64_t *compared)
{
    const struct counted counted = window(hub, "packet manager", 0, MOEHUB_WINDOW_PACKET_MANAGER, compared);
    const struct gpu *gpu = hub->rounds.gpus;
    const struct gpu_sums sums = gpu_rounds_sums(&hub->rounds);
    const uint64_t rows = sums.rows_stored + gpu->flood_rows;
    const struct gpu_bad_counts *bad = &sums.bad;
    const uint64_t causes[MOEHUB_PACKET_MANAGER_CAUSES] = {
        [MOEHUB_PACKET_MANAGER_CAUSE_ROW] = bad->rows + gpu->abort.rows_refused,
        [MOEHUB_PACKET_MANAGER_CAUSE_HANDLE] = bad->handles,
        [MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE] = bad->ranges,
        [MOEHUB_PACKET_MANAGER_CAUSE_REDUCE] = bad->reduces,
    };
    for (unsigned cause = 0; cause < MOEHUB_PACKET_MANAGER_CAUSES; cause++)
        if (!is_of_abort(hub, cause))
            expect(&counted, "items of a cause", MOEHUB_PACKET_MANAGER_EVENT_CAUSES + cause, causes[cause]);
    if (gpu_aborts(gpu))
        check_dropped(hub, &counted);
    expect(&counted, "rows opened", MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED, rows);
    expect(&counted, "rows left", MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT, rows);
    expect(&counted, "stores", MOEHUB_PACKET_MANAGER_EVENT_STORES, sums.counts.stores);
    expect(&counted, "closes", MOEHUB_PACKET_MANAGER_EVENT_CLOSES, (uint64_t)hub->shape.gpus * hub->rounds.count);
    expect(&counted, "reduces", MOEHUB_PACKET_MANAGER_EVENT_REDUCES, sums.counts.reduces);
    expect(&counted, "lines of reduces", MOEHUB_PACKET_MANAGER_EVENT_REDUCE_LINES, sums.counts.lines_reduced);
    expect(&counted, "requests up", MOEHUB_PACKET_MANAGER_EVENT_REQUESTS_UP, requests_up(hub));
    expect(&counted, "reduces answered at once", MOEHUB_PACKET_MANAGER_EVENT_ANSWERED, bad->reduces);
    demand(&counted, "store packets", MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE,
           grown(&counted, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE) + grown(&counted, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART),
           of_ways(hub, MOEHUB_HUB_WAY_EVENT_PACKETS_OUT + MOEHUB_CLASS_STORE));
}

static void check_tracker(struct system_hub *hub, uint64_t *compared)
{
    const struct counted counted = window(hub, "tile tracker", 0, MOEHUB_WINDOW_TILE_TRACKER, compared);
    const struct gpu_sums sums = gpu_rounds_sums(&hub->rounds);
    const struct gpu_counts *counts = &sums.counts;
    const uint64_t causes[MOEHUB_TILE_TRACKER_CAUSES] = {[MOEHUB_TILE_TRACKER_CAUSE_DONE] = sums.bad.done,
                                                         [MOEHUB_TILE_TRACKER_CAUSE_BALANCE] = counts->tiles_cut,
                                                         [MOEHUB_TILE_TRACKER_CAUSE_TOKEN] = counts->tokens_lost,
                                                         [MOEHUB_TILE_TRACKER_CAUSE_EXCESS] = system_hub_foreign(hub)};
    for (unsigned cause = 0; cause < MOEHUB_TILE_TRACKER_CAUSES; cause++)
        expect(&counted, "items of a cause", MOEHUB_TILE_TRACKER_EVENT_CAUSES + cause, causes[cause]);
    expect(&counted, "words", MOEHUB_TILE_TRACKER_EVENT_WORDS, counts->rows_received);
    expect(&counted, "pairs of bytes", MOEHUB_TILE_TRACKER_EVENT_BYTES, of_ways(hub, MOEHUB_HUB_WAY_EVENT_BYTES));
    expect(&counted, "pairs handled", MOEHUB_TILE_TRACKER_EVENT_HANDLED,
           of_ways(hub, MOEHUB_HUB_WAY_EVENT_BYTES) + of_ways(hub, MOEHUB_HUB_WAY_EVENT_REFUSED));
    demand(&counted, "pairs refused", MOEHUB_HUB_WAY_EVENT_REFUSED, of_ways(hub, MOEHUB_HUB_WAY_EVENT_REFUSED),
           system_hub_foreign(hub));
    expect(&counted, "tiles ready", MOEHUB_TILE_TRACKER_EVENT_TILES_READY, counts->tiles / 2);
    expect(&counted, "tiles failed", MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED, counts->tiles_failed);
    expect(&counted, "tiles computed", MOEHUB_TILE_TRACKER_EVENT_TILES_COMPUTED, counts->tiles / 2);
    expect(&counted, "tiles finished", MOEHUB_TILE_TRACKER_EVENT_TILES_FINISHED, counts->tiles / 2);
    expect(&counted, "notifies sent", MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_SENT, counts->rows_received);
    expect(&counted, "notifies taken", MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN, gpu_rounds_notifies_coming(&hub->rounds));
    expect(&counted, "tokens told", MOEHUB_TILE_TRACKER_EVENT_TOKENS_TOLD, counts->tokens);
    expect(&counted, "tokens failed", MOEHUB_TILE_TRACKER_EVENT_TOKENS_FAILED, counts->tokens_failed);
    expect(&counted, "closes taken", MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN, (uint64_t)hub->shape.gpus * hub->rounds.count);
    expect(&counted, "all arrived", MOEHUB_TILE_TRACKER_EVENT_ALL_ARRIVED, hub->rounds.count);
}

/* As what stores of a flood are refused. */
static unsigned flood_cause(const struct gpu_manners *manners)
{
    return manners->flood_unlisted ? MOEHUB_HUB_WAY_CAUSE_PEER : MOEHUB_HUB_WAY_CAUSE_CONTEXT;
}

/* Packets of that cause that were put into a way's link; stores of a flood; writes that failed. */
static uint64_t refused(const struct system_hub *hub, unsigned way, unsigned cause)
{
    if (cause == MOEHUB_HUB_WAY_CAUSE_WRITE)
        return hub->rounds.writes_failed[way].writes;
    if (way == hub->shape.links)
        return 0;
    const struct system_link *link = hub->in[way];
    uint64_t packets = link->injector != NULL ? link->injector->causes[cause] : 0;
    const struct gpu_manners *manners = &hub->options.gpu.manners;
    if (manners->flooded && cause == flood_cause(manners))
        packets += link->sent.stores[manners->flood_context];
    return packets;
}

/* What final_reduce gets with a status: the switch's line of which any other GPU's part is missing, and the own part. */
static uint64_t parts_missing(const struct system_hub *hub)
{
    const struct gpu_counts counts = gpu_rounds_sums(&hub->rounds).counts;
    return counts.lines_spoiled_by_others + gpu_rounds_spoiled_lines(&hub->rounds, hub->number, false);
}

static void check_others(struct system_hub *hub, uint64_t *compared)
{
    const struct counted path = window(hub, "address path", 0, MOEHUB_WINDOW_ADDRESS_PATH, compared);
    const struct counted control = window(hub, "control", 0, MOEHUB_WINDOW_CONTROL, compared);
    const struct counted final = window(hub, "final_reduce", 0, MOEHUB_WINDOW_FINAL_REDUCE, compared);
    const struct gpu_counts counts = gpu_rounds_sums(&hub->rounds).counts;
    expect(&path, "entries allocated", MOEHUB_HUB_EVENT_ALLOCATIONS, counts.rows_received);
    expect_none(&path, "items of a cause", MOEHUB_HUB_EVENT_CAUSES, MOEHUB_HUB_CAUSE_PARITY);
    expect(&control, "commands refused", MOEHUB_HUB_CONTROL_EVENT_REFUSED, 0);
    demand(&final, "sums of all links", MOEHUB_REDUCTION_EVENT_RESULTS, of_final(hub, MOEHUB_REDUCTION_EVENT_RESULTS),
           counts.lines_reduced - counts.lines_spoiled);
    demand(&final, "sums that lack a part", MOEHUB_REDUCTION_EVENT_RESULT_ERRORS,
           of_final(hub, MOEHUB_REDUCTION_EVENT_RESULT_ERRORS), counts.lines_spoiled);
    uint64_t strays = 0;
    for (unsigned link = 0; link < hub->shape.links; link++)
        strays += lines_answered(hub->out[link]);
    for (unsigned cause = 0; cause < MOEHUB_REDUCTION_CAUSES - 1; cause++)
        demand(&final, "items of a cause", MOEHUB_REDUCTION_EVENT_CAUSES + cause,
               of_final(hub, MOEHUB_REDUCTION_EVENT_CAUSES + cause),
               cause == MOEHUB_REDUCTION_CAUSE_ENTRY            ? strays
               : cause == MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS ? parts_missing(hub)
                                                                : 0);
    demand(&final, "lines whose read failed, of all ways", MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_READ,
           of_ways(hub, MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_READ),
           gpu_rounds_spoiled_lines(&hub->rounds, hub->number, true) +
               gpu_rounds_spoiled_lines(&hub->rounds, hub->number, false));
    for (unsigned way = 0; way <= hub->shape.links; way++) {
        const struct counted counted = window(hub, "way", way, MOEHUB_WINDOW_WAY + way, compared);
        for (unsigned cause = 0; cause < MOEHUB_HUB_WAY_CAUSE_READ; cause++)
            expect(&counted, "items of a cause", MOEHUB_HUB_WAY_EVENT_CAUSES + cause, refused(hub, way, cause));
    }
}

/* A region that is too short: each row that found it full is a token that failed, and its stores and reads are counted. */
static void check_short(struct system_hub *hubs, uint64_t *compared)
{
    const struct gpu_manners *manners = &hubs->options.gpu.manners;
    struct system_hub *hub = &hubs[manners->short_gpu];
    const struct counted path = window(hub, "address path", 0, MOEHUB_WINDOW_ADDRESS_PATH, compared);
    const struct counted tracker = window(hub, "tile tracker", 0, MOEHUB_WINDOW_TILE_TRACKER, compared);
    const struct gpu_counts counts = gpu_rounds_sums(&hub->rounds).counts;
    uint64_t failed = 0, groups = 0;
    for (unsigned gpu = 0; gpu < hub->shape.gpus; gpu++) {
        failed += hubs[gpu].rounds.gpus->counts.tokens_failed;
        groups += hubs[gpu].rounds.gpus->groups_partial;
    }
    demand(&path, "tokens failed of all GPUs", MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_FULL, failed, manners->short_slots);
    expect(&path, "rows that found a region full", MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_FULL, failed);
    expect(&path, "entries allocated", MOEHUB_HUB_EVENT_ALLOCATIONS, counts.rows_received);
    const uint64_t refused = of_ways(hub, MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_ANSWER);
    expect(&path, "unmapped stores and reads", MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_UNMAPPED, refused - failed + groups);
    demand(&path, "pairs refused", MOEHUB_HUB_WAY_EVENT_REFUSED, of_ways(hub, MOEHUB_HUB_WAY_EVENT_REFUSED), refused);
    expect(&tracker, "pairs handled", MOEHUB_TILE_TRACKER_EVENT_HANDLED, of_ways(hub, MOEHUB_HUB_WAY_EVENT_BYTES) + refused);
    expect(&tracker, "pairs of bytes", MOEHUB_TILE_TRACKER_EVENT_BYTES, of_ways(hub, MOEHUB_HUB_WAY_EVENT_BYTES));
}

/* Parts of a GPU's sums that other GPUs could not read, in whatever plane they were asked for. */
static void check_parts(const struct system_plane *planes, const struct system_hub *hubs, unsigned gpu, uint64_t *compared)
{
    const struct counted counted = {planes->bench, "reduction buffers of port", gpu, gpu, NULL, NULL, compared};
    const unsigned event = MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS;
    const unsigned failed = MOEHUB_REDUCTION_EVENT_RESULT_ERRORS;
    uint64_t told = 0, results = 0, missing = 0;
    for (unsigned plane = 0; plane < hubs->shape.links; plane++) {
        told += planes[plane].sums[gpu][event] - planes[plane].sums_before[gpu][event];
        results += planes[plane].sums[gpu][failed] - planes[plane].sums_before[gpu][failed];
    }
    for (unsigned other = 0; other < hubs->shape.gpus; other++)
        missing += other != gpu ? gpu_rounds_spoiled_lines(&hubs[other].rounds, gpu, false) : 0;
    demand(&counted, "partials with a status", event, told, missing);
    demand(&counted, "results with a status", failed, results,
           gpu_rounds_sums(&hubs[gpu].rounds).counts.lines_spoiled_by_others);
}

/* What the hubs say of stores that they send comes with every copy. */
static void check_nops(const struct system_plane *planes, const struct system_hub *hubs, uint64_t *compared)
{
    uint64_t up = 0, down = 0;
    for (unsigned i = 0; i < hubs->shape.gpus * hubs->shape.links; i++) {
        const struct system_plane *plane = &planes[i % hubs->shape.links];
        up += plane->up[i / hubs->shape.links].sent.nop_pairs;
        down += plane->down[i / hubs->shape.links].sent.nop_pairs;
    }
    (*compared)++;
    if (up != down)
        bench_fail(planes->bench, BENCH_MISMATCH,
                   "%" PRIu64 " pairs off the critical path came, and %" PRIu64 " were sent", down, up);
}

uint64_t layer_counters_check(const struct system_plane *planes, struct system_hub *hubs, bool whole)
{
    uint64_t compared = 0;
    for (unsigned gpu = 0; gpu < hubs->shape.gpus; gpu++) {
        struct system_hub *hub = &hubs[gpu];
        for (unsigned link = 0; link < hub->shape.links; link++) {
            check_port(&planes[link], link, gpu, whole, &compared);
            check_link(hub, link, whole, &compared);
            if (whole)
                check_sums(&planes[link], link, gpu, &compared);
        }
        check_loop(hub, &compared);
        if (!whole)
            continue;
        check_parts(planes, hubs, gpu, &compared);
        check_manager(hub, &compared);
        check_tracker(hub, &compared);
        check_others(hub, &compared);
    }
    if (whole)
        check_nops(planes, hubs, &compared);
    if (hubs->options.gpu.manners.short_slots != 0)
        check_short(hubs, &compared);
    return compared;
}
