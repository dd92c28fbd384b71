# SPDX-License-Identifier: Apache-2.0
# The main job: a whole layer through hub and switch port. `make` runs it; the tests run it shortened.
BENCHES += main_job
BENCH_main_job_SOURCES = $(HUB_PATH_SOURCES) $(REDUCTION_SOURCES) sim/bench/system/moe_requests.c sim/bench/system/moe_combine.c
BENCH_main_job_CONFIGS := main-job
BENCH_main_job_ARGS := --tokens 8
BENCH_main_job_SEEDS := 1

.PHONY: main-job
main-job: cmodel build/sim/main_job/main-job/run
	@mkdir -p build/cosim
	@build/sim/main_job/main-job/run --json build/cosim/summary.json $(if $(SEED),--seed $(SEED)) $(if $(MODEL),--model $(MODEL)) \
		$(if $(GPUS),--gpus $(GPUS)) $(if $(TOKENS),--tokens $(TOKENS)) $(if $(ROUTING),--routing $(ROUTING)) $(if $(TRACE),--trace $(TRACE)) $(ARGS)
