# SPDX-License-Identifier: Apache-2.0
# Verilator's coverage data -> one line a point of the RTL: "file|line|kind|what|count", all instances and parameters together.
#   awk -f points.awk FILE.dat...
# kind: line (a statement or branch of an always block, an if, a case item) or toggle (a bit of a signal).
function field(key,    start, rest) {
    start = index($0, "\001" key "\002")
    if (start == 0) return ""
    rest = substr($0, start + length(key) + 2)
    sub(/[\001'].*/, "", rest)
    return rest
}
/^C '/ {
    file = field("f")
    if (file !~ /^rtl\//) next
    page = field("page")
    kind = page ~ /^v_toggle/ ? "toggle" : "line"
    point = file "|" field("l") "|" kind "|" field("o") (kind == "line" ? " " field("n") : "")
    counts[point] += $NF
    seen++
}
END {
    if (seen == 0) { print "points.awk: no coverage points" > "/dev/stderr"; exit 1 }
    for (point in counts) print point "|" counts[point]
}
