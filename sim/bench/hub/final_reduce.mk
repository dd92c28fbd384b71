# SPDX-License-Identifier: Apache-2.0
# Bench of the last step of a hub's sums: own partials, final_reduce of each link, sums joined with answers.
BENCHES += final_reduce
BENCH_final_reduce_CONFIGS := $(addprefix watched-final-,$(FINAL_REDUCE_CONFIGURATIONS))
BENCH_final_reduce_QUICK := watched-final-odd watched-final-least
BENCH_final_reduce_ARGS := --events 200000
BENCH_final_reduce_FAULTS := own-partial-entry own-partial-link own-partial-header-kept own-partial-status-stays \
	own-partial-lost final-ports-swapped final-context-lost final-line-of-eight final-last-whole \
	packet-join-interleaves packet-join-ends-late packet-join-no-turn
