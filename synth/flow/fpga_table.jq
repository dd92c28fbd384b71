# SPDX-License-Identifier: Apache-2.0
"# FPGA view\n",
"commit \(.[0].commit), \(.[0].yosys); after Yosys' own synth_xilinx (7-series) and synth_ecp5, before place and route.\n",
"| configuration | family | LUT | FF | carry | block RAM | distributed RAM cells | DSP |",
"|---|---|--:|--:|--:|--:|--:|--:|",
(.[] | "| \(.config) | \(.family) | \(.lut) | \(.ff) | \(.carry) | \(.block_ram) | \(.distributed_ram) | \(.dsp) |")
