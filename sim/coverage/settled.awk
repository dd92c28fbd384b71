# SPDX-License-Identifier: Apache-2.0
# Verilator's coverage data without what was counted before the bench drove anything: when the initial contents settle,
# constant ones seem to toggle, and cases are taken that the design may never reach.
#   awk -f settled.awk FILE.start FILE.end
# Blocks keep their count: one that nothing can skip may run its counter in the first evaluation only.
/^C '/ {
    point = $0
    sub(/ [0-9]+$/, "", point)
    if (FILENAME == ARGV[1]) { start[point] = $NF; next }
    if (point !~ /\001o\002block\001/) { print point, $NF - start[point]; next }
}
FILENAME != ARGV[1]
