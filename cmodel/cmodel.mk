# SPDX-License-Identifier: Apache-2.0
# The C model: library, program, unit tests, fuzz targets. Recipes run from the repository's root.
#
#   cmodel           build/lib/libmoehub.{a,so} and build/bin/moehub
#   cmodel-test      all unit tests, and the fuzz targets under the seeded driver
#   cmodel-sanitize  the same with AddressSanitizer and UndefinedBehaviorSanitizer
#   cmodel-fuzz      the fuzz targets under libFuzzer, CMODEL_FUZZ_SECONDS each
#   cmodel-clang     the whole library, program and tests compiled by clang, warnings being errors
#
# New files in a folder of cmodel/src or cmodel/tests (test_*.c), in cmodel/cli and in cmodel/fuzz (fuzz_*.c) join by themselves.

CMODEL_CC ?= gcc
CMODEL_CLANG ?= clang
CMODEL_FUZZ_SECONDS ?= 10
CMODEL_FUZZ_SEED ?= 1
# Commands are shown with V=1.
CMODEL_QUIET := $(if $(V),,@)

CMODEL_WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
CMODEL_FLAGS := -std=c11 -D_GNU_SOURCE -Icmodel/include -Icmodel/src -Icmodel/tests $(CMODEL_WARNINGS) \
	-ffp-contract=off -g -MMD -MP
CMODEL_OPTIMISE := -O2 -ftree-vectorize
# The packet level of the system model runs for minutes: inlining of larger functions pays there. Its loops are too short for
# vectors.
CMODEL_OPTIMISE_SYSTEM := -O3 -fno-semantic-interposition -fno-tree-vectorize
CMODEL_SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CMODEL_COVERAGE := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
CMODEL_LIBS := -ljansson -lgsl -lgslcblas -lm
CMODEL_TEST_LIBS := -lcmocka -lmpfr -lgmp

CMODEL_SOURCES := $(sort $(wildcard cmodel/src/*/*.c cmodel/driver/*.c))
CMODEL_CLI := $(sort $(wildcard cmodel/cli/*.c))
CMODEL_TESTS := $(sort $(wildcard cmodel/tests/*/test_*.c))
CMODEL_FUZZ := $(sort $(wildcard cmodel/fuzz/fuzz_*.c))
CMODEL_TEST_NAMES := $(notdir $(CMODEL_TESTS:.c=))
CMODEL_FUZZ_NAMES := $(notdir $(CMODEL_FUZZ:.c=))

# $(call cmodel_objects,FOLDER,SOURCES): where a source's object lies
cmodel_objects = $(patsubst cmodel/%.c,$(1)/%.o,$(2))

# ---- one set of rules per build: folder, compiler, flags -----------------------
define CMODEL_BUILD
$(1)/%.o: cmodel/%.c
	@mkdir -p $$(@D)
	@echo "  CC    $$@"
	$$(CMODEL_QUIET)$(2) $$(CMODEL_FLAGS) $(3) $$(CMODEL_FURTHER) -fPIC -c -o $$@ $$<

$(1)/libmoehub.a: $$(call cmodel_objects,$(1),$$(CMODEL_SOURCES))
	@rm -f $$@
	@echo "  AR    $$@"
	$$(CMODEL_QUIET)ar rcs $$@ $$^

$(addprefix $(1)/,$(CMODEL_TEST_NAMES)): $(1)/%: $(1)/libmoehub.a
	@echo "  LINK  $$@"
	$$(CMODEL_QUIET)$(2) $(3) -o $$@ $$(filter %.o,$$^) $$< $$(CMODEL_TEST_LIBS) $$(CMODEL_LIBS)
$(foreach t,$(CMODEL_TESTS:cmodel/%.c=%),$(eval $(1)/$(notdir $(t)): $(1)/$(t).o))

$(1)/fuzz_%: $(1)/fuzz/fuzz_%.o $(1)/fuzz/seeded_driver.o $(1)/libmoehub.a
	@echo "  LINK  $$@"
	$$(CMODEL_QUIET)$(2) $(3) -o $$@ $$^ $$(CMODEL_LIBS)

$(1)/moehub: $$(call cmodel_objects,$(1),$$(CMODEL_CLI)) $(1)/libmoehub.a
	@echo "  LINK  $$@"
	$$(CMODEL_QUIET)$(2) $(3) -o $$@ $$^ $$(CMODEL_LIBS)

-include $$(patsubst %.o,%.d,$$(call cmodel_objects,$(1),\
	$$(CMODEL_SOURCES) $$(CMODEL_CLI) $$(CMODEL_TESTS) $$(CMODEL_FUZZ) cmodel/fuzz/seeded_driver.c))
endef

$(eval $(call CMODEL_BUILD,build/cmodel,$(CMODEL_CC),$(CMODEL_OPTIMISE)))
$(eval $(call CMODEL_BUILD,build/sanitize,$(CMODEL_CC),$(CMODEL_SANITIZE)))
$(eval $(call CMODEL_BUILD,build/clang,$(CMODEL_CLANG),$(CMODEL_OPTIMISE)))
$(eval $(call CMODEL_BUILD,build/fuzz,$(CMODEL_CLANG),$(CMODEL_COVERAGE)))

build/cmodel/src/system/%.o build/clang/src/system/%.o: CMODEL_FURTHER := $(CMODEL_OPTIMISE_SYSTEM)

.PRECIOUS: $(foreach folder,build/cmodel build/sanitize build/clang build/fuzz,$(addprefix $(folder)/,%.o test_% fuzz_%))

# ---- what users take -----------------------------------------------------------
.PHONY: cmodel cmodel-test cmodel-sanitize cmodel-fuzz cmodel-clang

cmodel: build/lib/libmoehub.a build/lib/libmoehub.so build/bin/moehub

# Only moehub_* is visible in either library: what the sources share among themselves cannot clash with a user's names.
build/lib/libmoehub.a: $(call cmodel_objects,build/cmodel,$(CMODEL_SOURCES)) cmodel/cmodel.mk
	@mkdir -p $(@D)
	@echo "  AR    $@"
	$(CMODEL_QUIET)ld -r -o build/cmodel/moehub.o $(filter %.o,$^) \
		&& objcopy --wildcard --keep-global-symbol='moehub_*' build/cmodel/moehub.o
	@rm -f $@
	$(CMODEL_QUIET)ar rcs $@ build/cmodel/moehub.o

build/lib/libmoehub.so: $(call cmodel_objects,build/cmodel,$(CMODEL_SOURCES)) cmodel/libmoehub.map cmodel/cmodel.mk
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	$(CMODEL_QUIET)$(CMODEL_CC) -shared -Wl,--version-script=cmodel/libmoehub.map -o $@ $(filter %.o,$^) $(CMODEL_LIBS)

build/bin/moehub: build/cmodel/moehub
	@mkdir -p $(@D)
	@cp $< $@

build/tests/test_%: build/cmodel/test_%
	@mkdir -p $(@D)
	@cp $< $@

# ---- running -------------------------------------------------------------------
# $(call cmodel_run,PROGRAMS): runs all, names those that failed, fails if any did or if there is none
cmodel_run = failed=""; ran=0; for program in $(1); do echo "== $$program"; ran=$$((ran + 1)); \
	"$$program" || failed="$$failed $$program"; done; \
	test $$ran -gt 0 || { echo "nothing to run"; exit 1; }; \
	test -z "$$failed" || { echo "FAILED:$$failed"; exit 1; }

cmodel-test: cmodel $(addprefix build/tests/,$(CMODEL_TEST_NAMES)) $(addprefix build/cmodel/,$(CMODEL_FUZZ_NAMES))
	@export MOEHUB_PROGRAM=build/bin/moehub; \
	$(call cmodel_run,$(addprefix build/tests/,$(CMODEL_TEST_NAMES)) $(addprefix build/cmodel/,$(CMODEL_FUZZ_NAMES)))

# Whole layers through the system model take minutes under the sanitizers: `make test` leaves these out there, what they are made
# of has tests of its own. `make cmodel-sanitize` runs all. `make check` leaves them to `make test`, too.
CMODEL_LONG := test_command_system test_system_figures test_system_levels test_system_model test_system_shares
CMODEL_SANITIZED ?= $(CMODEL_TEST_NAMES)
cmodel-sanitize: build/sanitize/moehub $(addprefix build/sanitize/,$(CMODEL_SANITIZED) $(CMODEL_FUZZ_NAMES))
	@export MOEHUB_PROGRAM=build/sanitize/moehub; \
	$(call cmodel_run,$(addprefix build/sanitize/,$(CMODEL_SANITIZED) $(CMODEL_FUZZ_NAMES)))

cmodel-clang: build/clang/moehub $(addprefix build/clang/,$(CMODEL_TEST_NAMES))

# libFuzzer: the library with coverage, each target with its seeds' corpus
build/fuzz/libfuzzer_%: build/fuzz/fuzz/fuzz_%.o build/fuzz/libmoehub.a
	@echo "  LINK  $@"
	$(CMODEL_QUIET)$(CMODEL_CLANG) $(CMODEL_COVERAGE) -fsanitize=fuzzer -o $@ $^ $(CMODEL_LIBS)

cmodel-fuzz: $(addprefix build/fuzz/lib,$(CMODEL_FUZZ_NAMES:fuzz_%=fuzzer_%)) $(addprefix build/cmodel/,$(CMODEL_FUZZ_NAMES))
	@for target in $(CMODEL_FUZZ_NAMES); do echo "== $$target"; \
		mkdir -p build/fuzz/corpus/$$target && \
		build/cmodel/$$target --write-seeds build/fuzz/corpus/$$target && \
		build/fuzz/libfuzzer_$${target#fuzz_} -seed=$(CMODEL_FUZZ_SEED) -max_total_time=$(CMODEL_FUZZ_SECONDS) -verbosity=0 \
			-print_final_stats=1 -artifact_prefix=build/fuzz/$$target- build/fuzz/corpus/$$target || exit 1; done

# Further targets of the model's own folders: the DPI example, benchmarks.
-include $(sort $(wildcard cmodel/*/*.mk))
