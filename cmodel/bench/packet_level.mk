# SPDX-License-Identifier: Apache-2.0
# The packet level of the system model: packet events a second of one core, and its cycles beside those of the RTL's bench
# where build/bench/switch.json has been measured (make bench-switch).
BENCH_TARGETS += bench-packet-level
PACKET_LEVEL := build/bin/moehub system --packet-level
.PHONY: bench-packet-level
bench-packet-level: cmodel
	@for phase in dispatch combine fused; do \
		printf '%s, 8 GPUs, 512 tokens: ' $$phase; \
		$(PACKET_LEVEL) --gpus 8 --tokens 512 --phase $$phase 2>&1 > /dev/null || exit 1; done
	@if test -f build/bench/switch.json; then $(PACKET_LEVEL) --against build/bench/switch.json; \
		else echo "not compared with RTL: make bench-switch writes build/bench/switch.json"; fi
