# SPDX-License-Identifier: Apache-2.0
# FIFO, of flops or in a memory, and skid buffer.
BENCHES += queue
BENCH_queue_CONFIGS := $(addprefix fifo-,$(COMMON_SIZES)) fifo-wide fifo-1-bit $(addprefix skid-,$(COMMON_SIZES)) \
	$(addprefix deep-fifo-,$(COMMON_SIZES))
BENCH_queue_ARGS := --events 20000
BENCH_queue_FAULTS := fifo-loses-item@fifo-5 fifo-count-stuck@fifo-5 fifo-payload-unstable@fifo-5 fifo-stuck@fifo-5 \
	fifo-duplicates-item@fifo-5 fifo-ready-in-reset@fifo-5 fifo-valid-in-reset@fifo-5 \
	deep-fifo-full-takes@deep-fifo-5 deep-fifo-ready-late@deep-fifo-3 \
	skid-withdraws-valid@skid-5 ready-buffer-open@skid-5
# By the items alone, without the check of every state.
BENCH_queue_FAULT_ARGS_fifo-duplicates-item := --states 0
# Without the check of every cycle's state only the watchdog can notice: exit status 3.
BENCH_queue_FAULT_ARGS_fifo-stuck := --states 0
BENCH_queue_FAULT_STATUS_fifo-stuck := 3

TEST_ITEMS += bench-status
TEST_bench-status = $(MAKE) build/sim/queue/fifo-5/run && .ci/tools/check_bench_status build/sim/queue/fifo-5/run
CHECK_ITEMS += bench-status

# The same stimulus under Icarus: same handshakes, no x.
TEST_ITEMS += icarus-queue
TEST_icarus-queue = $(MAKE) build/sim/queue/fifo-5/run && \
	.ci/tools/check_icarus build/sim/queue/fifo-5/run $(fifo-5.sources) -- --cycles 5000

# The command that a mismatch prints repeats it and leaves a waveform.
TEST_ITEMS += repeat
TEST_repeat = $(MAKE) build/sim/queue/fifo-5/faults/run && \
	.ci/tools/check_repeat build/sim/queue/fifo-5/faults/run --seed 3 --fault fifo-loses-item
