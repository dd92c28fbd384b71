# SPDX-License-Identifier: Apache-2.0
# build/bench/layer.json as a table: jq -L sim/kit -r --arg command .. -f layer_rates_table.jq build/bench/layer.json
include "digits";
def moments: "\(.first), \(.median), \(.last)";

"`\($command)` at commit \(.[0].commit), \(.[0].verilator), seed \(.[0].seed), \(.[0].gpus) GPUs, planes: \(.[0].planes):",
"",
"| case | phase | tokens a GPU | ideal cycles | cycles | ratio | payload | AL-TLB hits | row visible after p50 | p99 cycles |",
"|---|---|---|---|---|---|---|---|---|---|",
(.[] | select(.cycles) | "| \(.case) | \(.phase) | \(.tokens) | \(.ideal_cycles) | \(.cycles) | \(.ratio | digits)"
    + " | \(.payload_share | digits) | \(.al_tlb_hit_rate | digits) | \(.row_p50) | \(.row_p99) |"),
"",
"| case | fused over unfused, times | both at their ideal | 2d / (1 + d), rows of equal size | d |",
"|---|---|---|---|---|",
(.[] | select(.speedup) | "| \(.case) | \(.speedup | digits) | \(.ideal_speedup | digits) | \(.bound | digits)"
    + " | \(.fan_out | digits) |"),
"",
"| case | phase | packets of whole lines | of less | tiles | ready: first, median, last cycle | first GEMM began | ended: last |",
"|---|---|---|---|---|---|---|---|",
(.[] | select(.cycles and .phase != "combine") | "| \(.case) | \(.phase) | \(.whole_packets) | \(.part_packets) | \(.gemm.tiles)"
    + " | \(.gemm.ready | moments) | \(.gemm.began | moments) | \(.gemm.ended.last) |")
