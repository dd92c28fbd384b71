/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_memory.h"

#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096, OKAY = 0, SLVERR = 2 };

void gpu_memory_create(struct gpu_memory *memory, struct bench *bench, unsigned latency_minimum, unsigned latency_maximum)
{
    *memory = (struct gpu_memory){.bench = bench,
                                  .latency_minimum = latency_minimum,
                                  .latency_maximum = latency_maximum};
    bench_random(bench, &memory->random, "memory");
}

void gpu_memory_clear(struct gpu_memory *memory, uint64_t size)
{
    free(memory->bytes);
    memory->bytes = allocate(size, 1);
    memory->size = size;
}

void gpu_memory_destroy(struct gpu_memory *memory)
{
    free(memory->bytes);
}

/* ---- pins ----------------------------------------------------------------------------------------------------- */

static void create_bus(struct memory_ports *ports, struct bus *bus, const char *prefix, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    if (bench_optional_pin(ports->memory->bench, full) != NULL)
        bus_create(bus, ports->memory->bench, full, ports->ports);
}

static struct memory_queue *create_queue(const struct memory_ports *ports, const char *prefix, const char *direction,
                                         unsigned port, enum stall_kind stall)
{
    struct memory_queue *queue = allocate(1, sizeof *queue);
    struct {
        struct stall *stall;
        const char *name;
    } const stalls[] = {{&queue->request, "request"}, {&queue->data, "data"}, {&queue->response, "response"}};
    queue->offered = UINT64_MAX;
    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s %u %s %s", prefix, port, direction, stalls[i].name);
        stall_init(stalls[i].stall, stall, ports->memory->bench->random_seed, name);
    }
    return queue;
}

void memory_ports_create(struct memory_ports *ports, struct gpu_memory *memory, const char *prefix, unsigned count,
                         enum stall_kind stall)
{
    *ports = (struct memory_ports){.memory = memory, .name = prefix, .ports = count};
    struct {
        struct bus *bus;
        const char *name;
    } const buses[] = {
        {&ports->arvalid, "arvalid"}, {&ports->arready, "arready"}, {&ports->arid, "arid"},     {&ports->araddr, "araddr"},
        {&ports->arlen, "arlen"},     {&ports->rvalid, "rvalid"},   {&ports->rready, "rready"}, {&ports->rid, "rid"},
        {&ports->rdata, "rdata"},     {&ports->rresp, "rresp"},     {&ports->rlast, "rlast"},   {&ports->awvalid, "awvalid"},
        {&ports->awready, "awready"}, {&ports->awid, "awid"},       {&ports->awaddr, "awaddr"}, {&ports->awlen, "awlen"},
        {&ports->wvalid, "wvalid"},   {&ports->wready, "wready"},   {&ports->wdata, "wdata"},   {&ports->wstrb, "wstrb"},
        {&ports->wlast, "wlast"},     {&ports->bvalid, "bvalid"},   {&ports->bready, "bready"}, {&ports->bid, "bid"},
        {&ports->bresp, "bresp"},
    };
    for (size_t i = 0; i < sizeof buses / sizeof *buses; i++)
        create_bus(ports, buses[i].bus, prefix, buses[i].name);
    ports->writes = ports->awvalid.pin != NULL;
    ports->beat_bytes = ports->rdata.width / 8;
    for (unsigned p = 0; p < count; p++) {
        ports->reads[p] = create_queue(ports, prefix, "reads", p, stall);
        ports->written[p] = create_queue(ports, prefix, "writes", p, stall);
    }
}

void memory_ports_destroy(struct memory_ports *ports)
{
    for (unsigned p = 0; p < ports->ports; p++) {
        free(ports->reads[p]);
        free(ports->written[p]);
    }
}

/* A field that only some ports have: an id, a length. */
static uint64_t get_or_0(const struct bus *bus, unsigned port)
{
    return bus->pin != NULL ? bus_get(bus, port) : 0;
}

static void set_if_there(struct bus *bus, unsigned port, uint64_t value)
{
    if (bus->pin != NULL)
        bus_set(bus, port, value);
}

/* ---- accesses ------------------------------------------------------------------------------------------------- */

static struct memory_access *access_of(struct memory_queue *queue, uint64_t number)
{
    return &queue->access[number % GPU_MEMORY_OUTSTANDING];
}

static uint64_t due(struct gpu_memory *memory)
{
    return memory->bench->cycle + random_range(&memory->random, memory->latency_minimum, memory->latency_maximum);
}

static void check_burst(const struct memory_ports *ports, const struct memory_access *access)
{
    const uint64_t first = access->address / ports->beat_bytes * ports->beat_bytes;
    const uint64_t end = first + (uint64_t)access->beats * ports->beat_bytes;
    if (access->beats > GPU_MEMORY_BEATS || end > ports->memory->size || first / PAGE_BYTES != (end - 1) / PAGE_BYTES)
        bench_fail(ports->memory->bench, BENCH_MISMATCH,
                   "%s: %u beats at %" PRIx64 ": too many, over a page, or outside the memory", ports->name, access->beats,
                   access->address);
}

static void take_address(struct memory_ports *ports, struct memory_queue *queue, const struct bus *address,
                         const struct bus *length, const struct bus *id, unsigned port)
{
    struct memory_access *access = access_of(queue, queue->addressed++);
    access->address = bus_get(address, port);
    access->beats = (unsigned)get_or_0(length, port) + 1;
    access->id = (unsigned)get_or_0(id, port);
    access->due = due(ports->memory);
    access->sent = false;
    check_burst(ports, access);
}

static void take_data(struct memory_ports *ports, struct memory_queue *queue, unsigned port)
{
    struct memory_access *access = access_of(queue, queue->filled);
    uint64_t words[GPU_MEMORY_BEAT_BYTES / 8];
    if (access->filled >= GPU_MEMORY_BEATS)
        bench_fail(ports->memory->bench, BENCH_MISMATCH, "%s %u: write data without end", ports->name, port);
    bus_get_words(&ports->wdata, port, words);
    memcpy(access->data + (size_t)access->filled * ports->beat_bytes, words, ports->beat_bytes);
    access->strobes[access->filled++] = (uint32_t)bus_get(&ports->wstrb, port);
    if (bus_get(&ports->wlast, port) != 0)
        queue->filled++;
}

/* The oldest access whose time has come, or a younger one of another id. */
static uint64_t next_response(const struct memory_ports *ports, struct memory_queue *queue, uint64_t end)
{
    uint64_t ids = 0;
    for (uint64_t n = queue->first; n < end; n++) {
        struct memory_access *access = access_of(queue, n);
        if (access->sent)
            continue;
        const uint64_t bit = UINT64_C(1) << access->id % 64;
        if ((ids & bit) == 0 && access->due <= ports->memory->bench->cycle)
            return n;
        ids |= bit;
        if (ports->arid.pin == NULL)
            break;
    }
    return UINT64_MAX;
}

static bool is_watched(const struct memory_ports *ports)
{
    return strcmp(ports->name, ports->memory->watched) == 0;
}

static bool draw_error(const struct memory_ports *ports, unsigned one_in)
{
    return one_in != 0 && is_watched(ports) && random_chance(&ports->memory->random, 1, one_in);
}

static void look(struct memory_ports *ports, struct memory_access *access)
{
    const uint64_t first = access->address / ports->beat_bytes * ports->beat_bytes;
    memcpy(access->data, ports->memory->bytes + first, (size_t)access->beats * ports->beat_bytes);
    access->filled = 0;
    access->error_beat = GPU_MEMORY_BEATS;
    struct gpu_memory *memory = ports->memory;
    if (!draw_error(ports, memory->read_errors))
        return;
    access->error_beat = (unsigned)random_below(&memory->random, access->beats);
    memory->spoiled(memory->user, access->address);
}

static void apply(struct memory_ports *ports, struct memory_access *access, unsigned port)
{
    if (access->filled != access->beats)
        bench_fail(ports->memory->bench, BENCH_MISMATCH, "%s %u: %u beats of write data for %u", ports->name, port,
                   access->filled, access->beats);
    uint8_t *line = ports->memory->bytes + access->address / ports->beat_bytes * ports->beat_bytes;
    for (unsigned beat = 0; beat < access->beats; beat++)
        for (unsigned byte = 0; byte < ports->beat_bytes; byte++)
            if ((access->strobes[beat] >> byte & 1) != 0)
                line[beat * ports->beat_bytes + byte] = access->data[beat * ports->beat_bytes + byte];
    struct gpu_memory *memory = ports->memory;
    access->error_beat = draw_error(ports, memory->write_errors) ? 0 : GPU_MEMORY_BEATS;
    if (access->error_beat == 0)
        memory->failed(memory->user, port, access);
    if (memory->applied != NULL && is_watched(ports))
        memory->applied(memory->user, port, access);
}

static void end_access(struct memory_queue *queue, uint64_t number)
{
    access_of(queue, number)->sent = true;
    queue->offered = UINT64_MAX;
    while (queue->first < queue->addressed && access_of(queue, queue->first)->sent) {
        access_of(queue, queue->first)->filled = 0;
        queue->first++;
    }
}

/* ---- the cycle ------------------------------------------------------------------------------------------------ */

static void drive_reads(struct memory_ports *ports, unsigned port)
{
    struct memory_queue *queue = ports->reads[port];
    if (queue->offered == UINT64_MAX && !stall_next(&queue->response) && !ports->memory->held) {
        queue->offered = next_response(ports, queue, queue->addressed);
        if (queue->offered != UINT64_MAX)
            look(ports, access_of(queue, queue->offered));
    }
    const bool valid = queue->offered != UINT64_MAX;
    bus_set(&ports->rvalid, port, valid);
    bus_set(&ports->arready, port, !stall_next(&queue->request) && queue->addressed - queue->first < GPU_MEMORY_OUTSTANDING);
    if (!valid)
        return;
    const struct memory_access *access = access_of(queue, queue->offered);
    uint64_t words[GPU_MEMORY_BEAT_BYTES / 8] = {0};
    memcpy(words, access->data + (size_t)access->filled * ports->beat_bytes, ports->beat_bytes);
    bus_set_words(&ports->rdata, port, words);
    bus_set(&ports->rresp, port, access->filled == access->error_beat ? SLVERR : OKAY);
    set_if_there(&ports->rid, port, access->id);
    set_if_there(&ports->rlast, port, access->filled + 1 == access->beats);
}

static void drive_writes(struct memory_ports *ports, unsigned port)
{
    struct memory_queue *queue = ports->written[port];
    if (queue->offered == UINT64_MAX && !stall_next(&queue->response) && !ports->memory->held) {
        const uint64_t whole = queue->filled < queue->addressed ? queue->filled : queue->addressed;
        queue->offered = next_response(ports, queue, whole);
        if (queue->offered != UINT64_MAX)
            apply(ports, access_of(queue, queue->offered), port);
    }
    const bool valid = queue->offered != UINT64_MAX;
    bus_set(&ports->bvalid, port, valid);
    if (valid) {
        bus_set(&ports->bresp, port, access_of(queue, queue->offered)->error_beat == 0 ? SLVERR : OKAY);
        set_if_there(&ports->bid, port, access_of(queue, queue->offered)->id);
    }
    const uint64_t ahead = queue->addressed > queue->filled ? queue->addressed : queue->filled;
    const bool room = ahead - queue->first < GPU_MEMORY_OUTSTANDING - 1;
    bus_set(&ports->awready, port, room && !stall_next(&queue->request));
    bus_set(&ports->wready, port, room && !stall_next(&queue->data));
}

void memory_ports_drive(struct memory_ports *ports)
{
    for (unsigned p = 0; p < ports->ports; p++) {
        drive_reads(ports, p);
        if (ports->writes)
            drive_writes(ports, p);
    }
    struct bus *const driven[] = {&ports->arready, &ports->rvalid, &ports->rid,    &ports->rdata, &ports->rresp, &ports->rlast,
                                  &ports->awready, &ports->wready, &ports->bvalid, &ports->bid,   &ports->bresp};
    for (size_t i = 0; i < sizeof driven / sizeof *driven; i++)
        if (driven[i]->pin != NULL)
            bus_drive(driven[i]);
}

static void sample_reads(struct memory_ports *ports, unsigned port)
{
    struct memory_queue *queue = ports->reads[port];
    const struct memory_watch *watch = ports->watch;
    if (bus_get(&ports->arvalid, port) != 0 && bus_get(&ports->arready, port) != 0) {
        take_address(ports, queue, &ports->araddr, &ports->arlen, &ports->arid, port);
        if (watch != NULL && watch->asked != NULL)
            watch->asked(watch->user, port, access_of(queue, queue->addressed - 1));
    }
    if (queue->offered == UINT64_MAX || bus_get(&ports->rready, port) == 0)
        return;
    struct memory_access *access = access_of(queue, queue->offered);
    if (++access->filled < access->beats)
        return;
    if (watch != NULL && watch->came != NULL)
        watch->came(watch->user, port, access);
    end_access(queue, queue->offered);
}

static void tell_writes(struct memory_ports *ports, struct memory_queue *queue, unsigned port)
{
    const struct memory_watch *watch = ports->watch;
    for (; queue->told < queue->addressed && queue->told < queue->filled; queue->told++)
        if (watch != NULL && watch->written != NULL)
            watch->written(watch->user, port, access_of(queue, queue->told));
}

static void sample_writes(struct memory_ports *ports, unsigned port)
{
    struct memory_queue *queue = ports->written[port];
    if (queue->offered != UINT64_MAX && bus_get(&ports->bready, port) != 0) {
        if (ports->watch != NULL && ports->watch->answered != NULL)
            ports->watch->answered(ports->watch->user, port, access_of(queue, queue->offered));
        end_access(queue, queue->offered);
    }
    if (bus_get(&ports->wvalid, port) != 0 && bus_get(&ports->wready, port) != 0)
        take_data(ports, queue, port);
    if (bus_get(&ports->awvalid, port) != 0 && bus_get(&ports->awready, port) != 0)
        take_address(ports, queue, &ports->awaddr, &ports->awlen, &ports->awid, port);
    tell_writes(ports, queue, port);
}

void memory_ports_sample(struct memory_ports *ports)
{
    if (ports->memory->bench->reset)
        return;
    struct bus *const sampled[] = {&ports->arvalid, &ports->arid,  &ports->araddr, &ports->arlen, &ports->rready,
                                   &ports->awvalid, &ports->awid,  &ports->awaddr, &ports->awlen, &ports->wvalid,
                                   &ports->wdata,   &ports->wstrb, &ports->wlast,  &ports->bready};
    for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++)
        if (sampled[i]->pin != NULL)
            bus_sample(sampled[i]);
    for (unsigned p = 0; p < ports->ports; p++) {
        sample_reads(ports, p);
        if (ports->writes)
            sample_writes(ports, p);
    }
}
