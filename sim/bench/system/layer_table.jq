# SPDX-License-Identifier: Apache-2.0
# The summary of both phases as text: jq -r -f layer_table.jq build/cosim/summary.json
def digits: . * 1000 | round / 1000;
def percent: "\(. * 1000 | round / 10) %";
def link: "\(.flits) flits, use \(.use | percent), payload \(.payload_share | percent)";

.runs as $runs
| (range($runs.fused.links | length) as $i | $runs.fused.links[$i]
    | "GPU \(.gpu) plane \(.plane) \(.direction)\tunfused \($runs.unfused.links[$i] | link);\tfused \(link)"),
($runs | to_entries[] | .key as $name | .value
    | "\($name)\t\(.cycles) cycles, ideal \(.ideal_cycles), ratio \(.ratio | digits)"
        + "; AL-TLB hit rate \([.phases[] | .al_tlb_hit_rate | percent] | join(", then "))"
        + ", \(.entries) AL table entries, \(.tiles) tiles"
        + "; row visible after p50 \(.row_latency.p50), p99 \(.row_latency.p99) cycles"),
"waited, cycles of all hubs and ports\tunfused\tfused",
($runs.fused.stalls | to_entries[] | .key as $cause | [$runs.unfused.stalls[$cause], .value]
    | select(add > 0) | "  \($cause)\t\(.[0])\t\(.[1])"),
"fused \(.fused_speedup | digits) times as fast as unfused; \(.ideal_speedup | digits) if both took their ideal;"
    + " rows of equal size: at most 2d/(1+d) = \(.bound | digits) with d = \(.fan_out | digits)",
"\(.verdict): \(.events) events compared, \(.mismatches) mismatches"
