# SPDX-License-Identifier: Apache-2.0
# The parts' records -> a record a plane: what a port has of each group, and the whole.
def ports: .config | capture("^plane-(?<n>[0-9]+)-").n | tonumber;
def group: .config | capture("^plane-[0-9]+-(?<g>port|stores|requests|responses|state|registers|decoder)").g;
def once: group | IN("state", "registers", "decoder");
def sums: {gate_equivalents: (map(.gate_equivalents) | add // 0), memory_bits: (map(.memory_bits) | add // 0)};
group_by(ports)
| map((.[0] | ports) as $ports
    | (map(select(once | not)) | group_by(group) | map({key: (.[0] | group), value: sums}) | from_entries) as $groups
    | (map(select(once)) | sums) as $once
    | {ports: $ports, port: $groups.port, stores: $groups.stores, requests: $groups.requests, responses: $groups.responses,
       once: $once,
       plane: {gate_equivalents: ($ports * ([$groups[].gate_equivalents] | add) + $once.gate_equivalents),
               memory_bits: ($ports * ([$groups[].memory_bits] | add) + $once.memory_bits)},
       commit: .[0].commit, date: .[0].date})
