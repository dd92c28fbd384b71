# SPDX-License-Identifier: Apache-2.0
# summary.json -> Markdown: a header that tells how the numbers came about, the table, the worst paths, where the area goes.
.[0] as $first
| "# Area and timing\n",
  "\($first.date), commit \($first.commit), library \($first.liberty.name) (sha256 \($first.liberty.sha256)), "
    + "NAND2 \($first.liberty.nand2_area_um2) area units, FO4 \($first.liberty.fo4_ns) ns.",
  "\($first.tool_versions.yosys); OpenSTA \($first.tool_versions.opensta). "
    + "Ideal clock, no wires, one corner: to compare designs, not to tape out.\n",
  "| configuration | clock target MHz | reached MHz | slack ns | logic gate equivalents | of it flops | flops | cells "
    + "| memory bits | ABC script |",
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|",
  (.[] | "| \(.config) | \(1000 / .clock_ns | round) | \(.fmax_mhz) | \(.wns_ns) | \(.gate_equivalents) "
    + "| \(.flop_gate_equivalents) | \(.flops) | \(.cells) | \(.memory_bits) | \(.abc_script) |"),
  "\n## Worst path of each group\n",
  "| configuration | from to | slack ns | start | end |",
  "|---|---|--:|---|---|",
  (.[] | .config as $c | .path_groups[] | "| \($c) | \(.group) | \(.slack_ns) | `\(.start)` | `\(.end)` |"),
  "\n## Where the logic goes\n",
  "Mapped again with the hierarchy kept, so the sums differ from the table above.\n",
  "| configuration | level | module | instances | gate equivalents |",
  "|---|--:|---|--:|--:|",
  (.[] | .config as $c | .hierarchy[] | "| \($c) | \(.depth) | \(.module) | \(.instances) | \(.gate_equivalents) |"),
  "\n## Memories\n",
  "| configuration | words x width | ports | count | bits | modelled area each |",
  "|---|---|---|--:|--:|--:|",
  (.[] | .config as $c | .memories[]
    | "| \($c) | \(.words) x \(.width) | \(.ports) | \(.count) | \(.bits * .count) | \(.area_um2) |")
