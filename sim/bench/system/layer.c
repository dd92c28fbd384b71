/* SPDX-License-Identifier: Apache-2.0 */
/* A MoE layer through hubs, links and switch in RTL: rows are dispatched, computed as tiles become ready, and summed as tokens
 * become ready. Every received row, every sum and every ready event is compared with what the layer alone says.
 *
 *   fused     a token's sum is asked for as soon as the token is ready
 *   unfused   no sum is asked for before all GPUs have all rows and all tokens
 *   dispatch  no sum is asked for at all
 *
 * Rounds follow each other, or go on together in as many contexts as a hub has (--overlap).
 *
 * GPUs and switch are stepped by several threads, a link's latency at a time: so far nobody sees what the others do. */
#include "bench/system/layer_options.h"
#include "bench/system/layer_supervise.h"
#include "bench/system/layer_watch.h"
#include "bench/system/workers.h"
#include "kit/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { ROUND_FIRST = 3, ROUND_NAMES = 16 };

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

/* ---- rounds ---------------------------------------------------------------------------------------------------- */

static void begin_link(struct system_link *link, const struct system_round *round, const struct system_hub *hub)
{
    system_link_forget(link);
    if (link->injector != NULL)
        link_injector_begin(link->injector, round->context, round->number, hub->rounds.layouts->owner_shift);
}

/* Hubs and links, of layers that there are. */
static void begin_parts(struct layer_system *system, const struct gpu_manners *manners)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        system_hub_begin(&system->hubs[gpu], system->rounds, system->round_count, manners);
        for (unsigned link = 0; link < system->shape.links; link++) {
            begin_link(&system->planes[link].up[gpu], system->rounds, &system->hubs[gpu]);
            begin_link(&system->planes[link].down[gpu], system->rounds, &system->hubs[gpu]);
        }
    }
}

static void begin_layer(struct layer_system *system, struct system_round *of, unsigned round)
{
    of->context = round % system->shape.contexts;
    of->number = (ROUND_FIRST + round / system->shape.contexts) % ROUND_NAMES;
    layer_options_create_layer(system->arguments, system->shape.gpus, system->bench.options.seed, round, &of->layer);
}

/* Those that go on together; in the run's first one something may go wrong. */
static void begin_rounds(struct layer_system *system, unsigned first)
{
    system->round_count = layer_options_together(system->arguments);
    system->rounds = allocate(system->round_count, sizeof *system->rounds);
    for (unsigned i = 0; i < system->round_count; i++)
        begin_layer(system, &system->rounds[i], first + i);
    const struct gpu_manners none = {.withheld = GPU_WITHHELD_NOTHING}, *manners = first == 0 ? &system->manners : &none;
    for (unsigned i = 0; i < system->round_count * system->shape.gpus; i++)
        if ((manners->silent >> i % system->shape.gpus & 1) != 0)
            system->rounds[i / system->shape.gpus].layer.gpu_tokens[i % system->shape.gpus] = 0;
    if (first == 0)
        layer_options_shorten(system->arguments, &system->rounds->layer, &system->manners);
    system->phases = layer_options_phases(system->arguments);
    begin_parts(system, manners);
    layer_timeline_begin(&system->timeline, system->bench.cycle);
}

/* The planes come first, as they take longest; then the hubs. */
static void step_part(void *user, unsigned task)
{
    struct layer_system *system = user;
    const unsigned planes = system->shape.links;
    for (unsigned cycle = 0; cycle < system->quantum; cycle++)
        if (task < planes)
            system_plane_step(&system->planes[task]);
        else
            system_hub_step(&system->hubs[task - planes]);
}

/* All of it can still be read afterwards, until it is ended. */
static void run_rounds(struct layer_system *system)
{
    struct workers *workers =
        workers_create((unsigned)system->arguments->threads, system->shape.links + system->shape.gpus, step_part, system);
    while (!layer_supervise_over(system)) {
        workers_turn(workers);
        layer_supervise(system);
        layer_watch(system);
        layer_timeline_sample(&system->timeline, system->planes, system->shape.links);
    }
    workers_destroy(workers);
    layer_verdict_add(system);
}

static void end_rounds(struct layer_system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system_hub_end(&system->hubs[gpu]);
    for (unsigned i = 0; i < system->round_count; i++)
        moehub_layer_destroy(&system->rounds[i].layer);
    free(system->rounds);
}

/* ---- the run --------------------------------------------------------------------------------------------------- */

static void report(struct layer_system *system)
{
    struct summary *summary = &system->bench.summary;
    layer_verdict_report(system);
    if (system->arguments->nops != 0)
        summary_number(summary, "packets off the critical path", (double)system->verdict.counts.nop_packets, "packets");
    if (system->arguments->counted != 0)
        layer_report(&system->bench, &system->rounds->layer, system->planes, system->hubs, &system->phases);
    layer_arguments_report(summary);
    summary_json(summary, "hub", json_string(system_hub_description(system->hubs[0].options.model)));
    summary_number(summary, "cycles per second", (double)system->bench.cycle / summary_seconds(summary), "1/s");
}

int main(int argc, char **argv)
{
    static struct layer_system system;
    layer_system_create(&system, layer_arguments_read(&system.bench, argc, argv));
    open_summary(&system.bench);
    begin_rounds(&system, 0);
    run_rounds(&system);
    for (unsigned round = system.round_count; round < (unsigned)system.arguments->rounds; round += system.round_count) {
        end_rounds(&system);
        begin_rounds(&system, round);
        run_rounds(&system);
    }
    report(&system);
    layer_system_close_files(&system);
    end_rounds(&system);
    layer_system_destroy(&system);
    return bench_finish(&system.bench);
}
