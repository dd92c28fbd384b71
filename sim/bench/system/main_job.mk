# SPDX-License-Identifier: Apache-2.0
# The main job: a whole layer through hub and switch port. `make` runs it; the tests run it shortened.
BENCHES += main_job
BENCH_main_job_SOURCES = $(HUB_PATH_SOURCES) $(REDUCTION_SOURCES) sim/bench/system/moe_requests.c sim/bench/system/moe_combine.c
BENCH_main_job_CONFIGS := main-job
BENCH_main_job_ARGS := --tokens 8

TEST_ITEMS += main-job-options
TEST_main-job-options = $(MAKE) build/sim/main_job/main-job/run && .ci/tools/check_main_job build/sim/main_job/main-job/run

.PHONY: main-job
main-job: cmodel build/sim/main_job/main-job/run ## Address path and reduction (MODEL= GPUS= TOKENS= ROUTING= TRACE= SEED= ARGS=)
	@mkdir -p build/cosim
	@build/sim/main_job/main-job/run --json build/cosim/main_job.json $(call bench_option,--seed,$(SEED)) \
		$(call bench_option,--model,$(MODEL)) $(call bench_option,--gpus,$(GPUS)) $(call bench_option,--tokens,$(TOKENS)) \
		$(call bench_option,--routing,$(ROUTING)) $(call bench_option,--trace,$(TRACE)) $(ARGS)
