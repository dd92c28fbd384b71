# SPDX-License-Identifier: Apache-2.0
# Turns rtl/include/moehub_fault_list.vh into FAULT("fifo-loses-item", 1, "what goes wrong") lines for options.c.
# A line that starts a fault but is not of the one form, or a number used twice, is an error.
/^`define MOEHUB_FAULT_LIST_VH/ { next }
/^`define MOEHUB_FAULT_/ {
    if ($3 !~ /^[0-9]+$/ || $4 != "//" || $3 in used) {
        print FILENAME ":" FNR ": not `define MOEHUB_FAULT_NAME <new number> // <what goes wrong>" > "/dev/stderr"
        exit 1
    }
    used[$3] = 1
    name = tolower(substr($2, length("MOEHUB_FAULT_") + 1))
    gsub(/_/, "-", name)
    text = $0
    sub(/^[^\/]*\/\/ */, "", text)
    gsub(/["\\]/, "", text)
    printf "FAULT(\"%s\", %s, \"%s\")\n", name, $3, text
}
