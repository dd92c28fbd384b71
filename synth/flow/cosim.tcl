# SPDX-License-Identifier: Apache-2.0
# Yosys: a mapped netlist as plain gates and flip-flops, each cell replaced by its Liberty function and nothing optimised.
#   in:  SYNTH_NETLIST, SYNTH_LIBERTY, SYNTH_TOP, SYNTH_BREAK (1: a deliberate bug, one gate swapped)
#   out: SYNTH_OUT/gates.v (module SYNTH_TOP_netlist, memories are instances), SYNTH_OUT/bug (what was swapped)
yosys -import
source [file join [file dirname [info script]] common.tcl]

yosys read_verilog $env(SYNTH_NETLIST)
yosys read_liberty -overwrite -ignore_miss_func -ignore_miss_dir $env(SYNTH_LIBERTY)
yosys hierarchy -top $env(SYNTH_TOP)
yosys flatten
if {$env(SYNTH_BREAK)} {
    # One in the middle of the list: the first ones are often the logic of a rare case.
    set gates [objects "t:\$_AND_"]
    set gate [lindex $gates [expr {[llength $gates] / 2}]]
    yosys chtype -set \$_XOR_ $gate
    set file [open $env(SYNTH_OUT)/bug w]
    puts $file "$gate is an exclusive-or"
    close $file
}
# Second names of one net, which flattening leaves: slow to compile.
yosys opt_clean -purge
yosys rename $env(SYNTH_TOP) $env(SYNTH_TOP)_netlist
yosys write_verilog -noattr $env(SYNTH_OUT)/gates.v
