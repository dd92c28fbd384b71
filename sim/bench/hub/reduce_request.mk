# SPDX-License-Identifier: Apache-2.0
# Bench of reduce_request.
BENCHES += reduce_request
BENCH_reduce_request_CONFIGS := $(addprefix reduce-request-,odd least three default most)
BENCH_reduce_request_ARGS := --events 60000
BENCH_reduce_request_FAULTS := reduce-groups-overrun reduce-link-down reduce-enabled-late reduce-loop-tag \
	reduce-room-ignored@reduce-request-default reduce-length-unchecked reduce-read-error-ignored reduce-answer-whole \
	reduce-lines-uncounted memory-fifo-register-gaps
