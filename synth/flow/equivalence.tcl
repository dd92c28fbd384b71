# SPDX-License-Identifier: Apache-2.0
# Yosys: proves that the mapped netlist does what the RTL does, register by register: registers and ports are matched by name,
# then each pair of next-state and output functions is proved equal. Memories are cut: both sides see the same read data. So are
# the black boxes among the modules, which equivalence_modules.tcl leaves.
#   in:  SYNTH_OUT/elaborated.il, SYNTH_NETLIST (Verilog, or RTLIL), SYNTH_LIBERTY, SYNTH_TOP, SYNTH_BREAK (1: a deliberate bug in
#        the netlist)
#   out: SYNTH_OUT/registers: one line a flip-flop of the netlist, the net that it drives; SYNTH_OUT/pairs: how many were proved
yosys -import
source [file join [file dirname [info script]] common.tcl]
set out $env(SYNTH_OUT)

# A whole netlist's flip-flops are called after the nets that they drive, NET_reg: a file of these nets.
proc write_named_registers {netlist top file} {
    set from [open $netlist]
    set found [regexp -all -inline -line {^  \w+ \\?(\S+)_reg +\($} [read $from]]
    write_lines $file [lmap {line name} $found { string cat $top/$name }]
    close $from
}

# Those of a module have no such names: what the nets inside their cells are assigned to.
proc write_driven_registers {file} {
    yosys select -write $file t:\$_*DFF* %co2:+\[Q\] t:\$_*DFF* %co1:+\[Q\] %d w:* %i w:\$* %d
}

# Of a register's names the one that the netlist has is to stay, and of the others none.
proc keep_registers {} {
    global out
    yosys select -set registers -read $out/registers
    yosys setattr -set keep 1 @registers
    yosys opt_clean -purge
}

# What goes into a memory, or a black box, becomes outputs to compare, what comes from it inputs.
proc cut_boxes {} {
    yosys hierarchy -generate moehub_ram_* o:read_data i:*
    yosys expose -evert t:moehub_*
    yosys splitnets -ports
}

# Synthesis keeps one of several registers whose next states are the same function: those of the RTL that the netlist has not
# become others beside them, in the instance around theirs.
proc merge_registers {} {
    yosys opt_merge
    yosys opt_clean
    yosys select -set lost t:\$_*DFF* @registers %ci3:+\[Q\] %d
    set instances {}
    foreach register [objects @lost %co1:+\[Q\] w:* %i] {
        set around [lrange [split [join [lrange [split $register /] 1 end] /] .] 0 end-2]
        dict set instances "w:[string map {[ ? ] ?} [join [concat $around *] .]]" 1
    }
    foreach instance [dict keys $instances] { yosys freduce $instance %ci3:+\[Q\] t:\$_*DFF* %i %ci1:+\[D\] }
}

# The RTL's side, which the run with a deliberate bug takes over from the one without.
proc make_gold {} {
    global env out
    yosys read_rtlil $out/elaborated.il
    yosys hierarchy -top $env(SYNTH_TOP)
    yosys flatten
    yosys memory
    yosys opt -full
    yosys techmap
    yosys opt -fast
    cut_boxes
    keep_registers
    merge_registers
    yosys opt_clean
    yosys opt_merge
    # The solver's flip-flops have neither enable nor reset. Not before the merging: an enable's multiplexer asks the register
    # itself.
    yosys dffunmap
    yosys opt_clean -purge
    yosys rename $env(SYNTH_TOP) gold
    yosys write_rtlil $out/gold.il
}

# The pairs that are left, by the instance of the top that they are in: {} for its own.
proc pairs_left {} {
    global out
    set groups [dict create]
    yosys tee -q -o $out/left equiv_status
    foreach line [lines_of $out/left] {
        if {![regexp {Unproven \$equiv (\S+):} $line - cell]} continue
        if {![regexp {\\([^ .]+)\.\S+_(gold|gate)} $line - instance]} { set instance {} }
        dict lappend groups $instance equal/$cell
    }
    return $groups
}

# Those of a group by induction, while all others hold: both sides read the RTL's. Those of registers are any, as they follow from
# the cycle before; the others are what the RTL makes of these, and none follows from itself. Returns how many it proved.
proc induct_group {cells} {
    global out
    write_lines $out/group $cells
    yosys design -push-copy
    yosys select -set group -read $out/group
    yosys setattr -set keep 1 @group
    yosys delete t:\$_*DFF* %co2:+\[Q,A\] t:\$equiv %i @group %d
    yosys equiv_remove -gold t:\$equiv @group %d
    yosys select -set cone @group %ci*
    yosys delete t:* @cone %d
    yosys opt_clean
    yosys equiv_induct
    set proved [expr {[llength [objects @group]] - [llength [concat {*}[dict values [pairs_left]]]]}]
    yosys design -pop
    return $proved
}

# Instance by instance, as the solver needs far longer for several at once; all at once where that does not prove them.
proc induct {} {
    foreach {instance cells} [pairs_left] {
        set proved [induct_group $cells]
        puts "[expr {$instance eq "" ? "the top's own" : $instance}]: $proved of [llength $cells] pairs"
        if {$proved < [llength $cells]} {
            yosys equiv_induct
            yosys equiv_status -assert
            return
        }
    }
}

# Not flattened: a register then drives the net of its own name, and equiv_make lets both sides read the pair.
yosys read_liberty -ignore_miss_func -ignore_miss_dir $env(SYNTH_LIBERTY)
yosys design -stash cells
set whole [expr {[file extension $env(SYNTH_NETLIST)] eq ".v"}]
if {$whole} { yosys read_verilog $env(SYNTH_NETLIST) } else { yosys read_rtlil $env(SYNTH_NETLIST) }
yosys hierarchy -top $env(SYNTH_TOP)
yosys techmap -map %cells
# Clears and sets that are tied off go.
yosys opt_expr
yosys opt_dff -keepdc -nodffe -nosdff
if {$whole} { write_named_registers $env(SYNTH_NETLIST) $env(SYNTH_TOP) $out/registers } \
else { write_driven_registers $out/registers }
keep_registers
cut_boxes
yosys opt_clean -purge
if {$env(SYNTH_BREAK)} {
    set gate [lindex [objects "t:\$_AND_"] 0]
    yosys chtype -set \$_XOR_ $gate
    puts "deliberate bug: $gate is an exclusive-or"
}
yosys rename $env(SYNTH_TOP) gate
yosys design -stash gate

if {!$env(SYNTH_BREAK)} { make_gold; yosys design -reset }
yosys read_rtlil $out/gold.il
yosys design -stash gold

yosys design -copy-from gold gold
yosys design -copy-from gate gate
yosys equiv_make gold gate equal
yosys hierarchy -top equal
yosys opt_clean
# Cheapest first: cones up to what both sides share, whole ones, three cycles.
yosys equiv_simple -short
yosys equiv_simple
yosys equiv_simple -short -seq 3
yosys equiv_status
# With the bug more pairs are left here than without. Those that are left without it must all be proved.
if {$env(SYNTH_BREAK)} { return }
set pairs [llength [objects t:\$equiv]]
induct
write_lines $out/pairs $pairs
