# SPDX-License-Identifier: Apache-2.0
# Expands tables of proofs (formal/README.md) into one task a line, fields separated by "|":
#   folder|block|top|files|property|parameters|engine|depth|seconds|bug|cover
#   awk -v set=default -v block=fifo -f tasks.awk TABLE...
# set: quick, default or all; each takes in the one before; quick has the first combination of its lines alone. block: empty for
# all. Exit status 2 for a table that makes no sense.

function fail(message)
{
    printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
    failed = 1
    exit 2
}

# All combinations of "A=3,1;B=2": combinations[1] = "A=3 B=2", ...; the last parameter varies fastest.
function expand(parameters,    count, names, i, parts, values, number, old, so_far, j, k)
{
    combinations[1] = ""
    total = 1
    if (parameters == "-") return
    count = split(parameters, names, ";")
    for (i = 1; i <= count; i++) {
        if (split(names[i], parts, "=") != 2) fail("parameters are NAME=value,value;NAME=value")
        number = split(parts[2], values, ",")
        old = total
        for (j = 1; j <= old; j++) so_far[j] = combinations[j]
        total = 0
        for (j = 1; j <= old; j++)
            for (k = 1; k <= number; k++)
                combinations[++total] = so_far[j] (so_far[j] == "" ? "" : " ") parts[1] "=" values[k]
    }
}

BEGIN { level["quick"] = 1; level["default"] = 2; level["all"] = 3 }

{ sub(/#.*/, "") }
NF == 0 { next }

$1 == "block" {
    if (NF < 4) fail("block NAME TOP FILE...")
    if ($2 in tops) fail("block " $2 " is described twice")
    name = $2
    tops[name] = $3
    files = $4
    for (i = 5; i <= NF; i++) files = files " " $i
    next
}

name == "" { fail("a proof before the first block") }
NF != 8 { fail("a proof has 8 fields: property parameters engine depth seconds bug cover set") }
$3 !~ /^(pdr|search|induction|bmc|theorem)$/ { fail("unknown engine " $3) }
$4 !~ /^[0-9]+$/ || $5 !~ /^[0-9]+$/ { fail("depth and seconds are numbers") }
!($8 in level) { fail("unknown set " $8) }
$6 == "-" { without_bug[name, $1] = FILENAME ":" FNR ": block " name ", property " $1 }
$6 != "-" { with_bug[name, $1] = 1 }

(block == "" || block == name) && level[$8] <= level[set] {
    expand($2)
    for (i = 1; i <= (set == "quick" ? 1 : total); i++) {
        folder = name "/" $1 "/" $3 "-" (combinations[i] == "" ? "default" : combinations[i])
        gsub(/[^A-Za-z0-9_.\/-]/, "_", folder)
        if (folder in seen) fail("the same proof twice: " folder)
        seen[folder]
        printf "%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s\n",
            folder, name, tops[name], files, $1, combinations[i], $3, $4, $5, i == 1 ? $6 : "-", $7
    }
}

END {
    if (failed) exit 2
    for (property in without_bug)
        if (!(property in with_bug)) {
            print without_bug[property] " has no deliberate bug that must break it" > "/dev/stderr"
            exit 2
        }
    if (block != "" && !(block in tops)) {
        list = ""
        for (property in tops) list = list " " property
        printf "formal: unknown block %s; known:%s\n", block, list > "/dev/stderr"
        exit 2
    }
}
