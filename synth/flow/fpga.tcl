# SPDX-License-Identifier: Apache-2.0
# Yosys: one configuration for one FPGA family, with Yosys' own FPGA flow; memories become the family's own.
#   in: SYNTH_TOP, SYNTH_SOURCES, SYNTH_PARAMETERS, SYNTH_FAMILY (xilinx or ecp5), SYNTH_TRY   out: SYNTH_TRY/cells.json
yosys -import
set parameters {}
foreach p $env(SYNTH_PARAMETERS) {
    lassign [split $p =] name value
    lappend parameters -chparam $name $value
}
yosys read_verilog -Irtl/include {*}$env(SYNTH_SOURCES)
yosys hierarchy -check -top $env(SYNTH_TOP) {*}$parameters
switch $env(SYNTH_FAMILY) {
    xilinx { yosys synth_xilinx -flatten -noiopad -family xc7 -top $env(SYNTH_TOP) }
    ecp5   { yosys synth_ecp5 -top $env(SYNTH_TOP) }
}
yosys write_json $env(SYNTH_TRY)/netlist.json
exec jq -f synth/flow/cells.jq $env(SYNTH_TRY)/netlist.json > $env(SYNTH_TRY)/cells.json
