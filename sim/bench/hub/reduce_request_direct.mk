# SPDX-License-Identifier: Apache-2.0
# Bench of reduce_request against what its page says, packet by packet.
BENCHES += reduce_request_direct
BENCH_reduce_request_direct_CONFIGS := $(addprefix reduce-request-,odd least three default most)
BENCH_reduce_request_direct_ARGS := --events 60000
BENCH_reduce_request_direct_FAULTS := reduce-groups-overrun reduce-loop-tag reduce-room-ignored@reduce-request-default \
	reduce-length-unchecked reduce-read-error-ignored reduce-answer-whole reduce-lines-uncounted
