# SPDX-License-Identifier: Apache-2.0
# summary.json as Markdown: a row per block.
def count(f): map(select(f)) | length | if . == 0 then "" else . end;
"| block | properties | proofs | unbounded | bounded | cycles | failed | seconds |",
"|---|--:|--:|--:|--:|---|--:|--:|",
(group_by(.block)[]
 | [.[0].block, (map(.property) | unique | length), length, count(.result == "proved"), count(.result == "bounded"),
    (map(select(.result == "bounded") | .depth | tonumber) | unique | map(tostring) | join(", ")),
    ([count(.result | IN("proved", "bounded", "undecided") | not),
      (count(.result == "undecided") | select(. != "") | "\(.) not decided")]
     | map(select(. != "") | tostring) | join(", ")),
    (map(.seconds) | add)]
 | "| \(map(tostring) | join(" | ")) |")
