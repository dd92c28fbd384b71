# SPDX-License-Identifier: Apache-2.0
# summary.json -> the share of a GPU and of a switch die, as ranges, beside the papers' figures. Every assumption is printed.
include "die";
def ports: 64;
def figures(times): . as $r | {
    config: .config, times: times,
    area_um2: (.area_um2 * times), gates: (.gate_equivalents * times),
    transistors: (.gate_equivalents * transistors_per_gate * times),
    logic: (.gate_equivalents * times | logic_mm2),
    memory: (.memory_bits * times | memory_mm2),
    bits: (.memory_bits * times)};
def row(die):
    "| \(.config)\(if .times > 1 then " x \(.times)" else "" end) | \(.area_um2 / 1e6 | digits(3)) | \(.gates) "
    + "| \(.transistors) | \(.logic | range(1)) | \(.bits) | \(.memory | range(1)) | "
    + "\({low: (.logic.low / die), high: (.logic.high / die)} | range(100)) | "
    + "\({low: ((.logic.low + .memory.low) / die), high: ((.logic.high + .memory.high) / die)} | range(100)) |";
[.[] | select(.config | test("^hub-(512|small|nvl32)$"))] as $hubs
| [.[] | select(.config | test("^reduction-"))] as $switches
| "# Share of the die\n",
  "\(.[0].date), commit \(.[0].commit), library \(.[0].liberty.name).",
  assumptions,
  "GPU die \(gpu_mm2) mm2, switch die \(switch_mm2) mm2.\n",
  "| | library area mm2 | gate equivalents | transistors | logic mm2 | memory bits | memory mm2 | logic % of die "
    + "| with memories % of die |",
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
  ($hubs[] | figures(1), figures(2) | row(gpu_mm2)),
  ($switches[] | figures(1), figures(ports) | row(switch_mm2)),
  "\nThe hub rows are the address path (one pipe; x 2: the two pipes that 450 GB/s need). "
    + "The papers' figures, for comparison, leave out or cover:\n",
  "| paper | figure | what to keep in mind |",
  "|---|---|---|",
  "| DySHARP hub (arXiv 2605.05607) | 0.198 mm2, 0.024 % of 814 mm2 "
    + "| a 12-nm area over a 4N die, not scaled; token tracker and queues included, which the rows above do not have |",
  "| DySHARP switch | < 0.01 mm2, < 0.1 % of 294 mm2 "
    + "| control only: the reduction buffers themselves, 64 KB at 64 ports, are not in it; the rows \"x \(ports)\" have them |",
  "| MoE-Hub (arXiv 2605.05888) | 0.49 mm2 at 7 nm, 0.06 % of the H800 die "
    + "| with packet manager and availability manager, which the rows above do not have |",
  "| CAIS (arXiv 2605.05628) | 0.50 mm2 switch (0.17 %), 0.019 mm2 GPU, at 12 nm | merge tables of 40 KB a port |"
