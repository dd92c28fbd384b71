# SPDX-License-Identifier: Apache-2.0
# build/bench/switch.json as a table: jq -L sim/kit -r --arg command .. --arg commit .. --arg date .. -f switch_rates.jq
include "digits";

"`\($command)` at commit \($commit), \($date):",
"",
"| case | ports | tokens | ideal cycles | cycles | ratio | an ideal plane's | steady use | of all links | bottleneck"
    + " | payload | slowest / fastest | against unicast |",
"|---|---|---|---|---|---|---|---|---|---|---|---|---|",
(.[] | "| \(.case) | \(.ports) | \(.tokens) | \(.ideal_cycles) | \(.cycles) | \(.ratio | digits)"
    + " | \(.ideal_plane_ratio | digits) | \(.steady_use | digits) | \(.steady_use_all | digits) | \(.bottleneck)"
    + " | \(.payload | digits) | \(.slowest_of_fastest | digits)"
    + " | \(if .case | contains("fused") then "\(.unicast_gain | digits), \(.unicast_share | digits)" else "" end) |")
