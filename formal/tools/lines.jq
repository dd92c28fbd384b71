# SPDX-License-Identifier: Apache-2.0
# Tasks (tasks.awk) as an object per property and engine, with each combination of its parameters: jq -R -n -f lines.jq
[inputs | split("|") | {block: .[1], property: .[4], engine: .[6], parameters: (if .[5] == "" then "defaults" else .[5] end)}]
| group_by(.block, .property, .engine)
| map({block: .[0].block, property: .[0].property, engine: .[0].engine, parameters: (map(.parameters) | unique)})
