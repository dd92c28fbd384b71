/* SPDX-License-Identifier: Apache-2.0 */
/* What shim.cpp gives of one Verilated top module; kit/dut.h is what the benches see of it. */
#ifndef KIT_DUT_MODEL_H
#define KIT_DUT_MODEL_H

#include "kit/dut.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dut_model {
    const char *bench, *config, *description; /* dut_bench(), dut_config(), dut_description() */
    bool has_faults, has_mutants;
    struct dut *(*create)(int plusarg_count, const char *const *plusargs, uint64_t seed);
    void (*destroy)(struct dut *dut);
    void (*eval)(struct dut *dut);
    bool (*finished)(const struct dut *dut);
    bool (*trace_open)(struct dut *dut, const char *file);
    void (*trace_dump)(struct dut *dut, uint64_t time);
    bool (*flip)(struct dut *dut, const char *memory, int word);
    int (*ones)(struct dut *dut, const char *memory, int word);
};

/* What every instance begins with. */
struct dut {
    const struct dut_model *model;
    const struct pin *pins;
    size_t pin_count;
};

#ifdef __cplusplus
}
#endif

#endif
