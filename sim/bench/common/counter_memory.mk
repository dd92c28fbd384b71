# SPDX-License-Identifier: Apache-2.0
BENCHES += counter_memory
BENCH_counter_memory_CONFIGS := $(addprefix counter-memory-,odd 1 2 4 17 39 64 narrow wide)
BENCH_counter_memory_ARGS := --events 200000
BENCH_counter_memory_FAULTS := $(addprefix counter-memory-,visit-loses copies-twice copies-late copies-fewer first-read \
	done-early shows-old copies-on)
