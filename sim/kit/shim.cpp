// SPDX-License-Identifier: Apache-2.0
// The only C++ of the project: makes one Verilated top module a model of kit/dut.h, whose name is DUT_MODEL.
// Compiled once per model. The build writes beside the Verilated model: built.h (TOP_CLASS, TOP_HEADER, TOP_BENCH,
// TOP_CONFIG, TOP_DESCRIPTION) and pins.inc (PIN(name, bits, is_input) for every port).
#include "built.h"
#include TOP_HEADER
#include "kit/dut_model.h"
#include "verilated.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#ifdef DUT_WAVES
#include "verilated_fst_c.h"
#endif
#ifdef DUT_COVERAGE
#include "verilated_cov.h"
#endif
#ifdef DUT_MEMORIES
#include "vpi_user.h"
#endif

#ifndef DUT_MODEL
#define DUT_MODEL dut_model_built
#endif
extern "C" const struct dut_model DUT_MODEL;

namespace {

// Verilated ports are references to one of four integer types or to an array of 32-bit words.
template <typename T> void *pin_data(T &port, bool *is_wide)
{
    *is_wide = false;
    return &port;
}
template <std::size_t words> void *pin_data(VlWide<words> &port, bool *is_wide)
{
    *is_wide = true;
    return port.data();
}

template <typename T> pin make_pin(const char *name, T &port, uint32_t bits, bool is_input)
{
    pin result{};
    result.name = name;
    result.data = pin_data(port, &result.is_wide);
    result.bits = bits;
    result.bytes = static_cast<uint32_t>(sizeof port);
    result.mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    result.is_input = is_input;
    return result;
}

struct instance : dut {
    VerilatedContext context;
    std::unique_ptr<TOP_CLASS> top;
    std::vector<pin> table;
#ifdef DUT_WAVES
    std::unique_ptr<VerilatedFstC> trace;
#endif
#ifdef DUT_COVERAGE
    unsigned number;
#endif
};

instance *of(dut *self)
{
    return static_cast<instance *>(self);
}

#ifdef DUT_COVERAGE
// The counts so far, of every instance in files of its own. What the initial contents settle to is no coverage
// (coverage/settled.awk): constant ones would count as toggles.
void write_coverage(instance *self, const char *when)
{
    if (const char *file = std::getenv("DUT_COVERAGE"))
        self->context.coveragep()->write((std::string(file) + "." TOP_NAME "." + std::to_string(self->number) + when).c_str());
}
#endif

dut *create(int plusarg_count, const char *const *plusargs, uint64_t seed)
{
    instance *self = new instance;
    self->model = &DUT_MODEL;
    std::vector<const char *> arguments{"dut"};
    arguments.insert(arguments.end(), plusargs, plusargs + plusarg_count);
    self->context.commandArgs(static_cast<int>(arguments.size()), arguments.data());
#ifdef DUT_COVERAGE
    self->context.randReset(0); // random contents would leave their registers once, and count as toggles of what never changes
#else
    self->context.randReset(2); // every register and memory word starts random
#endif
    self->context.randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);
#ifdef DUT_WAVES
    self->context.traceEverOn(true);
#endif
    Verilated::threadContextp(&self->context); // what parts that are Verilated by themselves (--hierarchical) belong to
    self->top.reset(new TOP_CLASS{&self->context, "top"});
#define PIN(name, bits, is_input) self->table.push_back(make_pin(#name, self->top->name, bits, is_input));
#include "pins.inc"
#undef PIN
    self->pins = self->table.data();
    self->pin_count = self->table.size();
#ifdef DUT_COVERAGE
    static unsigned created;
    self->number = created++;
    self->top->eval();
    write_coverage(self, ".start");
#endif
    return self;
}

void destroy(dut *base)
{
    instance *self = of(base);
    Verilated::threadContextp(&self->context);
    self->top->final();
#ifdef DUT_WAVES
    if (self->trace)
        self->trace->close();
#endif
#ifdef DUT_COVERAGE
    write_coverage(self, ".end");
#endif
    delete self;
}

void eval(dut *base)
{
    of(base)->top->eval();
}

#ifdef DUT_MEMORIES
// The bits of a memory's word; empty: no such memory, or no such word. What is found is the caller's, to be released.
std::vector<s_vpi_vecval> word_bits(instance *self, const char *memory, int word, vpiHandle *found)
{
    Verilated::threadContextp(&self->context);
    std::string path = "top." TOP_NAME "." + std::string(memory) + ".words_q";
    vpiHandle words = vpi_handle_by_name(&path[0], nullptr);
    *found = words == nullptr ? nullptr : vpi_handle_by_index(words, word);
    if (words != nullptr)
        vpi_release_handle(words);
    if (*found == nullptr)
        return {};
    s_vpi_value value{};
    value.format = vpiVectorVal;
    vpi_get_value(*found, &value);
    return {value.value.vector, value.value.vector + (vpi_get(vpiSize, *found) + 31) / 32};
}
#endif

bool flip(dut *base, const char *memory, int word)
{
#ifdef DUT_MEMORIES
    instance *self = of(base);
    vpiHandle found;
    std::vector<s_vpi_vecval> bits = word_bits(self, memory, word, &found);
    if (bits.empty())
        return false;
    const int top_bit = vpi_get(vpiSize, found) - 1;
    bits[top_bit / 32].aval ^= 1u << top_bit % 32;
    s_vpi_value value{};
    value.format = vpiVectorVal;
    value.value.vector = bits.data();
    vpi_put_value(found, &value, nullptr, vpiNoDelay);
    vpi_release_handle(found);
    return true;
#else
    (void)base, (void)memory, (void)word;
    return false;
#endif
}

int ones(dut *base, const char *memory, int word)
{
#ifdef DUT_MEMORIES
    instance *self = of(base);
    vpiHandle found;
    const std::vector<s_vpi_vecval> bits = word_bits(self, memory, word, &found);
    int ones = bits.empty() ? -1 : 0;
    for (const s_vpi_vecval &part : bits)
        ones += __builtin_popcount(static_cast<unsigned>(part.aval));
    if (found != nullptr)
        vpi_release_handle(found);
    return ones;
#else
    (void)base, (void)memory, (void)word;
    return -1;
#endif
}

bool finished(const dut *base)
{
    return static_cast<const instance *>(base)->context.gotFinish();
}

bool trace_open(dut *base, const char *file)
{
#ifdef DUT_WAVES
    instance *self = of(base);
    self->trace.reset(new VerilatedFstC);
    self->top->trace(self->trace.get(), 99);
    self->trace->open(file);
    return self->trace->isOpen();
#else
    (void)base, (void)file;
    return false;
#endif
}

void trace_dump(dut *base, uint64_t time)
{
#ifdef DUT_WAVES
    instance *self = of(base);
    if (self->trace)
        self->trace->dump(time);
#else
    (void)base, (void)time;
#endif
}

#ifdef DUT_FAULTS
const bool has_faults = true;
#else
const bool has_faults = false;
#endif
#ifdef DUT_MUTANTS
const bool has_mutants = true;
#else
const bool has_mutants = false;
#endif

} // namespace

const struct dut_model DUT_MODEL = {TOP_BENCH, TOP_CONFIG, TOP_DESCRIPTION, has_faults, has_mutants, create,     destroy,
                                    eval,      finished,   trace_open,      trace_dump, flip,        ones};
