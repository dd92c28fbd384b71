/* SPDX-License-Identifier: Apache-2.0 */
/* What every block's registers are tested with (rtl/doc/registers.md): each access against the block's register model, and
 * each register against the generated table: every address, field, kind of access, partial strobe and reset value, then
 * interrupt, error latch and counters. Commands, and what only the block has, stay with the block's bench.
 *
 * Accesses run the clock through bench.step, which calls csr_bench_drive and csr_bench_sample. */
#ifndef BENCH_CSR_BENCH_H
#define BENCH_CSR_BENCH_H

#include "kit/axi_lite.h"
#include "kit/random.h"
#include "kit/scoreboard.h"
#include "moehub/csr.h"

/* The block's register model. */
struct csr_model {
    void *csr;
    struct moehub_csr_bank *bank;
    enum moehub_csr_response (*write)(void *csr, uint32_t address, uint32_t data, unsigned strobes); /* any but COMMAND */
    struct moehub_csr_word (*read)(void *csr, uint32_t address);
    bool (*latch_possible)(const void *csr, uint32_t status, const uint32_t header[4], uint32_t name);
};

struct csr_bench {
    struct bench *bench;
    struct csr_model model;
    const struct moehub_register_map *map;
    struct random_source *random;
    struct axi_lite lite;
    struct scoreboard registers;
    const struct pin *interrupt;
    uint64_t latches, interrupts; /* found latched, found raised */
    struct csr_history *history;  /* counts of each cycle, while they are recorded; else NULL */
};

/* On the pins s_axil_* and interrupt_request, with stalls. */
void csr_bench_create(struct csr_bench *csr, struct bench *bench, const struct csr_model *model,
                      const struct moehub_register_map *map, struct random_source *random);
void csr_bench_drive(struct csr_bench *csr);
void csr_bench_sample(struct csr_bench *csr);
/* Lines of the summary. */
void csr_bench_summary(struct csr_bench *csr);

/* ---- one access, compared with the model ------------------------------------------------- */

/* Compares two values; `what` and the address name them when they differ. */
void csr_compare(struct csr_bench *csr, const char *what, uint32_t address, uint64_t expected, uint64_t got);

/* Any write but COMMAND with all strobes. */
void csr_write(struct csr_bench *csr, uint32_t address, uint32_t data);
void csr_write_strobed(struct csr_bench *csr, uint32_t address, uint32_t data, unsigned strobes);

/* Any read; the model's known bits are compared, and those outside of all fields must be 0. */
uint32_t csr_read(struct csr_bench *csr, uint32_t address);

/* Reads, without comparing, until the field `mask` of the register is `value`; returns the word. */
uint32_t csr_wait(struct csr_bench *csr, uint32_t address, uint32_t mask, uint32_t value, const char *complaint);

/* ---- without traffic ---------------------------------------------------------------------- */

/* Right after reset: every register that has a reset value reads it. */
void csr_check_reset(struct csr_bench *csr);

/* Every address up to behind the last register, then those with one more address bit set, read and written, with all
 * strobes and with some. COMMAND is not given. */
void csr_sweep_addresses(struct csr_bench *csr);

/* Every bit of every register of the table: what is kept, cleared, left alone, and that no register changes another. */
void csr_sweep_registers(struct csr_bench *csr);

/* SNAPSHOT, then all counters. */
void csr_check_counters(struct csr_bench *csr);

/* Status, header and name of the latch are one of the model's candidates. */
void csr_check_latch(struct csr_bench *csr);

/* The pin under every mask; then clears interrupt bits and the latch by chance. */
void csr_check_interrupt(struct csr_bench *csr);

/* ---- in traffic ----------------------------------------------------------------------------- */

/* The counters of one snapshot stay as they are until the next. */
void csr_check_snapshot_holds(struct csr_bench *csr, unsigned events);

/* The same, and all of them are those of one cycle. `counts` is what bench.step counts, of `events` events. */
void csr_check_snapshot_of_cycle(struct csr_bench *csr, const uint64_t *counts, unsigned events);

#endif
