# SPDX-License-Identifier: Apache-2.0
# The packet level beside htsim's EQDS on one traffic matrix; HTSIM=FOLDER with htsim_eqds, without it our half alone.
BENCH_TARGETS += bench-htsim
.PHONY: bench-htsim
bench-htsim: cmodel ## Unicast dispatch beside htsim's EQDS (HTSIM=folder of htsim_eqds); build/bench/htsim.json
	@cmodel/bench/compare_htsim $(HTSIM)
