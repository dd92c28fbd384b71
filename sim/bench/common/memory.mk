# SPDX-License-Identifier: Apache-2.0
BENCHES += memory
BENCH_memory_CONFIGS := $(addprefix memory-,$(COMMON_SIZES)) memory-1-bit memory-wide
BENCH_memory_ARGS := --events 20000
BENCH_memory_FAULTS := memory-reads-new@memory-5 memory-forgets-output@memory-5 memory-flips-bit@memory-5
