# SPDX-License-Identifier: Apache-2.0
# OpenSTA: the delay of an inverter that drives four of its kind, averaged over a chain of STAGES; the library's own yardstick.
#   in:  SYNTH_LIBERTY, SYNTH_INVERTER (cell), SYNTH_INVERTER_PINS ("input output"), SYNTH_TRY (folder)
#   out: SYNTH_TRY/fo4 (ns)
set stages 10
lassign $env(SYNTH_INVERTER_PINS) in out

set chain [open $env(SYNTH_TRY)/chain.v w]
puts $chain "module chain (start, finish);\n  input start;\n  output finish;"
for {set i 0} {$i < $stages} {incr i} { puts $chain "  wire n$i;" }
for {set i 0} {$i < $stages} {incr i} {
    set from [expr {$i == 0 ? "start" : "n[expr {$i - 1}]"}]
    set to   [expr {$i == $stages - 1 ? "finish" : "n$i"}]
    puts $chain "  $env(SYNTH_INVERTER) u$i (.$in\($from), .$out\($to));"
    for {set j 0} {$i < $stages - 1 && $j < 3} {incr j} {
        puts $chain "  $env(SYNTH_INVERTER) load${i}_$j (.$in\(n$i), .$out\());"
    }
}
puts $chain "endmodule"
close $chain

read_liberty $env(SYNTH_LIBERTY)
read_verilog $env(SYNTH_TRY)/chain.v
link_design chain
set_cmd_units -time ns -capacitance pF
create_clock -name clk -period 1000
set_input_delay 0 -clock clk [get_ports start]
set_output_delay 0 -clock clk [get_ports finish]
set_driving_cell -lib_cell $env(SYNTH_INVERTER) [get_ports start]
set_load [expr {4 * $env(SYNTH_INVERTER_LOAD)}] [get_ports finish]
if {[catch {find_timing_paths -path_delay max -group_count 1} paths]} {
    set paths [find_timing_paths -path_delay max -group_path_count 1]
}
set file [open $env(SYNTH_TRY)/fo4 w]
puts $file [format %.6f [expr {(1000 - [get_property [lindex $paths 0] slack]) / $stages}]]
close $file
