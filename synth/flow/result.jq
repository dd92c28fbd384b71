# SPDX-License-Identifier: Apache-2.0
# One configuration's record of summary.json.
$library[0] as $lib | $area[0] as $a
| [$paths | split("\n")[] | select(. != "") | split("\t")
   | {group: .[0], slack_ns: (.[1] | tonumber), start: .[2], end: .[3]}] as $paths
| ($paths[] | select(.group == "all")) as $worst
| [$memories[0][] | . + {area_um2: $ram[0].cells["moehub_ram_\(.words)x\(.width)"].area, bits: (.words * .width)}] as $memories
| {
    config: $config, top: $top, parameters: $parameters,
    liberty: {name: $lib.name, sha256: $lib.sha256, nand2_area_um2: $lib.nand2.area, fo4_ns: $lib.fo4_ns},
    tool_versions: {yosys: $yosys, opensta: $sta},
    commit: $commit, date: $date, abc_script: $script,
    clock_ns: $period,
    cells: $a.cells, area_um2: $a.area, gate_equivalents: $a.gate_equivalents,
    flops: $a.flops, flop_gate_equivalents: ($a.flop_area / $lib.nand2.area | round),
    memory_bits: ([$memories[].bits] | add // 0), memory_area_um2: ([$memories[].area_um2] | add // 0),
    memories: ($memories | group_by([.words, .width]) | map(.[0] + {count: length, ports: "1 read, 1 write"})
               | sort_by(-.bits * .count)),
    wns_ns: $worst.slack_ns, fmax_mhz: (1000 / ($period - $worst.slack_ns) * 10 | floor / 10),
    critical_path: {start: $worst.start, end: $worst.end},
    path_groups: [$paths[] | select(.group != "all")],
    hierarchy: $tree[0]
  }
