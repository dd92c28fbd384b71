# SPDX-License-Identifier: Apache-2.0
# Verilator's coverage data -> one line a point of the RTL: "file|line|kind|what|count", all instances and parameters together.
#   awk -f points.awk FILE.dat...
# kind: line   a block of statements, a case item, an `else if`; what is its source lines "side,first-last,..."
#       branch the two sides of an if; what as for a line
#       toggle a bit of a signal; what is its name
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
    kind = page ~ /^v_toggle/ ? "toggle" : page ~ /^v_branch/ ? "branch" : "line"
    point = file "|" field("l") "|" kind "|" field("o")
    if (kind != "toggle") point = point "," field("n") "," (field("S") ? field("S") : field("l"))
    counts[point] += $NF
    seen++
}
END {
    if (seen == 0) { print "points.awk: no coverage points" > "/dev/stderr"; exit 1 }
    for (point in counts) print point "|" counts[point]
}
