# SPDX-License-Identifier: Apache-2.0
# Proofs with Yosys, yosys-smtbmc (z3), ABC and CaDiCaL; the tables are formal/*/*.proofs, their form is in formal/README.md.
#   BLOCK  one block only
FORMAL_DIR ?= build/formal

.PHONY: formal formal-all formal-quick
formal: tools ## Proofs, the default set (BLOCK=name: one block); build/formal/summary.json
	@formal/tools/run $(FORMAL_DIR) default $(JOBS) $(BLOCK)
formal-all: tools ## ... and all parameters and depths; what is proved already is kept
	@formal/tools/run $(FORMAL_DIR) all $(JOBS) $(BLOCK)
formal-quick: tools ## ... the part that `make test` runs
	@formal/tools/run $(FORMAL_DIR) quick $(JOBS) $(BLOCK)
.PHONY: formal-record formal-stale
formal-record: tools ## ... takes what $(FORMAL_DIR)/summary.json says into formal/RESULTS.md
	@formal/tools/record $(FORMAL_DIR)
formal-stale: tools ## ... lists what RESULTS.md has of other sources than today's
	@formal/tools/record --stale

TEST_ITEMS += formal-quick formal-runner formal-planter formal-record formal-newer-yosys
# Not formal-runner: it has limits of some seconds of processor time.
BESIDE_ITEMS += formal-quick formal-planter formal-record formal-newer-yosys
LONG_ITEMS += formal-runner
TEST_formal-newer-yosys = formal/tests/newer_yosys
TEST_formal-quick = $(MAKE) formal-quick
TEST_formal-runner = formal/tests/runner
TEST_formal-planter = formal/tests/planter
TEST_formal-record = formal/tests/record
CHECK_ITEMS += formal-planter

include formal/mutation/mutation.mk
