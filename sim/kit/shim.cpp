// SPDX-License-Identifier: Apache-2.0
// The only C++ of the project: makes one Verilated top module look like kit/dut.h.
// Compiled once per program. The build writes beside the Verilated model: built.h (TOP_CLASS, TOP_HEADER, TOP_BENCH,
// TOP_CONFIG, TOP_DESCRIPTION) and pins.inc (PIN(name, bits, is_input) for every port).
#include "built.h"
#include TOP_HEADER
#include "kit/dut.h"
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

} // namespace

struct dut {
    VerilatedContext context;
    std::unique_ptr<TOP_CLASS> top;
    std::vector<pin> pins;
#ifdef DUT_WAVES
    std::unique_ptr<VerilatedFstC> trace;
#endif
};

#ifdef DUT_COVERAGE
// The counts so far. What the initial contents settle to is no coverage (coverage/settled.awk): constant ones would count
// as toggles.
static void write_coverage(dut *self, const char *when)
{
    if (const char *file = std::getenv("DUT_COVERAGE"))
        self->context.coveragep()->write((std::string(file) + when).c_str());
}
#endif

extern "C" {

dut *dut_create(int plusarg_count, const char *const *plusargs, uint64_t seed)
{
    dut *self = new dut;
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
    self->top.reset(new TOP_CLASS{&self->context, "top"});
#define PIN(name, bits, is_input) self->pins.push_back(make_pin(#name, self->top->name, bits, is_input));
#include "pins.inc"
#undef PIN
#ifdef DUT_COVERAGE
    self->top->eval();
    write_coverage(self, ".start");
#endif
    return self;
}

void dut_destroy(dut *self)
{
    if (self == nullptr)
        return;
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

void dut_eval(dut *self)
{
    self->top->eval();
}

#ifdef DUT_MEMORIES
// The bits of a memory's word; empty: no such memory, or no such word. What is found is the caller's, to be released.
static std::vector<s_vpi_vecval> word_bits(dut *self, const char *memory, int word, vpiHandle *found)
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

bool dut_flip(dut *self, const char *memory, int word)
{
#ifdef DUT_MEMORIES
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
    (void)self, (void)memory, (void)word;
    return false;
#endif
}

int dut_ones(dut *self, const char *memory, int word)
{
#ifdef DUT_MEMORIES
    vpiHandle found;
    const std::vector<s_vpi_vecval> bits = word_bits(self, memory, word, &found);
    int ones = bits.empty() ? -1 : 0;
    for (const s_vpi_vecval &part : bits)
        ones += __builtin_popcount(static_cast<unsigned>(part.aval));
    if (found != nullptr)
        vpi_release_handle(found);
    return ones;
#else
    (void)self, (void)memory, (void)word;
    return -1;
#endif
}

bool dut_finished(const dut *self)
{
    return self->context.gotFinish();
}

const pin *dut_pin(const dut *self, const char *name)
{
    for (const pin &candidate : self->pins)
        if (std::strcmp(candidate.name, name) == 0)
            return &candidate;
    return nullptr;
}

const pin *dut_pins(const dut *self, size_t *count)
{
    *count = self->pins.size();
    return self->pins.data();
}

bool dut_trace_open(dut *self, const char *file)
{
#ifdef DUT_WAVES
    self->trace.reset(new VerilatedFstC);
    self->top->trace(self->trace.get(), 99);
    self->trace->open(file);
    return self->trace->isOpen();
#else
    (void)self;
    (void)file;
    return false;
#endif
}

void dut_trace_dump(dut *self, uint64_t time)
{
#ifdef DUT_WAVES
    if (self->trace)
        self->trace->dump(time);
#else
    (void)self;
    (void)time;
#endif
}

bool dut_has_faults(void)
{
#ifdef DUT_FAULTS
    return true;
#else
    return false;
#endif
}

bool dut_has_mutants(void)
{
#ifdef DUT_MUTANTS
    return true;
#else
    return false;
#endif
}

const char *dut_bench(void)
{
    return TOP_BENCH;
}

const char *dut_config(void)
{
    return TOP_CONFIG;
}

const char *dut_description(void)
{
    return TOP_DESCRIPTION;
}

} // extern "C"
