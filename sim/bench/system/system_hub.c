/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/system_hub.h"

#include "bench/system/gpu_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESET_CYCLES = 4 };
#define DATA_PORTS "m_axi_data"

const char *system_hub_description(const struct dut_model *model)
{
    return dut_model_description(model);
}

struct system_shape system_hub_shape(const struct dut_model *model)
{
    const struct moehub_hub_top_config config = hub_check_config(system_hub_description(model));
    return (struct system_shape){.links = config.links,
                                 .gpus = config.gpus,
                                 .contexts = config.contexts,
                                 .local_expert_bits = config.local_expert_bits,
                                 .local_experts = config.local_experts,
                                 .max_targets = config.max_targets,
                                 .request_lines = config.request_lines,
                                 .store_bytes = config.store_bytes,
                                 .tiles = config.tiles,
                                 .tokens = config.tokens};
}

/* ---- streams -------------------------------------------------------------------------------------------------- */

static void create_streams(struct system_hub *hub)
{
    struct bench *bench = &hub->bench;
    const enum stall_kind stall = hub->options.stall;
    source_create(&hub->row, bench, "row", "context immediate count address id row_index", stall);
    source_create(&hub->store, bench, "store", "handle offset nop mask bytes", stall);
    source_create(&hub->reduce, bench, "reduce", "context immediate count address id row_index line length element tag", stall);
    source_create(&hub->done, bench, "done", "context expert tile stage", stall);
    sink_create(&hub->handle, bench, "handle", "status handle row_index", stall);
    sink_create(&hub->ready, bench, "ready", "kind failed context round expert rows name", stall);
    axi_lite_create(&hub->registers, bench, "s_axil", stall);
    bus_create(&hub->reduced_valid, bench, "m_axis_reduced_tvalid", hub->shape.links);
    bus_create(&hub->reduced_ready, bench, "m_axis_reduced_tready", hub->shape.links);
    bus_create(&hub->reduced_data, bench, "m_axis_reduced_tdata", hub->shape.links);
    bus_create(&hub->reduced_user, bench, "m_axis_reduced_tuser", hub->shape.links);
    bus_create(&hub->reduced_last, bench, "m_axis_reduced_tlast", hub->shape.links);
    for (unsigned link = 0; link < hub->shape.links; link++)
        stall_init(&hub->reduced_stall[link], stall, bench->random_seed + link, "reduced");
}

/* The GPU, or its link, withholds this at present. */
static bool withholds(const struct system_hub *hub, enum gpu_withheld what)
{
    return hub->withholds && gpu_withholds(hub->rounds.gpus, what);
}

static void withhold(struct system_hub *hub)
{
    hub->handle.stream.stall.held = withholds(hub, GPU_WITHHELD_HANDLES);
    hub->ready.stream.stall.held = withholds(hub, GPU_WITHHELD_EVENTS);
    hub->done.stream.stall.held = withholds(hub, GPU_WITHHELD_DONE);
    for (unsigned link = 0; link < hub->shape.links; link++)
        hub->reduced_stall[link].held = withholds(hub, GPU_WITHHELD_SUMS);
    hub->memory.held = withholds(hub, GPU_WITHHELD_MEMORY);
}

static void feed(struct system_hub *hub, struct source *source, enum gpu_stream stream)
{
    if (source_free(source))
        source->offered = gpu_rounds_next(&hub->rounds, stream, source->item);
}

static void drive_streams(struct system_hub *hub)
{
    feed(hub, &hub->row, GPU_STREAM_ROW);
    feed(hub, &hub->store, GPU_STREAM_STORE);
    feed(hub, &hub->reduce, GPU_STREAM_REDUCE);
    feed(hub, &hub->done, GPU_STREAM_DONE);
    source_drive(&hub->row);
    source_drive(&hub->store);
    source_drive(&hub->reduce);
    source_drive(&hub->done);
    sink_drive(&hub->handle);
    sink_drive(&hub->ready);
    for (unsigned link = 0; link < hub->shape.links; link++)
        bus_set(&hub->reduced_ready, link, !stall_next(&hub->reduced_stall[link]));
    bus_drive(&hub->reduced_ready);
    axi_lite_drive(&hub->registers);
}

static void sample_reduced(struct system_hub *hub)
{
    bus_sample(&hub->reduced_valid);
    if (hub->bench.reset || pin_get(hub->reduced_valid.pin) == 0)
        return;
    bus_sample(&hub->reduced_data);
    bus_sample(&hub->reduced_user);
    bus_sample(&hub->reduced_last);
    for (unsigned link = 0; link < hub->shape.links; link++) {
        uint64_t data[2];
        if (bus_get(&hub->reduced_valid, link) == 0 || bus_get(&hub->reduced_ready, link) == 0)
            continue;
        bus_get_words(&hub->reduced_data, link, data);
        const bool last = bus_get(&hub->reduced_last, link) != 0;
        hub_check_reduced(&hub->check, link, data, bus_get(&hub->reduced_user, link), last);
        gpu_rounds_take_reduced(&hub->rounds, link, data, bus_get(&hub->reduced_user, link), last);
    }
}

static void sample_streams(struct system_hub *hub)
{
    hub_check_row(&hub->check, source_sample(&hub->row));
    hub_check_store(&hub->check, source_sample(&hub->store));
    hub_check_reduce(&hub->check, source_sample(&hub->reduce));
    hub_check_done(&hub->check, source_sample(&hub->done));
    const uint64_t *handle = sink_sample(&hub->handle), *ready = sink_sample(&hub->ready);
    hub_check_handle(&hub->check, handle);
    hub_check_ready(&hub->check, ready);
    if (handle != NULL)
        gpu_rounds_take_handle(&hub->rounds, handle);
    if (ready != NULL)
        gpu_rounds_take_ready(&hub->rounds, ready);
    sample_reduced(hub);
    axi_lite_sample(&hub->registers);
}

/* ---- links ---------------------------------------------------------------------------------------------------- */

/* Credits are withheld, or given back a class in a cycle. */
static struct moehub_link_grant credits_to_send(struct system_hub *hub, unsigned link, const struct moehub_link_grant *given)
{
    unsigned *owed = hub->owed[link];
    if (given->valid && given->packet_class < MOEHUB_CLASSES)
        owed[given->packet_class] += given->flits;
    if (withholds(hub, GPU_WITHHELD_CREDITS))
        return (struct moehub_link_grant){.valid = false};
    unsigned packet_class = (unsigned)(hub->bench.cycle % MOEHUB_CLASSES);
    for (unsigned i = 0; i < MOEHUB_CLASSES && owed[packet_class] == 0; i++)
        packet_class = (packet_class + 1) % MOEHUB_CLASSES;
    if (owed[packet_class] == 0)
        return (struct moehub_link_grant){.valid = false};
    const unsigned flits = owed[packet_class] < MOEHUB_GRANT_MAX ? owed[packet_class] : MOEHUB_GRANT_MAX;
    owed[packet_class] -= flits;
    return (struct moehub_link_grant){true, (uint8_t)packet_class, (uint8_t)flits};
}

/* Credits of before are of no use: both ends begin anew. */
static void watch_link(struct system_hub *hub, unsigned link)
{
    const bool cut = hub->in[link]->cut;
    if (cut)
        memset(hub->owed[link], 0, sizeof hub->owed[link]);
    if (cut && !hub->cut[link])
        hub_check_link_fell(&hub->check, link);
    hub->cut[link] = cut;
}

static void step_links(struct system_hub *hub)
{
    plane_pins_sample(&hub->links);
    for (unsigned link = 0; link < hub->shape.links; link++) {
        struct link_moment sent = {.flit = {.valid = false}};
        if (!hub->bench.reset && !hub->bench.quiet)
            sent = (struct link_moment){plane_pins_flit(&hub->links, link), plane_pins_grant(&hub->links, link)};
        gpu_watch_nops(hub->rounds.gpus, link, &sent.flit);
        gpu_watch_departures(hub->rounds.gpus, link, &sent.flit);
        sent.grant = credits_to_send(hub, link, &sent.grant);
        system_link_send(hub->out[link], hub->bench.cycle, &sent);
        const struct link_moment *came = system_link_come(hub->in[link], hub->bench.cycle);
        const struct moehub_link_grant grant = system_link_grant(hub->out[link], &came->grant);
        hub_check_link(&hub->check, link, &sent.flit, &came->flit, &grant);
        watch_link(hub, link);
        plane_pins_set(&hub->links, link, !hub->bench.reset && !hub->in[link]->cut, &came->flit, &grant);
    }
    plane_pins_drive(&hub->links);
}

/* ---- the hub -------------------------------------------------------------------------------------------------- */

static void spoil_line(void *user, uint64_t address)
{
    struct system_hub *hub = user;
    gpu_rounds_spoil_line(&hub->rounds, address);
}

static void fail_write(void *user, unsigned port, const struct memory_access *write)
{
    struct system_hub *hub = user;
    gpu_rounds_write_failed(&hub->rounds, port, write);
}

static void see_write(void *user, unsigned port, const struct memory_access *write)
{
    struct system_hub *hub = user;
    gpu_watch_writes(hub->rounds.gpus, port, write);
}

void system_hub_create(struct system_hub *hub, const struct bench *whole, unsigned gpu, const struct system_options *options)
{
    *hub = (struct system_hub){.number = gpu, .shape = system_hub_shape(options->model), .options = *options};
    bench_create_part(&hub->bench, whole, options->model, 1 + gpu);
    gpu_memory_create(&hub->memory, &hub->bench, options->latency_minimum, options->latency_maximum);
    hub->memory.read_errors = options->read_errors;
    hub->memory.watched = DATA_PORTS;
    hub->memory.spoiled = spoil_line;
    hub->memory.failed = fail_write;
    hub->memory.user = hub;
    memory_ports_create(&hub->table, &hub->memory, "m_axi_table", 1, options->stall);
    memory_ports_create(&hub->data, &hub->memory, DATA_PORTS, hub->shape.links + 1, options->stall);
    memory_ports_create(&hub->list, &hub->memory, "m_axi_list", 1, options->stall);
    hub_check_create(&hub->check, &hub->bench, system_hub_description(options->model), gpu, options->check);
    hub->data.watch = options->check ? &hub->check.data : NULL;
    hub->list.watch = options->check ? &hub->check.list : NULL;
    hub->table.watch = options->check ? &hub->check.table : NULL;
    hub->check.table_beat = hub->table.beat_bytes;
    plane_pins_create(&hub->links, &hub->bench, hub->shape.links);
    create_streams(hub);
    hub->options.gpu.links = hub->shape.links;
    hub->options.gpu.targets_most = hub->shape.max_targets;
    hub->options.gpu.store_bytes = hub->shape.store_bytes;
    hub->options.gpu.group_lines = hub->shape.request_lines;
    hub->interrupt_request = bench_pin(&hub->bench, "interrupt_request");
    pin_set(bench_pin(&hub->bench, "own"), gpu);
    bench_set_reset(&hub->bench, true);
}

void system_hub_destroy(struct system_hub *hub)
{
    memory_ports_destroy(&hub->table);
    memory_ports_destroy(&hub->data);
    memory_ports_destroy(&hub->list);
    gpu_memory_destroy(&hub->memory);
    hub_check_destroy(&hub->check);
    bench_destroy_part(&hub->bench);
}

/* One after the other in memory. */
static void create_layouts(struct system_hub *hub, const struct system_round *rounds)
{
    uint64_t end = 0;
    for (unsigned round = 0; round < hub->rounds.count; round++) {
        struct gpu_layout *layout = &hub->rounds.layouts[round];
        gpu_layout_create(layout, &rounds[round].layer, hub->number, end, hub->shape.local_experts, hub->shape.local_expert_bits,
                          hub->options.tile_shift);
        end = layout->end;
    }
}

/* Rounds of a context have its AL table, in epochs, and its row list, and as many tiles as any of them. */
static void share_context(struct system_hub *hub, unsigned context, uint32_t tile_first)
{
    struct gpu_layout *layouts = hub->rounds.layouts;
    unsigned longest = context;
    uint32_t most = 0;
    for (unsigned round = context; round < hub->rounds.count; round += hub->shape.contexts) {
        longest = layouts[round].list_shift > layouts[longest].list_shift ? round : longest;
        most = layouts[round].tiles > most ? layouts[round].tiles : most;
    }
    const struct gpu_layout shared = layouts[longest];
    for (unsigned round = context; round < hub->rounds.count; round += hub->shape.contexts) {
        layouts[round].table = shared.table;
        layouts[round].list = shared.list;
        layouts[round].list_shift = shared.list_shift;
        layouts[round].tile_first = tile_first;
        layouts[round].tile_count = most;
        layouts[round].token_first = context << shared.owner_shift;
    }
}

/* Contexts stand one after the other in the hub's tiles and tokens. */
static void share_out(struct system_hub *hub)
{
    const unsigned contexts = hub->rounds.count < hub->shape.contexts ? hub->rounds.count : hub->shape.contexts;
    const uint32_t tokens = contexts << hub->rounds.layouts->owner_shift;
    uint32_t tiles = 0;
    for (unsigned context = 0; context < contexts; context++) {
        share_context(hub, context, tiles);
        tiles += hub->rounds.layouts[context].tile_count;
    }
    if (tiles <= hub->shape.tiles && tokens <= hub->shape.tokens)
        return;
    fprintf(stderr,
            "--overlap: GPU %u needs %u tiles and %u tokens in all contexts, and hubs of this build have TILES %u, TOKENS %u:"
            " fewer --tokens, or a larger --tile-shift\n",
            hub->number, tiles, tokens, hub->shape.tiles, hub->shape.tokens);
    exit(BENCH_CONFIGURATION);
}

static void create_gpus(struct system_hub *hub, struct system_round *rounds)
{
    for (unsigned round = 0; round < hub->rounds.count; round++) {
        struct gpu_options options = hub->options.gpu;
        options.context = rounds[round].context;
        options.round = rounds[round].number;
        options.spoiled = rounds[round].spoiled;
        options.failed_rows = rounds[round].failed_rows;
        if (round != 0)
            options.manners = gpu_manners_beside(&options.manners, round < hub->shape.contexts);
        gpu_create(&hub->rounds.gpus[round], &hub->bench, &hub->rounds.layouts[round], &options, hub->memory.bytes);
    }
}

void system_hub_begin(struct system_hub *hub, struct system_round *rounds, unsigned count,
                      const struct gpu_manners *manners)
{
    hub->options.gpu.manners = *manners;
    hub->started = hub->may_start = hub->may_stop = hub->closed = hub->withholds = hub->may_count = hub->stopped = false;
    hub->served_read = false;
    memcpy(hub->counters_before, hub->counters, sizeof hub->counters);
    gpu_rounds_create(&hub->rounds, count);
    create_layouts(hub, rounds);
    if (count > 1)
        share_out(hub);
    if (manners->short_slots != 0 && manners->short_gpu == hub->number)
        gpu_layout_shorten(hub->rounds.layouts, manners->short_expert, manners->short_slots);
    gpu_memory_clear(&hub->memory, hub->rounds.layouts[count - 1].end);
    hub->memory.write_errors = (manners->failing >> hub->number & 1) != 0 ? manners->write_errors : 0;
    create_gpus(hub, rounds);
    hub->memory.applied = gpu_aborts(hub->rounds.gpus) ? see_write : NULL;
    software_create(&hub->software, gpu_program, hub);
}

void system_hub_end(struct system_hub *hub)
{
    software_destroy(&hub->software);
    gpu_rounds_destroy(&hub->rounds);
}

uint64_t system_hub_foreign(const struct system_hub *hub)
{
    uint64_t foreign = 0;
    for (unsigned link = 0; link < hub->shape.links; link++)
        foreign += hub->in[link]->injector != NULL ? hub->in[link]->injector->causes[MOEHUB_HUB_WAY_CAUSE_OWNER] +
                                                         hub->in[link]->injector->causes[MOEHUB_HUB_WAY_CAUSE_ARRIVED]
                                                   : 0;
    return foreign;
}

bool system_hub_ways_refuse(const struct system_hub *hub)
{
    const struct gpu_manners *manners = &hub->options.gpu.manners;
    return hub->options.read_errors != 0 || hub->in[0]->injector != NULL || manners->flooded || manners->short_slots != 0 ||
           manners->silent != 0 || manners->idle != 0;
}

void system_hub_step(struct system_hub *hub)
{
    if (hub->bench.cycle == RESET_CYCLES)
        bench_set_reset(&hub->bench, false);
    if (!hub->bench.reset)
        software_step(&hub->software);
    withhold(hub);
    step_links(hub);
    drive_streams(hub);
    memory_ports_drive(&hub->table);
    memory_ports_drive(&hub->data);
    memory_ports_drive(&hub->list);
    bench_settle(&hub->bench);
    memory_ports_sample(&hub->table);
    memory_ports_sample(&hub->data);
    memory_ports_sample(&hub->list);
    sample_streams(hub);
    hub_check_interrupt(&hub->check, !hub->bench.reset && pin_get(hub->interrupt_request) != 0);
    bench_tick(&hub->bench);
}
