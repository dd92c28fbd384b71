/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/csr_bench.h"

#include <stdio.h>
#include <string.h>

enum { ALL_STROBES = 0xF, POLLS_MAX = 100000, CYCLES_MAX = 4096 };

struct csr_history {
    const uint64_t *counts;
    unsigned events, cycles;
    uint64_t cycle[CYCLES_MAX][MOEHUB_CSR_EVENTS_MAX];
};

void csr_bench_create(struct csr_bench *csr, struct bench *bench, const struct csr_model *model,
                      const struct moehub_register_map *map, struct random_source *random)
{
    static const struct field value = {"value", 64};
    *csr = (struct csr_bench){.bench = bench, .model = *model, .map = map, .random = random};
    scoreboard_create(&csr->registers, bench, "registers", &value, 1, 1, 1);
    axi_lite_create(&csr->lite, bench, "s_axil", STALL_MIXED);
    csr->interrupt = bench_pin(bench, "interrupt_request");
}

void csr_bench_drive(struct csr_bench *csr)
{
    axi_lite_drive(&csr->lite);
}

static void record(struct csr_bench *csr)
{
    struct csr_history *history = csr->history;
    if (history->cycles == CYCLES_MAX)
        bench_fail(csr->bench, BENCH_TIMEOUT, "SNAPSHOT takes more than %d cycles", CYCLES_MAX);
    memcpy(history->cycle[history->cycles++], history->counts, history->events * sizeof *history->counts);
}

void csr_bench_sample(struct csr_bench *csr)
{
    axi_lite_sample(&csr->lite);
    if (csr->history != NULL)
        record(csr);
}

void csr_bench_summary(struct csr_bench *csr)
{
    summary_number(&csr->bench->summary, "error latches read", (double)csr->latches, "");
    summary_number(&csr->bench->summary, "interrupts raised", (double)csr->interrupts, "");
}

/* ---- one access ------------------------------------------------------------------------ */

void csr_compare(struct csr_bench *csr, const char *what, uint32_t address, uint64_t expected, uint64_t got)
{
    char name[96] = "register";
    const struct moehub_register *reg = moehub_register_find(csr->map, address, NULL);
    if (expected != got)
        snprintf(name, sizeof name, "%s of register 0x%03x %s", what, address, reg != NULL ? reg->name : "(none)");
    scoreboard_value(&csr->registers, name, expected, got);
}

void csr_write_strobed(struct csr_bench *csr, uint32_t address, uint32_t data, unsigned strobes)
{
    const unsigned response = axi_lite_write_strobed(&csr->lite, address, data, strobes);
    csr_compare(csr, "write response", address, csr->model.write(csr->model.csr, address, data, strobes), response);
}

void csr_write(struct csr_bench *csr, uint32_t address, uint32_t data)
{
    csr_write_strobed(csr, address, data, ALL_STROBES);
}

uint32_t csr_read(struct csr_bench *csr, uint32_t address)
{
    uint32_t data;
    const unsigned response = axi_lite_read(&csr->lite, address, &data);
    const struct moehub_csr_word word = csr->model.read(csr->model.csr, address);
    const struct moehub_register *reg = moehub_register_find(csr->map, address, NULL);
    csr_compare(csr, "read response", address, word.response, response);
    csr_compare(csr, "known bits", address, word.data, data & word.known);
    csr_compare(csr, "bits outside of the fields", address, 0, reg != NULL ? data & ~reg->fields : data);
    return data;
}

uint32_t csr_wait(struct csr_bench *csr, uint32_t address, uint32_t mask, uint32_t value, const char *complaint)
{
    for (unsigned polls = 0; polls < POLLS_MAX; polls++) {
        const uint32_t word = axi_lite_get(&csr->lite, address);
        if (moehub_field(mask, word) == value)
            return word;
    }
    bench_fail(csr->bench, BENCH_TIMEOUT, "%s", complaint);
}

/* ---- registers of the table ------------------------------------------------------------- */

static uint32_t last_address(const struct csr_bench *csr)
{
    uint32_t last = 0;
    for (size_t i = 0; i < csr->map->count; i++) {
        const struct moehub_register *reg = &csr->map->registers[i];
        const uint32_t end = reg->offset + (reg->count - 1) * reg->stride;
        last = end > last ? end : last;
    }
    return last;
}

void csr_check_reset(struct csr_bench *csr)
{
    for (size_t i = 0; i < csr->map->count; i++) {
        const struct moehub_register *reg = &csr->map->registers[i];
        for (uint32_t k = 0; reg->has_reset && k < reg->count; k++) {
            const uint32_t address = reg->offset + k * reg->stride;
            csr_compare(csr, "reset value", address, reg->reset, csr_read(csr, address));
        }
    }
}

/* COMMAND itself is given by the bench of the block. */
static void write_anything(struct csr_bench *csr, uint32_t address)
{
    if (address != MOEHUB_CSR_COMMAND)
        csr_write(csr, address, (uint32_t)random_next(csr->random));
    csr_write_strobed(csr, address, (uint32_t)random_next(csr->random), (unsigned)random_below(csr->random, ALL_STROBES));
}

/* All registers whose words software writes. */
static void read_kept(struct csr_bench *csr)
{
    for (size_t i = 0; i < csr->map->count; i++)
        if (csr->map->registers[i].kept != 0)
            csr_read(csr, csr->map->registers[i].offset);
}

void csr_sweep_addresses(struct csr_bench *csr)
{
    enum { BEHIND = 0x20, ADDRESS_BITS = 12 };
    const uint32_t last = last_address(csr);
    for (uint32_t address = 0; address <= last + BEHIND; address++) {
        csr_read(csr, address);
        write_anything(csr, address);
        csr_read(csr, address);
    }
    for (unsigned bit = 0; bit < ADDRESS_BITS; bit++) {
        if (last >> bit != 0)
            continue; /* a bit that registers have */
        for (uint32_t address = 0; address <= last; address += 4) {
            csr_read(csr, address | UINT32_C(1) << bit);
            write_anything(csr, address | UINT32_C(1) << bit);
        }
    }
    read_kept(csr);
}

/* What is kept reads back, and no other register has changed. */
static void write_and_check(struct csr_bench *csr, const struct moehub_register *reg, uint32_t data)
{
    csr_write(csr, reg->offset, data);
    csr_compare(csr, "kept bits", reg->offset, data & reg->kept, csr_read(csr, reg->offset) & reg->kept);
    read_kept(csr);
}

static void sweep_kept(struct csr_bench *csr, const struct moehub_register *reg)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        write_and_check(csr, reg, UINT32_C(1) << bit);
        write_and_check(csr, reg, ~(UINT32_C(1) << bit));
    }
    for (unsigned strobes = 0; strobes < ALL_STROBES; strobes++) {
        const uint32_t before = csr_read(csr, reg->offset);
        csr_write_strobed(csr, reg->offset, ~before, strobes);
        csr_compare(csr, "word after a partial write", reg->offset, before, csr_read(csr, reg->offset));
    }
}

static void sweep_cleared(struct csr_bench *csr, const struct moehub_register *reg)
{
    const uint32_t before = csr_read(csr, reg->offset);
    csr_write(csr, reg->offset, ~reg->cleared);
    csr_compare(csr, "word after writing no bit", reg->offset, before, csr_read(csr, reg->offset));
    csr_write(csr, reg->offset, reg->cleared);
    csr_compare(csr, "cleared bits", reg->offset, 0, csr_read(csr, reg->offset) & reg->cleared);
}

void csr_sweep_registers(struct csr_bench *csr)
{
    for (size_t i = 0; i < csr->map->count; i++) {
        const struct moehub_register *reg = &csr->map->registers[i];
        if (reg->kept != 0)
            sweep_kept(csr, reg);
        if (reg->cleared != 0)
            sweep_cleared(csr, reg);
    }
}

/* ---- what every block has ---------------------------------------------------------------- */

void csr_check_counters(struct csr_bench *csr)
{
    const struct moehub_register *low = moehub_register_find(csr->map, MOEHUB_CSR_COUNTER_LOW, NULL);
    csr_write(csr, MOEHUB_CSR_SNAPSHOT, 0);
    for (uint32_t event = 0; event < low->count; event++) {
        csr_read(csr, MOEHUB_CSR_COUNTER_LOW + event * low->stride);
        csr_read(csr, MOEHUB_CSR_COUNTER_HIGH + event * low->stride);
    }
}

void csr_check_latch(struct csr_bench *csr)
{
    uint32_t header[MOEHUB_CSR_LATCH_HEADER_COUNT];
    const uint32_t status = csr_read(csr, MOEHUB_CSR_LATCH_STATUS);
    for (uint32_t i = 0; i < MOEHUB_CSR_LATCH_HEADER_COUNT; i++)
        header[i] = csr_read(csr, MOEHUB_CSR_LATCH_HEADER + 4 * i);
    const uint32_t name = csr_read(csr, MOEHUB_CSR_LATCH_NAME);
    csr->latches += moehub_field(MOEHUB_CSR_LATCH_STATUS_LATCHED, status);
    if (!csr->model.latch_possible(csr->model.csr, status, header, name))
        bench_fail(csr->bench, BENCH_MISMATCH,
                   "error latch: status 0x%x header %08x %08x %08x %08x name 0x%x is none of the model's %zu candidates", status,
                   header[3], header[2], header[1], header[0], name, csr->model.bank->offenders->count);
}

void csr_check_interrupt(struct csr_bench *csr)
{
    const uint32_t bits = moehub_register_find(csr->map, MOEHUB_CSR_INTERRUPT_STATUS, NULL)->cleared;
    for (uint32_t mask = 0; mask <= bits; mask++) {
        csr_write(csr, MOEHUB_CSR_INTERRUPT_MASK, mask);
        const uint32_t status = csr_read(csr, MOEHUB_CSR_INTERRUPT_STATUS);
        bench_run(csr->bench, 2);
        scoreboard_value(&csr->registers, "interrupt pin", (status & mask) != 0, pin_get(csr->interrupt));
        csr->interrupts += (status & mask) != 0;
    }
    csr_write(csr, MOEHUB_CSR_INTERRUPT_STATUS, (uint32_t)random_next(csr->random) & bits);
    csr_read(csr, MOEHUB_CSR_INTERRUPT_STATUS);
    if (random_chance(csr->random, 1, 2)) /* else the latch keeps its first offender through the next round */
        csr_write(csr, MOEHUB_CSR_LATCH_STATUS, (uint32_t)random_bits(csr->random, 1));
    csr_read(csr, MOEHUB_CSR_LATCH_STATUS);
    csr_read(csr, MOEHUB_CSR_INTERRUPT_STATUS);
}

void csr_check_snapshot_holds(struct csr_bench *csr, unsigned events)
{
    enum { PAUSE = 20 };
    axi_lite_set(&csr->lite, MOEHUB_CSR_SNAPSHOT, 0);
    for (uint32_t event = 0; event < events; event++) {
        const uint32_t address = MOEHUB_CSR_COUNTER_LOW + 8 * event;
        const uint32_t first = axi_lite_get(&csr->lite, address);
        bench_run(csr->bench, random_below(csr->random, PAUSE));
        csr_compare(csr, "snapshot in traffic", address, first, axi_lite_get(&csr->lite, address));
    }
}

/* A cycle of the record with just these counts. */
static bool recorded(const struct csr_history *history, const uint64_t *counts)
{
    for (unsigned cycle = 0; cycle < history->cycles; cycle++)
        if (memcmp(history->cycle[cycle], counts, history->events * sizeof *counts) == 0)
            return true;
    return false;
}

void csr_check_snapshot_of_cycle(struct csr_bench *csr, const uint64_t *counts, unsigned events)
{
    enum { AROUND = 8 /* cycles in which an event may be under way */, PAUSE = 20 };
    static struct csr_history history;
    uint64_t read[MOEHUB_CSR_EVENTS_MAX];
    history.counts = counts;
    history.events = events;
    history.cycles = 0;
    csr->history = &history;
    bench_run(csr->bench, AROUND);
    axi_lite_set(&csr->lite, MOEHUB_CSR_SNAPSHOT, 0);
    bench_run(csr->bench, AROUND);
    csr->history = NULL;
    for (unsigned event = 0; event < events; event++) {
        read[event] = axi_lite_get64(&csr->lite, MOEHUB_CSR_COUNTER_LOW + 8 * event);
        bench_run(csr->bench, random_below(csr->random, PAUSE));
    }
    if (!recorded(&history, read))
        bench_fail(csr->bench, BENCH_MISMATCH, "counters of a snapshot in traffic are those of no cycle around it");
}
