# SPDX-License-Identifier: Apache-2.0
# summary.json of a run: an object per property and result, its parameters together.
def reach: if .result == "bounded" then "bounded \(.depth)" elif .result == "proved" then "proved" else "**\(.result)**" end;
def words: map(select(. != "-")) | unique;
group_by(.block, .property, .engine, reach, .commit, .sources)
| map({block: .[0].block, property: .[0].property, engine: .[0].engine, result: (.[0] | reach),
       parameters: (map(if .parameters == "" then "defaults" else .parameters end) | unique),
       cover: (map(.cover) | words), bug: (map(.bug) | words), seconds: (map(.seconds) | add),
       commit: .[0].commit, sources: .[0].sources})
