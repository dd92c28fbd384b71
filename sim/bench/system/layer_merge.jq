# SPDX-License-Identifier: Apache-2.0
# Both phases as one summary, that of the fused one outside:
# jq -s --arg commit .. --arg verilator .. -f layer_merge.jq UNFUSED FUSED
.[0] as $unfused | .[1] as $fused
| $fused + {
    commit: $commit,
    tools: ($fused.tools + {verilator: $verilator}),
    events: ($unfused.events + $fused.events),
    mismatches: ($unfused.mismatches + $fused.mismatches),
    verdict: (if $unfused.verdict == "PASS" then $fused.verdict else $unfused.verdict end),
    phases: ($unfused.phases + $fused.phases),
    fused_speedup: ($unfused.cycles / $fused.cycles),
    ideal_speedup: ($unfused.ideal_cycles / $fused.ideal_cycles),
    phase: "unfused and fused",
    runs: {unfused: $unfused, fused: $fused}
}
