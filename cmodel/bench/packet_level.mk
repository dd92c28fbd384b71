# SPDX-License-Identifier: Apache-2.0
# The packet level of the system model: packet events a second of one core, and its cycles beside those of the RTL's bench
# where build/bench/switch.json has been measured (make bench-switch).
BENCH_TARGETS += bench-packet-level
PACKET_LEVEL := build/bin/moehub system --packet-level
.PHONY: bench-packet-level
bench-packet-level: cmodel
	@for gpus in 8 32; do for phase in dispatch combine fused; do for hubs in "" --hubs; do \
		printf '%s, %s GPUs, %s tokens each%s: ' $$phase $$gpus $$((2048 / gpus)) "$${hubs:+, with hubs}"; \
		$(PACKET_LEVEL) --gpus $$gpus --tokens $$((2048 / gpus)) --phase $$phase $$hubs 2>&1 > /dev/null || exit 1; \
	done; done; done
	@for bench in switch layer; do \
		if test -f build/bench/$$bench.json; then $(PACKET_LEVEL) --against build/bench/$$bench.json || exit 1; \
		else echo "not compared with RTL: make bench-$$bench writes build/bench/$$bench.json"; fi; done
