# SPDX-License-Identifier: Apache-2.0
# Cells by type and module (hierarchy kept) -> logic by module, as [{path, instances, gate_equivalents}], largest first.
# Memories are left out. Modules of one name are added up.
$library[0] as $lib
| . as $modules
| def name: sub("\\.[0-9]+$"; "");
  def children(m): $modules[m] | to_entries[] | select($modules[.key] != null);
  def own(m): [$modules[m] | to_entries[] | select($lib.cells[.key] != null) | $lib.cells[.key].area * .value] | add // 0;
  def total(m): own(m) + ([children(m) | total(.key) * .value] | add // 0);
  def rows(m; depth):
    if depth == 0 then empty
    else children(m) | {module: .key, count: .value, depth: (3 - depth)}, rows(.key; depth - 1) end;
[{module: ($top + " itself"), depth: 1, instances: 1, gate_equivalents: (own($top) / $lib.nand2.area | round)}]
+ ([rows($top; 2)
    | {module: (.module | name), depth, instances: .count, gate_equivalents: (total(.module) * .count / $lib.nand2.area)}]
   | group_by([.depth, .module])
   | map({module: .[0].module, depth: .[0].depth, instances: (map(.instances) | add),
          gate_equivalents: (map(.gate_equivalents) | add | round)}))
| sort_by(.depth, -.gate_equivalents)
