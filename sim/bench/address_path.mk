# SPDX-License-Identifier: Apache-2.0
# The hub's address path against its model, over the ends of every parameter range.
BENCHES += address_path
BENCH_address_path_SOURCES := $(addprefix sim/bench/,address_path_directed.c address_path_layer.c address_path_random.c \
	hub_config.c hub_flight.c hub_path.c hub_settle.c hub_software.c hub_traffic.c moe_requests.c table_image.c)
BENCH_address_path_CONFIGS := $(addprefix hub-path-,$(filter-out entries-%,$(HUB_PATH_CONFIGURATIONS)))
BENCH_address_path_ARGS := --events 300000
BENCH_address_path_REGRESS_ARGS := --events 1000000
