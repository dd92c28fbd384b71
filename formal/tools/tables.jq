# SPDX-License-Identifier: Apache-2.0
# Rows (rows.jq) as Markdown: how many there are, a row per block, a row per property. Proofs: combinations of parameters.
def proofs(f): map(select(f) | .parameters | length) | add // 0;
def unbounded: .result == "proved";
def bounded: .result | startswith("bounded");
def undecided: .result == "**undecided**";
def failed: (unbounded or bounded or undecided) | not;
def some: if . == 0 then "" else . end;
def line: "| \(map(tostring) | join(" | ")) |";
def words: map("`\(.)`") | join(", ");
def block:
    [.[0].block, (map(.property) | unique | length), proofs(true), (proofs(unbounded) | some), (proofs(bounded) | some),
     (map(select(bounded) | .result | ltrimstr("bounded ") | tonumber) | unique | map(tostring) | join(", ")),
     ([(proofs(failed) | some), (proofs(undecided) | select(. != 0) | "\(.) not decided")]
      | map(select(. != "") | tostring) | join(", ")),
     (map(.seconds) | add)];
def property:
    [.block, "`\(.property)`", .engine, .result, (.parameters | join("; ")), (.cover | words), (.bug | words), .seconds, .commit,
     .sources];
sort_by(.block, .property, .engine, .result, .commit)
| "\(proofs(true)) proofs: \(proofs(unbounded)) proved, \(proofs(bounded)) bounded, \(proofs(undecided)) not decided, "
    + "\(proofs(failed)) failed. Processor seconds,",
  "\(map(.seconds) | add // 0) in all: proof, cover and deliberate bug of all parameters of the line.",
  "",
  "| block | properties | proofs | unbounded | bounded | cycles | failed | seconds |",
  "|---|--:|--:|--:|--:|---|--:|--:|",
  (group_by(.block)[] | block | line),
  "",
  "| block | property | engine | result | parameters | cover | deliberate bug | seconds | commit | sources |",
  "|---|---|---|---|---|---|---|--:|---|---|",
  (.[] | property | line)
