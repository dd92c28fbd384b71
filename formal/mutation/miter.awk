# SPDX-License-Identifier: Apache-2.0
# Two copies of a block side by side, one with mutation N and one with none, the same inputs, outputs compared.
#   awk -v module=MODULE -v number=N -f miter.awk NETLIST
# The first cycle is reset, where there is one.
$0 ~ "^module " module "_mutants\\(" { inside = 1; next }
inside && /^endmodule/ { inside = 0 }
inside && ($1 == "input" || $1 == "output") {
    line = $0
    gsub(/;/, "", line)
    count = split(line, words, " ")
    name = words[count]
    range = count == 3 ? words[2] " " : ""
    if (name == "mutant") { width = range; next }
    if (name == "rst") has_reset = 1
    if ($1 == "input") inputs[++input_count] = range name
    else { outputs[++output_count] = name; ranges[output_count] = range }
    ports[++port_count] = name
    is_output[port_count] = $1 == "output"
}
function instance(copy, value,    i) {
    printf "    %s_mutants %s (", module, copy
    for (i = 1; i <= port_count; i++) printf ".%s(%s%s), ", ports[i], is_output[i] ? copy "_" : "", ports[i]
    printf ".mutant(%s));\n", value
}
END {
    if (!output_count) { print "miter.awk: no module " module "_mutants" > "/dev/stderr"; exit 1 }
    print "module miter ("
    for (i = 1; i <= input_count; i++) printf "    input wire %s%s\n", inputs[i], i < input_count ? "," : ""
    print ");"
    if (has_reset) print "`include \"formal_reset.vh\""
    else print "    reg started_q = 1'b0;\n    always @(posedge clk) started_q <= 1'b1;"
    for (i = 1; i <= output_count; i++) {
        printf "    wire %sgood_%s;\n    wire %smutated_%s;\n", ranges[i], outputs[i], ranges[i], outputs[i]
        good = good (i > 1 ? ", " : "") "good_" outputs[i]
        mutated = mutated (i > 1 ? ", " : "") "mutated_" outputs[i]
    }
    instance("good", "0")
    instance("mutated", number)
    printf "    always @* same: assert (!started_q || {%s} == {%s});\nendmodule\n", good, mutated
}
