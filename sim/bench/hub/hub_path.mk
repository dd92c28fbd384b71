# SPDX-License-Identifier: Apache-2.0
# Benches of the hub's address path: the path alone, the path behind its registers, and its throughput on a real layer.
HUB_PATH_SOURCES := $(addprefix sim/bench/hub/,hub_bus.c hub_commands.c hub_config.c hub_contexts.c hub_end.c hub_fairness.c \
	hub_flight.c hub_path.c hub_requests.c hub_software.c hub_status.c hub_traffic.c table_image.c)

BENCHES += address_path
BENCH_address_path_SOURCES := $(HUB_PATH_SOURCES) $(addprefix sim/bench/hub/address_path_,commands.c directed.c layer.c \
	ports.c random.c rate.c refused.c resets.c script.c slots.c stages.c waits.c) sim/bench/system/moe_requests.c
BENCH_address_path_CONFIGS := $(addprefix hub-path-,$(filter-out entries-% pending-%,$(HUB_PATH_CONFIGURATIONS)))
BENCH_address_path_QUICK := $(addprefix hub-path-,default least three odd plru8 one-pending stages-odd)
# --events: those of the random rounds; the named situations and the layers come on top.
BENCH_address_path_ARGS := --events 150000
BENCH_address_path_REGRESS_ARGS := --events 500000
BENCH_address_path_FAULTS := $(addsuffix @hub-path-plru8,tag-forward-missing next-slot-forward-missing replacement-ignores-hits \
	fill-wrong-line epoch-not-compared port-order-broken capacity-off-by-one read-before-write-answer address-drops-top-bit \
	unmapped-not-cached repeated-not-detected peer-not-checked length-not-checked bad-slot-accepted in-flight-ignored \
	clear-keeps-lines waiter-lost write-wrong-epoch eviction-not-counted latch-wrong-row larger-cause-first \
	in-flight-forgets-table in-flight-forgets-nameless flush-one-context ready-hiccup epoch-wraps answer-late initialised-early \
	queue-no-gap queue-no-yield queue-turn-survives table-exokay-read table-exokay-write \
	command-settles-short fill-over-first write-error-first command-error-first faults-other-context faults-write-untold \
	hub-waited-always)
BENCH_address_path_FAULTS += $(addsuffix @hub-path-stages,stage-size-ignored length-top-dropped stage-base-ignored \
	stage-stride-ignored stride-not-rounded stride-always-up header-length-cut second-base-missing second-base-live \
	base-set-other-stage base-set-asks-advance stage-set-both odd-size-accepted odd-base-accepted stage-index-unchecked \
	stage-get-ignored base-get-ignored bases-half-cleared)

BENCHES += address_path_parity
BENCH_address_path_parity_SOURCES := $(HUB_PATH_SOURCES)
BENCH_address_path_parity_CONFIGS := hub-parity
BENCH_address_path_parity_ARGS := --events 2000
# All its signals are the bench's to read: twenty seconds of compiling, for runs of less than one.
hub-parity.optimise := -O0
BENCH_address_path_parity_FAULTS := parity-lists-unheard parity-memory-behind

BENCHES += hub_address_unit
BENCH_hub_address_unit_SOURCES := $(HUB_PATH_SOURCES) sim/bench/common/csr_bench.c
BENCH_hub_address_unit_CONFIGS := $(addprefix hub-unit-,$(HUB_UNIT_CONFIGURATIONS))
BENCH_hub_address_unit_ARGS := --events 60000
BENCH_hub_address_unit_FAULTS := $(addsuffix @hub-unit-default,counter-memory-copies-on csr-strobes-ignored \
	csr-latch-overwritten csr-interrupt-unmasked csr-busy-ignored csr-high-water-stuck csr-write-accepted \
	csr-hole-reads csr-parameter-rotated csr-own-word-lost hub-result-kept) hub-wrap-silent@hub-unit-odd

BENCHES += address_path_throughput
BENCH_address_path_throughput_SOURCES := $(HUB_PATH_SOURCES) sim/bench/system/moe_requests.c
BENCH_address_path_throughput_CONFIGS := $(addprefix hub-path-,default entries-1024 entries-2048 pending-32 pending-128)
BENCH_address_path_throughput_QUICK := $(addprefix hub-path-,default pending-32)
BENCH_address_path_throughput_ARGS := --tokens 64 --inflight 4

# The figure of the README, and the curve beside it: rows in flight per source 1 .. 64, AL-TLB of 512, 1024 and 2048 entries,
# pending entries 32, 64 and 128.
BENCH_TARGETS += bench-address-path
.PHONY: bench-address-path
HUB_PATH_RATES := $(foreach c,$(BENCH_address_path_throughput_CONFIGS),build/sim/address_path_throughput/$(c)/run)
bench-address-path: $(HUB_PATH_RATES) ## Lookups a cycle by rows in flight, sizes of the AL-TLB, pending entries
	@build/sim/address_path_throughput/hub-path-default/run --tokens 1024 --inflight 4 --at-least 0.95
	@for config in $(BENCH_address_path_throughput_CONFIGS); do build/sim/address_path_throughput/$$config/run || exit 1; done
