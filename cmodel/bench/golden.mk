# SPDX-License-Identifier: Apache-2.0
# Speed of the C model over a 32-GPU DeepSeek-V3 layer, on one core: the whole layer for addresses and counters, 64 tokens
# per GPU for payloads (the speed does not depend on the number of tokens).
BENCH_TARGETS += bench-golden
.PHONY: bench-golden
bench-golden: build/bin/moehub
	@build/bin/moehub golden --model deepseek-v3 --gpus 32 --tokens 4096 --payloads off --at-least 10
	@build/bin/moehub golden --model deepseek-v3 --gpus 32 --tokens 64 --payloads on --at-least 100
