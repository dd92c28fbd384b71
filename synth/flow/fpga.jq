# SPDX-License-Identifier: Apache-2.0
# Cells by type of an FPGA netlist -> LUT, flip-flops, carry cells, block RAMs, distributed RAM cells, DSP blocks.
[.[] | to_entries[]] as $types
| def count(pattern): [$types[] | select(.key | test(pattern)) | .value] | add // 0;
{config: $config, family: $family,
 lut: count("^LUT[1-6]$"), ff: count("^(FD[RSCP]E(_1)?|TRELLIS_FF)$"), carry: count("^(CARRY4|CCU2C)$"),
 block_ram: count("^(RAMB(18|36)E1|DP16KD|PDPW16KD)$"),
 distributed_ram: count("^(RAM[0-9]+(M|X1D|X1S|M16)?[0-9A-Z_]*|TRELLIS_DPR16X4)$"),
 dsp: count("^(DSP48E1|MULT18X18D|ALU54B)$"),
 commit: $commit, yosys: $yosys}
