# SPDX-License-Identifier: Apache-2.0
# Bench of the whole switch plane: a GPU at each port.
BENCHES += switch_plane
BENCH_switch_plane_SOURCES := sim/bench/common/link_wires.c sim/bench/common/packet_maker.c \
	$(addprefix sim/bench/switch/,crossbar_packets.c dispatch_rows.c output_queues.c reduction_payload.c switch_plane_check.c \
	switch_plane_config.c switch_plane_counters.c switch_plane_downlink.c switch_plane_gpu.c switch_plane_layer.c \
	switch_plane_log.c switch_plane_pins.c switch_plane_queue.c switch_plane_random.c switch_plane_rate.c \
	switch_plane_responder.c switch_plane_run.c switch_plane_traffic.c switch_plane_uplink.c)
BENCH_switch_plane_CONFIGS := switch-three switch-two
BENCH_switch_plane_ARGS := --events 30000
