# SPDX-License-Identifier: Apache-2.0
# The parts' records -> a record a hub, LINKS given by the parts that depend on it: each group times its number, and the whole.
include "die";
include "parts";
def group: .config | capture("^hub-part-(?<g>link|loop|once|[0-9]+)-").g;
map(. + {group: group}) as $parts
| def of($name): [$parts[] | select(.group == $name)] | sums;
  [$parts[].group | select(test("^[0-9]+$")) | tonumber] | unique
| map({links: ., link: of("link"), loop_back: of("loop"), once: ([of("once"), of(tostring)] | sums)}
    | . + {hub: ([(.links as $n | .link | times($n)), .loop_back, .once] | sums)}
    | . + {scaled: (.hub | {logic_mm2: (.gate_equivalents | logic_mm2), memory_mm2: (.memory_bits | memory_mm2)}),
           commit: $parts[0].commit, date: $parts[0].date})
