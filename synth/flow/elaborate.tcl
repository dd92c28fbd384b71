# SPDX-License-Identifier: Apache-2.0
# Yosys: reads a configuration, stops at what must not be there, and turns every memory wrapper's array into a black box.
#   in:  SYNTH_TOP, SYNTH_BLOCK (a module inside it, INSTANCE/../MODULE, or empty), SYNTH_SOURCES,
#        SYNTH_PARAMETERS ("NAME=VALUE ...")
#   out: SYNTH_OUT/elaborated.il (hierarchical), SYNTH_OUT/memories (one "words width" a line)
yosys -import
set here [file dirname [info script]]
source $here/common.tcl

# Makes a module of the hierarchy the top, with the parameters that it has there; INSTANCE/../MODULE is the one
# inside that instance.
proc make_top {path} {
    set instances [split $path /]
    set block [lindex $instances end]
    set top $::env(SYNTH_TOP)
    foreach instance [lrange $instances 0 end-1] {
        # A bracket in a pattern is a set of characters.
        set file $::env(SYNTH_OUT)/instance
        yosys dump -n -o $file "$top/c:[string map {[ ? ] ?} $instance]"
        set types [regexp -all -inline -line {^ *cell (\S+) } [join [lines_of $file] "\n"]]
        if {[llength $types] != 2} {
            puts stderr "synth: $::env(SYNTH_CONFIG): no instance $instance in $top"
            exit 1
        }
        set top [lindex $types 1]
        yosys hierarchy -check -top $top
    }
    set list $::env(SYNTH_OUT)/modules
    yosys tee -q -o $list ls
    # \NAME, $paramod\NAME\PARAMETER=.., or $paramod$checksum\NAME
    set modules [lmap line [lines_of $list] {string trim $line}]
    set names [lsearch -all -inline -regexp $modules "(^|\\\\)${block}(\\\\|$)"]
    if {[llength $names] != 1} {
        puts stderr "synth: $::env(SYNTH_CONFIG): [llength $names] modules $block in the design"
        exit 1
    }
    if {$names ne $block} { yosys rename [lindex $names 0] $block }
    yosys hierarchy -check -top $block
}

# Derived modules get names that people and JSON can read: moehub_fifo.1, moehub_fifo.2 for two sets of parameters.
proc name_derived {} {
    set list $::env(SYNTH_OUT)/modules
    yosys tee -q -o $list ls
    foreach line [lines_of $list] {
        set module [string trim $line]
        if {![string match {$paramod*} $module]} continue
        set base [lindex [split $module \\] 1]
        set name $base.[incr count($base)]
        yosys rename $module $name
        yosys chtype -map $module $name
    }
}

set out $env(SYNTH_OUT)
set parameters {}
foreach p $env(SYNTH_PARAMETERS) {
    lassign [split $p =] name value
    lappend parameters -chparam $name $value
}

yosys read_verilog -Irtl/include {*}$env(SYNTH_SOURCES)
yosys read_verilog -lib $here/ram.v
yosys hierarchy -check -top $env(SYNTH_TOP) {*}$parameters
if {$env(SYNTH_BLOCK) ne ""} { make_top $env(SYNTH_BLOCK) }
yosys proc
yosys opt
name_derived

refuse_any "t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr" "latch"

# A wrapper's array with its output register is one cell; its parity trees stay logic.
set arrays "*moehub_memory_1r1w*/m:*"
if {[llength [objects $arrays]]} {
    yosys select *moehub_memory_1r1w*
    yosys memory -nomap
    yosys techmap -map $here/ram_map.v
    yosys select -clear
    refuse_any "*moehub_memory_1r1w*/t:\$mem*" "memory wrapper without one synchronous read and one write port"
}

yosys design -save elaborated
yosys flatten
yosys opt_clean
yosys check -assert
yosys write_json $out/flat.json
yosys design -load elaborated

exec jq -r {
    .modules[].cells[] | select(.type == "moehub_ram") | .parameters | "\(.WORDS) \(.WIDTH) \(.ADDRESS_BITS)"
} $out/flat.json > $out/memory_parameters
set sizes {}
set memories [open $out/memories w]
foreach line [lines_of $out/memory_parameters] {
    lassign [lmap bits $line {expr 0b$bits}] words width address_bits
    puts $memories "$words $width"
    dict set sizes "$words $width" 1
}
close $memories
foreach size [dict keys $sizes] {
    lassign $size words width
    set cell moehub_ram_${words}x${width}
    yosys chtype -set $cell t:moehub_ram r:WORDS=$words %i r:WIDTH=$width %i
    yosys setparam -unset WORDS -unset WIDTH -unset ADDRESS_BITS t:$cell
}
refuse_any "t:moehub_ram" "memory of unknown size"
yosys write_rtlil $out/elaborated.il
