# SPDX-License-Identifier: Apache-2.0
BENCHES += arbiter
BENCH_arbiter_CONFIGS := $(addprefix arbiter-,$(COMMON_SIZES))
BENCH_arbiter_ARGS := --events 20000
BENCH_arbiter_FAULTS := arbiter-fixed-priority@arbiter-5 arbiter-two-grants@arbiter-5
