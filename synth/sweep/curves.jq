# SPDX-License-Identifier: Apache-2.0
# results.json -> the curves of all plots: [{plot, curve, paper, unit, knee, near_paper, points: [[x, y], ...]}].
# The knee is the smallest x whose y is within TOLERANCE of the same curve's largest.
def curve($plot; $unit; $paper; $tolerance; $extra):
    sort_by(.[0]) as $points
    | ($points | map(.[1]) | max) as $top
    | {plot: $plot, unit: $unit, paper: $paper, top: $top, points: $points,
       knee: ([$points[] | select(.[1] >= $top - $tolerance)][0][0]),
       at_paper: ([$points[] | select(.[0] == $paper)][0][1])}
    | . + {near_optimal: (if .at_paper == null then null else .at_paper >= $top - $tolerance end)} + $extra;

def hit_curves:
    [.[] | select(.kind == "hit")] | group_by([.point.model, .point.policy, .point.ways, .point.inflight])[]
    | .[0].point as $p
    | map([.point.sets * .point.ways, .values.hit_rate])
    | curve("hit-\($p.model)-\($p.policy)"; "entries"; 512; 0.01;
        {curve: "\($p.ways) ways, \($p.inflight) rows in flight", traffic: $p});

# Of the RTL only what the feasible grid has: hub geometries against rows in flight.
def stall_curves:
    [.[] | select(.kind == "stall" and (.point.hub | endswith("x4-plru")))] | group_by(.point.inflight)[]
    | .[0].point as $p
    | map([(.point.hub | split("-")[0] | split("x") | map(tonumber) | .[0] * .[1]), .values.lookups_per_cycle])
    | curve("stall"; "entries"; 512; 0.01; {curve: "\($p.inflight) rows in flight", traffic: $p});

def reduction_curves:
    [.[] | select(.kind == "reduction")] | group_by([.point.trip, .point.fanout])[]
    | .[0].point as $p
    | map([.point.kilobytes, .values.flits_per_cycle])
    | curve("reduction"; "KB"; 64; 0.01;
        {curve: "round trip \($p.trip) + \($p.skew), fan-out \($p.fanout)", traffic: $p});

[hit_curves, stall_curves, reduction_curves]
