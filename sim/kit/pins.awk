# SPDX-License-Identifier: Apache-2.0
# Turns the port declarations of a Verilated header, VL_IN8(&name,msb,lsb) and the like, into PIN(name, bits, is_input) lines.
# No pin at all means that Verilator has changed its header: an error, not an empty table.
match($0, /VL_(IN|OUT)(8|16|64|W)?\(&[A-Za-z_0-9]+, *[0-9]+, *[0-9]+/) {
    declaration = substr($0, RSTART, RLENGTH)
    is_input = declaration ~ /^VL_IN/ ? 1 : 0
    sub(/^[^&]*&/, "", declaration)
    split(declaration, part, /, */)
    printf "PIN(%s, %d, %d)\n", part[1], part[2] - part[3] + 1, is_input
    count++
}
END {
    if (count == 0) {
        print "pins.awk: no ports found in " FILENAME > "/dev/stderr"
        exit 1
    }
}
