# SPDX-License-Identifier: Apache-2.0
# Cells by type (cells.jq of a flattened netlist) -> cells, area, gate equivalents, flops. An unknown cell type is an error.
$library[0] as $lib
| [.[] | to_entries[]] as $types
| [$types[] | select((.key | startswith("moehub_ram_")) | not)
   | . + ($lib.cells[.key] // error("cell of unknown area: \(.key)"))] as $known
| ([$known[] | .area * .value] | add // 0) as $area
| {
    cells: ([$known[].value] | add // 0),
    area: $area,
    gate_equivalents: ($area / $lib.nand2.area | round),
    flops: ([$known[] | select(.kind == "flop").value] | add // 0),
    flop_area: ([$known[] | select(.kind == "flop") | .area * .value] | add // 0),
    latches: ([$known[] | select(.kind == "latch").value] | add // 0)
  }
| if .latches > 0 then error("\(.latches) latches in the netlist") else . end
