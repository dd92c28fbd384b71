# SPDX-License-Identifier: Apache-2.0
# OpenSTA: worst paths of a mapped netlist, by path group.
#   in:  SYNTH_TRY/timing.v, SYNTH_LIBERTY, SYNTH_MEMORIES (Liberty file or empty), SYNTH_TOP, SYNTH_PERIOD_NS,
#        SYNTH_IO_DELAY_NS, SYNTH_DRIVER (cell), SYNTH_LOAD_PF
#   out: SYNTH_TRY/paths (tab-separated: group, slack ns, start, end; first line: all), SYNTH_TRY/timing.rpt,
#        SYNTH_TRY/unconstrained (empty when every end point is constrained)
read_liberty $env(SYNTH_LIBERTY)
if {$env(SYNTH_MEMORIES) ne ""} { read_liberty $env(SYNTH_MEMORIES) }
read_verilog $env(SYNTH_TRY)/timing.v
link_design $env(SYNTH_TOP)
set_cmd_units -time ns -capacitance pF

proc read_lines {name} {
    set file [open $name]
    set lines [lsearch -all -inline -not [split [read $file] "\n"] ""]
    close $file
    return $lines
}

# A pin that constants at other cells' pins make constant has no path: OpenSTA works out which.
proc is_constant {pin} {
    with_output_to_variable text [list report_constant $pin]
    return [expr {[lindex $text end] in {0 1}}]
}

set inputs {}
foreach port [all_inputs] {
    if {[get_property $port full_name] ne "clk"} { lappend inputs $port }
}
create_clock -name clk -period $env(SYNTH_PERIOD_NS) [get_ports clk]
if {[llength $inputs]} {
    set_input_delay $env(SYNTH_IO_DELAY_NS) -clock clk $inputs
    set_driving_cell -lib_cell $env(SYNTH_DRIVER) $inputs
}
set_output_delay $env(SYNTH_IO_DELAY_NS) -clock clk [all_outputs]
set_load $env(SYNTH_LOAD_PF) [all_outputs]

set unconstrained {}
set log $env(SYNTH_TRY)/check_setup
set checks {-unconstrained_endpoints -no_input_delay -no_clock -multiple_clock}
if {![check_setup {*}$checks]} {
    check_setup -verbose {*}$checks > $log
    foreach line [read_lines $log] {
        if {![string match "Warning*" $line] && ![is_constant [string trim $line]]} { lappend unconstrained $line }
    }
}
set file [open $env(SYNTH_TRY)/unconstrained w]
if {[llength $unconstrained]} { puts $file [join $unconstrained "\n"] }
close $file

# Start and end points by class.
set flops {}
set memories {}
foreach cell [all_registers -cells] {
    if {[string match moehub_ram_* [get_property $cell ref_name]]} { lappend memories $cell } else { lappend flops $cell }
}
set starts [dict create input $inputs flop $flops memory $memories]
set ends   [dict create flop $flops memory $memories output [all_outputs]]

# Newer releases call the option -group_path_count.
proc worst_path {args} {
    if {[catch {find_timing_paths -path_delay max -group_count 1 {*}$args} paths]} {
        set paths [find_timing_paths -path_delay max -group_path_count 1 {*}$args]
    }
    return [lindex $paths 0]
}
proc name_of {path point} { return [get_full_name [get_property $path $point]] }

set list [open $env(SYNTH_TRY)/paths w]
proc note_path {group path} {
    global list
    if {$path eq ""} return
    set ends [list [name_of $path startpoint] [name_of $path endpoint]]
    puts $list [join [list $group [format %.4f [get_property $path slack]] {*}$ends] "\t"]
}
set report $env(SYNTH_TRY)/timing.rpt
report_checks -path_delay max -fields {slew capacitance} > $report
note_path all [worst_path]
dict for {start from} $starts {
    dict for {end to} $ends {
        if {![llength $from] || ![llength $to]} continue
        note_path "$start to $end" [worst_path -from $from -to $to]
        report_checks -path_delay max -fields {slew capacitance} -from $from -to $to >> $report
    }
}
close $list
