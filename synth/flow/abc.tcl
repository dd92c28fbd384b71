# SPDX-License-Identifier: Apache-2.0
# Yosys: maps, sizes and buffers the logic with one ABC script.
#   in:  SYNTH_GATES, SYNTH_FLATTEN, SYNTH_OUT/memories.lib, SYNTH_LIBERTY, SYNTH_CONSTRAINT, SYNTH_ABC (script), SYNTH_DELAY_PS
#   out: SYNTH_TRY/netlist.v, SYNTH_TRY/timing.v (for OpenSTA), SYNTH_TRY/cells.json (cells by type and module),
#        SYNTH_TRY/modules.v (where SYNTH_APART names modules: the netlist before their borders are dissolved)
yosys -import
set try $env(SYNTH_TRY)

yosys read_rtlil $env(SYNTH_GATES)
yosys read_liberty -lib -ignore_miss_func -ignore_miss_dir $env(SYNTH_LIBERTY)
yosys abc -liberty $env(SYNTH_LIBERTY) -constr $env(SYNTH_CONSTRAINT) -D $env(SYNTH_DELAY_PS) -script $env(SYNTH_ABC)
yosys setundef -zero
yosys opt_clean -purge
# One net a bit: readable names of registers, and no concatenation that OpenSTA could not read.
yosys splitnets -ports
yosys opt_clean -purge
set verilog [list yosys write_verilog -noattr -noexpr -nohex -nodec]
# What was mapped apart becomes one netlist.
if {$env(SYNTH_FLATTEN) && $env(SYNTH_APART) ne ""} {
    {*}$verilog $try/modules.v
    yosys setattr -mod -unset keep_hierarchy *
    yosys flatten
    yosys opt_clean -purge
}
yosys rename -wire -suffix "_reg"
# What has no name gets one here, the same in all files below.
yosys rename -enumerate
yosys write_json $try/netlist.json
exec jq -f synth/flow/cells.jq $try/netlist.json > $try/cells.json
{*}$verilog $try/netlist.v

# Outputs that are constants have no path: they are left out of what OpenSTA sees, so that its list of unconstrained end points
# is true.
set constants [exec jq -r {
    .modules[] | select(.attributes.top != null) | .ports | to_entries[]
    | select(.value.direction == "output" and all(.value.bits[]; type == "string")) | .key
} $try/netlist.json]
foreach port $constants { yosys delete -output [format {*/w:%s} $port] }
yosys opt_clean -purge
{*}$verilog $try/timing.v
