# SPDX-License-Identifier: Apache-2.0
# Reduction lanes and finalisers (rtl/doc/arithmetic.md).
BENCHES += lane
BENCH_lane_CONFIGS := lane-16 lane-32 lane-16-plain lane-2-bins lane-4-bins lane-1-contributor lane-1024-contributors
BENCH_lane_QUICK := lane-16 lane-32 lane-2-bins lane-1-contributor
BENCH_lane_ARGS := --events 200000
BENCH_lane_REGRESS_ARGS := --events 2000000
BENCH_lane_FAULTS := $(addsuffix @lane-32,decompose-subnormal-position decompose-nan-is-infinity \
	accumulate-carry-in accumulate-short-move \
	accumulate-last-special accumulate-first-keeps-special accumulate-near-top accumulate-near-bins accumulate-far \
	finalize-truncates finalize-half-up finalize-sticky-lost finalize-subnormal-shift finalize-overflow finalize-stall-loses)
