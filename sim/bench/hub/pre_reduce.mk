# SPDX-License-Identifier: Apache-2.0
# Bench of pre_reduce.
BENCHES += pre_reduce
BENCH_pre_reduce_CONFIGS := $(addprefix pre-reduce-,odd least wide-odd default wide deep most)
BENCH_pre_reduce_QUICK := pre-reduce-odd pre-reduce-least pre-reduce-wide-odd
BENCH_pre_reduce_ARGS := --events 300000
BENCH_pre_reduce_FAULTS := pre-reduce-status-last pre-reduce-places-overrun pre-reduce-line-not-added \
	pre-reduce-gap-short pre-reduce-room-ignored pre-reduce-error-forgotten pre-reduce-error-stays \
	pre-reduce-refused-counted partial-error-length pre-reduce-no-data-untold pre-reduce-no-data-always \
	pre-reduce-no-room-untold
