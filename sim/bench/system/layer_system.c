/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_system.h"

#include "bench/system/layer_options.h"
#include "kit/allocate.h"
#include "kit/parameters.h"

#include <stdio.h>
#include <stdlib.h>

extern const struct dut_model dut_model_hub;

/* Switch and hubs must cut ids alike. */
static void check_shape(const struct system_shape *shape)
{
    uint32_t ports = 8, local_expert_bits = 8, max_targets = 32;
    const struct parameter parameters[] = {
        {"PORTS", &ports}, {"LOCAL_EXPERT_BITS", &local_expert_bits}, {"MAX_TARGETS", &max_targets}};
    parameters_find(dut_description(), parameters, sizeof parameters / sizeof *parameters);
    if (ports != shape->gpus || local_expert_bits != shape->local_expert_bits || max_targets != shape->max_targets)
        layer_refuse("switch and hub were built with different PORTS and GPUS, LOCAL_EXPERT_BITS or MAX_TARGETS: "
                     "mend sim/tops/configurations.mk");
}

/* FILE, FILE.1, ...: planes are stepped by several threads. */
static void create_log(struct system_plane *plane, const char *file, unsigned number)
{
    char name[4096];
    if (number == 0)
        snprintf(name, sizeof name, "%s", file != NULL ? file : "");
    else
        snprintf(name, sizeof name, "%s.%u", file != NULL ? file : "", number);
    packet_log_create(&plane->log, file != NULL ? name : NULL, plane->ports);
}

static void create_planes(struct layer_system *system)
{
    const struct layer_arguments *arguments = system->arguments;
    const unsigned gpus = system->shape.gpus;
    for (unsigned link = 0; link < system->shape.links; link++) {
        struct bench *bench = link == 0 ? &system->bench : &system->plane_parts[link];
        if (link > 0)
            bench_create_part(bench, &system->bench, &dut_model_built, gpus + link);
        system_plane_create(&system->planes[link], bench, gpus, (unsigned)arguments->latency,
                            (uint32_t)arguments->port_timeout, (uint32_t)arguments->group_timeout, arguments->counted != 0);
        create_log(&system->planes[link], arguments->packets, link);
    }
}

static struct link_injector *create_injector(const struct layer_system *system, unsigned link, unsigned gpu, bool towards_hub)
{
    if (system->arguments->bad_packets == 0)
        return NULL;
    char name[64];
    struct link_injector *injector = allocate(1, sizeof *injector);
    snprintf(name, sizeof name, "bad packets %u %u %d", link, gpu, towards_hub);
    const struct link_ends ends = {.towards_hub = towards_hub,
                                   .gpu = gpu,
                                   .gpus = system->shape.gpus,
                                   .local_expert_bits = system->shape.local_expert_bits,
                                   .request_lines = system->shape.request_lines};
    link_injector_create(injector, system->bench.random_seed, name, (unsigned)system->arguments->bad_packets, &ends);
    injector->of_no_round = system->arguments->overlap != 0;
    return injector;
}

static void create_injectors(struct layer_system *system, unsigned link, unsigned gpu)
{
    system->planes[link].up[gpu].injector = create_injector(system, link, gpu, false);
    system->planes[link].down[gpu].injector = create_injector(system, link, gpu, true);
}

static void create_hubs(struct layer_system *system)
{
    struct system_options options = layer_options_parts(system->arguments);
    options.model = &dut_model_hub;
    options.gpu.departures = &system->departures;
    system->hubs = allocate(system->shape.gpus, sizeof *system->hubs);
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        system_hub_create(&system->hubs[gpu], &system->bench, gpu, &options);
        for (unsigned link = 0; link < system->shape.links; link++) {
            system->hubs[gpu].out[link] = &system->planes[link].up[gpu];
            system->hubs[gpu].in[link] = &system->planes[link].down[gpu];
            create_injectors(system, link, gpu);
        }
    }
}

void layer_system_create(struct layer_system *system, const struct layer_arguments *arguments)
{
    system->arguments = arguments;
    system->shape = system_hub_shape(&dut_model_hub);
    check_shape(&system->shape);
    layer_options_check(arguments, &system->shape);
    system->manners = layer_options_manners(arguments);
    system->quantum = (unsigned)arguments->latency;
    create_planes(system);
    layer_timeline_create(&system->timeline, arguments->timeline);
    create_hubs(system);
}

void layer_system_close_files(struct layer_system *system)
{
    for (unsigned link = 0; link < system->shape.links; link++)
        if (!packet_log_destroy(&system->planes[link].log))
            layer_refuse("--packets: the file could not be written");
    if (!layer_timeline_destroy(&system->timeline, system->planes, system->hubs, &system->phases))
        layer_refuse("--timeline: the file could not be written");
}

void layer_system_destroy(struct layer_system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        system_hub_destroy(&system->hubs[gpu]);
    for (unsigned link = 0; link < system->shape.links; link++)
        system_plane_destroy(&system->planes[link]);
    for (unsigned link = 1; link < system->shape.links; link++)
        bench_destroy_part(&system->plane_parts[link]);
    free(system->hubs);
}
