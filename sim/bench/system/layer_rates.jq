# SPDX-License-Identifier: Apache-2.0
# A case's phases of summary.json, an object each: jq --arg case .. -f layer_rates.jq build/bench/layer/CASE/summary.json
# The AL-TLB's hit rate is the phase's own; its misses are those from the run's start to the phase's end.
. as $summary
| [("unfused", "fused", "dispatch") as $run | .runs[$run] | select(. != null) as $from | $from.phases | to_entries[]
    | {case: $case, phase: .key, gpus: $summary.gpus, planes: $summary.planes, tokens: ($summary.tokens / $summary.gpus),
       ideal_cycles: .value.ideal_cycles, cycles: .value.cycles, ratio: .value.ratio,
       fullest_flits: .value.fullest_flits,
       payload_share: $from.payload_share, al_tlb_hit_rate: .value.al_tlb_hit_rate,
       row_p50: $from.row_latency.p50, row_p99: $from.row_latency.p99,
       al_tlb_misses: (if .key == "dispatch" then .value.al_tlb_misses else $from.al_tlb_misses end),
       gemm: $from.gemm, whole_packets: $from.whole_packets, part_packets: $from.part_packets,
       events: $from.events, mismatches: $from.mismatches,
       switch: $from.design, hub: $from.hub, arguments: $from.arguments, up: .value.up, down: .value.down}
       + (.value | with_entries(select(.key == "asked")))]
| . + [select($summary.fused_speedup != null)
    | {case: $case, phase: "fused over unfused", gpus: $summary.gpus, planes: $summary.planes,
        tokens: ($summary.tokens / $summary.gpus), fan_out: $summary.fan_out, speedup: $summary.fused_speedup,
        ideal_speedup: $summary.ideal_speedup, bound: $summary.bound}]
| map(. + {seed: $summary.seed, commit: $summary.commit, verilator: $summary.tools.verilator})
