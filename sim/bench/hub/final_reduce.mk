# SPDX-License-Identifier: Apache-2.0
# Bench of the last step of a hub's sums: own partials, final_reduce of each link, sums joined with answers.
BENCHES += final_reduce
BENCH_final_reduce_CONFIGS := $(addprefix watched-final-,$(FINAL_REDUCE_CONFIGURATIONS))
BENCH_final_reduce_ARGS := --events 300000
