# SPDX-License-Identifier: Apache-2.0
# What the sums of parts (`parts`) share, and their tables.
include "die";
def sums: {gate_equivalents: (map(.gate_equivalents) | add // 0), memory_bits: (map(.memory_bits) | add // 0)};
def times(n): map_values(. * n);
def thousand: . / 1000 | round;
def title(name):
    "# \(name)\n",
    "\(.date), commit \(.commit), library \(.liberty.name). \(.tool_versions.yosys); OpenSTA \(.tool_versions.opensta).";
# {gate_equivalents, memory_bits} -> mm2 of logic and of memory, and their share of a die.
def share(die):
    (.gate_equivalents | logic_mm2) as $logic | (.memory_bits | memory_mm2) as $memory
    | "\($logic | range(1)) | \($memory | range(1)) | \($logic | range(100 / die)) | "
        + "\({low: ($logic.low + $memory.low), high: ($logic.high + $memory.high)} | range(100 / die))";
def part_rows:
    "## Parts\n",
    "| part | gate equivalents | of it flops | memory bits | MHz alone |",
    "|---|--:|--:|--:|--:|",
    (.[] | "| \(.config) | \(.gate_equivalents) | \(.flop_gate_equivalents) | \(.memory_bits) | \(.fmax_mhz) |");
