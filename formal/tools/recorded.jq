# SPDX-License-Identifier: Apache-2.0
# The table of properties of RESULTS.md as rows (rows.jq): jq -R -n -f recorded.jq RESULTS.md
def words: [scan("`([^`]*)`")[0]];
[inputs | select(startswith("| ")) | ltrimstr("| ") | rtrimstr(" |") | split(" | ") | select(length == 10 and .[0] != "block")
 | {block: .[0], property: (.[1] | words[0]), engine: .[2], result: .[3], parameters: (.[4] | split("; ")), cover: (.[5] | words),
    bug: (.[6] | words), seconds: (.[7] | tonumber), commit: .[8], sources: .[9]}]
