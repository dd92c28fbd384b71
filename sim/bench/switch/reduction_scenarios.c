/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_scenarios.h"

#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_scene.h"

#include <string.h>

static uint64_t largest_set(const struct moehub_reduction_buffer_config *config)
{
    uint64_t ports = config->ports == 64 ? UINT64_MAX : ((uint64_t)1 << config->ports) - 1;
    return scene_lowest_ports(ports & ~((uint64_t)1 << config->own_port), reduction_config_contributors(config));
}

static const struct {
    const char *name;
    void (*run)(struct scene *);
} scenarios[] = {
    {"grant-order", scenario_grant_order},
    {"refusals", scenario_refusals},
    {"too-many-ports", scenario_too_many_ports},
    {"partial-causes", scenario_partial_causes},
    {"smallest-failure", scenario_smallest_failure},
    {"framing", scenario_framing},
    {"buffer-full", scenario_buffer_full},
    {"grants-held", scenario_grants_held},
    {"generation-wrap", scenario_generation_wrap},
    {"timeout", scenario_timeout},
    {"timeout-lengths", scenario_timeout_lengths},
    {"timeout-high-bits", scenario_timeout_high_bits},
    {"timeout-races", scenario_timeout_races},
    {"timeout-on-time", scenario_timeout_on_time},
    {"timeout-all", scenario_timeout_all},
    {"timeout-set-late", scenario_timeout_set_late},
    {"cancelling-sums", scenario_cancelling_sums},
    {"drain-and-flush", scenario_drain_and_flush},
    {"flush-in-packet", scenario_flush_in_packet},
    {"stalled-results", scenario_stalled_results},
    {"one-flit-back-to-back", scenario_one_flit_back_to_back},
    {"results-keep-up", scenario_results_keep_up},
    {"dropped-while-leaving", scenario_dropped_while_leaving},
    {"patience", scenario_patience},
    {"places-given-back", scenario_places_given_back},
    {"turns", scenario_turns},
    {"lines-any-order", scenario_lines_any_order},
    {"releases", scenario_releases},
    {"quarantine-time", scenario_quarantine_time},
    {"quarantine-switched-off", scenario_quarantine_switched_off},
    {"missing-ports", scenario_missing_ports},
    {"missing-lost", scenario_missing_lost},
    {"timeouts-refused", scenario_timeouts_refused},
    {"flush-order", scenario_flush_order},
    {"reset-in-packet", scenario_reset_in_packet},
    {"reset-when-full", scenario_reset_when_full},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static void run_one(struct scene *scene, unsigned number)
{
    struct reduction_port *port = scene->port;
    scene->name = scenarios[number].name;
    reduction_port_reset(port, 2);
    reduction_port_wait_initialised(port);
    scenarios[number].run(scene);
    scene_settle(scene);
    scene_probe(scene);
    printf("  scenario %-24s ok\n", scene->name);
}

static void create_scene(struct scene *scene, struct reduction_port *port, const char *name)
{
    const struct moehub_reduction_buffer_config *config = &port->config;
    const unsigned flits = reduction_config_flits(config, config->payload_bytes);
    *scene = (struct scene){
        .port = port,
        .name = name,
        .groups = moehub_reduction_buffer_groups(config),
        .lines = config->request_lines,
        .everyone = largest_set(config),
        .longest = config->payload_bytes - config->payload_bytes % 2,
        .latency = LATENCY_MAX + 3 * flits, /* a result may be twice as wide */
    };
    reduction_script_create(&scene->script, port, (size_t)config->entries * 64 + 8192);
    reduction_port_stall(port, STALL_NONE);
}

bool reduction_scenarios_run(struct reduction_port *port, const char *name)
{
    struct scene scene;
    bool found = false;
    create_scene(&scene, port, name);
    for (unsigned i = 0; i < SCENARIOS; i++) {
        if (strcmp(name, "all") != 0 && strcmp(name, scenarios[i].name) != 0)
            continue;
        run_one(&scene, i);
        found = true;
    }
    reduction_script_destroy(&scene.script);
    return found;
}

void reduction_scenarios_probe(struct reduction_port *port)
{
    struct scene scene;
    create_scene(&scene, port, "probe");
    scene_probe(&scene);
    reduction_script_destroy(&scene.script);
}

void reduction_scenarios_list(void)
{
    for (unsigned i = 0; i < SCENARIOS; i++)
        fprintf(stderr, "  %s\n", scenarios[i].name);
}
