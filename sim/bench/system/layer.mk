# SPDX-License-Identifier: Apache-2.0
# A layer of several GPUs through hubs, links and switch in RTL.
BENCHES += layer
BENCH_layer_SOURCES := sim/bench/switch/switch_plane_pins.c $(addprefix sim/bench/system/,gpu.c gpu_layout.c gpu_memory.c \
	gpu_program.c layer_values.c software.c system_hub.c system_link.c system_plane.c workers.c)
BENCH_layer_CONFIGS := layer-two layer-eight
BENCH_layer_ARGS := --hidden 256 --tokens 4
layer-two.optimise := -O1
layer-eight.optimise := -O1
layer-hub-two.optimise := -O1
layer-hub-eight.optimise := -O1
$(foreach c,layer-two layer-eight layer-hub-two layer-hub-eight,$(eval $(c).verilate := --inline-mult 2000 -fno-gate))
