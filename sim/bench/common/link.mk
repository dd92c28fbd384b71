# SPDX-License-Identifier: Apache-2.0
# The ends of a link: the sender alone, and both ends with the stores behind.
BENCHES += link_sender
BENCH_link_sender_SOURCES := $(addprefix sim/bench/common/,sender_port.c)
BENCH_link_sender_CONFIGS := link-sender
BENCH_link_sender_ARGS := --events 200000
BENCH_link_sender_FAULTS := sender-credits-wrap sender-first-lost sender-keeps-credits sender-sends-rest sender-grant-lost \
	sender-first-always sender-class-for-data

BENCHES += link
BENCH_link_SOURCES := $(addprefix sim/bench/common/,cause_count.c link_wires.c packet_draw.c packet_maker.c plane_mark.c \
	sender_port.c store_port.c)
BENCH_link_CONFIGS := link-odd link-smallest link-large link-hub link-hub-small link
BENCH_link_ARGS := --events 500000
BENCH_link_FAULTS := $(addsuffix @link-odd,receiver-class-any receiver-outside-taken receiver-unended-joined \
	receiver-takes-while-down receiver-longest receiver-first-only receiver-ends-nothing receiver-link-lost receiver-forgives \
	receiver-cause-order grants-loaded-late grants-freed-twice grants-freed-lost grants-kept check-broken-forgotten) \
	grants-rest-lost@link-large
# A place must come free in the very cycle in which the link rises.
BENCH_link_FAULT_ARGS_grants-freed-twice := --events 2000000
