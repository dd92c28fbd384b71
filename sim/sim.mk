# SPDX-License-Identifier: Apache-2.0
# Co-simulation: benches in C over Verilated RTL. A bench is described in sim/bench/FOLDER/NAME.mk by variables:
#
#   BENCHES += NAME                     the program; its main() is sim/bench/FOLDER/NAME.c
#   BENCH_NAME_SOURCES                  further C files (default none)
#   BENCH_NAME_CONFIGS                  the configurations (rtl/configurations.mk) that it is built for
#   BENCH_NAME_MEASURED                 further ones, for targets of NAME.mk: no regression runs them
#   BENCH_NAME_QUICK                    those of the quick regression, where building all takes too long (all, with SEEDS= too)
#   BENCH_NAME_ARGS                     arguments of the quick regression
#   BENCH_NAME_SEEDS                    its seeds (default 1)
#   BENCH_NAME_REGRESS_ARGS, .._SEEDS   the same for `make regress` (default: the quick arguments, seeds 1 .. 20)
#   BENCH_NAME_REGRESS_LEAST            a block of its summary, and how many events of it those seeds have to compare
#   BENCH_NAME_FAULTS                   deliberate bugs that it must catch, FAULT or FAULT@CONFIG
#   BENCH_NAME_FAULT_ARGS               arguments of those runs (default: the quick arguments)
#   BENCH_NAME_FAULT_ARGS_FAULT         further arguments with that fault
#   BENCH_NAME_FAULT_STATUS_FAULT       the exit statuses that mean caught (default 1,3: mismatch or deadlock)
#
# Targets that follow:
#   build/sim/NAME/CONFIG/run           the program; .../waves/run with waveforms; .../faults/run with deliberate bugs
#                                       (formal/faults.md), .../faults-waves/run with both
#   sim-build-NAME                      the programs of all its configurations
#   sim-quick-NAME, sim-regress-NAME    all configurations and seeds
#   sim-sanitize-NAME                   the first configuration with AddressSanitizer and UndefinedBehaviorSanitizer in C
#   sim-faults-NAME                     every fault must be caught: exit status 1 or 3, nothing else

SIM_CC ?= gcc
SIM_QUIET := $(if $(V),,@)
SIM_WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
SIM_CFLAGS := -std=gnu11 -O2 -g -Isim -Icmodel/include -Ibuild/planted $(SIM_WARNINGS) -ffp-contract=off -MMD -MP
SIM_LIBS := -ljansson -lgsl -lgslcblas -lm -lpthread
# Warnings are lint's business (make lint); here they must not stop a newer Verilator.
# Versions up to 5.026 fold some trees of single-bit operations wrongly (verilator issues 4059, 5186): seen here in a
# netlist, where one result bit came out inverted while Icarus and the proof of equivalence had it right. So nothing is
# compiled with that step.
SIM_VERILATOR := verilator --cc --exe -O3 -fno-const-bit-op-tree --x-assign unique --x-initial unique --no-timing \
	-Wno-fatal -Wno-lint -Wno-style
# A configuration may have further flags of Verilator in NAME.verilate (with --hierarchical the makefile has another name), and
# of the C++ its own in NAME.optimise; NAME.parallel compiles the files of a large one side by side.
# -O1 simulates as fast as -O2 here, and compiles in three quarters of the time. clang compiles what Verilator writes in two
# thirds of g++'s time; with -O1 it then runs a tenth slower, with -O2 as fast. Most runs are shorter than their build.
# All of Verilator's files as one take half the processor time of each by itself; some minutes, where the design is large.
SIM_OPTIMISE ?= -O1
SIM_CXX ?= clang++
export OBJCACHE ?= $(eval OBJCACHE := $(shell command -v ccache))$(OBJCACHE)

# Most of the compile time of a small design is Verilator's own header, which clang reads once for all programs: those with
# waveforms or coverage, or not optimised as others, have it with other macros; so do some of the files of a large one.
SIM_HEADER := $(if $(findstring clang,$(SIM_CXX)),build/sim/verilated$(SIM_OPTIMISE).pch)
build/sim/verilated%.pch: sim/kit/header.mk $(wildcard /usr/share/verilator/include/*.h)
	$(SIM_QUIET)$(MAKE) -s -f $< header HEADER=$@ CXX=$(SIM_CXX) OPT_FAST=$*
# $(call sim_header,CONFIG,VERILATOR FLAGS)
sim_header = $(if $($(1).parallel)$(filter --trace% --coverage% --hierarchical -O0,$(2) $($(1).optimise) $($(1).verilate)),,\
	$(SIM_HEADER:%=-include-pch $(CURDIR)/%))
# What ccache wants to hear before it keeps what such a header is part of.
export CCACHE_SLOPPINESS ?= pch_defines,time_macros

-include $(sort $(wildcard sim/bench/*/*.mk))

# ---- the kit ---------------------------------------------------------------------
SIM_KIT := $(sort $(wildcard sim/kit/*.c))
SIM_SANITIZERS := -fsanitize=address,undefined
SIM_SANITIZE := $(SIM_SANITIZERS) -fno-sanitize-recover=all -fno-omit-frame-pointer

build/sim/obj/%.o: sim/%.c | build/planted/fault_list.h
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(SIM_QUIET)$(OBJCACHE) $(SIM_CC) $(SIM_CFLAGS) -c -o $@ $<

build/sim/obj-sanitize/%.o: sim/%.c | build/planted/fault_list.h
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(SIM_QUIET)$(OBJCACHE) $(SIM_CC) $(SIM_CFLAGS) -O1 $(SIM_SANITIZE) -c -o $@ $<

build/sim/obj/libkit.a build/sim/obj-sanitize/libkit.a: %/libkit.a: $(foreach k,$(SIM_KIT:sim/%.c=%),%/$(k).o)
	@rm -f $@
	@ar rcs $@ $^

-include $(wildcard build/sim/obj*/*/*.d build/sim/obj*/*/*/*.d)

# ---- programs ----------------------------------------------------------------------
COMMA := ,

# $(call bench_objects,BENCH,OBJECT FOLDER)
bench_objects = $(patsubst sim/%.c,$(2)/%.o,$(wildcard sim/bench/*/$(1).c) $(BENCH_$(1)_SOURCES))

# A configuration that needs more than its own top lists the other models in NAME.models, MODEL:CONFIG: each is Verilated by
# itself, and C has it as dut_model_MODEL (kit/dut.h).
model_name = $(firstword $(subst :, ,$(1)))
model_config = $(lastword $(subst :, ,$(1)))
# $(call sources_read,CONFIG,PLANTED OR NOTHING): what tells that a configuration's sources have changed
sources_read = $(if $(2),$($(1).read:build/%=build/planted/%),$(or $($(1).read),$($(1).list) $($(1).sources) $(RTL_HEADERS)))
# $(call model_objects,CONFIG,FOLDER)
model_objects = $(foreach m,$($(1).models),$(2)/$(call model_name,$(m))/model.o)

# $(call SIM_VERILATED,BENCH,CONFIG,FOLDER,VERILATOR FLAGS,C++ FLAGS,PLANTED OR NOTHING): Verilator's makefile
define SIM_VERILATED
$(3)/obj/V$($(2).top).mk: build/configurations/$(2) sim/sim.mk $(call sources_read,$(2),$(6)) \
		$(filter %.vlt,$($(2).verilate)) sim/kit/shim.cpp sim/kit/dut.h sim/kit/dut_model.h sim/kit/pins.awk \
		sim/kit/include_all | $(SIM_HEADER)
	@echo "  VERILATE  $(3)"
	@rm -rf $(3)/obj && mkdir -p $(3)/obj
	$(SIM_QUIET)$(SIM_VERILATOR) $($(2).verilate) $(4) $(if $($(2).memories),--vpi --public-flat-rw) \
		--Mdir $(3)/obj --top-module $($(2).top) +incdir+rtl/include \
		$(if $(6),$$(call planted,$$($(2).sources)),$$($(2).sources)) $(addprefix -G,$($(2).parameters)) \
		$(CURDIR)/sim/kit/shim.cpp -CFLAGS '$(call sim_header,$(2),$(4)) -I$(CURDIR)/sim $(5) $(if $($(2).memories),-DDUT_MEMORIES)'
	$(SIM_QUIET)awk -f sim/kit/pins.awk $(3)/obj/V$($(2).top).h > $(3)/obj/pins.inc
	@printf '#define %s\n' 'TOP_CLASS V$($(2).top)' 'TOP_NAME "$($(2).top)"' 'TOP_HEADER "V$($(2).top).h"' \
		'TOP_BENCH "$(1)"' 'TOP_CONFIG "$(2)"' \
		'TOP_DESCRIPTION "$($(2).top) $($(2).parameters)"' > $(3)/obj/built.h
endef

# $(call sim_make,CONFIG,FOLDER): make on what Verilator wrote
sim_make = $$(MAKE) -s -C $(2)/obj -f V$($(1).top)$(if $(findstring --hierarchical,$($(1).verilate)),_hier).mk CXX=$(SIM_CXX) \
	OPT_FAST="$(or $($(1).optimise),$(SIM_OPTIMISE))" OPT_GLOBAL="$(or $($(1).optimise),$(SIM_OPTIMISE))" \
	$(if $($(1).parallel),,VM_PARALLEL_BUILDS=0 VERILATOR_INCLUDER=$(CURDIR)/sim/kit/include_all)

# $(call SIM_MODEL,BENCH,MODEL,CONFIG,FOLDER,VERILATOR FLAGS,C++ FLAGS,PLANTED OR NOTHING): the objects of a further model
define SIM_MODEL
$(call SIM_VERILATED,$(1),$(3),$(4),$(5),$(6) -DDUT_MODEL=dut_model_$(2),$(7))

$(4)/model.o: $(4)/obj/V$($(3).top).mk
	@echo "  BUILD $$@"
	$(SIM_QUIET)$(call sim_make,$(3),$(4)) shim.o V$($(3).top)__ALL.a > $(4)/build.log 2>&1 || { cat $(4)/build.log; exit 1; }
	$(SIM_QUIET)ld -r -o $$@ $(4)/obj/shim.o --whole-archive $(4)/obj/V$($(3).top)__ALL.a

endef

# $(call sim_link,BENCH,CONFIG,FOLDER OF THE DESIGN,PROGRAM,OBJECT FOLDER,MODEL LIBRARY,LIBRARIES,FURTHER VARIABLES)
define sim_link
	@mkdir -p $(dir $(4))
	@rm -f $(3)/obj/V$($(2).top)
	$(SIM_QUIET)$(call sim_make,$(2),$(3)) \
		VM_USER_LDLIBS="$(addprefix $(CURDIR)/,$(call model_objects,$(2),$(3)) $(call bench_objects,$(1),$(5)) \
		$(5)/libkit.a $(6)) $(SIM_LIBS) $(7)" $(8) \
		> $(dir $(4))build.log 2>&1 || { cat $(dir $(4))build.log; exit 1; }
	@mv $(3)/obj/V$($(2).top) $(4)
endef

# $(call SIM_PROGRAM,BENCH,CONFIG,FOLDER,VERILATOR FLAGS,C++ FLAGS,OBJECT FOLDER,MODEL LIBRARY,LINKER FLAGS,PLANTED)
# PLANTED: not empty for the sources with deliberate bugs
define SIM_PROGRAM
$(call SIM_VERILATED,$(1),$(2),$(3),$(4),$(5),$(9))
$(foreach m,$($(2).models),$(call SIM_MODEL,$(1),$(call model_name,$(m)),$(call model_config,$(m)),\
	$(3)/$(call model_name,$(m)),$(4),$(5),$(9)))
$(3)/run: $(3)/obj/V$($(2).top).mk $(call model_objects,$(2),$(3)) $(call bench_objects,$(1),$(6)) $(6)/libkit.a $(7)
	@echo "  BUILD $$@"
$(call sim_link,$(1),$(2),$(3),$(3)/run,$(6),$(7),$(8))
endef

# $(call SIM_SANITIZE_PROGRAM,BENCH,CONFIG,FOLDER): the design of FOLDER/run with another C side. gcc has compiled that, and
# clang's sanitizers are not gcc's: so g++ links.
define SIM_SANITIZE_PROGRAM
$(3)/sanitize/run: $(3)/run $(call bench_objects,$(1),build/sim/obj-sanitize) build/sim/obj-sanitize/libkit.a \
		build/sanitize/libmoehub.a
	@echo "  LINK  $$@"
$(call sim_link,$(1),$(2),$(3),$(3)/sanitize/run,build/sim/obj-sanitize,build/sanitize/libmoehub.a,$(SIM_SANITIZERS),LINK=g++)
endef

# $(call SIM_BUILD,BENCH,CONFIG,/BUILD,VERILATOR FLAGS,C++ FLAGS,LINKER FLAGS,PLANTED): a program beside the others
SIM_BUILD = $(call SIM_PROGRAM,$(1),$(2),build/sim/$(1)/$(2)$(3),$(4),$(5),build/sim/obj,build/lib/libmoehub.a,$(6),$(7))

# $(call SIM_BENCH_CONFIG,BENCH,CONFIG): the five builds
define SIM_BENCH_CONFIG
$(if $($(2).top),,$(error bench $(1): no configuration $(2) in rtl/configurations.mk))
$(call SIM_BUILD,$(1),$(2))
$(call SIM_BUILD,$(1),$(2),/faults,,-DDUT_FAULTS,,planted)
$(call SIM_BUILD,$(1),$(2),/waves,--trace-fst,-DDUT_WAVES,-lz)
$(call SIM_BUILD,$(1),$(2),/faults-waves,--trace-fst,-DDUT_FAULTS -DDUT_WAVES,-lz,planted)
$(call SIM_SANITIZE_PROGRAM,$(1),$(2),build/sim/$(1)/$(2))
endef

# ---- runs ------------------------------------------------------------------------------
fault_config = $(if $(findstring @,$(2)),$(lastword $(subst @, ,$(2))),$(firstword $(BENCH_$(1)_CONFIGS)))
fault_name = $(firstword $(subst @, ,$(1)))

quick_configs = $(or $(if $(SEEDS),,$(BENCH_$(1)_QUICK)),$(BENCH_$(1)_CONFIGS))
quick_seeds = $(or $(SEEDS),$(BENCH_$(1)_SEEDS),1)
REGRESS_SEEDS := $(shell seq 20)
regress_seeds = $(or $(SEEDS),$(BENCH_$(1)_REGRESS_SEEDS),$(REGRESS_SEEDS))

# $(call bench_logs,KIND,BENCHES): the logs of all configurations and seeds
seed_logs = $(foreach s,$(call $(1)_seeds,$(2)),build/sim/$(2)/$(3)/$(1)-$(s).log)
kind_configs = $(if $(filter quick,$(1)),$(call quick_configs,$(2)),$(BENCH_$(2)_CONFIGS))
bench_logs = $(foreach b,$(2),$(foreach c,$(call kind_configs,$(1),$(b)),$(call seed_logs,$(1),$(b),$(c))))
# $(call COUNT_EVENTS,KIND,BENCHES,MINIMUM)
define COUNT_EVENTS
$(file >build/sim/$(1)_logs,$(call bench_logs,$(1),$(2)))
@.ci/tools/count_events $(3) build/sim/$(1)_logs
endef

# $(call COUNT_BLOCK,BENCH): of a whole regression
define COUNT_BLOCK
$(file >build/sim/$(1)_regress_logs,$(call bench_logs,regress,$(1)))
@.ci/tools/count_block $(BENCH_$(1)_REGRESS_LEAST) build/sim/$(1)_regress_logs

endef

# $(call SIM_RUN,KIND,BENCH,CONFIG,SEEDS,ARGUMENTS)
define SIM_RUN
.PHONY: $(4:%=sim-$(1)-$(2)-$(3)-%)
$(4:%=sim-$(1)-$(2)-$(3)-%): sim-$(1)-$(2)-$(3)-%: build/sim/$(2)/$(3)/run
	@.ci/tools/run_bench 0 build/sim/$(2)/$(3)/$(1)-$$*.log build/sim/$(2)/$(3)/run --seed $$* $(5) $(BENCH_$(2)_ARGS_$(3))
sim-$(1)-$(2): $(4:%=sim-$(1)-$(2)-$(3)-%)
endef

# $(call SIM_FAULT,BENCH,FAULT,CONFIG): caught with the fault, passing without it in the same build
define SIM_FAULT
.PHONY: sim-fault-$(1)-$(2)-$(3)
sim-fault-$(1)-$(2)-$(3): build/sim/$(1)/$(3)/faults/run
	@.ci/tools/run_bench $(or $(BENCH_$(1)_FAULT_STATUS_$(2)),1$(COMMA)3) build/sim/$(1)/$(3)/faults/$(2).log \
		build/sim/$(1)/$(3)/faults/run --fault $(2) --seed 1 $(or $(BENCH_$(1)_FAULT_ARGS),$(BENCH_$(1)_ARGS)) \
		$(BENCH_$(1)_ARGS_$(3)) $(BENCH_$(1)_FAULT_ARGS_$(2))
sim-faults-$(1): sim-fault-$(1)-$(2)-$(3)
endef

define SIM_NO_FAULT
.PHONY: sim-fault-$(1)-none-$(2)
sim-fault-$(1)-none-$(2): build/sim/$(1)/$(2)/faults/run
	@.ci/tools/run_bench 0 build/sim/$(1)/$(2)/faults/none.log build/sim/$(1)/$(2)/faults/run --seed 1 \
		$(or $(BENCH_$(1)_FAULT_ARGS),$(BENCH_$(1)_ARGS)) $(BENCH_$(1)_ARGS_$(2))
sim-faults-$(1): sim-fault-$(1)-none-$(2)
endef

# The quick arguments, few events: the sanitizers look at the code, not at the design.
define SIM_SANITIZED
.PHONY: sim-sanitize-$(1)
sim-sanitize-$(1): build/sim/$(1)/$(2)/sanitize/run
	@.ci/tools/run_bench 0 build/sim/$(1)/$(2)/sanitize.log build/sim/$(1)/$(2)/sanitize/run --seed 1 \
		$(BENCH_$(1)_ARGS) $(BENCH_$(1)_ARGS_$(2))
endef

define SIM_BENCH
.PHONY: sim-build-$(1) sim-quick-$(1) sim-regress-$(1) sim-faults-$(1)
sim-build-$(1): $(foreach c,$(BENCH_$(1)_CONFIGS),build/sim/$(1)/$(c)/run)
$(foreach c,$(BENCH_$(1)_CONFIGS),$(call SIM_BENCH_CONFIG,$(1),$(c))
$(if $(filter $(c),$(call quick_configs,$(1))),$(call SIM_RUN,quick,$(1),$(c),$(call quick_seeds,$(1)),$(BENCH_$(1)_ARGS)))
$(call SIM_RUN,regress,$(1),$(c),$(call regress_seeds,$(1)),$(or $(BENCH_$(1)_REGRESS_ARGS),$(BENCH_$(1)_ARGS)))
)
$(foreach c,$(BENCH_$(1)_MEASURED),$(call SIM_BENCH_CONFIG,$(1),$(c))
)
$(call SIM_SANITIZED,$(1),$(firstword $(BENCH_$(1)_CONFIGS)))
$(foreach f,$(BENCH_$(1)_FAULTS),$(call SIM_FAULT,$(1),$(call fault_name,$(f)),$(call fault_config,$(1),$(f)))
)
$(foreach c,$(sort $(foreach f,$(BENCH_$(1)_FAULTS),$(call fault_config,$(1),$(f)))),$(call SIM_NO_FAULT,$(1),$(c))
)
endef
$(foreach b,$(BENCHES),$(eval $(call SIM_BENCH,$(b))))

# ---- what people call ---------------------------------------------------------------------
# $(call bench_option,--name,VALUE): quoted, for a path may have blanks; nothing without a value.
bench_option = $(if $(2),$(1) '$(subst ','\'',$(2))')

COSIM_BENCHES := $(or $(BENCH),$(BENCHES))
$(if $(filter-out $(BENCHES),$(COSIM_BENCHES)),\
	$(error no bench named $(filter-out $(BENCHES),$(COSIM_BENCHES)); there are: $(BENCHES)))
.PHONY: cosim regress waves
cosim: $(addprefix sim-quick-,$(COSIM_BENCHES)) ## Every bench over its swept configurations (BENCH="name ..." SEEDS="1 2 ...")
	$(call COUNT_EVENTS,quick,$(COSIM_BENCHES),1)
regress: $(addprefix sim-regress-,$(COSIM_BENCHES)) ## The long sweeps: every bench, every configuration, 20 seeds (BENCH= SEEDS=)
	$(call COUNT_EVENTS,regress,$(COSIM_BENCHES),1)
	$(if $(SEEDS),,$(foreach b,$(COSIM_BENCHES),$(if $(BENCH_$(b)_REGRESS_LEAST),$(call COUNT_BLOCK,$(b)))))
	$(if $(BENCH),,@$(MAKE) --no-print-directory test-long)

# The figure of the README: RTL against C model over 20 seeds of every configuration.
BENCH_TARGETS += bench-mismatches
.PHONY: bench-mismatches bench-mismatches-count
bench-mismatches: ## RTL against C model over 20 seeds of swept parameters
	@$(MAKE) --no-print-directory -j$(JOBS) bench-mismatches-count SEEDS="$(REGRESS_SEEDS)"
MISMATCH_BENCHES := address_path hub_address_unit reduction_buffer switch_reduction_unit lane
bench-mismatches-count: $(addprefix sim-quick-,$(MISMATCH_BENCHES))
	$(call COUNT_EVENTS,quick,$(MISMATCH_BENCHES),10000000)

waves: CONFIG ?= $(firstword $(BENCH_$(BENCH)_CONFIGS))
waves: SEED ?= 1
waves: FILE ?= build/waves/$(BENCH)-$(CONFIG)-$(SEED).fst
waves: PROGRAM = build/sim/$(BENCH)/$(CONFIG)/$(if $(filter --fault --fault=%,$(ARGS)),faults-)waves/run
waves: ## One bench run with an FST waveform: BENCH= [CONFIG= SEED= FROM= TO= ARGS= FILE=]
	@test -n "$(BENCH)" || { echo "make waves BENCH=<$(subst $() ,|,$(BENCHES))> [CONFIG= SEED= FROM= TO= ARGS=]"; exit 2; }
	@$(MAKE) --no-print-directory $(PROGRAM)
	@mkdir -p $(dir $(FILE)) && rm -f $(FILE)
	@$(PROGRAM) --seed $(SEED) --waves $(FILE) $(if $(FROM),--from $(FROM)) $(if $(TO),--to $(TO)) $(ARGS); \
		echo "run ended with status $$?"; test -s $(FILE) && echo "waveform: $(FILE)"

include sim/coverage/coverage.mk

# ---- speed against Icarus --------------------------------------------------------------------------
# The main job, shortened: model and compare included on this side, the RTL and its recorded stimulus alone on that.
BENCH_TARGETS += bench-icarus
.PHONY: bench-icarus
bench-icarus: build/sim/main_job/main-job/run ## The main job's speed against Icarus
	@MINIMUM=20 .ci/tools/compare_icarus $< $(main-job.sources) -- --tokens 1

# ---- the kit's own unit tests ------------------------------------------------------------------
build/sim/tests/test_kit: build/sim/obj/tests/test_kit.o build/sim/obj/libkit.a
	@mkdir -p $(@D)
	@$(SIM_CC) -o $@ $^ -lcmocka

TEST_ITEMS += unit-kit
TEST_unit-kit = $(MAKE) build/sim/tests/test_kit && build/sim/tests/test_kit
CHECK_ITEMS += unit-kit

# ---- test items ------------------------------------------------------------------------------
# Their runs are over long before what optimising them would take: it takes two thirds of a build, and they run five times as
# fast by it.
HASTY := arbiter asker counter_memory egress header_check hub_rate link link_sender memory packet_queue packet_store plane_state \
	queue question_arbiter request_unit response_output result_packer switch_reduction_unit
hasty = $(if $(filter $(1),$(HASTY)),SIM_OPTIMISE=-O0)
define SIM_TEST_ITEMS
TEST_ITEMS += bench-$(1) sanitize-$(1) $(if $(BENCH_$(1)_FAULTS),faults-$(1))
TEST_bench-$(1) = $$(MAKE) -k sim-quick-$(1) $(call hasty,$(1))
TEST_faults-$(1) = $$(MAKE) -k sim-faults-$(1) $(call hasty,$(1))
TEST_sanitize-$(1) = $$(MAKE) sim-sanitize-$(1) $(call hasty,$(1))
endef
$(foreach b,$(BENCHES),$(eval $(call SIM_TEST_ITEMS,$(b))))
# Whose programs with deliberate bugs take longest to build, or to run.
LONG_ITEMS += $(addprefix faults-,address_path address_path_parity crossbar final_reduce hub_address_unit hub_control hub_rate \
	packet_manager pre_reduce reduce_request reduction_buffer switch_plane switch_reduction_unit tile_tracker way way_stores)
