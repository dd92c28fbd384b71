# SPDX-License-Identifier: Apache-2.0
# Verilator's own header, compiled with the flags with which its makefiles compile what it writes:
#   make -f sim/kit/header.mk header HEADER=file.pch CXX=clang++ OPT_FAST=-O1
# Without coverage, SystemC and waveforms, as clang takes it in place of the header only where the macros are the same.
VERILATOR_ROOT := $(shell verilator --getenv VERILATOR_ROOT)
VM_COVERAGE = 0
VM_SC = 0
VM_TRACE = 0
VM_TRACE_FST = 0
VM_TRACE_VCD = 0
include $(VERILATOR_ROOT)/include/verilated.mk

.PHONY: header
header:
	@mkdir -p $(dir $(HEADER))
	@$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) -x c++-header -o $(HEADER) $(VERILATOR_ROOT)/include/verilated.h
