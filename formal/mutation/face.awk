# SPDX-License-Identifier: Apache-2.0
# A block with its mutants under the RTL module's own name: the header of its RTL file as it stands, around an instance of
# <module>_mutants whose input `mutant` says which mutation is active.
#   awk -v module=MODULE -v width=BITS -v total=MUTATIONS -f face.awk RTLIL PORTS RTL_FILE
# RTLIL of that one module: the parameter values that it was made for. They become the defaults (Yosys elaborates a module with
# its defaults too), and a parent with other values is an error.
# PORTS: a name a line.
FNR == 1 { file++ }
file == 1 {
    if ($1 == "cell") exit_file = 1
    if (!exit_file && $1 == "parameter" && $2 ~ /^\\/ && $3 ~ /^-?[0-9]+$/) parameter[substr($2, 2)] = $3
    next
}
file == 2 {
    if ($1 != "mutant") ports[++count] = $1
    next
}
header_ended { next }
{
    if ($1 == "parameter")
        for (name in parameter)
            sub("parameter +" name " *= *[^,/]*", "parameter " name " = " parameter[name] " ")
    print
    if ($0 ~ /^\);/) header_ended = 1
}
END {
    if (!header_ended || count == 0) { print "face.awk: no module " module > "/dev/stderr"; exit 1 }
    print "    generate"
    for (name in parameter)
        printf "        if (%s != %s) %s_is_not_the_value_of_the_mutants u_rule ();\n", name, parameter[name], name
    print "    endgenerate"
    printf "    wire [%d:0] mutant;\n    moehub_mutant_number #(.WIDTH(%d), .COUNT(%d)) u_number (.number(mutant));\n", width - 1, width, total
    printf "    %s_mutants u_mutants (\n", module
    for (i = 1; i <= count; i++) printf "        .%s(%s),\n", ports[i], ports[i]
    print "        .mutant(mutant)\n    );\nendmodule\n`default_nettype wire"
}
