/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the kit's AXI4 memory and AXI4-Lite master on a design that sends whatever this bench says.
 *
 * Each id works on entries of its own, one access at a time, so that the traffic is legal and every answer is known; ids
 * overlap freely, so that responses overtake. Now and then rst comes in full traffic: no answer of before it may follow.
 * `--violate RULE` breaks one rule of kit/axi_memory.h, which must be noticed. */
#include "kit/axi_lite.h"
#include "kit/axi_memory.h"
#include "kit/bench.h"
#include "kit/scoreboard.h"

#include <inttypes.h>
#include <string.h>

enum { IDS_MAX = 256, ENTRIES_PER_ID = 64, REGISTERS = 8, DATA_WORDS_MAX = 8, BASE = 0x40000, CYCLES_TO_RESET = 2000 };

enum violation { NOTHING, LENGTH, BURST, ALIGNMENT, SIZE, STROBES, LAST, READ_DURING_WRITE, RANGE, VIOLATIONS };
static const char *const violation_names[VIOLATIONS] = {"none", "length", "burst", "alignment", "size", "strobes", "last",
                                                        "read-during-write", "range"};

/* What an id is doing. */
struct id_state {
    bool busy;
    bool is_write;
    uint64_t address;
    uint32_t value;
    uint32_t before; /* what a write replaces */
};

struct axi_bench {
    struct bench bench;
    struct axi_memory *memory;
    struct axi_lite lite;
    struct source write_address, write_data, read_address;
    struct sink write_response, read_data;
    struct scoreboard responses, registers, image, resets;
    struct random_source random;
    struct id_state ids[IDS_MAX];
    uint32_t entries[IDS_MAX][ENTRIES_PER_ID]; /* as they should be */
    unsigned id_count, data_bytes;
    enum violation violation;
    bool stopping;
    uint32_t register_values[REGISTERS];
    unsigned register_number; /* of the access under way */
    uint32_t register_before; /* what a write of it replaces */
    bool register_started, register_is_write, register_is_bad;
};

/* Errors by address, so that the bench knows them beforehand. */
static unsigned response_of(void *context, uint64_t address, bool is_write)
{
    (void)context;
    if (address / 4 % 13 == 5)
        return AXI_SLVERR;
    return is_write && address / 4 % 17 == 3 ? AXI_DECERR : AXI_OKAY;
}

static uint64_t entry_address(unsigned id, unsigned entry)
{
    return BASE + 4 * (uint64_t)(entry * IDS_MAX + id);
}

/* ---- requests -------------------------------------------------------------------- */

static void fill_address(struct axi_bench *self, uint64_t *item, unsigned id, uint64_t address)
{
    bool strike = random_chance(&self->random, 1, 64);
    item[0] = id;
    item[1] = address + (strike && self->violation == ALIGNMENT ? 2 : 0);
    item[2] = strike && self->violation == LENGTH;
    item[3] = strike && self->violation == SIZE ? 7 : 2;
    item[4] = strike && self->violation == BURST ? 2 : 1;
    if (strike && self->violation == RANGE)
        item[1] = BASE - 4;
}

static void start_write(struct axi_bench *self, unsigned id)
{
    struct id_state *state = &self->ids[id];
    bool strike = random_chance(&self->random, 1, 64);
    unsigned lane = (unsigned)(state->address % self->data_bytes);
    unsigned data_words = field_words(self->data_bytes * 8);
    fill_address(self, source_offer(&self->write_address), id, state->address);
    uint64_t *item = source_offer(&self->write_data);
    memset(item, 0, (data_words + 2) * sizeof *item);
    item[lane / 8] = (uint64_t)state->value << 8 * (lane % 8);
    item[data_words] = UINT64_C(0xf) << lane;
    if (strike && self->violation == STROBES)
        item[data_words] = UINT64_C(0xf) << (lane + 4) % self->data_bytes;
    item[data_words + 1] = !(strike && self->violation == LAST);
}

/* A read of an entry that another id is writing. */
static void start_illegal_read(struct axi_bench *self)
{
    for (unsigned id = 0; id < self->id_count; id++)
        if (self->ids[id].busy && self->ids[id].is_write && source_free(&self->write_address))
            fill_address(self, source_offer(&self->read_address), (id + 1) % self->id_count, self->ids[id].address);
}

static void start_access(struct axi_bench *self)
{
    unsigned id = (unsigned)random_below(&self->random, self->id_count);
    struct id_state *state = &self->ids[id];
    bool is_write = random_chance(&self->random, 1, 2);
    bool possible = is_write ? source_free(&self->write_address) && source_free(&self->write_data)
                             : source_free(&self->read_address);
    if (state->busy || !possible)
        return;
    unsigned entry = (unsigned)random_below(&self->random, ENTRIES_PER_ID);
    *state = (struct id_state){
        .busy = true, .is_write = is_write, .address = entry_address(id, entry), .value = (uint32_t)random_next(&self->random),
        .before = self->entries[id][entry]};
    if (!is_write) {
        fill_address(self, source_offer(&self->read_address), id, state->address);
        return;
    }
    start_write(self, id);
    if (response_of(NULL, state->address, true) == AXI_OKAY)
        self->entries[id][entry] = state->value;
}

/* ---- responses --------------------------------------------------------------------- */

static unsigned entry_of(const struct id_state *state)
{
    return (unsigned)((state->address - BASE) / 4 / IDS_MAX);
}

static void check_response(struct axi_bench *self, const uint64_t *item, bool is_write)
{
    unsigned id = (unsigned)item[0];
    struct id_state *state = &self->ids[id];
    unsigned data_words = field_words(self->data_bytes * 8);
    unsigned lane = (unsigned)(state->address % self->data_bytes);
    unsigned response = response_of(NULL, state->address, is_write);
    uint64_t expected[4] = {id, state->busy && state->is_write == is_write, response, 0};
    uint64_t got[4] = {id, 1, item[is_write ? 1 : 1 + data_words], 0};
    if (!is_write && response == AXI_OKAY) {
        expected[3] = self->entries[id][entry_of(state)];
        got[3] = (uint32_t)(item[1 + lane / 8] >> 8 * (lane % 8));
    }
    scoreboard_expect(&self->responses, id, expected);
    scoreboard_check(&self->responses, id, got);
    state->busy = false;
}

/* ---- registers ------------------------------------------------------------------------ */

static void start_register_access(struct axi_bench *self)
{
    uint32_t value = (uint32_t)random_next(&self->random);
    unsigned strobes = (unsigned)random_bits(&self->random, 4);
    self->register_started = true;
    self->register_is_bad = random_chance(&self->random, 1, 8);
    self->register_is_write = random_chance(&self->random, 1, 2);
    self->register_number = (unsigned)random_below(&self->random, REGISTERS);
    uint64_t address = 4 * self->register_number + (self->register_is_bad ? 4 * REGISTERS : 0);
    if (!self->register_is_write) {
        axi_lite_start_read(&self->lite, address);
        return;
    }
    axi_lite_start_write(&self->lite, address, value, strobes);
    self->register_before = self->register_values[self->register_number];
    for (unsigned i = 0; i < 4 && !self->register_is_bad; i++) {
        uint32_t mask = UINT32_C(0xff) << 8 * i;
        uint32_t *target = &self->register_values[self->register_number];
        if (strobes >> i & 1)
            *target = (*target & ~mask) | (value & mask);
    }
}

static void check_register_access(struct axi_bench *self)
{
    bool compare_data = !self->register_is_write && !self->register_is_bad;
    uint64_t expected[2] = {self->register_is_bad ? 2 : 0, compare_data ? self->register_values[self->register_number] : 0};
    uint64_t got[2] = {self->lite.response, compare_data ? self->lite.data : 0};
    scoreboard_expect(&self->registers, 0, expected);
    scoreboard_check(&self->registers, 0, got);
    self->register_started = false;
}

/* ---- the cycle --------------------------------------------------------------------------- */

static void drive(struct axi_bench *self)
{
    if (!self->bench.reset && !self->stopping) {
        start_access(self);
        if (self->violation == READ_DURING_WRITE && source_free(&self->read_address))
            start_illegal_read(self);
    }
    axi_memory_drive(self->memory);
    axi_lite_drive(&self->lite);
    source_drive(&self->write_address);
    source_drive(&self->write_data);
    source_drive(&self->read_address);
    sink_drive(&self->write_response);
    sink_drive(&self->read_data);
}

static void sample(struct axi_bench *self)
{
    axi_memory_sample(self->memory);
    axi_lite_sample(&self->lite);
    source_sample(&self->write_address);
    source_sample(&self->write_data);
    source_sample(&self->read_address);
    const uint64_t *written = sink_sample(&self->write_response);
    if (written != NULL)
        check_response(self, written, true);
    const uint64_t *read = sink_sample(&self->read_data);
    if (read != NULL)
        check_response(self, read, false);
}

static void step(void *context)
{
    struct axi_bench *self = context;
    drive(self);
    bench_settle(&self->bench);
    sample(self);
    bench_tick(&self->bench);
    if (self->register_started && axi_lite_idle(&self->lite))
        check_register_access(self);
    if (!self->register_started && !self->bench.reset && !self->stopping && random_chance(&self->random, 1, 4))
        start_register_access(self);
}

/* ---- resets in traffic -------------------------------------------------------------------- */

/* A write that the reset has cut off was done or was not: nothing else may be there. What is there counts from here on. */
static uint32_t done_or_not(struct axi_bench *self, const char *what, uint32_t before, uint32_t after, uint32_t got)
{
    scoreboard_value(&self->resets, what, got == after ? after : before, got);
    return got;
}

static void drop_accesses(struct axi_bench *self)
{
    for (unsigned id = 0; id < self->id_count; id++) {
        struct id_state *state = &self->ids[id];
        uint32_t *entry = &self->entries[id][entry_of(state)];
        if (state->busy && state->is_write)
            *entry = done_or_not(self, "entry", state->before, *entry, axi_memory_read(self->memory, state->address));
        state->busy = false;
    }
}

/* The registers themselves have no reset. */
static void drop_register_access(struct axi_bench *self, bool was_write)
{
    uint32_t *value = &self->register_values[self->register_number];
    if (was_write)
        *value = done_or_not(self, "register", self->register_before, *value,
                             axi_lite_get(&self->lite, 4 * self->register_number));
}

/* Mostly of one cycle: in a longer one much puts itself right. */
static void reset_in_traffic(struct axi_bench *self)
{
    const bool was_write = self->register_started && self->register_is_write && !self->register_is_bad;
    self->register_started = false;
    self->stopping = true;
    bench_reset(&self->bench, random_chance(&self->random, 3, 4) ? 1 : 3);
    drop_accesses(self);
    drop_register_access(self, was_write);
    self->stopping = false;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void create_streams(struct axi_bench *self)
{
    struct bench *bench = &self->bench;
    source_create(&self->write_address, bench, "aw", "id addr len size burst", STALL_MIXED);
    source_create(&self->write_data, bench, "w", "data strb last", STALL_MIXED);
    source_create(&self->read_address, bench, "ar", "id addr len size burst", STALL_MIXED);
    sink_create(&self->write_response, bench, "b", "id resp", STALL_MIXED);
    sink_create(&self->read_data, bench, "r", "id data resp", STALL_MIXED);
    axi_lite_create(&self->lite, bench, "s_axil", STALL_MIXED);
    self->id_count = 1u << self->write_address.stream.table.fields[0].bits;
    self->data_bytes = self->write_data.stream.table.fields[0].bits / 8;
}

static void create_scoreboards(struct axi_bench *self)
{
    static const struct field response_fields[] = {{"id", 8}, {"was_asked", 1}, {"response", 2}, {"data", 32}};
    static const struct field register_fields[] = {{"response", 2}, {"data", 32}};
    static const struct field image_fields[] = {{"value", 32}};
    scoreboard_create(&self->responses, &self->bench, "responses", response_fields, 4, IDS_MAX, 1);
    scoreboard_create(&self->registers, &self->bench, "registers", register_fields, 2, 1, 1);
    scoreboard_create(&self->image, &self->bench, "image", image_fields, 1, 1, 1);
    scoreboard_create(&self->resets, &self->bench, "cut off by reset", image_fields, 1, 1, 1);
}

static void compare_image(struct axi_bench *self)
{
    for (unsigned id = 0; id < self->id_count; id++)
        for (unsigned entry = 0; entry < ENTRIES_PER_ID; entry++)
            scoreboard_value(&self->image, "entry", self->entries[id][entry],
                             axi_memory_read(self->memory, entry_address(id, entry)));
}

static bool is_busy(const struct axi_bench *self)
{
    for (unsigned id = 0; id < self->id_count; id++)
        if (self->ids[id].busy)
            return true;
    return self->register_started;
}

static void read_initial_contents(struct axi_bench *self)
{
    for (unsigned id = 0; id < self->id_count; id++)
        for (unsigned entry = 0; entry < ENTRIES_PER_ID; entry++)
            self->entries[id][entry] = axi_memory_initial(self->memory, entry_address(id, entry));
    for (unsigned i = 0; i < REGISTERS; i++) {
        axi_lite_set(&self->lite, 4 * i, i);
        self->register_values[i] = i;
    }
}

static enum violation violation_of(struct bench *bench, const char *name)
{
    for (int i = 0; i < VIOLATIONS; i++)
        if (strcmp(name, violation_names[i]) == 0)
            return (enum violation)i;
    bench_fail(bench, BENCH_CONFIGURATION, "--violate %s: no such rule", name);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "The kit's AXI4 memory and AXI4-Lite master", .events = 20000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct axi_bench self;
    int64_t latency = 100;
    const char *violate = "none";
    const struct knob knobs[] = {
        {.name = "latency", .help = "largest latency of the memory", .number = &latency, .minimum = 1, .maximum = 4000},
        {.name = "violate", .help = "break a rule: length, burst, alignment, size, strobes, last, read-during-write, range",
         .text = &violate},
        {0}};
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, knobs);
    self.violation = violation_of(bench, violate);
    bench_random(bench, &self.random, "accesses");
    create_streams(&self);
    create_scoreboards(&self);
    self.memory = axi_memory_create(bench, "m_axi", &(struct axi_memory_options){
        .latency_minimum = 1, .latency_maximum = (unsigned)latency, .stall = STALL_MIXED, .base = BASE,
        .limit = UINT64_C(1) << 31, .response = response_of});
    bench->step = step;
    bench->context = &self;
    self.stopping = true;
    bench_reset(bench, 3);
    read_initial_contents(&self);
    self.stopping = false;
    while (bench_running(bench)) {
        step(&self);
        if (random_chance(&self.random, 1, CYCLES_TO_RESET))
            reset_in_traffic(&self);
    }
    self.stopping = true;
    while (is_busy(&self))
        step(&self);
    compare_image(&self);
    struct axi_memory_counts counts = axi_memory_counts(self.memory);
    summary_number(&bench->summary, "responses that were overtaken", (double)counts.overtakes, "");
    if (counts.overtakes == 0 && latency > 1)
        bench_fail(bench, BENCH_MISMATCH, "no response was overtaken: the memory does not reorder");
    axi_memory_destroy(self.memory);
    int status = bench_finish(bench);
    scoreboard_destroy(&self.responses);
    scoreboard_destroy(&self.registers);
    scoreboard_destroy(&self.image);
    scoreboard_destroy(&self.resets);
    return status;
}
