# SPDX-License-Identifier: Apache-2.0
# What cmodel/machines names "make calibrate", as lines NAME VALUE. Latencies of hub and switch are those of GPU 0's token in an
# idle layer: two GPUs, an expert each, a token each that goes to both, rows of one line out and two back. `busy`: many tiles at
# once. `turns`, `rows`: packets of rows that are stored one after the other, side by side. `groups`: packets where links are
# `far` and requests wait for groups, of two lines each.
# jq -rn --slurpfile packets .. --slurpfile trace .. --slurpfile busy .. --slurpfile turns .. --slurpfile rows ..
#         --slurpfile groups .. --argjson link .. --argjson far .. --argjson memory .. --argjson gemm ..
#         --argjson lane_bytes .. --argjson local_experts ..
def type: .bytes[1:2];
def flits: .bytes | length / 32;
def turn(packets): [packets | select(.port == 0 and .direction == "in" and type == "2") | .cycle]
    | (.[-1] - .[0]) / (length - 1) | round;
def gpu($n): [$trace[0].traceEvents[] | select(.pid == $n)];
def of($all; $port; $direction; $kind): [$all[] | select(.port == $port and .direction == $direction and type == $kind)];
def packets($port; $direction; $kind): of($packets; $port; $direction; $kind);
# A packet's first and last cycle at the switch.
def last_flit: .cycle;
def first_flit: .cycle - flits + 1;

# A list of two targets is checked in two cycles.
(8 + 1 + 4) as $write          # a line is read from its places; a row list word and the line are written
| (4 + 128 / $lane_bytes) as $sum  # a line is read from memory and summed
| (gpu(0)[] | select(.name == "context") | .ts) as $begun
| (6 * $local_experts + 1) as $sweep # regions, and the tile
| packets(0; "in"; "2")[0] as $store | packets(1; "out"; "2")[0] as $copy
| ([gpu(1)[] | select(.name == "tile ready") | .ts] | max) as $tile
| packets(1; "in"; "8")[0] as $notify | packets(0; "out"; "8")[0] as $notified
| (($notified | first_flit) - ($notify | last_flit) - 2) as $notice
| (gpu(0)[] | select(.name == "token ready") | .ts) as $token
| packets(0; "in"; "3")[0] as $request | packets(1; "out"; "3")[0] as $asked
| packets(1; "in"; "4")[0] as $partial | packets(0; "out"; "5") as $results
| (gpu(0)[] | select(.name == "combine") | .ts + .dur) as $ended
| ($ended - (($results[-1] | last_flit) + $link + 1) - 8 - 8) as $final
| of($groups; 0; "in"; "3") as $requests | of($groups; 0; "out"; "5")[1] as $summed # the first group's second line
| ([$requests[] | select(.cycle > $summed.cycle)][0]) as $next
# What leaves a GPU is at the switch `link` cycles later, and the other way round; "in" is the cycle after the last flit.
| {
    hub_open_latency: (turn($turns[]) - $memory - 2),
    hub_row_cycles: turn($rows[]),
    hub_row_latency: (($store | first_flit) - $link - $begun - $memory - 2),
    plane_copy_latency: (($copy | first_flit) - ($store | last_flit) - 1),
    hub_write_latency: ($tile - (($copy | last_flit) + $link + 1) - $memory - $write),
    hub_arrive_latency: ((gpu(1)[] | select(.name == "all arrived") | .ts) - $tile - $sweep),
    hub_ready_cycles: ([$busy[0].traceEvents[] | select(.pid == 0 and .name == "tile ready") | .ts] | sort
        | [range(1; length) as $i | .[$i] - .[$i - 1]] | min),
    hub_tell_latency: (($notify | first_flit) - $link - $tile - 2 * $gemm - $memory - 1),
    plane_notice_latency: $notice,
    hub_token_latency: ($token - (($notified | last_flit) + $link + 1)),
    hub_ask_latency: (($request | first_flit) - $link - $token - $memory - 2),
    plane_request_latency: (($asked | first_flit) - ($request | last_flit) - 1),
    hub_ask_cycles: ($requests[1].cycle - $requests[0].cycle),
    hub_group_latency: (($next | first_flit) - $far - (($summed | last_flit) + $far + 1 + 8 + 8 + $final)),
    hub_answer_latency: (($partial | first_flit) - $link - (($asked | last_flit) + $link + 1) - $memory - $sum),
    plane_sum_latency: (($results[0] | first_flit) - ($partial | last_flit) - 1 - ($partial | flits) - $notice),
    hub_final_latency: $final
} | to_entries[] | "\(.key) \(.value)"
