/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/dut_model.h"

#include <string.h>

struct dut *dut_create(const struct dut_model *model, int plusarg_count, const char *const *plusargs, uint64_t seed)
{
    return model->create(plusarg_count, plusargs, seed);
}

void dut_destroy(struct dut *dut)
{
    if (dut != NULL)
        dut->model->destroy(dut);
}

void dut_eval(struct dut *dut)
{
    dut->model->eval(dut);
}

bool dut_finished(const struct dut *dut)
{
    return dut->model->finished(dut);
}

const struct pin *dut_pin(const struct dut *dut, const char *name)
{
    for (size_t i = 0; i < dut->pin_count; i++)
        if (strcmp(dut->pins[i].name, name) == 0)
            return &dut->pins[i];
    return NULL;
}

const struct pin *dut_pins(const struct dut *dut, size_t *count)
{
    *count = dut->pin_count;
    return dut->pins;
}

bool dut_trace_open(struct dut *dut, const char *file)
{
    return dut->model->trace_open(dut, file);
}

void dut_trace_dump(struct dut *dut, uint64_t time)
{
    dut->model->trace_dump(dut, time);
}

bool dut_flip(struct dut *dut, const char *memory, int word)
{
    return dut->model->flip(dut, memory, word);
}

int dut_ones(struct dut *dut, const char *memory, int word)
{
    return dut->model->ones(dut, memory, word);
}

bool dut_has_faults(void)
{
    return dut_model_built.has_faults;
}

bool dut_has_mutants(void)
{
    return dut_model_built.has_mutants;
}

const char *dut_bench(void)
{
    return dut_model_built.bench;
}

const char *dut_config(void)
{
    return dut_model_built.config;
}

const char *dut_description(void)
{
    return dut_model_built.description;
}

const char *dut_model_description(const struct dut_model *model)
{
    return model->description;
}
