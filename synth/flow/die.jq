# SPDX-License-Identifier: Apache-2.0
# What gate equivalents and memory bits take of a die of the 4N class. Every assumption is printed where it is used.
def transistors_per_gate: 4;                 # a NAND2
def density: {low: 85e6, high: 98e6};        # transistors per mm2: NVSwitch gen 3 and H100, both 4N, whole-die averages
def bit_um2: 0.021;                          # N5 high-density 6T cell
def second_port: 1.35;                       # 1 read + 1 write cell against 6T (8T)
def efficiency: {low: 0.3, high: 0.7};       # of the array: small or multi-port, large
def gpu_mm2: 814;
def switch_mm2: 294;
def logic_mm2: {low: (. * transistors_per_gate / density.high), high: (. * transistors_per_gate / density.low)};
def memory_mm2: {low: (. * bit_um2 * 1e-6 / efficiency.high), high: (. * bit_um2 * 1e-6 * second_port / efficiency.low)};
def digits(n): if . == 0 then "0" else (pow(10; n - 1 - (fabs | log10 | floor)) as $s | . * $s | round / $s | tostring) end;
def range(unit): "\(.low * unit | digits(2)) .. \(.high * unit | digits(2))";
def assumptions:
    "Scaled to 4N class: \(transistors_per_gate) transistors a gate equivalent, "
    + "\(density.low / 1e6) to \(density.high / 1e6) M transistors a mm2",
    "(NVSwitch gen 3 and H100, whole-die averages: a block of plain logic is denser than that), "
    + "SRAM bit \(bit_um2) um2 (N5, 6T), times \(second_port) at most for the second port,",
    "array efficiency \(efficiency.high) to \(efficiency.low). No wires, no clock tree, no test logic.";
