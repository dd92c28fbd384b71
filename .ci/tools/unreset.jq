# SPDX-License-Identifier: Apache-2.0
# Netlist of Yosys in which reset is tied to 1 -> the names of the registers whose next value is not constant then.
.modules[$top] as $m
| ($m.netnames | to_entries
   | map(.key as $name | select($name | contains("$") | not) | .value.bits[] | select(type == "number")
     | {key: tostring, value: $name})
   | group_by(.key) | map({key: .[0].key, value: (map(.value) | (map(select(endswith("_q"))) + .)[0])}) | from_entries) as $names
| $m.cells[] | select(.type | startswith("$dff")) | select(any(.connections.D[]; . != "0" and . != "1"))
| $names[.connections.Q[0] | tostring] // "a register without a name"
