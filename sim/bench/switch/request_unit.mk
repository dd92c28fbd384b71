# SPDX-License-Identifier: Apache-2.0
# Bench of the request unit beside a crossbar at one store.
BENCHES += request_unit
BENCH_request_unit_SOURCES := $(addprefix sim/bench/switch/,request_unit_drive.c request_unit_port.c)
BENCH_request_unit_CONFIGS := $(addprefix shared-request-unit-,$(REQUEST_UNIT_CONFIGURATIONS))
BENCH_request_unit_ARGS := --events 60000
BENCH_request_unit_REGRESS_ARGS := --events 300000
BENCH_request_unit_FAULTS := $(addsuffix @shared-request-unit-odd,request-unit-any-grant request-unit-line-more \
	request-unit-lines-alike request-unit-frees-twice request-unit-found-late request-unit-answer-lost \
	request-unit-refused-first request-unit-asks-down request-unit-last-full request-unit-patch-late \
	request-unit-release-lost request-unit-grant-ahead request-unit-down-malformed request-unit-waits-always \
	places-share-other-first places-share-frees-other places-share-always-ready \
	result-header-source) request-unit-slow@shared-request-unit-eight
