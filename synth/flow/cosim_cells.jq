# SPDX-License-Identifier: Apache-2.0
# library.json -> the lines that cosim_gates.awk reads: outputs of gates, and the flip-flop.
(.cells | to_entries[] | select(.value.kind == "gate") | .key as $cell
    | .value.outputs | to_entries[] | ["gate", $cell, .key, .value] | @tsv),
(.flip_flop | ["flop", .cell, .data, .clock, .output, (.inverted | tostring)] | @tsv)
