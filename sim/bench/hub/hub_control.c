/* SPDX-License-Identifier: Apache-2.0 */
/* Control of the hub: contexts and registers against their models. Commands by chance, legal ones and refused ones for every
 * reason, in every state of their context; what is in flight, pulses of the blocks and the waits of tile tracker and packet
 * manager by chance. Wires of contexts and the two streams are compared in every cycle, registers while the blocks are still. */
#include "bench/common/csr_bench.h"
#include "bench/hub/hub_control_draw.h"
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/stall.h"
#include "moehub/hub_control_csr.h"

#include <stdio.h>
#include <string.h>

enum {
    PARAMETERS = MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT,
    CONTEXTS_MOST = MOEHUB_HUB_CONTEXTS_MOST,
    WORDS = 8,         /* of 64 bits: the widest wires of contexts */
    DISABLE_PAUSE = 9, /* cycles from the taking of DISABLE to its result: the state changes in one, and stands for 8 */
    OPERATIONS = 16
};

/* ---- what is in flight ------------------------------------------------------------------------------------------------ */

enum { STORES, REQUESTS, ROWS, REDUCES, NOTIFYING, ADDRESS, SOURCES };

struct flight_source {
    const struct pin *pin;
    unsigned bits_a_context; /* side by side; 0: a bit a context and way */
    uint64_t words[WORDS];
};

/* Nothing, one bit of one source for a while, or anything in every cycle. */
enum flight_mode { STILL, ONE, NOISY, MODES };

/* ---- wires of a context ----------------------------------------------------------------------------------------------- */

typedef uint64_t wire_value(const struct moehub_hub_context *context);

#define WIRE(name, expression)                                                                                                   \
    static uint64_t name##_of(const struct moehub_hub_context *context)                                                          \
    {                                                                                                                            \
        return expression;                                                                                                       \
    }
WIRE(enabled, context->enabled)
WIRE(closing, context->closing)
WIRE(arrived, context->arrived)
WIRE(failed, context->failed)
WIRE(counts_tokens, context->counts_tokens)
WIRE(round, context->round)
WIRE(peers, context->peers)
WIRE(owner_shift, context->owner_shift)
WIRE(token_first, context->token_first)
WIRE(list_base, context->list_base)
WIRE(list_shift, context->list_shift)
WIRE(tile_shift, context->tile_shift)
WIRE(tile_first, context->tile_first)
WIRE(tile_count, context->tile_count)
WIRE(computed_blocks, context->blocks[0])
WIRE(finished_blocks, context->blocks[1])
WIRE(arrival_timeout, context->arrival_timeout)
WIRE(token_timeout, context->token_timeout)

static const struct {
    const char *name;
    wire_value *value;
} wires[] = {{"enabled", enabled_of}, {"closing", closing_of}, {"has_arrived", arrived_of}, {"has_failed", failed_of},
             {"counts_tokens", counts_tokens_of}, {"rounds", round_of}, {"peers", peers_of}, {"owner_shifts", owner_shift_of},
             {"token_firsts", token_first_of}, {"list_bases", list_base_of}, {"list_shifts", list_shift_of},
             {"tile_shifts", tile_shift_of}, {"tile_firsts", tile_first_of}, {"tile_counts", tile_count_of},
             {"computed_blocks", computed_blocks_of}, {"finished_blocks", finished_blocks_of},
             {"arrival_timeouts", arrival_timeout_of}, {"token_timeouts", token_timeout_of}};

enum { WIRES = sizeof wires / sizeof *wires };

/* ---- the bench -------------------------------------------------------------------------------------------------------- */

static const char *const block_names[] = {"address_initialised", "tile_tracker_initialised", "packet_manager_initialised",
                                          "final_reduce_initialised"};
enum { BLOCKS = sizeof block_names / sizeof *block_names };

struct told {
    const struct pin *valid, *ready, *data;
    struct stall stall;
    bool due;                /* it is offered, from the cycle after the command was taken on */
    uint64_t item;
    uint64_t taken[3];       /* by `what` */
};

struct control_bench {
    struct bench bench;
    struct csr_bench csr;
    struct moehub_hub_contexts contexts;
    struct moehub_hub_control_csr model;
    struct random_source random;
    uint32_t parameters[PARAMETERS];
    struct moehub_hub_contexts_config config;
    const struct pin *wire_pins[WIRES];
    const struct pin *take, *advanced, *result, *initialised, *stores_in_flight, *own, *address_enabled, *complete, *closed,
        *arrived, *interrupts[3], *way_interrupts, *final_interrupts, *closing;
    const struct pin *flags[4]; /* pulses that flag: of address path, ways, packet manager, tile tracker */
    const struct pin *block_pins[BLOCKS];
    struct flight_source sources[SOURCES];
    struct told set, end;

    bool traffic;                     /* pulses come, what is in flight moves */
    bool held;                        /* nobody takes what is told */
    enum flight_mode mode;
    unsigned one_source, one_bit;
    uint32_t pulse_chance;            /* one in so many cycles */
    uint32_t address_enabled_now, rows_now[CONTEXTS_MOST];
    uint64_t complete_now[CONTEXTS_MOST];
    uint32_t closed_now, arrived_now, failed_now;
    uint32_t stores_seen, others_seen; /* what the registers show: that of the cycle before */
    uint32_t stores_now, others_now;
    uint32_t windows, windows_before; /* of others, by number */
    uint32_t ready_blocks;            /* that are initialised */
    bool all_ready;                   /* in the cycle before */

    bool running, judged, advancing, tells; /* COMMAND was written; taken; an ADVANCE that both have still to take */
    bool disables;
    uint64_t result_at, taken_at;
    uint64_t refusals[MOEHUB_HUB_REFUSALS], accepted[OPERATIONS], interrupts_of_others, waited, refused_busy, cut_short,
        lost_pulses, advances_while_one, all_told_wires;
};

static struct control_bench self;

/* ---- inputs ----------------------------------------------------------------------------------------------------------- */

static bool chance(uint32_t denominator)
{
    return random_chance(&self.random, 1, denominator);
}

static unsigned context_of(const struct flight_source *source, unsigned bit)
{
    return source->bits_a_context != 0 ? bit / source->bits_a_context : bit % self.config.contexts;
}

static void drive_source(unsigned number)
{
    struct flight_source *source = &self.sources[number];
    uint32_t contexts = 0;
    memset(source->words, 0, sizeof source->words);
    for (unsigned bit = 0; bit < source->pin->bits; bit++) {
        const bool on = self.mode == ONE   ? number == self.one_source && bit == self.one_bit % source->pin->bits
                        : self.mode == NOISY ? chance(16)
                                             : false;
        bits_set(source->words, bit, 1, on);
        contexts |= (uint32_t)on << context_of(source, bit);
    }
    pin_set_words(source->pin, source->words);
    if (number == STORES)
        self.stores_now |= contexts;
    else
        self.others_now |= contexts;
}

static void drive_flight(void)
{
    self.stores_now = self.others_now = 0;
    for (unsigned i = 0; i < SOURCES; i++)
        drive_source(i);
    for (unsigned c = 0; c < self.config.contexts; c++)
        self.rows_now[c] = (uint32_t)bits_get(self.sources[ROWS].words, 7 * c, 7);
}

static uint32_t draw_pulses(bool on)
{
    uint32_t pulses = 0;
    for (unsigned c = 0; c < self.config.contexts; c++)
        pulses |= (uint32_t)(on && chance(self.pulse_chance)) << c;
    return pulses;
}

static void drive_flags(bool on)
{
    self.failed_now = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t pulses = 0;
        for (unsigned bit = 0; bit < self.flags[i]->bits; bit++) {
            const bool pulse = on && chance(8 * self.pulse_chance);
            pulses |= (uint64_t)pulse << bit;
            self.failed_now |= (uint32_t)pulse << bit % self.config.contexts;
        }
        pin_set(self.flags[i], pulses);
    }
}

static void drive_pulses(bool on)
{
    pin_set(self.closed, self.closed_now = draw_pulses(on));
    pin_set(self.arrived, self.arrived_now = draw_pulses(on));
    drive_flags(on);
}

static void drive_peers(void)
{
    uint64_t words[WORDS + 1] = {0};
    for (unsigned c = 0; c < self.config.contexts; c++) {
        if (self.traffic && chance(4))
            self.complete_now[c] = random_bits(&self.random, self.config.gpus);
        bits_set(words, c * self.config.gpus, self.config.gpus, self.complete_now[c]);
    }
    pin_set_words(self.complete, words);
    if (self.traffic && chance(8))
        self.address_enabled_now = (uint32_t)(random_bits(&self.random, self.config.contexts) |
                                              random_bits(&self.random, self.config.contexts));
    pin_set(self.address_enabled, self.address_enabled_now);
}

/* Window 1 to 3; 4 to 4 + LINKS the ways; from 9 on the final_reduce of each link. */
static void drive_windows(void)
{
    for (unsigned i = 0; i < 3; i++)
        pin_set(self.interrupts[i], self.windows >> (1 + i) & 1);
    pin_set(self.way_interrupts, self.windows >> 4);
    pin_set(self.final_interrupts, self.windows >> 9);
}

static void drive_blocks(void)
{
    for (unsigned i = 0; i < BLOCKS; i++) { /* of final_reduce a link's is missing */
        const struct pin *pin = self.block_pins[i];
        const uint64_t all = bits_mask(pin->bits), missing = UINT64_C(1) << random_below(&self.random, pin->bits);
        pin_set(pin, (self.ready_blocks >> i & 1) != 0 ? all : all & ~missing);
    }
}

static void drive_told(struct told *told)
{
    pin_set(told->ready, !self.held && !stall_next(&told->stall));
}

static void drive(void)
{
    const bool on = self.traffic && !self.bench.reset;
    drive_flight();
    drive_pulses(on);
    drive_peers();
    drive_windows();
    drive_blocks();
    drive_told(&self.set);
    drive_told(&self.end);
    pin_set(self.own, self.config.own);
}

/* ---- outputs ---------------------------------------------------------------------------------------------------------- */

static void check_wire(unsigned number)
{
    const struct pin *pin = self.wire_pins[number];
    const unsigned contexts = self.config.contexts, bits = pin->bits / contexts;
    uint64_t words[WORDS + 1] = {0};
    pin_get_words(pin, words);
    for (unsigned c = 0; c < contexts; c++) {
        const uint64_t expected = wires[number].value(&self.contexts.contexts[c]), got = bits_get(words, c * bits, bits);
        if (expected != got)
            bench_fail(&self.bench, BENCH_MISMATCH, "%s of context %u is 0x%llx, by the model 0x%llx", wires[number].name, c,
                       (unsigned long long)got, (unsigned long long)expected);
    }
}

static void check_outputs(void)
{
    for (unsigned i = 0; i < WIRES; i++)
        check_wire(i);
    if (pin_get(self.stores_in_flight) != self.stores_seen)
        bench_fail(&self.bench, BENCH_MISMATCH, "stores_in_flight is 0x%llx, of all ways it was 0x%x",
                   (unsigned long long)pin_get(self.stores_in_flight), self.stores_seen);
    if ((pin_get(self.initialised) != 0) != self.all_ready)
        bench_fail(&self.bench, BENCH_MISMATCH, "initialised is %d", !self.all_ready);
    if (self.windows_before != 0 && pin_get(self.csr.interrupt) == 0)
        bench_fail(&self.bench, BENCH_MISMATCH, "interrupt_request is low, windows 0x%x asked", self.windows_before);
    self.all_told_wires++;
}

/* An item of a stream: it is offered when it is due, and stands until it is taken. */
static void check_told(struct told *told, const char *name)
{
    if ((pin_get(told->valid) != 0) != told->due)
        bench_fail(&self.bench, BENCH_MISMATCH, "%s is %soffered", name, told->due ? "not " : "");
    if (!told->due)
        return;
    if (pin_get(told->data) != told->item)
        bench_fail(&self.bench, BENCH_MISMATCH, "%s offers 0x%llx instead of 0x%llx", name,
                   (unsigned long long)pin_get(told->data), (unsigned long long)told->item);
    if (pin_get(told->ready) == 0)
        return;
    scoreboard_value(&self.csr.registers, name, told->item, pin_get(told->data));
    told->due = false;
    told->taken[told->item & 3]++;
    self.result_at = self.bench.cycle + 2;
}

/* ---- one cycle -------------------------------------------------------------------------------------------------------- */

static void expect_told(const struct moehub_hub_outcome *outcome)
{
    const struct moehub_hub_set *set = &outcome->set;
    const struct moehub_hub_end *end = &outcome->end;
    self.set.due = set->valid;
    self.set.item = set->what | (uint64_t)set->context << 2 | (uint64_t)set->expert << 5 | (uint64_t)set->first << 21 |
                    (uint64_t)set->count << 37;
    self.end.due = end->valid;
    self.end.item = end->what | (uint64_t)end->context << 2;
    self.tells = set->valid || end->valid;
    self.advancing = set->valid && end->valid;
}

static void note_taken(const struct moehub_hub_outcome *outcome)
{
    const unsigned operation = self.model.started.operation;
    const bool refused = outcome->refusal != MOEHUB_HUB_ACCEPTED;
    self.running = false;
    self.judged = true;
    self.taken_at = self.bench.cycle;
    self.disables = !refused && operation == MOEHUB_HUB_CONTROL_COMMAND_DISABLE;
    self.result_at = self.bench.cycle + (self.disables ? DISABLE_PAUSE : 1);
    self.refusals[outcome->refusal]++;
    self.accepted[operation] += !refused;
    expect_told(outcome);
}

static struct moehub_hub_seen seen_by(const struct moehub_hub_command *command)
{
    if (command->context >= self.config.contexts)
        return (struct moehub_hub_seen){.in_flight = true};
    const unsigned c = command->context;
    return (struct moehub_hub_seen){.address_enabled = (self.address_enabled_now >> c & 1) != 0,
                                    .in_flight = ((self.stores_seen | self.others_seen) >> c & 1) != 0,
                                    .rows = self.rows_now[c],
                                    .complete = self.complete_now[c]};
}

static uint32_t clean_contexts(void)
{
    uint32_t clean = 0;
    for (unsigned c = 0; c < self.config.contexts; c++)
        clean |= (uint32_t)self.contexts.contexts[c].clean << c;
    return clean;
}

static void step_model(bool advanced)
{
    const bool taken = pin_get(self.take) != 0;
    if (taken && (!self.running || !self.all_ready))
        bench_fail(&self.bench, BENCH_MISMATCH, "a command is taken that is not there, or before all blocks are initialised");
    const struct moehub_hub_cycle cycle = {.command = taken ? &self.model.started : NULL,
                                           .seen = seen_by(&self.model.started),
                                           .closed = self.closed_now,
                                           .arrived = self.arrived_now,
                                           .failed = self.failed_now,
                                           .advanced = advanced ? 1u << self.model.started.context : 0};
    self.lost_pulses += ((cycle.closed | cycle.arrived | cycle.failed) & (clean_contexts() | cycle.advanced)) != 0;
    const struct moehub_hub_outcome outcome = moehub_hub_contexts_step(&self.contexts, &cycle);
    moehub_hub_control_csr_note(&self.model, &outcome, taken);
    if (self.contexts.offenders.count > 1)
        self.contexts.offenders.count = 1;
    if (!moehub_hub_contexts_is_valid(&self.contexts))
        bench_fail(&self.bench, BENCH_MISMATCH, "the model's state is not valid");
    if (taken)
        note_taken(&outcome);
}

static void check_result(void)
{
    const bool due = self.judged && !self.set.due && !self.end.due && self.bench.cycle == self.result_at;
    if ((pin_get(self.result) != 0) != due)
        bench_fail(&self.bench, BENCH_MISMATCH, "the result is %s, %llu cycles after the command was taken",
                   due ? "missing" : "there", (unsigned long long)(self.bench.cycle - self.taken_at));
    if (due)
        self.judged = false;
}

/* Both have taken it in a cycle before. */
static bool check_advanced(void)
{
    const bool due = self.advancing && !self.set.due && !self.end.due;
    if ((pin_get(self.advanced) != 0) != due)
        bench_fail(&self.bench, BENCH_MISMATCH, "ADVANCE is %sdone", due ? "not " : "");
    self.advancing = self.advancing && !due;
    return due;
}

static void sample(void)
{
    check_outputs();
    check_result();
    const bool advanced = check_advanced();
    const bool ends = self.end.due && (self.end.item & 3) < 2 && pin_get(self.end.ready) != 0;
    if (ends && (pin_get(self.closing) >> (self.end.item >> 2) & 1) == 0)
        bench_fail(&self.bench, BENCH_MISMATCH, "the packet manager is told, and closing is low");
    check_told(&self.set, "m_axis_set");
    check_told(&self.end, "m_axis_end");
    step_model(advanced);
}

static void step(void *context)
{
    (void)context;
    csr_bench_drive(&self.csr);
    drive();
    bench_settle(&self.bench);
    csr_bench_sample(&self.csr);
    if (!self.bench.reset)
        sample();
    self.stores_seen = self.bench.reset ? 0 : self.stores_now;
    self.others_seen = self.bench.reset ? 0 : self.others_now;
    self.windows_before = self.bench.reset ? 0 : self.windows;
    self.all_ready = !self.bench.reset && self.ready_blocks == bits_mask(BLOCKS);
    bench_tick(&self.bench);
}

/* ---- the model -------------------------------------------------------------------------------------------------------- */

static enum moehub_csr_response model_write(void *csr, uint32_t address, uint32_t data, unsigned strobes)
{
    return moehub_hub_control_csr_write(csr, address, data, strobes, false);
}

static struct moehub_csr_word model_read(void *csr, uint32_t address)
{
    return moehub_hub_control_csr_read(csr, address);
}

static bool model_latch(const void *csr, uint32_t status, const uint32_t header[4], uint32_t name)
{
    return moehub_hub_control_csr_latch_possible(csr, status, header, name);
}

static void create_model(void)
{
    self.config.own = (uint32_t)random_below(&self.random, self.config.gpus);
    if (moehub_hub_contexts_create(&self.contexts, &self.config) != 0)
        bench_fail(&self.bench, BENCH_CONFIGURATION, "no memory for the model, or parameters that it refuses");
    moehub_hub_control_csr_init(&self.model, &self.contexts, self.parameters);
}

/* ---- commands --------------------------------------------------------------------------------------------------------- */

static void write_operands(const struct moehub_hub_command *command)
{
    const uint32_t above = (uint32_t)random_next(&self.random); /* bits that the registers do not have */
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT, command->context | (above & ~UINT32_C(0xFF)));
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_INDEX, command->index | (above & ~UINT32_C(0xFFFF)));
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_LOW, (uint32_t)command->data0);
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_HIGH, (uint32_t)(command->data0 >> 32));
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_LOW, (uint32_t)command->data1);
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_HIGH, (uint32_t)(command->data1 >> 32));
}

/* The model knows it before the hardware can have taken it. Bits above the operation mean nothing. */
static void start(unsigned operation)
{
    const uint32_t word = ((uint32_t)random_next(&self.random) & ~MOEHUB_CSR_COMMAND_OPERATION) | operation;
    self.running = true;
    const unsigned expected = model_write(&self.model, MOEHUB_CSR_COMMAND, word, 0xF);
    const unsigned response = axi_lite_write(&self.csr.lite, MOEHUB_CSR_COMMAND, word);
    csr_compare(&self.csr, "write response", MOEHUB_CSR_COMMAND, expected, response);
}

static void draw_traffic(void)
{
    static const uint32_t chances[] = {8, 64, 1024};
    self.mode = (enum flight_mode)random_below(&self.random, MODES);
    self.one_source = (unsigned)random_below(&self.random, SOURCES);
    self.one_bit = (unsigned)random_next(&self.random);
    self.pulse_chance = chances[random_below(&self.random, 3)];
    self.traffic = true;
    if (chance(2))
        bench_run(&self.bench, random_below(&self.random, 20));
}

static void stop_traffic(void)
{
    enum { SETTLE = 4 };
    self.traffic = false;
    if (self.mode == NOISY)
        self.mode = chance(2) ? ONE : STILL;
    bench_run(&self.bench, SETTLE);
}

/* While what is told is not taken the next COMMAND is refused by the bus; operands may be written. */
static void try_while_busy(void)
{
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_LOW, (uint32_t)random_next(&self.random));
    csr_write(&self.csr, MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT, (uint32_t)random_next(&self.random));
    if (!self.set.due && !self.end.due)
        return;
    const unsigned response = axi_lite_write(&self.csr.lite, MOEHUB_CSR_COMMAND, (uint32_t)random_next(&self.random));
    csr_compare(&self.csr, "write response while busy", MOEHUB_CSR_COMMAND, MOEHUB_CSR_SLVERR, response);
    self.refused_busy++;
}

static void read_result(void)
{
    csr_read(&self.csr, MOEHUB_CSR_COMMAND_STATUS);
    for (uint32_t word = 0; word < 4; word++)
        csr_read(&self.csr, MOEHUB_HUB_CONTROL_CSR_RESULT_DATA0_LOW + 4 * word);
}

static uint32_t closing_contexts(void)
{
    uint32_t closing = 0;
    for (unsigned c = 0; c < self.config.contexts; c++)
        closing |= (uint32_t)(self.contexts.contexts[c].closing && !self.contexts.contexts[c].closed) << c;
    return closing;
}

static void check_status(void)
{
    const uint32_t status = csr_read(&self.csr, MOEHUB_CSR_STATUS);
    const uint32_t flight = self.stores_seen | self.others_seen | closing_contexts();
    csr_compare(&self.csr, "fields", MOEHUB_CSR_STATUS, 1 | flight << 24, status & 0xFF0000FF);
    self.advances_while_one += self.mode == ONE;
}

static void command(void)
{
    const struct moehub_hub_command drawn = draw_hub_command(&self.random, &self.contexts);
    write_operands(&drawn);
    draw_traffic();
    self.held = chance(4);
    start(drawn.operation);
    if (self.held)
        try_while_busy();
    self.held = false;
    csr_wait(&self.csr, MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_BUSY, 0, "a command never ends");
    stop_traffic();
    read_result();
    check_status();
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

/* Windows of others by chance, none, one or several; that of this block by its mask. */
static void check_windows(void)
{
    const unsigned links = self.parameters[0];
    const uint32_t existing = 0xE | (uint32_t)bits_mask(links + 1) << 4 | (uint32_t)bits_mask(links) << 9;
    csr_write(&self.csr, MOEHUB_CSR_INTERRUPT_MASK, (uint32_t)random_bits(&self.random, 4));
    const uint32_t own = (self.model.bank.interrupt_status & self.model.bank.interrupt_mask) != 0;
    self.windows = chance(3) ? 0 : chance(2) ? 1u << random_below(&self.random, 16) : (uint32_t)random_next(&self.random);
    self.windows &= existing;
    bench_run(&self.bench, 3);
    csr_compare(&self.csr, "windows", MOEHUB_HUB_CONTROL_CSR_INTERRUPTS, self.windows | own,
                csr_read(&self.csr, MOEHUB_HUB_CONTROL_CSR_INTERRUPTS));
    csr_compare(&self.csr, "the hub's interrupt request", MOEHUB_HUB_CONTROL_CSR_INTERRUPTS, (self.windows | own) != 0,
                pin_get(self.csr.interrupt));
    self.interrupts_of_others += self.windows != 0 && own == 0;
    self.windows = 0;
    bench_run(&self.bench, 3);
}

static void forget_command(void)
{
    self.running = self.judged = self.advancing = self.tells = false;
    self.set.due = self.end.due = false;
}

/* A command that comes before some block is initialised waits for it. */
static void initialise(void)
{
    enum { WAIT = 20 };
    self.ready_blocks = 0;
    bench_run(&self.bench, random_below(&self.random, 4));
    self.ready_blocks = (uint32_t)bits_mask(BLOCKS) & ~(1u << random_below(&self.random, BLOCKS));
    if (chance(2)) {
        const struct moehub_hub_command drawn = draw_hub_command(&self.random, &self.contexts);
        const struct moehub_hub_command other = draw_hub_command(&self.random, &self.contexts);
        write_operands(&drawn);
        start(drawn.operation);
        write_operands(&other); /* the one that waits has its own */
        bench_run(&self.bench, random_below(&self.random, WAIT));
        self.waited++;
    }
    const uint32_t status = csr_read(&self.csr, MOEHUB_CSR_STATUS);
    csr_compare(&self.csr, "INITIALISED", MOEHUB_CSR_STATUS, 0, status & MOEHUB_HUB_CONTROL_CSR_STATUS_INITIALISED);
    csr_compare(&self.csr, "COMMAND_BUSY", MOEHUB_CSR_STATUS, self.running,
                moehub_field(MOEHUB_HUB_CONTROL_CSR_STATUS_COMMAND_BUSY, status));
    self.ready_blocks = (uint32_t)bits_mask(BLOCKS);
    csr_wait(&self.csr, MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_BUSY, 0, "a command waits for nothing");
    bench_run(&self.bench, 4);
}

/* Some find a command under way. */
static void reset(void)
{
    if (chance(2)) {
        const struct moehub_hub_command drawn = draw_hub_command(&self.random, &self.contexts);
        write_operands(&drawn);
        self.held = true;
        start(drawn.operation);
        bench_run(&self.bench, random_below(&self.random, 12));
        self.cut_short += self.running || self.judged;
        self.held = false;
    }
    self.mode = STILL;
    forget_command();
    moehub_hub_contexts_destroy(&self.contexts);
    create_model();
    bench_reset(&self.bench, (unsigned)random_range(&self.random, 1, 3));
    initialise();
}

static void round_of_checks(void)
{
    command();
    if (chance(4))
        csr_check_latch(&self.csr);
    if (chance(8))
        check_windows();
    if (chance(8))
        csr_check_counters(&self.csr);
    if (chance(32))
        csr_check_interrupt(&self.csr);
}

static void demand(const char *what, uint64_t count)
{
    if (count == 0)
        bench_fail(&self.bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(void)
{
    char what[64];
    uint64_t refused = 0, accepted = 0;
    for (unsigned why = 1; why < MOEHUB_HUB_REFUSALS; why++) {
        snprintf(what, sizeof what, "refusal %u", why);
        refused += self.refusals[why];
        if (hub_refusal_possible(&self.config, (enum moehub_hub_refusal)why))
            demand(what, self.refusals[why]);
    }
    for (unsigned operation = 0; operation <= MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET; operation++) {
        snprintf(what, sizeof what, "operation %u accepted", operation);
        accepted += self.accepted[operation];
        demand(what, self.accepted[operation]);
    }
    for (unsigned i = 0; i < 3; i++) {
        demand("each item of m_axis_set", self.set.taken[i]);
        demand("each item of m_axis_end", self.end.taken[i]);
    }
    summary_number(&self.bench.summary, "commands accepted", (double)accepted, "");
    summary_number(&self.bench.summary, "commands refused", (double)refused, "");
    summary_number(&self.bench.summary, "cycles in which all wires were compared", (double)self.all_told_wires, "");
    csr_bench_summary(&self.csr);
    demand("interrupt of another window alone", self.interrupts_of_others);
    demand("a command that waits for a block", self.waited);
    demand("COMMAND while busy", self.refused_busy);
    demand("a reset under a command", self.cut_short);
    demand("pulses for a clean context", self.lost_pulses);
    demand("one thing in flight", self.advances_while_one);
    demand("an error latch", self.csr.latches);
    demand("an interrupt", self.csr.interrupts);
}

/* ---- the run ---------------------------------------------------------------------------------------------------------- */

static void find_pins(void)
{
    static const char *const sources[] = {"way_stores_in_flight", "way_requests_in_flight", "rows", "reduces_in_flight",
                                          "notifying", "address_in_flight"};
    static const char *const flags[] = {"faults", "way_failed", "packet_manager_failed", "tile_tracker_failed"};
    static const char *const interrupts[] = {"address_interrupt", "tile_tracker_interrupt", "packet_manager_interrupt"};
    struct bench *bench = &self.bench;
    for (unsigned i = 0; i < WIRES; i++)
        self.wire_pins[i] = bench_pin(bench, wires[i].name);
    for (unsigned i = 0; i < SOURCES; i++)
        self.sources[i] = (struct flight_source){.pin = bench_pin(bench, sources[i]),
                                                 .bits_a_context = i == ROWS ? 7 : i == STORES || i == REQUESTS ? 0 : 1};
    for (unsigned i = 0; i < 4; i++)
        self.flags[i] = bench_pin(bench, flags[i]);
    for (unsigned i = 0; i < 3; i++)
        self.interrupts[i] = bench_pin(bench, interrupts[i]);
    for (unsigned i = 0; i < BLOCKS; i++)
        self.block_pins[i] = bench_pin(bench, block_names[i]);
    self.way_interrupts = bench_pin(bench, "way_interrupts");
    self.final_interrupts = bench_pin(bench, "final_reduce_interrupts");
    self.take = bench_pin(bench, "watch_take");
    self.advanced = bench_pin(bench, "watch_advanced");
    self.result = bench_pin(bench, "watch_result");
    self.initialised = bench_pin(bench, "initialised");
    self.stores_in_flight = bench_pin(bench, "stores_in_flight");
    self.own = bench_pin(bench, "own");
    self.address_enabled = bench_pin(bench, "address_enabled");
    self.complete = bench_pin(bench, "complete");
    self.closed = bench_pin(bench, "closed");
    self.arrived = bench_pin(bench, "arrived");
    self.closing = bench_pin(bench, "closing");
}

static void create_told(struct told *told, const char *name)
{
    char pin[32];
    snprintf(pin, sizeof pin, "%s_tvalid", name);
    told->valid = bench_pin(&self.bench, pin);
    snprintf(pin, sizeof pin, "%s_tready", name);
    told->ready = bench_pin(&self.bench, pin);
    snprintf(pin, sizeof pin, "%s_tdata", name);
    told->data = bench_pin(&self.bench, pin);
    stall_init(&told->stall, STALL_MIXED, self.bench.options.seed, name);
}

/* In the order of the PARAMETER registers, as the hub is built by default. */
static void read_parameters(void)
{
    static const uint32_t defaults[PARAMETERS] = {1,    8,   4,    8,  64, 32, 8,    20,   22, 14,  48, 2048,
                                                  256, 1024, 64, 4, 16, 1024, 4096, 32, 448, 32, 13, 1};
    static const char *const names[PARAMETERS] = {
        "LINKS", "GPUS", "CONTEXTS", "LOCAL_EXPERT_BITS", "LOCAL_EXPERTS", "MAX_TARGETS", "REQUEST_LINES", "ROW_INDEX_WIDTH",
        "SLOT_WIDTH", "OFFSET_WIDTH", "ADDRESS_WIDTH", "PLACES_STORE", "PLACES_REQUEST", "PLACES_RESPONSE", "LOOP_PLACES",
        "LOOP_SHARE", "LANE_BYTES", "TILES", "TOKENS", "ROWS", "LINES", "STORE_BYTES", "FINAL_GROUPS", "WITH_FP32"};
    struct parameter parameters[PARAMETERS];
    memcpy(self.parameters, defaults, sizeof defaults);
    for (unsigned i = 0; i < PARAMETERS; i++)
        parameters[i] = (struct parameter){names[i], &self.parameters[i]};
    parameters_read(dut_description(), "", NULL, parameters, PARAMETERS);
    self.config = (struct moehub_hub_contexts_config){
        .gpus = self.parameters[1], .contexts = self.parameters[2], .local_experts = self.parameters[4],
        .row_index_width = self.parameters[7], .slot_width = self.parameters[8], .address_width = self.parameters[10],
        .tiles = self.parameters[17], .tokens = self.parameters[18]};
}

static void create(void)
{
    struct bench *bench = &self.bench;
    read_parameters();
    find_pins();
    create_told(&self.set, "m_axis_set");
    create_told(&self.end, "m_axis_end");
    bench_random(bench, &self.random, "control");
    create_model();
    const struct csr_model model = {.csr = &self.model, .bank = &self.model.bank, .write = model_write, .read = model_read,
                                    .latch_possible = model_latch};
    csr_bench_create(&self.csr, bench, &model, &moehub_hub_control_registers, &self.random);
    bench->step = step;
    bench->context = &self;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Contexts of the hub and the registers of its control window against their models", .events = 200000,
        .cycles = UINT64_MAX, .watchdog = 20000};
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create();
    bench_reset(bench, 2);
    csr_check_reset(&self.csr);
    self.ready_blocks = (uint32_t)bits_mask(BLOCKS);
    bench_run(bench, 3);
    csr_sweep_addresses(&self.csr);
    csr_sweep_registers(&self.csr);
    while (bench_running(bench)) {
        round_of_checks();
        if (chance(128))
            reset();
    }
    check_covered();
    const int status = bench_finish(bench);
    moehub_hub_contexts_destroy(&self.contexts);
    scoreboard_destroy(&self.csr.registers);
    return status;
}
