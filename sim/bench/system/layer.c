/* SPDX-License-Identifier: Apache-2.0 */
/* A MoE layer through hubs, links and switch in RTL: rows are dispatched, computed as tiles become ready, and summed as tokens
 * become ready. Every received row, every sum and every ready event is compared with what the layer alone says.
 *
 *   fused     a token's sum is asked for as soon as the token is ready
 *   unfused   no sum is asked for before all GPUs have all rows and all tokens
 *   dispatch  no sum is asked for at all
 *
 * GPUs and switch are stepped by several threads, a link's latency at a time: so far nobody sees what the others do. */
#include "bench/system/layer_counters.h"
#include "bench/system/layer_timeline.h"
#include "bench/system/workers.h"
#include "kit/allocate.h"
#include "kit/parameters.h"
#include "moehub/element.h"
#include "moehub/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern const struct dut_model dut_model_hub;

enum { DEFAULT_TOKENS = 16, ROUND_FIRST = 3, ROUND_NAMES = 16, QUIET_CYCLES = 500, LINK_DOWN_LEAST = 4 };

static const char *model = NULL, *routing = "uniform", *type = "fp8", *phase = "fused", *stall = "none";
static const char *packets = NULL, *timeline_file = NULL, *withheld = NULL;
static int64_t rounds = 1, tokens = DEFAULT_TOKENS, hidden = 0, experts = 0, topk = 0, latency = 437, memory_least = 500,
               memory_most = 600, threads = 2, tile_shift = 4, rows_open = 8, window = 16, tokens_asked = 32, gemm = 400,
               timeout = 1 << 24, silent = -1, withholder = -1, withheld_cycles = 0, port_timeout = 0,
               bad_items = 0, bad_packets = 0, flood = -1, flood_unlisted = 0, short_slots = 0, counted = 1, nops = 0,
               layer_seed = -1,
               read_errors = 0, line_timeout = 16384, tile_readiness = 1, kernel_start = 0,
               gemm_in_turn = 0, check_hubs = 1, store_parts = 1,
               write_errors = 0, write_errors_of = -1, abort_of = -1;

static const struct knob knobs[] = {
    {.name = "model", .help = "shape of a published model (default deepseek-v3)", .text = &model},
    {.name = "hidden",
     .help = "elements of a row, instead of the model's",
     .number = &hidden,
     .minimum = 1,
     .maximum = MOEHUB_LAYER_ROW_BYTES_MAX},
    {.name = "experts",
     .help = "experts, instead of the model's",
     .number = &experts,
     .minimum = 1,
     .maximum = MOEHUB_LAYER_EXPERTS_MAX},
    {.name = "topk", .help = "experts of a token, instead of the model's", .number = &topk, .minimum = 1, .maximum = 32},
    {.name = "tokens", .help = "tokens on each GPU (default 16)", .number = &tokens, .minimum = 1, .maximum = 4096},
    {.name = "rounds",
     .help = "layers that follow each other, in the hub's contexts by turns; reported is the last (default 1)",
     .number = &rounds,
     .minimum = 1,
     .maximum = 1000},
    {.name = "routing", .help = MOEHUB_ROUTING_NAMES " (default uniform)", .text = &routing},
    {.name = "type", .help = "elements of dispatched rows: " MOEHUB_ELEMENT_NAMES " (default fp8)", .text = &type},
    {.name = "phase", .help = "fused, unfused or dispatch (default fused)", .text = &phase},
    {.name = "latency", .help = "cycles of a link, each way (default 437)", .number = &latency, .minimum = 1, .maximum = 1000},
    {.name = "memory-least",
     .help = "least cycles of a memory access (default 500)",
     .number = &memory_least,
     .minimum = 1,
     .maximum = 4000},
    {.name = "memory-most", .help = "most of them (default 600)", .number = &memory_most, .minimum = 1, .maximum = 4000},
    {.name = "stall", .help = "of memories and streams: none, light, heavy, bursts, mixed (default none)", .text = &stall},
    {.name = "tile-shift", .help = "a tile has 2^N rows (default 4)", .number = &tile_shift, .minimum = 0, .maximum = 12},
    {.name = "rows-open",
     .help = "rows that a GPU stores side by side (default 8)",
     .number = &rows_open,
     .minimum = 1,
     .maximum = GPU_ROWS_OPEN_MAX},
    {.name = "window",
     .help = "pieces of STORE_BYTES of a row that come in any order, a power of two (default 16)",
     .number = &window,
     .minimum = 1,
     .maximum = 1024},
    {.name = "store-parts",
     .help = "stores of such a piece: more than one have holes in their byte enables (default 1)",
     .number = &store_parts,
     .minimum = 1,
     .maximum = GPU_STORE_PARTS_MAX},
    {.name = "tokens-asked",
     .help = "tokens whose sums are asked for in turn (default 32)",
     .number = &tokens_asked,
     .minimum = 1,
     .maximum = GPU_TOKENS_ASKED_MAX},
    {.name = "gemm", .help = "cycles of a GEMM of a tile (default 400)", .number = &gemm, .minimum = 1, .maximum = 1 << 20},
    {.name = "gemm-in-turn",
     .help = "1: each of the two GEMMs computes one tile at a time (default 0: all that may begin at once)",
     .number = &gemm_in_turn,
     .minimum = 0,
     .maximum = 1},
    {.name = "tile-readiness",
     .help = "0: no first GEMM begins before all rows of its GPU have arrived (default 1: when its tile is told as ready)",
     .number = &tile_readiness,
     .minimum = 0,
     .maximum = 1},
    {.name = "kernel-start",
     .help = "with --tile-readiness 0: cycles from the arrival of all rows to the first GEMM (default 0)",
     .number = &kernel_start,
     .minimum = 0,
     .maximum = 1 << 20},
    {.name = "line-timeout",
     .help = "LINE_TIMEOUT, cycles until a line of stores leaves though it is not whole (default 16384)",
     .number = &line_timeout,
     .minimum = 1,
     .maximum = 32768},
    {.name = "timeout",
     .help = "cycles until a missing peer, token or part counts as failed (default 2^24)",
     .number = &timeout,
     .minimum = 1,
     .maximum = INT64_C(1) << 31},
    {.name = "packets",
     .help = "every packet that crosses a link of plane 0, as JSON lines to this file; of plane N to FILE.N",
     .text = &packets},
    {.name = "timeline", .help = "phases, links and events over time, Chrome's trace JSON to this file", .text = &timeline_file},
    {.name = "silent",
     .help = "in the first round this GPU sends nothing and never closes: the others must end without it (default none)",
     .number = &silent,
     .minimum = 0,
     .maximum = SYSTEM_GPUS_MAX - 1},
    {.name = "abort",
     .help = "in the first round this GPU aborts its context in the middle of its dispatch: what has left its hub comes to the "
             "others, and no more (default none)",
     .number = &abort_of,
     .minimum = 0,
     .maximum = SYSTEM_GPUS_MAX - 1},
    {.name = "withholder",
     .help = "in the first round this GPU withholds what --withheld says from its hub or the switch (default none)",
     .number = &withholder,
     .minimum = 0,
     .maximum = SYSTEM_GPUS_MAX - 1},
    {.name = "withheld", .help = GPU_WITHHELD_NAMES ": what it does not take, or give", .text = &withheld},
    {.name = "withheld-cycles",
     .help = "for so long from the first row on (default 0: until the others have nothing left to do)",
     .number = &withheld_cycles,
     .minimum = 0,
     .maximum = 1 << 24},
    {.name = "port-timeout",
     .help = "cycles until the switch takes a port down whose GPU gives no credits (default 0: never)",
     .number = &port_timeout,
     .minimum = 0,
     .maximum = 1 << 24},
    {.name = "flood",
     .help = "in the first round every second row of this GPU is of a context that no other one knows (default none)",
     .number = &flood,
     .minimum = 0,
     .maximum = SYSTEM_GPUS_MAX - 1},
    {.name = "flood-unlisted",
     .help = "1: all know the context of --flood, and none lists that GPU among its peers (default 0)",
     .number = &flood_unlisted,
     .minimum = 0,
     .maximum = 1},
    {.name = "short-slots",
     .help = "in the first round the region with the most rows has N slots less than those (default 0)",
     .number = &short_slots,
     .minimum = 0,
     .maximum = 4096},
    {.name = "bad-items",
     .help = "one in N of the rows, stores, reduces and done that GPUs give their hubs is one to be refused (default 0: none)",
     .number = &bad_items,
     .minimum = 0,
     .maximum = 1 << 20},
    {.name = "bad-packets",
     .help = "each direction of each link brings a packet to be refused about every N cycles (default 0: none)",
     .number = &bad_packets,
     .minimum = 0,
     .maximum = 1 << 20},
    {.name = "read-errors",
     .help = "memory answers one in N of the reads for sums with an error (default 0: none)",
     .number = &read_errors,
     .minimum = 0,
     .maximum = 1 << 20},
    {.name = "write-errors",
     .help = "in the first round memory answers one in N of the writes of received rows with an error (default 0: none)",
     .number = &write_errors,
     .minimum = 0,
     .maximum = 1 << 20},
    {.name = "write-errors-of",
     .help = "that of this GPU alone (default: of all)",
     .number = &write_errors_of,
     .minimum = 0,
     .maximum = SYSTEM_GPUS_MAX - 1},
    {.name = "layer-seed",
     .help = "seed of tokens, routing and experts alone (default: that of --seed, of which all else stays)",
     .number = &layer_seed,
     .minimum = 0,
     .maximum = INT64_MAX},
    {.name = "nops",
     .help = "one in N of the stores is off the critical path, and so are lines that begin with it (default 0: none)",
     .number = &nops,
     .minimum = 0,
     .maximum = 1 << 20},
    {.name = "counted",
     .help = "0: nobody reads the counters of hubs and switch, and nothing is reported of them; most of a small layer (1)",
     .number = &counted,
     .minimum = 0,
     .maximum = 1},
    {.name = "check-hubs",
     .help = "1: each hub is compared with the model of the whole hub at its edge (default 1)",
     .number = &check_hubs,
     .minimum = 0,
     .maximum = 1},
    {.name = "threads", .help = "threads that step the designs (default 2)", .number = &threads, .minimum = 1, .maximum = 16},
    {.name = NULL},
};

static const struct options_defaults defaults = {
    .description = "A MoE layer through hubs, links and switch in RTL.",
    .own_end = "the layer runs to its end; --tokens makes it shorter",
    .watchdog = 200000,
};

struct system {
    struct bench bench;                       /* of plane 0 */
    struct bench plane_parts[GPU_LINKS_MAX];  /* of the other planes, by their numbers */
    struct moehub_layer layer;
    struct system_options options;
    struct system_shape shape;
    struct gpu_manners manners; /* of the first round */
    uint8_t *spoiled[SYSTEM_GPUS_MAX]; /* of --read-errors, of the round (gpu.h) */
    uint8_t *failed_rows[SYSTEM_GPUS_MAX]; /* of --write-errors, --abort */
    struct gpu_departures departures;      /* of --abort */
    struct system_plane planes[GPU_LINKS_MAX]; /* link N of every hub goes to plane N */
    struct system_hub *hubs;
    unsigned quantum;             /* cycles that all step alone */
    struct gpu_counts counts;  /* of all GPUs and rounds that have ended */
    struct layer_phases phases;
    struct layer_timeline timeline;
    uint64_t steps, step_cycle; /* what the GPUs have done, and when that last grew */
    uint64_t counters_compared;
    uint64_t items_refused;                           /* of --bad-items */
    uint64_t packets_refused[LINK_INJECTOR_CAUSES];   /* of --bad-packets, by cause */
    uint64_t flood_rows;                              /* of --flood */
    uint64_t writes_failed;                           /* of --write-errors */
    struct gpu_abort_rows abort_rows;                 /* of --abort; stores, and those that its hub counted as of such rows */
    uint64_t stores_dropped, stores_aborted, tiles_cut;
    uint64_t packets_late, lines_answered;            /* of them those of older rounds; answers of the switch */
    struct summary_block edges, rows, sums, tiles, tokens, counters, items, packets, late, flood, missing,
        writes, dropped;
};

static _Noreturn void refuse(const char *text)
{
    fprintf(stderr, "layer: %s\n", text);
    exit(BENCH_CONFIGURATION);
}

/* ---- the layer ------------------------------------------------------------------------------------------------ */

static void create_layer(struct system *system, unsigned round)
{
    struct moehub_options options;
    struct moehub_message message;
    moehub_options_init(&options);
    const int element = moehub_element_parse(type);
    if (element < 0)
        refuse("--type: legal are " MOEHUB_ELEMENT_NAMES);
    options.model = model;
    options.routing = routing;
    options.layer.element = (unsigned)element;
    options.layer.gpus = system->shape.gpus;
    options.layer.hidden = (unsigned)hidden;
    options.layer.experts = (unsigned)experts;
    options.layer.topk = (unsigned)topk;
    options.layer.tokens = (size_t)tokens;
    const uint64_t seed = layer_seed >= 0 ? (uint64_t)layer_seed : system->bench.options.seed;
    options.layer.seed = (seed + round) & INT64_MAX;
    if (moehub_options_check(&options, &message) != 0 || moehub_layer_create(&system->layer, &options.layer, &message) != 0)
        refuse(message.text);
    if (system->layer.combine_element != MOEHUB_ELEMENT_BF16)
        refuse("--type: rows of this type are combined in another one than bf16");
}

/* Tokens of one round fail for one reason. */
static void fill_write_errors(struct system *system)
{
    if (write_errors_of >= system->shape.gpus)
        refuse("--write-errors-of: there is no such GPU");
    if (write_errors == 0 && write_errors_of >= 0)
        refuse("--write-errors-of: not without --write-errors");
    if (write_errors != 0 && (silent >= 0 || withholder >= 0 || flood >= 0 || short_slots != 0))
        refuse("--write-errors: not together with --silent, --withholder, --flood, --short-slots");
    system->manners.write_errors = (unsigned)write_errors;
    system->manners.failing = write_errors_of < 0 ? UINT64_MAX : UINT64_C(1) << write_errors_of;
}

/* What comes of a row is known from what left alone, and whose context is aborted from its program. */
static void fill_abort(struct system *system)
{
    if (abort_of < 0)
        return;
    if (abort_of >= system->shape.gpus)
        refuse("--abort: there is no such GPU");
    if (silent >= 0 || withholder >= 0 || flood >= 0 || short_slots != 0 || write_errors != 0 || bad_items != 0)
        refuse("--abort: not together with --silent, --withholder, --flood, --short-slots, --write-errors, --bad-items");
    system->manners = (struct gpu_manners){.gpu = (unsigned)abort_of, .aborts = true};
}

static void fill_manners(struct system *system)
{
    if (silent >= 0)
        system->manners.silent = UINT64_C(1) << silent;
    if (flood >= system->shape.gpus)
        refuse("--flood: there is no such GPU");
    if (flood >= 0 && system->shape.contexts < 2)
        refuse("--flood: the hub has no second context");
    if (flood < 0 && flood_unlisted != 0)
        refuse("--flood-unlisted: not without --flood");
    if (flood >= 0)
        system->manners = (struct gpu_manners){
            .gpu = (unsigned)flood, .flooded = true, .flood_unlisted = flood_unlisted != 0, .flood_context = 1};
    if (withholder < 0 && withheld == NULL)
        return;
    const int kind = gpu_withheld_of(withheld != NULL ? withheld : "");
    if (kind <= GPU_WITHHELD_NOTHING)
        refuse("--withheld: legal are " GPU_WITHHELD_NAMES);
    if (withholder < 0 || withholder >= system->shape.gpus)
        refuse("--withholder: there is no such GPU");
    if (silent >= 0)
        refuse("--withholder: not together with --silent");
    if (flood >= 0)
        refuse("--withholder: not together with --flood");
    if (kind == GPU_WITHHELD_LINKS && (bad_packets != 0 || (withheld_cycles != 0 && withheld_cycles < LINK_DOWN_LEAST)))
        refuse("--withheld links: not with --bad-packets, nor for less than the 4 cycles of rtl/doc/plane/link.md");
    system->manners = gpu_manners_of((unsigned)withholder, (enum gpu_withheld)kind, (uint64_t)withheld_cycles);
}

static void fill_options(struct system *system)
{
    const int kind = stall_kind_of(stall);
    if (kind < 0)
        refuse("--stall: legal are none, light, heavy, bursts, mixed");
    if (strcmp(phase, "fused") != 0 && strcmp(phase, "unfused") != 0 && strcmp(phase, "dispatch") != 0)
        refuse("--phase: legal are fused, unfused, dispatch");
    if (silent >= system->shape.gpus)
        refuse("--silent: there is no such GPU");
    fill_manners(system);
    fill_write_errors(system);
    fill_abort(system);
    if (counted == 0 && (bad_items != 0 || bad_packets != 0 || flood >= 0))
        refuse("--counted 0: not together with --bad-items, --bad-packets, --flood: the counters show what was refused");
    if (memory_most < memory_least)
        refuse("--memory-most: it is below --memory-least");
    if ((window & (window - 1)) != 0)
        refuse("--window: it is no power of two");
    system->phases.fused = strcmp(phase, "fused") == 0;
    system->phases.sums = strcmp(phase, "dispatch") != 0;
    system->quantum = (unsigned)latency;
    system->options = (struct system_options){.latency_minimum = (unsigned)memory_least,
                                              .latency_maximum = (unsigned)memory_most,
                                              .stall = (enum stall_kind)kind,
                                              .tile_shift = (unsigned)tile_shift,
                                              .timeout = (unsigned)timeout,
                                              .line_timeout = (unsigned)line_timeout,
                                              .read_errors = (unsigned)read_errors,
                                              .check = check_hubs != 0,
                                              .counted = counted != 0,
                                              .model = &dut_model_hub,
                                              .gpu = {.rows_open = (unsigned)rows_open,
                                                      .window = (unsigned)window,
                                                      .store_parts = (unsigned)store_parts,
                                                      .sums = system->phases.sums,
                                                      .tokens_asked = (unsigned)tokens_asked,
                                                      .gemm = (unsigned)gemm,
                                                      .gemm_in_turn = gemm_in_turn != 0,
                                                      .tile_readiness = tile_readiness != 0,
                                                      .kernel_start = (unsigned)kernel_start,
                                                      .bad_items = (unsigned)bad_items,
                                                      .nops = (unsigned)nops,
                                                      .spoiled = system->spoiled,
                                                      .failed_rows = system->failed_rows,
                                                      .departures = &system->departures}};
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

/* The planes come first, as they take longest; then the hubs. */
static void step_part(void *user, unsigned task)
{
    struct system *system = user;
    const unsigned planes = system->shape.links;
    for (unsigned cycle = 0; cycle < system->quantum; cycle++)
        if (task < planes)
            system_plane_step(&system->planes[task]);
        else
            system_hub_step(&system->hubs[task - planes]);
}

typedef bool hub_property(const struct system_hub *hub);

static bool all(const struct system *system, hub_property *holds)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        if (!holds(&system->hubs[gpu]))
            return false;
    return true;
}

static bool has_started(const struct system_hub *hub)
{
    return hub->started;
}

static bool is_served(const struct system_hub *hub)
{
    return gpu_served(&hub->gpu);
}

static bool was_read(const struct system_hub *hub)
{
    return hub->served_read || gpu_idle(&hub->gpu);
}

static bool has_finished(const struct system_hub *hub)
{
    return gpu_finished(&hub->gpu);
}

static bool has_stopped(const struct system_hub *hub)
{
    return hub->stopped;
}

static bool has_ended(const struct system_hub *hub)
{
    return hub->software.ended;
}

/* Sums may be asked for: what the links have carried so far is the dispatch, unless both go at once. */
static void begin_combine(struct system *system)
{
    system->phases.asked = system->bench.cycle;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        system->phases.up[gpu] = system_planes_up(system->planes, system->shape.links, gpu);
        system->phases.down[gpu] = system_planes_down(system->planes, system->shape.links, gpu);
        system->hubs[gpu].gpu.may_ask = system->phases.sums;
    }
}

/* All, but who withholds something for ever and has what it needs. */
static bool all_others(const struct system *system, hub_property *holds)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        if (!holds(&system->hubs[gpu]) && !(gpu == system->manners.gpu && system->hubs[gpu].withholds))
            return false;
    return true;
}

static bool planes_have_started(const struct system *system)
{
    for (unsigned link = 0; link < system->shape.links; link++)
        if (!system->planes[link].started)
            return false;
    return true;
}

static void begin(struct system *system)
{
    system->phases.begun = system->bench.cycle;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        struct system_hub *hub = &system->hubs[gpu];
        hub->may_start = true;
        hub->withholds = gpu_withholds(&hub->gpu, hub->gpu.options.manners.withheld);
    }
}

/* Between two turns: in the same cycle at both ends, and before the first packet. */
static void cut_links(struct system *system)
{
    if (system->manners.withheld != GPU_WITHHELD_LINKS)
        return;
    const unsigned gpu = system->manners.gpu;
    for (unsigned link = 0; link < system->shape.links; link++) {
        system_link_cut(&system->planes[link].up[gpu], system->hubs[gpu].withholds);
        system_link_cut(&system->planes[link].down[gpu], system->hubs[gpu].withholds);
        if (system->planes[link].up[gpu].lost + system->planes[link].down[gpu].lost != 0)
            bench_fail(&system->bench, BENCH_MISMATCH, "GPU %u, plane %u: a flit was sent while the link was down", gpu, link);
    }
}

/* Sums that are not taken hold up nobody else, and come when they are: so they must, and the others have to wait with their
 * ends. All else that is withheld for ever is given when the others have ended: their rounds must not need it. */
static void give(struct system *system)
{
    const struct gpu_manners *manners = &system->manners;
    struct system_hub *hub = &system->hubs[manners->gpu];
    if (!hub->withholds)
        return;
    if (!gpu_manners_for_ever(manners))
        hub->withholds = system->bench.cycle - system->phases.begun < manners->cycles;
    else if (manners->withheld == GPU_WITHHELD_SUMS)
        hub->withholds = !all_others(system, has_finished);
    else
        hub->withholds = !all_others(system, has_stopped);
}

/* Nothing has been sent for long enough that nothing is on its way, nor inside a switch or hub. */
static bool is_quiet(const struct system *system)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links; i++) {
        const struct system_plane *plane = &system->planes[i % system->shape.links];
        const uint64_t up = plane->up[i / system->shape.links].came.last, down = plane->down[i / system->shape.links].came.last;
        last = up > last ? up : last;
        last = down > last ? down : last;
    }
    return system->bench.cycle - last > 2 * (uint64_t)latency + QUIET_CYCLES;
}

/* From the first row on until all have finished. What they count must be there when the contexts stop. */
static void allow_bad_packets(struct system *system)
{
    const bool active = system->phases.begun != 0 && system->phases.ended == 0;
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links && bad_packets != 0; i++) {
        const unsigned gpu = i / system->shape.links;
        struct system_plane *plane = &system->planes[i % system->shape.links];
        plane->up[gpu].injector->active = plane->down[gpu].injector->active = active;
        plane->down[gpu].injector->arrived = system->hubs[gpu].gpu.arrived;
    }
}

static void end_all(struct system *system)
{
    system->phases.over = true;
    for (unsigned link = 0; link < system->shape.links; link++)
        system->planes[link].round_over = true;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system->hubs[gpu].may_count = true;
}

/* What no GPU can know alone, between two turns. */
static void supervise(struct system *system)
{
    const uint64_t now = system->bench.cycle;
    if (system->phases.begun == 0 && all(system, has_started) && planes_have_started(system))
        begin(system);
    give(system);
    cut_links(system);
    if (system->phases.begun != 0 && system->phases.served == 0 && (system->phases.fused || all(system, is_served)))
        system->phases.served = now;
    if (system->phases.served != 0 && system->phases.asked == 0 && (system->phases.fused || all(system, was_read)))
        begin_combine(system);
    if (system->phases.begun != 0 && system->phases.ended == 0 && all(system, has_finished))
        system->phases.ended = now;
    allow_bad_packets(system);
    const bool may_stop = system->phases.ended != 0 && (bad_packets == 0 || is_quiet(system));
    for (unsigned gpu = 0; gpu < system->shape.gpus && may_stop; gpu++)
        system->hubs[gpu].may_stop = !system->hubs[gpu].withholds || !gpu_manners_for_ever(&system->manners);
    if (all(system, has_stopped) && !system->phases.over && is_quiet(system))
        end_all(system);
}

static bool is_over(const struct system *system)
{
    bool over = system->phases.over && all(system, has_ended);
    for (unsigned link = 0; link < system->shape.links; link++)
        over = over && !system->planes[link].round_over;
    return over;
}

/* Grows whenever a GPU gets on. */
static uint64_t steps_done(const struct system *system)
{
    uint64_t steps = system->phases.begun + system->phases.ended;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct system_hub *hub = &system->hubs[gpu];
        const struct gpu_counts *counts = &hub->gpu.counts;
        steps += (hub->started ? 1u : 0u) + (hub->closed ? 1u : 0u) + (hub->stopped ? 1u : 0u) + (hub->software.ended ? 1u : 0u);
        steps += (hub->gpu.arrived ? 1u : 0u) + hub->gpu.rows_taken + hub->gpu.rows_stored;
        steps += counts->rows_received + counts->lines_reduced + counts->tiles + counts->tokens;
    }
    return steps;
}

static void print_steps(const struct system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct system_hub *hub = &system->hubs[gpu];
        const struct gpu_counts *counts = &hub->gpu.counts;
        fprintf(stderr,
                "GPU %-2u  %s, rows taken %u stored %u received %" PRIu64 ", %s, tile events %" PRIu64 ", tokens ready %" PRIu64
                ", lines of sums %" PRIu64 ", flits up %" PRIu64 " down %" PRIu64 "\n",
                gpu, hub->started ? hub->closed ? "closed" : "started" : "being set up", hub->gpu.rows_taken,
                hub->gpu.rows_stored, counts->rows_received, hub->gpu.arrived ? "all arrived" : "not all arrived",
                counts->tiles, counts->tokens, counts->lines_reduced,
                system_planes_up(system->planes, system->shape.links, gpu),
                system_planes_down(system->planes, system->shape.links, gpu));
    }
}

static void watch(struct system *system)
{
    const uint64_t steps = steps_done(system), now = system->bench.cycle;
    if (steps != system->steps) {
        system->steps = steps;
        system->step_cycle = now;
    }
    if (now - system->step_cycle <= system->bench.watchdog.limit)
        return;
    print_steps(system);
    bench_fail(&system->bench, BENCH_TIMEOUT, "no GPU got on for %" PRIu64 " cycles (--watchdog)", now - system->step_cycle);
}

/* Where nobody says where the summary goes. An earlier run's must not be taken for one that failed. */
static void open_summary(struct bench *bench)
{
    if (bench->options.json == NULL) {
        mkdir("build", 0777);
        mkdir("build/cosim", 0777);
        bench->options.json = "build/cosim/summary.json";
    }
    struct stat state;
    if (stat(bench->options.json, &state) == 0 && S_ISREG(state.st_mode))
        remove(bench->options.json);
}

/* The local expert to which the most rows go. */
static void shorten(struct system *system)
{
    const struct moehub_layer *layer = &system->layer;
    uint32_t *rows = allocate(layer->placement.experts, sizeof *rows), most = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        for (unsigned i = 0; i < layer->topk && moehub_layer_row_exists(layer, row); i++) {
            const struct moehub_target *target = &moehub_layer_targets(layer, row)[i];
            if (++rows[target->expert] <= most)
                continue;
            most = rows[target->expert];
            system->manners.short_gpu = target->gpu;
            system->manners.short_expert = target->local;
        }
    free(rows);
    if (most <= short_slots)
        refuse("--short-slots: no expert has more rows");
    system->manners.short_slots = (unsigned)short_slots;
}

static void begin_link(struct system_link *link, const struct system_hub *hub)
{
    system_link_forget(link);
    if (link->injector != NULL)
        link_injector_begin(link->injector, hub->options.gpu.context, hub->options.gpu.round, hub->layout.owner_shift);
}

static void begin_round(struct system *system, unsigned round)
{
    create_layer(system, round);
    const struct gpu_manners none = {.withheld = GPU_WITHHELD_NOTHING}, *manners = round == 0 ? &system->manners : &none;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        if ((manners->silent >> gpu & 1) != 0)
            system->layer.gpu_tokens[gpu] = 0;
    if (round == 0 && short_slots != 0)
        shorten(system);
    system->phases = (struct layer_phases){.fused = system->phases.fused, .sums = system->phases.sums};
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        system_hub_begin(&system->hubs[gpu], &system->layer, round % system->shape.contexts,
                         (ROUND_FIRST + round / system->shape.contexts) % ROUND_NAMES, manners);
        for (unsigned link = 0; link < system->shape.links; link++) {
            begin_link(&system->planes[link].up[gpu], &system->hubs[gpu]);
            begin_link(&system->planes[link].down[gpu], &system->hubs[gpu]);
        }
    }
    layer_timeline_begin(&system->timeline, system->bench.cycle);
}

static void end_round(struct system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system_hub_end(&system->hubs[gpu]);
    moehub_layer_destroy(&system->layer);
}

/* What was to be refused in the round; the comparison of the counters has found that it was. */
static void count_refused(struct system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct gpu_bad_counts *bad = &system->hubs[gpu].gpu.bad;
        system->flood_rows += system->hubs[gpu].gpu.flood_rows;
        system->writes_failed += gpu_writes_failed(&system->hubs[gpu].gpu);
        system->items_refused += bad->rows + bad->handles + bad->ranges + bad->reduces + bad->done;
    }
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links && bad_packets != 0; i++) {
        const struct system_plane *plane = &system->planes[i % system->shape.links];
        system->packets_late += plane->down[i / system->shape.links].injector->lates;
        system->lines_answered += plane->up[i / system->shape.links].injector->lines_answered;
        for (unsigned cause = 0; cause < LINK_INJECTOR_CAUSES; cause++)
            system->packets_refused[cause] += plane->up[i / system->shape.links].injector->causes[cause] +
                                              plane->down[i / system->shape.links].injector->causes[cause];
    }
}

/* What the abort of the round was to its GPU, and to all. */
static void note_abort(struct system *system)
{
    const struct system_hub *hub = &system->hubs[system->manners.gpu];
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system->tiles_cut += system->hubs[gpu].gpu.counts.tiles_cut;
    if (!gpu_aborts(&hub->gpu))
        return;
    system->abort_rows = gpu_abort_rows(&hub->gpu);
    system->stores_dropped = hub->gpu.abort.stores_behind;
    system->stores_aborted = hub->counters[MOEHUB_WINDOW_PACKET_MANAGER]
                                          [MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_ABORTED];
}

/* After it the counts hold the round, and all of the round can still be read. */
static void run(struct system *system)
{
    struct workers *workers = workers_create((unsigned)threads, system->shape.links + system->shape.gpus, step_part, system);
    while (!is_over(system)) {
        workers_turn(workers);
        supervise(system);
        watch(system);
        layer_timeline_sample(&system->timeline, system->planes, system->shape.links);
    }
    workers_destroy(workers);
    const struct gpu_manners *manners = &system->hubs[0].gpu.options.manners;
    if (counted != 0)
        system->counters_compared +=
            layer_counters_check(system->planes, system->hubs,
                                 manners->silent == 0 && manners->idle == 0 && manners->short_slots == 0);
    count_refused(system);
    note_abort(system);
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct gpu_counts *one = &system->hubs[gpu].gpu.counts;
        system->counts.rows_received += one->rows_received;
        system->counts.lines_reduced += one->lines_reduced;
        system->counts.tiles += one->tiles;
        system->counts.tokens += one->tokens;
        system->counts.nop_packets += one->nop_packets;
        system->counts.lines_spoiled += one->lines_spoiled;
        system->counts.rows_digest += one->rows_digest;
        system->counts.sums_digest += one->sums_digest;
    }
}

/* ---- the report ----------------------------------------------------------------------------------------------- */

static void add_block(struct system *system, struct summary_block *block, const char *name, uint64_t compared)
{
    *block = (struct summary_block){.name = name, .compared = compared};
    summary_add_block(&system->bench.summary, block);
    system->bench.compared += compared;
}

static void report_abort(struct system *system)
{
    const struct gpu_abort_rows *rows = &system->abort_rows;
    add_block(system, &system->dropped, "stores dropped behind an abort", system->stores_dropped);
    summary_json(&system->bench.summary, "abort",
                 json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "rows_whole", (json_int_t)rows->whole, "rows_cut",
                           (json_int_t)rows->cut, "rows_lost", (json_int_t)rows->lost, "rows_refused",
                           (json_int_t)rows->refused, "stores_aborted", (json_int_t)system->stores_aborted, "tiles_failed",
                           (json_int_t)system->tiles_cut));
    printf("abort: rows that left whole %u, in part %u, not at all %u, refused %u; tiles with part of a row %" PRIu64 "\n",
           rows->whole, rows->cut, rows->lost, rows->refused, system->tiles_cut);
}

/* A cause that never came is shown: a short run may lack some. */
static void report_refused(struct system *system)
{
    if (bad_items != 0)
        add_block(system, &system->items, "bad items refused", system->items_refused);
    if (flood >= 0)
        add_block(system, &system->flood, "rows of the flood refused", system->flood_rows);
    if (write_errors != 0)
        add_block(system, &system->writes, "writes answered with errors", system->writes_failed);
    if (abort_of >= 0)
        report_abort(system);
    if (system->counts.lines_spoiled != 0)
        add_block(system, &system->missing, "lines of sums that lack a part", system->counts.lines_spoiled);
    if (bad_packets == 0)
        return;
    uint64_t sum = 0;
    json_t *causes = json_array();
    for (unsigned cause = 0; cause < LINK_INJECTOR_CAUSES; cause++) {
        sum += system->packets_refused[cause];
        json_array_append_new(causes, json_integer((json_int_t)system->packets_refused[cause]));
    }
    add_block(system, &system->packets, "bad packets refused", sum);
    if (rounds > system->shape.contexts)
        add_block(system, &system->late, "late packets refused", system->packets_late);
    summary_json(&system->bench.summary, "bad_packets_by_cause", causes);
    summary_json(&system->bench.summary, "refused_lines_answered", json_integer((json_int_t)system->lines_answered));
}

static void report_edges(struct system *system)
{
    uint64_t compared = 0, caught = 0;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        compared += system->hubs[gpu].check.compared;
        caught += system->hubs[gpu].check.caught;
    }
    if (check_hubs == 0)
        return;
    add_block(system, &system->edges, "edges of hubs", compared);
    summary_json(&system->bench.summary, "offenders_latched", json_integer((json_int_t)caught));
}

/* Ports that were down at the end of a round: one whose GPU gives credits must not be. */
static void report_down(struct system *system)
{
    json_t *ports = json_array();
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links; i++) {
        const unsigned gpu = i / system->shape.links, link = i % system->shape.links;
        if ((system->planes[link].was_down >> gpu & 1) == 0)
            continue;
        if (system->manners.withheld == GPU_WITHHELD_NOTHING || gpu != system->manners.gpu)
            bench_fail(&system->bench, BENCH_MISMATCH, "plane %u: port %u is down, and its GPU withholds nothing", link, gpu);
        printf("GPU %-2u  plane %u: its port was down\n", gpu, link);
        json_array_append_new(ports, json_pack("{s:I, s:I}", "gpu", (json_int_t)gpu, "plane", (json_int_t)link));
    }
    summary_json(&system->bench.summary, "ports_down", ports);
}

/* Of the bytes that came, of all rounds: to be compared with another run's of the same layer. */
static void report_digests(struct system *system)
{
    char rows[32], sums[32];
    snprintf(rows, sizeof rows, "%016" PRIx64, system->counts.rows_digest);
    snprintf(sums, sizeof sums, "%016" PRIx64, system->counts.sums_digest);
    printf("digests: rows received %s, sums %s\n", rows, sums);
    summary_json(&system->bench.summary, "digests", json_pack("{s:s, s:s}", "rows", rows, "sums", sums));
}

/* What the run was asked for, by the names of its arguments: so that others can run the same. */
static void report_arguments(struct summary *summary)
{
    json_t *arguments = json_object();
    for (const struct knob *knob = knobs; knob->name != NULL; knob++)
        if (knob->number != NULL)
            json_object_set_new(arguments, knob->name, json_integer((json_int_t)*knob->number));
        else if (*knob->text != NULL)
            json_object_set_new(arguments, knob->name, json_string(*knob->text));
    summary_json(summary, "arguments", arguments);
    summary_json(summary, "hub", json_string(system_hub_description(&dut_model_hub)));
}

static void report(struct system *system)
{
    add_block(system, &system->rows, "rows received", system->counts.rows_received);
    if (system->phases.sums)
        add_block(system, &system->sums, "lines of sums", system->counts.lines_reduced);
    add_block(system, &system->tiles, "tile events", system->counts.tiles);
    add_block(system, &system->tokens, "tokens ready", system->counts.tokens);
    if (counted != 0)
        add_block(system, &system->counters, "counters", system->counters_compared);
    report_edges(system);
    report_refused(system);
    report_down(system);
    report_digests(system);
    if (nops != 0)
        summary_number(&system->bench.summary, "packets off the critical path", (double)system->counts.nop_packets, "packets");
    if (counted != 0)
        layer_report(&system->bench, &system->layer, system->planes, system->hubs, &system->phases);
    struct summary *summary = &system->bench.summary;
    report_arguments(summary);
    summary_number(summary, "cycles per second", (double)system->bench.cycle / summary_seconds(summary), "1/s");
}

/* Switch and hubs must cut ids alike. */
static void check_shape(const struct system_shape *shape)
{
    uint32_t ports = 8, local_expert_bits = 8, max_targets = 32;
    const struct parameter parameters[] = {
        {"PORTS", &ports}, {"LOCAL_EXPERT_BITS", &local_expert_bits}, {"MAX_TARGETS", &max_targets}};
    parameters_find(dut_description(), parameters, sizeof parameters / sizeof *parameters);
    if (ports != shape->gpus || local_expert_bits != shape->local_expert_bits || max_targets != shape->max_targets)
        refuse("switch and hub were built with different PORTS and GPUS, LOCAL_EXPERT_BITS or MAX_TARGETS: "
               "mend sim/tops/configurations.mk");
}

/* ---- the parts ------------------------------------------------------------------------------------------------ */

/* FILE, FILE.1, ...: planes are stepped by several threads. */
static void create_log(struct system_plane *plane, unsigned number)
{
    char name[4096];
    if (number == 0)
        snprintf(name, sizeof name, "%s", packets != NULL ? packets : "");
    else
        snprintf(name, sizeof name, "%s.%u", packets != NULL ? packets : "", number);
    packet_log_create(&plane->log, packets != NULL ? name : NULL, plane->ports);
}

static struct link_injector *create_injector(const struct system *system, unsigned link, unsigned gpu, bool towards_hub)
{
    if (bad_packets == 0)
        return NULL;
    char name[64];
    struct link_injector *injector = allocate(1, sizeof *injector);
    snprintf(name, sizeof name, "bad packets %u %u %d", link, gpu, towards_hub);
    const struct link_ends ends = {.towards_hub = towards_hub,
                                   .gpu = gpu,
                                   .gpus = system->shape.gpus,
                                   .local_expert_bits = system->shape.local_expert_bits,
                                   .request_lines = system->shape.request_lines};
    link_injector_create(injector, system->bench.random_seed, name, (unsigned)bad_packets, &ends);
    return injector;
}

static void create_injectors(struct system *system, unsigned link, unsigned gpu)
{
    system->planes[link].up[gpu].injector = create_injector(system, link, gpu, false);
    system->planes[link].down[gpu].injector = create_injector(system, link, gpu, true);
}

static void create_parts(struct system *system)
{
    const struct system_shape *shape = &system->shape;
    for (unsigned link = 0; link < shape->links; link++) {
        struct bench *bench = link == 0 ? &system->bench : &system->plane_parts[link];
        if (link > 0)
            bench_create_part(bench, &system->bench, &dut_model_built, shape->gpus + link);
        system_plane_create(&system->planes[link], bench, shape->gpus, (unsigned)latency, (uint32_t)port_timeout,
                            counted != 0);
        create_log(&system->planes[link], link);
    }
    layer_timeline_create(&system->timeline, timeline_file);
    system->hubs = allocate(shape->gpus, sizeof *system->hubs);
    for (unsigned gpu = 0; gpu < shape->gpus; gpu++) {
        system_hub_create(&system->hubs[gpu], &system->bench, gpu, &system->options);
        for (unsigned link = 0; link < shape->links; link++) {
            system->hubs[gpu].out[link] = &system->planes[link].up[gpu];
            system->hubs[gpu].in[link] = &system->planes[link].down[gpu];
            create_injectors(system, link, gpu);
        }
    }
}

static void destroy_parts(struct system *system)
{
    for (unsigned link = 0; link < system->shape.links; link++)
        if (!packet_log_destroy(&system->planes[link].log))
            refuse("--packets: the file could not be written");
    if (!layer_timeline_destroy(&system->timeline, system->planes, system->hubs, &system->phases))
        refuse("--timeline: the file could not be written");
    end_round(system);
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system_hub_destroy(&system->hubs[gpu]);
    for (unsigned link = 0; link < system->shape.links; link++)
        system_plane_destroy(&system->planes[link]);
    for (unsigned link = 1; link < system->shape.links; link++)
        bench_destroy_part(&system->plane_parts[link]);
    free(system->hubs);
}

int main(int argc, char **argv)
{
    static struct system system;
    bench_create(&system.bench, argc, argv, &defaults, knobs);
    system.shape = system_hub_shape(&dut_model_hub);
    check_shape(&system.shape);
    fill_options(&system);
    create_parts(&system);
    open_summary(&system.bench);
    begin_round(&system, 0);
    run(&system);
    for (unsigned round = 1; round < (unsigned)rounds; round++) {
        end_round(&system);
        begin_round(&system, round);
        run(&system);
    }
    report(&system);
    destroy_parts(&system);
    return bench_finish(&system.bench);
}
