# SPDX-License-Identifier: Apache-2.0
# Yosys: both sides of a comparison as one AIG. Memories are cut: what goes into one is an output, what is read from it an input.
#   in:  SYNTH_OUT/SIDE/elaborated.il, for the sides base and now; SYNTH_TOP
#   out: SYNTH_OUT/miter.aig, both sides with the same inputs: an output is 1 where they differ; miter.map, its ports;
#        SYNTH_OUT/pairs ("base_cell now_cell name" of each memory)
yosys -import
set here [file dirname [info script]]
source $here/common.tcl
set out $env(SYNTH_OUT)
set top $env(SYNTH_TOP)

foreach side {base now} {
    yosys read_rtlil $out/$side/elaborated.il
    yosys hierarchy -top $top
    yosys flatten
    yosys opt_clean
    yosys write_json $out/$side/flat.json
    yosys setattr -mod -unset top $top
    yosys rename $top $side
    yosys select $side
    yosys write_rtlil -selected $out/$side/flat.il
    exec jq -r --arg top $top {.modules[$top].cells | to_entries[]
        | select(.value.type | startswith("moehub_ram_")) | "\(.key) \(.value.type)"} $out/$side/flat.json > $out/$side/memories
    yosys design -reset
}
# A memory is paired with the one of its name; those of other names are taken in their order, type by type.
if {[catch {exec awk -f $here/same_memories.awk $out/base/memories $out/now/memories > $out/pairs} message]} {
    puts stderr "synth: [lindex [lines_of $out/pairs] end]"
    exit 1
}

foreach side {base now} {
    yosys read_rtlil $out/$side/flat.il
    yosys cd $side
    foreach line [lines_of $out/pairs] {
        lassign $line base now name
        yosys rename [set $side] $name
    }
    yosys cd ..
}
yosys hierarchy -generate moehub_ram_* o:read_data i:*
yosys expose -evert t:moehub_ram_*
foreach side {base now} {
    yosys tee -q -o $out/portlist portlist $side
    exec grep -v ^module $out/portlist | sort > $out/$side.ports
}
if {[catch {exec diff $out/base.ports $out/now.ports > $out/ports.diff}]} {
    puts stderr "synth: other ports: [join [lsearch -all -inline -regexp [lines_of $out/ports.diff] {^[<>]}] {, }]"
    exit 1
}
exec awk -f $here/same_miter.awk $out/now.ports > $out/miter.v
yosys read_verilog $out/miter.v
yosys hierarchy -top miter
yosys flatten
yosys memory_collect
yosys memory_map
yosys techmap
yosys dffunmap
yosys simplemap
# What is undefined is 0, and so is every register at the start.
yosys setundef -undriven -zero
yosys setundef -zero -init
yosys opt_expr -keepdc
yosys opt_merge
yosys opt_clean -purge
yosys aigmap
yosys opt_clean -purge
yosys write_aiger -map $out/miter.map $out/miter.aig
