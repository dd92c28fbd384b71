# SPDX-License-Identifier: Apache-2.0
# Yosys: a mapped netlist as plain gates and flip-flops, each cell replaced by its Liberty function and nothing optimised.
#   in:  SYNTH_NETLIST, SYNTH_LIBERTY, SYNTH_TOP, SYNTH_BREAK (1: a deliberate bug, eight gates inverted)
#   out: SYNTH_OUT/gates.v (module SYNTH_TOP_netlist, memories are instances), SYNTH_OUT/bug (the inverted gates)
yosys -import
source [file join [file dirname [info script]] common.tcl]

yosys read_verilog $env(SYNTH_NETLIST)
# Only cells are dissolved: a module that a netlist has several times compiles once.
yosys setattr -mod -set keep_hierarchy 1 *
yosys read_liberty -overwrite -ignore_miss_func -ignore_miss_dir $env(SYNTH_LIBERTY)
yosys hierarchy -top $env(SYNTH_TOP)
yosys flatten
if {$env(SYNTH_BREAK)} {
    # Spread over the list: any one of them may be the logic of a case that a short run does not reach.
    set gates [objects "t:\$_AND_"]
    set file [open $env(SYNTH_OUT)/bug w]
    foreach eighth {0 1 2 3 4 5 6 7} {
        set gate [lindex $gates [expr {[llength $gates] * $eighth / 8}]]
        yosys chtype -set \$_NAND_ $gate
        puts $file $gate
    }
    close $file
}
# Second names of one net, which flattening leaves: slow to compile.
yosys opt_clean -purge
yosys rename $env(SYNTH_TOP) $env(SYNTH_TOP)_netlist
yosys write_verilog -noattr $env(SYNTH_OUT)/gates.v
