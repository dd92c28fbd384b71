# SPDX-License-Identifier: Apache-2.0
# Yosys: generic gates of a configuration, once for all mapping scripts.
#   in:  SYNTH_OUT/elaborated.il, SYNTH_OUT/memories.lib, SYNTH_FLIP_FLOP (technology map), SYNTH_TOP, SYNTH_FLATTEN (1 or 0),
#        SYNTH_APART (modules that keep their borders when the rest is flattened)
#   out: SYNTH_OUT/gates.il or, not flattened, SYNTH_OUT/gates_tree.il
yosys -import
source [file join [file dirname [info script]] common.tcl]
set out $env(SYNTH_OUT)

yosys read_rtlil $out/elaborated.il
if {[file exists $out/memories.lib]} { yosys read_liberty -lib -ignore_miss_dir $out/memories.lib }
foreach module $env(SYNTH_APART) {
    yosys select -assert-any $module $module.* %u
    yosys setattr -mod -set keep_hierarchy 1 $module $module.*
}
if {$env(SYNTH_FLATTEN)} {
    yosys synth -flatten -top $env(SYNTH_TOP)
} else {
    yosys synth -top $env(SYNTH_TOP)
}
refuse_any "t:\$_DLATCH* t:\$_SR_*" "latch"
# Enables and resets become logic: every release maps to the same flip-flop then.
yosys dfflegalize -cell {$_DFF_P_} 01
yosys techmap -map $env(SYNTH_FLIP_FLOP)
yosys opt_clean -purge
yosys write_rtlil $out/[expr {$env(SYNTH_FLATTEN) ? "gates.il" : "gates_tree.il"}]
