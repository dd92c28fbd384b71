# SPDX-License-Identifier: Apache-2.0
# Yosys: what equivalence.tcl proves of a netlist whose modules were mapped apart: each of them alone, those that it contains as
# black boxes. The modules of the netlist are the borders of both sides.
#   in:  SYNTH_OUT/elaborated.il, SYNTH_OUT/modules.v, SYNTH_FOLDER (one for each module is made in it)
#   out: SYNTH_FOLDER/MODULE/elaborated.il, SYNTH_FOLDER/MODULE/netlist.il; SYNTH_FOLDER/modules: a module and how often it is
#        there, a line each
yosys -import
source [file join [file dirname [info script]] common.tcl]
set folder $env(SYNTH_FOLDER)

proc modules {} {
    yosys tee -q -o $::folder/list ls
    return [lsort [lmap line [lines_of $::folder/list] { string trim $line }]]
}

# How often a module is in the top, by way of all that contain it.
proc times {module} {
    global within
    if {![dict exists $within $module]} { return 1 }
    set sum 0
    foreach parent [dict get $within $module] { incr sum [times $parent] }
    return $sum
}

# One file for each module, with those of the others that it contains as black boxes.
proc split_modules {modules file} {
    global folder
    foreach module $modules {
        yosys design -push-copy
        foreach other $modules { if {$other ne $module} { yosys blackbox $other } }
        yosys hierarchy -top $module
        file mkdir $folder/$module
        yosys write_rtlil $folder/$module/$file
        yosys design -pop
    }
}

yosys read_verilog $env(SYNTH_OUT)/modules.v
set names [lsearch -all -inline -not [modules] *:*]
set within [dict create]
foreach module $names {
    foreach cell [objects */t:$module] { dict lappend within $module [lindex [split $cell /] 0] }
}
split_modules $names netlist.il
set list [open $folder/modules w]
foreach module $names { puts $list "$module [times $module]" }
close $list

yosys design -reset
yosys read_rtlil $env(SYNTH_OUT)/elaborated.il
split_modules $names elaborated.il
