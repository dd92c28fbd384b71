/* SPDX-License-Identifier: Apache-2.0 */
/* The hub's address path (moehub_address_path) against its model: named situations, a MoE layer, random rounds. */
#include "bench/hub/address_path_run.h"

#include <string.h>
#include <unistd.h>

static struct address_path_run run; /* too large for the stack */

static const struct {
    const char *file;
    const char *model;
} traces[] = {{"qwen1.5-moe-a2.7b.layer0.jsonl", "qwen1.5-moe-a2.7b"}, {"olmoe-1b-7b.layer0.jsonl", "olmoe-1b-7b"}};

static void run_traces(const char *folder)
{
    char path[1024];
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, traces[i].file);
        if (access(path, R_OK) == 0)
            address_path_layer(&run, traces[i].model, path);
        else
            printf("  %s skipped: no such file\n", path);
    }
}

int main(int argc, char **argv)
{
    const char *part = "all", *test = NULL, *folder = "../shared/traces";
    const struct knob knobs[] = {
        {.name = "part", .help = "all, directed, layer or random", .text = &part},
        {.name = "test", .help = "only this directed test", .text = &test},
        {.name = "traces", .help = "folder of the recorded router traces", .text = &folder},
        {0},
    };
    const struct options_defaults defaults = {
        .description = "The hub's address path in RTL against the C model.",
        .events = 200000, .cycles = UINT64_MAX, .watchdog = 50000,
    };
    hub_path_create(&run.path, argc, argv, &defaults, knobs, true);
    hub_traffic_create(&run.traffic, &run.path, "traffic");
    hub_software_create(&run.software, &run.path, &run.traffic, "software");
    bench_random(&run.path.bench, &run.random, "rounds");
    const bool all = strcmp(part, "all") == 0 && test == NULL;
    hub_path_reset(&run.path, 4, run.path.bench.options.seed);
    hub_path_wait_initialised(&run.path);
    if (all || strcmp(part, "directed") == 0 || test != NULL)
        address_path_directed(&run, test);
    if (all || strcmp(part, "layer") == 0) {
        address_path_layer(&run, "deepseek-v3", NULL);
        run_traces(folder);
    }
    if (all || strcmp(part, "random") == 0)
        address_path_random(&run);
    run.path.end.demand_coverage = all;
    return hub_path_finish(&run.path);
}
