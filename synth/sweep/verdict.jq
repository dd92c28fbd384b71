# SPDX-License-Identifier: Apache-2.0
# curves.json, results.json (as $results) -> the verdict in words. Near-optimal: within 0.01 of the best of the same curve.
def percent: . * 1000 | round / 10 | "\(.) %";
def state: if .near_optimal == null then "not in the grid" elif .near_optimal then "near-optimal" else "NOT near-optimal" end;
def words: "  \(.curve): \(.at_paper | percent) at \(.paper) \(.x), \(.top | percent) at best, knee at \(.knee) \(.x): \(state)";
def judged: map(select(.near_optimal != null));
def count: judged | "\(map(select(.near_optimal)) | length) of \(length)";
def pad($width): tostring | . + " " * ([0, $width - length] | max);

# Of how many models 512 entries are near-optimal, by rows in flight and shape.
def hit_table:
    group_by([.traffic.policy, .traffic.ways]) as $shapes
    | (map(.traffic.inflight) | unique) as $inflights
    | "  \("rows in flight" | pad(20))\($inflights | map(pad(10)) | join(""))",
      ($shapes[] | . as $shape
       | "  \("\(.[0].traffic.ways) ways, \(.[0].traffic.policy)" | pad(20))"
         + ($inflights | map(. as $rows | $shape | map(select(.traffic.inflight == $rows)) | count | pad(10)) | join("")));

[.[] | select(.plot | startswith("hit-"))] as $hits
| [.[] | select(.plot == "stall")] as $stalls
| [.[] | select(.plot | startswith("reduction-"))] as $reductions
| "Near-optimal: within one point (0.01) of the best size of the same curve. The best may itself be poor: see the numbers.\n",
  "AL-TLB, 512 entries, hit rate of the C model: near-optimal for \($hits | count) curves. "
    + "Models for which it is, by shape and rows in flight:",
  ($hits | hit_table), "",
  ($hits | group_by(.plot)[] | " \(.[0].title):", (sort_by(.traffic.inflight)[] | words)),
  "\nAL-TLB, lookups per cycle of the RTL (deepseek-v3, 32 GPUs, dispatch, table access of 600 cycles): "
    + "near-optimal for \($stalls | count) curves.",
  ($stalls[]
   | "  \(.curve): " + ([.points[] | "\(.[1] * 10000 | round / 10000) at \(.[0])"] | join(", ")) + "; knee at \(.knee)"),
  "\nReduction buffer, 64 KB a port, partial flits per cycle of the RTL (one is the line rate; "
    + "an entry is 608 bytes of state): near-optimal for \($reductions | count) curves.",
  ($reductions | group_by(.traffic.trip)[] | " \(.[0].title):", (sort_by(.traffic.fanout)[] | words)),
  "\nBins, bf16 lane with bypass (area and clock by EFFORT=1), error of the C model against exact sums "
    + "in units of the largest input, fp32 result:",
  (2, 3, 4 | . as $k
   | ([$results[0][] | select(.kind == "area" and .point.block == "lane" and .point.size == $k) | .values][0]) as $area
   | ([$results[0][] | select(.kind == "error" and .point.bins == $k)]) as $errors
   | "  K = \($k): \($area.gate_equivalents) gate equivalents, \($area.fmax_mhz) MHz; "
     + ([$errors | group_by(.point.type)[]
         | "\(.[0].point.type) worst error \(map(.values.error_max) | max), "
           + "\((map(.values.not_nearest) | add) / (map(.values.sums) | add) | percent) of the sums "
           + "not the exact one rounded once"] | join("; "))),
  (if any($results[0][]; .kind == "area" and .point.block != "lane") then
     "\nArea, coarse grid:",
     ($results[0][] | select(.kind == "area" and .point.block != "lane")
      | "  \(.point.block) of \(.point.size) entries: \(.values.gate_equivalents) gate equivalents of logic, "
        + "memories \(.values.memory_bits) bits = \(.values.memory_area_um2 / .values.nand2_area_um2 | round) NAND2 areas, "
        + "\(.values.fmax_mhz) MHz")
   else empty end)
