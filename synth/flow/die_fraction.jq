# SPDX-License-Identifier: Apache-2.0
# summary.json -> the share of a GPU and of a switch die, as ranges, beside the papers' figures. Every assumption is printed.
def transistors_per_gate: 4;                 # a NAND2
def density: {low: 85e6, high: 98e6};        # transistors per mm2: NVSwitch gen 3 and H100, both 4N, whole-die averages
def bit_um2: 0.021;                          # N5 high-density 6T cell
def second_port: 1.35;                       # 1 read + 1 write cell against 6T (8T)
def efficiency: {low: 0.3, high: 0.7};       # of the array: small or multi-port, large
def gpu_mm2: 814;
def switch_mm2: 294;
def ports: 64;
def figures(times): . as $r | {
    config: .config, times: times,
    area_um2: (.area_um2 * times), gates: (.gate_equivalents * times),
    transistors: (.gate_equivalents * transistors_per_gate * times),
    logic: {low: (.gate_equivalents * transistors_per_gate * times / density.high),
            high: (.gate_equivalents * transistors_per_gate * times / density.low)},
    memory: {low: (.memory_bits * times * bit_um2 * 1e-6 / efficiency.high),
             high: (.memory_bits * times * bit_um2 * 1e-6 * second_port / efficiency.low)},
    bits: (.memory_bits * times)};
def digits(n): if . == 0 then "0" else (pow(10; n - 1 - (fabs | log10 | floor)) as $s | . * $s | round / $s | tostring) end;
def range(unit): "\(.low * unit | digits(2)) .. \(.high * unit | digits(2))";
def row(die):
    "| \(.config)\(if .times > 1 then " x \(.times)" else "" end) | \(.area_um2 / 1e6 | digits(3)) | \(.gates) "
    + "| \(.transistors) | \(.logic | range(1)) | \(.bits) | \(.memory | range(1)) | "
    + "\({low: (.logic.low / die), high: (.logic.high / die)} | range(100)) | "
    + "\({low: ((.logic.low + .memory.low) / die), high: ((.logic.high + .memory.high) / die)} | range(100)) |";
[.[] | select(.config | test("^hub-(512|small|nvl32)$"))] as $hubs
| [.[] | select(.config | test("^reduction-"))] as $switches
| "# Share of the die\n",
  "\(.[0].date), commit \(.[0].commit), library \(.[0].liberty.name), scaled to 4N class: "
    + "\(transistors_per_gate) transistors a gate equivalent, "
    + "\(density.low / 1e6) to \(density.high / 1e6) M transistors a mm2",
  "(NVSwitch gen 3 and H100, whole-die averages: a block of plain logic is denser than that), "
    + "SRAM bit \(bit_um2) um2 (N5, 6T), times \(second_port) at most for the second port,",
  "array efficiency \(efficiency.high) to \(efficiency.low). No wires, no clock tree, no test logic. "
    + "GPU die \(gpu_mm2) mm2, switch die \(switch_mm2) mm2.\n",
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
