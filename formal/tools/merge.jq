# SPDX-License-Identifier: Apache-2.0
# What RESULTS.md is to have: jq -n --slurpfile lines LINES --slurpfile old ROWS --slurpfile new ROWS -f merge.jq. Of each line of
# the tables the new rows (rows.jq), if they have all its parameters, else the old ones.
#   lacks: neither has them all; part: how many lines new rows have in part; foreign: old rows that no table has
def key: [.block, .property, .engine];
def by_key: group_by(key) | map({key: (.[0] | key | tostring), value: .}) | from_entries;
def whole($rows): ([$rows[].parameters[]] | unique) == .parameters;
($old[0] | by_key) as $was | ($new[0] | by_key) as $came
| [$lines[0][] | ($came[key | tostring] // []) as $rows | ($was[key | tostring] // []) as $before
   | if whole($rows) then {rows: $rows}
     else {rows: $before, part: ($rows != []), lacks: (if whole($before) then null else key | join(" ") end)} end]
| {rows: [.[].rows[]], lacks: [.[].lacks // empty], part: (map(select(.part)) | length),
   foreign: (($old[0] | map(key)) - ($lines[0] | map(key)) | unique | map(join(" ")))}
