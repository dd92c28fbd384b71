# SPDX-License-Identifier: Apache-2.0
# build/bench/hub.json as a table: jq -L sim/kit -r --arg command .. -f hub_rate.jq build/bench/hub.json
include "digits";

.[0] as $first
| "`\($command)` at commit \($first.commit), seed \($first.seed), memory of \($first.memory) cycles,"
    + " \($first.rows_in_turn) rows of a link in turn. Cycles that a way waited, a packet:",
"",
"| links | experts of a row | flits | flits a cycle and link, least | pairs a cycle | "
    + "\($first.waited | keys_unsorted | join(" | ")) |",
"|---|---|---|---|---|\($first.waited | map("---|") | add)",
(.[] | .packets as $packets | "| \(.links) | \(.targets) | \(.flits) | \(.least | digits) | \(.pairs_a_cycle | digits)"
    + " | \([.waited[] | . / $packets | digits] | join(" | ")) |")
