# SPDX-License-Identifier: Apache-2.0
# The parts' records -> a record a plane: what a port has of each group, and the whole.
include "parts";
def ports: .config | capture("^plane-(?<n>[0-9]+)-").n | tonumber;
def group: .config | capture("^plane-[0-9]+-(?<g>port|stores|requests|responses|fullest|state|registers|decoder)").g;
def once: group | IN("fullest", "state", "registers", "decoder");
group_by(ports)
| map((.[0] | ports) as $ports
    | (map(select(once | not)) | group_by(group) | map({key: (.[0] | group), value: sums}) | from_entries) as $groups
    | (map(select(once)) | sums) as $once
    | {ports: $ports, port: $groups.port, stores: $groups.stores, requests: $groups.requests, responses: $groups.responses,
       once: $once, plane: ([($groups[] | times($ports)), $once] | sums), commit: .[0].commit, date: .[0].date})
