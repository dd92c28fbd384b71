# SPDX-License-Identifier: Apache-2.0
# Several Liberty files of one process corner as one library: the first as it is, then the cells of the others.
#   awk -f merge_liberty.awk FIRST OTHER...
# What cells are read by (units, thresholds, table templates, ...) must be the same in all:
# a difference, or a cell that is there twice, ends with status 1 and a message.
function stop(message) { printf "%s: %s\n", FILENAME, message > "/dev/stderr"; failed = 1; exit 1 }

# An item of the library: an attribute, or a whole group.
function end_item(    head, body) {
    body = head = item
    gsub(/[ \t\r\n"]/, "", body)
    sub(/[{:;\r\n].*/, "", head)
    gsub(/[ \t"]/, "", head)
    if (head ~ /^cell\(/) {
        if (head in known) stop(head " is also in another file")
        known[head] = FILENAME
        printf "%s", item
    } else if (!(head in known)) {
        known[head] = body
        if (head ~ /_unit|threshold|slew_derate|^delay_model|^nom_/ && !first) stop(head " is not in the first file")
        printf "%s", item
    } else if (known[head] != body && head !~ /^(date|revision|comment|define|library_features)/) {
        stop(head " is not what the first file says")
    }
    item = ""
}

FNR == 1 { first = (NR == 1); depth = 0; in_comment = 0; item = "" }
{
    line = $0
    if (in_comment) { if (!sub(/^.*\*\//, "", line)) next; in_comment = 0 }
    while (match(line, /\/\*/)) {
        rest = substr(line, RSTART + 2)
        line = substr(line, 1, RSTART - 1)
        if (match(rest, /\*\//)) line = line substr(rest, RSTART + 2)
        else in_comment = 1
    }
    bare = line
    gsub(/"[^"]*"/, "", bare)
    before = depth
    depth += gsub(/{/, "", bare) - gsub(/}/, "", bare)
    if (before == 0) { # the library's own line
        if (first) print line
        next
    }
    if (depth == 0) next
    if (item != "" || line ~ /[^ \t\r]/) item = item line "\n"
    if (depth == 1 && item ~ /[;})][ \t\r\n]*$/ && item !~ /^[ \t]*[a-z_]+[ \t]*\([^)]*\)[ \t\r\n]*$/) end_item()
}
END { if (!failed) print "}" }
