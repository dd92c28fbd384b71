# SPDX-License-Identifier: Apache-2.0
# The Liberty file of a configuration's memories. Input: "words width" lines. Variables: fo4 (ns), load (pF, an inverter's input),
# area_bit (area of a bit, library units). The model, in FO4 delays of the library, so that it follows the process:
#   clock to output   CLOCK_TO_OUTPUT + PER_ADDRESS_BIT * log2(words) + width / BITS_PER_FO4, plus the load on a 4-times inverter;
#                     a width above WIDEST is several macros side by side: width WIDEST, and log4 of their number to reach them
#   set-up            SETUP on every input; hold 0
#   area              bits * area_bit / efficiency; efficiency SMALL below SMALL_BITS bits, else LARGE
function log2(x) { return log(x) / log(2) }
function ceil(x) { return x == int(x) ? x : int(x) + 1 }
BEGIN {
    CLOCK_TO_OUTPUT = 7; PER_ADDRESS_BIT = 1; BITS_PER_FO4 = 64; WIDEST = 128; SETUP = 3
    SMALL = 0.4; LARGE = 0.7; SMALL_BITS = 65536
}
function bus(name, direction, width,    type) {
    type = width "_bits"
    types[type] = width
    return sprintf("    bus (%s) {\n      bus_type : \"b%s\";\n      direction : %s;\n%s    }\n", name, type, direction,
        direction == "output" ? clocked_output() : "      capacitance : " load_in ";\n" setup())
}
function pin(name) {
    return sprintf("    pin (%s) {\n      direction : input;\n      capacitance : %s;\n%s    }\n", name, load_in, setup())
}
function setup(    s) {
    s = sprintf("%.6f", SETUP * fo4)
    return "      timing () {\n        related_pin : \"clk\";\n        timing_type : setup_rising;\n" \
        "        rise_constraint (scalar) { values (\"" s "\"); }\n" \
        "        fall_constraint (scalar) { values (\"" s "\"); }\n      }\n" \
        "      timing () {\n        related_pin : \"clk\";\n        timing_type : hold_rising;\n" \
        "        rise_constraint (scalar) { values (\"0.0\"); }\n" \
        "        fall_constraint (scalar) { values (\"0.0\"); }\n      }\n"
}
# An inverter of size 1 drives 4 * load in one FO4, a fifth of it its own parasitics; one of size 4 a quarter of that.
function clocked_output(    far) {
    far = 400 * load
    return sprintf("      timing () {\n        related_pin : \"clk\";\n        timing_type : rising_edge;\n%s%s%s%s      }\n",
        table("cell_rise", delay, delay + far * drive), table("cell_fall", delay, delay + far * drive),
        table("rise_transition", fo4 / 2, fo4 / 2 + far * drive), table("fall_transition", fo4 / 2, fo4 / 2 + far * drive))
}
function table(name, near, far) {
    return sprintf("        %s (by_load) { index_1 (\"0, %.6f\"); values (\"%.6f, %.6f\"); }\n", name, 400 * load, near, far)
}
!($0 in seen) {
    seen[$0]
    words = $1; width = $2; bits = words * width
    drive = fo4 / (20 * load)
    load_in = sprintf("%.6f", 2 * load)
    macros = width > WIDEST ? width / WIDEST : 1
    delay = fo4 * (CLOCK_TO_OUTPUT + PER_ADDRESS_BIT * log2(words) + width / macros / BITS_PER_FO4 + log2(macros) / 2)
    address = words > 1 ? ceil(log2(words) - 1e-9) : 1
    area = bits * area_bit / (bits < SMALL_BITS ? SMALL : LARGE)
    cells = cells sprintf("  cell (moehub_ram_%dx%d) {\n    area : %.3f;\n    interface_timing : true;\n", words, width, area) \
        sprintf("    pin (clk) {\n      direction : input;\n      clock : true;\n      capacitance : %s;\n    }\n", load_in) \
        pin("write_enable") bus("write_address", "input", address) bus("write_data", "input", width) \
        pin("read_enable") bus("read_address", "input", address) bus("read_data", "output", width) "  }\n"
}
END {
    print "library (moehub_memories) {\n  delay_model : table_lookup;"
    print "  time_unit : \"1ns\";\n  voltage_unit : \"1V\";\n  current_unit : \"1mA\";"
    print "  pulling_resistance_unit : \"1kohm\";\n  capacitive_load_unit (1, pf);"
    for (edge = 0; edge < 2; edge++) {
        name = edge ? "fall" : "rise"
        printf "  input_threshold_pct_%s : 50;\n  output_threshold_pct_%s : 50;\n", name, name
        printf "  slew_lower_threshold_pct_%s : 20;\n  slew_upper_threshold_pct_%s : 80;\n", name, name
    }
    print "  lu_table_template (by_load) {\n    variable_1 : total_output_net_capacitance;\n    index_1 (\"0, 1\");\n  }"
    for (t in types)
        printf "  type (b%s) {\n    base_type : array;\n    data_type : bit;\n    bit_width : %d;\n" \
            "    bit_from : %d;\n    bit_to : 0;\n  }\n", t, types[t], types[t] - 1
    printf "%s}\n", cells
}
