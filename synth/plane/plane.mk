# SPDX-License-Identifier: Apache-2.0
# Logic and memory of whole switch planes as the sum of their parts (synth/README.md, "A switch plane").
#   PLANE_PORTS  sizes of planes (default 8 16 32 64); EFFORT, LIBERTY as for `make synth`
.PHONY: synth-plane
synth-plane: synth-library ## Area of switch planes of PLANE_PORTS="8 16 32 64" ports; build/synth/plane.md
	@$(MAKE) --no-print-directory -j$(JOBS) $(SYNTH_PLANE:%=synth-run-%)
	@synth/flow/parts plane $(SYNTH_DIR) $(SYNTH_PLANE)
