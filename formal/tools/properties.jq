# SPDX-License-Identifier: Apache-2.0
# summary.json as Markdown: a row per property, its parameters together.
def reach: if .result == "bounded" then "bounded \(.depth)" elif .result == "proved" then "proved" else "**\(.result)**" end;
def words: map(select(. != "-")) | unique | map("`\(.)`") | join(", ");
"| block | property | engine | result | parameters | cover | deliberate bug | seconds |",
"|---|---|---|---|---|---|---|--:|",
(group_by(.block, .property, .engine, reach)[]
 | [.[0].block, "`\(.[0].property)`", .[0].engine, (.[0] | reach),
    (map(if .parameters == "" then "defaults" else .parameters end) | unique | join("; ")),
    (map(.cover) | words), (map(.bug) | words), (map(.seconds) | add)]
 | "| \(map(tostring) | join(" | ")) |")
