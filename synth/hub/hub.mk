# SPDX-License-Identifier: Apache-2.0
# Logic and memory of whole hubs as the sum of their parts (synth/README.md, "The hub's blocks").
#   HUB_LINKS  numbers of links (default 1 2 4); EFFORT, LIBERTY as for `make synth`
.PHONY: synth-hub
synth-hub: synth-library ## Area of hubs of HUB_LINKS="1 2 4" links; build/synth/hub.md
	@$(MAKE) --no-print-directory -j$(JOBS) $(SYNTH_HUB:%=synth-run-%)
	@synth/flow/parts hub $(SYNTH_DIR) $(SYNTH_HUB)
