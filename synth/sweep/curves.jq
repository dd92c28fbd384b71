# SPDX-License-Identifier: Apache-2.0
# results.json -> the curves of all plots:
# [{plot, title, x, y, curve, paper, knee, at_paper, near_optimal, points: [[x, y], ...], traffic}].
# The knee is the smallest x whose y is within TOLERANCE of the same curve's largest.
def curve($paper; $tolerance; $words):
    sort_by(.[0]) as $points
    | ($points | map(.[1]) | max) as $top
    | {paper: $paper, top: $top, points: $points,
       knee: ([$points[] | select(.[1] >= $top - $tolerance)][0][0]),
       at_paper: ([$points[] | select(.[0] == $paper)][0][1])}
    | . + {near_optimal: (if .at_paper == null then null else .at_paper >= $top - $tolerance end)} + $words;

def hit_curves:
    [.[] | select(.kind == "hit")] | group_by([.point.model, .point.policy, .point.ways, .point.inflight])[]
    | .[0].point as $p
    | map([.point.sets * .point.ways, .values.hit_rate])
    | curve(512; 0.01;
        {plot: "hit-\($p.model)-\($p.policy)-\($p.ways)",
         title: "AL-TLB, \($p.model), \($p.gpus) GPUs, \($p.ways) ways, \($p.policy)",
         x: "entries", y: "hit rate", curve: "\($p.inflight) rows in flight", traffic: $p});

# Of the RTL only what the feasible grid has: hub geometries against rows in flight.
def stall_curves:
    [.[] | select(.kind == "stall" and (.point.hub | endswith("x4-plru")))] | group_by(.point.inflight)[]
    | .[0].point as $p
    | map([(.point.hub | split("-")[0] | split("x") | map(tonumber) | .[0] * .[1]), .values.lookups_per_cycle])
    | curve(512; 0.01;
        {plot: "stall", title: "AL-TLB in RTL, deepseek-v3, 32 GPUs, 4 ways, plru, table access of 600 cycles",
         x: "entries", y: "lookups per cycle", curve: "\($p.inflight) rows in flight", traffic: $p});

def reduction_curves:
    [.[] | select(.kind == "reduction")] | group_by([.point.trip, .point.fanout])[]
    | .[0].point as $p
    | map([.point.kilobytes, .values.flits_per_cycle])
    | curve(64; 0.01;
        {plot: "reduction-\($p.trip)", title: "Reduction buffer in RTL, round trip \($p.trip) to \($p.trip + $p.skew) cycles",
         x: "KB", y: "partial flits per cycle", curve: "fan-out \($p.fanout)", traffic: $p});

[hit_curves, stall_curves, reduction_curves]
