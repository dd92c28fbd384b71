# SPDX-License-Identifier: Apache-2.0
# hub.json and the parts' records -> Markdown.
include "die";
include "parts";
($parts[0][0]) as $first
| ($first | title("Hubs")),
  "Each part alone, once, times its number, with what moehub_hub_top gives it by default. k gate equivalents without memories;",
  "kbit of memory. *A link*: its way, pre_reduce and final_reduce.\n",
  "| links | a link | loop-back | the rest | hub | memory of a link | of the loop-back | of the rest | memory of the hub |",
  "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
  (.[] | "| \(.links) | " + ([(.link, .loop_back, .once, .hub) | .gate_equivalents | thousand | tostring] | join(" | ")) + " | "
    + ([(.link, .loop_back, .once, .hub) | .memory_bits | thousand | tostring] | join(" | ")) + " |"),
  "\n## Share of a GPU die of \(gpu_mm2) mm2\n",
  assumptions,
  "\n| links | logic mm2 | memory mm2 | logic % of die | with memories % of die |",
  "|--:|--:|--:|--:|--:|",
  (.[] | "| \(.links) | \(.hub | share(gpu_mm2)) |"),
  "\n| paper | figure | what to keep in mind |",
  "|---|---|---|",
  "| DySHARP hub (arXiv 2605.05607) | 0.198 mm2, 0.024 % of \(gpu_mm2) mm2 | a 12-nm area over a 4N die, not scaled |",
  "| MoE-Hub (arXiv 2605.05888) | 0.49 mm2 at 7 nm, 0.06 % of the H800 die | with packet manager and availability manager |",
  "",
  ($parts[0] | part_rows),
  "\n## Parts below the clock target\n",
  "Worst path of each group that misses it, memories and 4 FO4 outside inputs and outputs counted.\n",
  "| part | from to | slack ns | start | end |",
  "|---|---|--:|---|---|",
  ($parts[0][] | .config as $c | .path_groups[] | select(.slack_ns < 0)
    | "| \($c) | \(.group) | \(.slack_ns) | `\(.start)` | `\(.end)` |")
