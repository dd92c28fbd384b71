/* SPDX-License-Identifier: Apache-2.0 */
/* The design under test as C sees it, over Verilated top modules (shim.cpp).
 *
 * Each program has one top module of its own (a wrapper under sim/tops where a bench needs several blocks), further models where
 * its configuration names some (sim.mk, NAME.models), and any number of instances of each. The pin table is made by the
 * build from the Verilated header (pins.awk): nobody writes it by hand. */
#ifndef KIT_DUT_H
#define KIT_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A top-level port. `data` points into the Verilated model: uint8_t, uint16_t, uint32_t, uint64_t, or an array of
 * uint32_t, least significant first, for more than 64 bits. */
struct pin {
    const char *name;
    void *data;
    uint32_t bits;
    uint32_t bytes; /* 1, 2, 4, 8, or 4 * number of words when wide */
    uint64_t mask;  /* of the low 64 bits */
    bool is_input;
    bool is_wide;
};

struct dut;
struct dut_model;

/* The program's own top module. Another one is `dut_model_NAME`, NAME as in NAME.models. */
extern const struct dut_model dut_model_built;

/* Creates an instance. `plusargs` as on a simulator's command line ("+name=value"). All registers and memories start
 * random, as `seed` says. NULL when out of memory. */
struct dut *dut_create(const struct dut_model *model, int plusarg_count, const char *const *plusargs, uint64_t seed);
void dut_destroy(struct dut *dut);

/* Settles the design for the pins' present values. */
void dut_eval(struct dut *dut);

/* True once the design has called $finish (a parameter check that failed). */
bool dut_finished(const struct dut *dut);

/* The pin of that name, NULL when the top has none. Valid as long as the instance. */
const struct pin *dut_pin(const struct dut *dut, const char *name);
/* All pins, in port order. */
const struct pin *dut_pins(const struct dut *dut, size_t *count);

/* Waveforms (FST) exist in the `waves` build only: false otherwise. `time` in half cycles, growing. */
bool dut_trace_open(struct dut *dut, const char *file);
void dut_trace_dump(struct dut *dut, uint64_t time);

/* Inverts the highest stored bit of a word of the memory (moehub_memory_1r1w) at this path below the top, for example
 * "u_answers.u_values". False: no such memory, or no such word. Only in a build whose configuration has NAME.memories. */
bool dut_flip(struct dut *dut, const char *memory, int word);
/* How many of its stored bits are 1; -1 where dut_flip says false. */
int dut_ones(struct dut *dut, const char *memory, int word);

/* True in a build of the copies with the deliberate bugs (formal/faults.md). */
bool dut_has_faults(void);
/* True in a build of a design that holds mutations (formal/mutation). */
bool dut_has_mutants(void);

/* The bench and the configuration that were built: "fifo", "fifo-5". */
const char *dut_bench(void);
const char *dut_config(void);

/* What was built: "moehub_fifo DEPTH=5 WIDTH=32". */
const char *dut_description(void);
const char *dut_model_description(const struct dut_model *model);

/* A pin's value; of a wide pin its low 64 bits. */
static inline uint64_t pin_get(const struct pin *pin)
{
    switch (pin->bytes) {
    case 1:
        return *(const uint8_t *)pin->data;
    case 2:
        return *(const uint16_t *)pin->data;
    case 4:
        return *(const uint32_t *)pin->data;
    default:
        if (!pin->is_wide)
            return *(const uint64_t *)pin->data;
        return ((const uint32_t *)pin->data)[0] | (uint64_t)((const uint32_t *)pin->data)[1] << 32;
    }
}

/* Sets a pin of at most 64 bits; the value is cut to its width. */
static inline void pin_set(const struct pin *pin, uint64_t value)
{
    value &= pin->mask;
    switch (pin->bytes) {
    case 1:
        *(uint8_t *)pin->data = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)pin->data = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)pin->data = (uint32_t)value;
        break;
    default:
        *(uint64_t *)pin->data = value;
    }
}

/* Any width, as 64-bit words, least significant first. */
static inline void pin_get_words(const struct pin *pin, uint64_t *words)
{
    if (!pin->is_wide) {
        words[0] = pin_get(pin);
        return;
    }
    const uint32_t *data = (const uint32_t *)pin->data;
    uint32_t count = pin->bytes / 4;
    for (uint32_t i = 0; i + 1 < count; i += 2)
        words[i / 2] = data[i] | (uint64_t)data[i + 1] << 32;
    if (count % 2 != 0)
        words[count / 2] = data[count - 1];
}

static inline void pin_set_words(const struct pin *pin, const uint64_t *words)
{
    if (!pin->is_wide) {
        pin_set(pin, words[0]);
        return;
    }
    uint32_t *data = (uint32_t *)pin->data;
    uint32_t count = pin->bytes / 4;
    for (uint32_t i = 0; i < count; i++)
        data[i] = (uint32_t)(words[i / 2] >> (32 * (i % 2)));
    if (pin->bits % 32 != 0)
        data[count - 1] &= (1u << pin->bits % 32) - 1;
}

#ifdef __cplusplus
}
#endif

#endif
