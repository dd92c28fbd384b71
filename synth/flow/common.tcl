# SPDX-License-Identifier: Apache-2.0
# What the Yosys scripts share.

proc lines_of {file} {
    set channel [open $file]
    set lines [split [string trim [read $channel]] "\n"]
    close $channel
    return [lsearch -all -inline -not $lines ""]
}

proc write_lines {file lines} {
    set channel [open $file w]
    foreach line $lines { puts $channel $line }
    close $channel
}

# The objects of a selection, as module/object.
proc objects {args} {
    set list $::env(SYNTH_OUT)/objects
    yosys tee -q -o $list select -list {*}$args
    return [lsearch -all -inline [lines_of $list] */*]
}

# Stops with a message that names the objects, if the selection holds any.
proc refuse_any {selection what} {
    set found [objects {*}$selection]
    if {[llength $found] == 0} return
    puts stderr "synth: [llength $found] times: $what, in $::env(SYNTH_CONFIG):"
    foreach object [lrange $found 0 9] { puts stderr "  $object" }
    exit 1
}
