# SPDX-License-Identifier: Apache-2.0
# "gate CELL OUTPUT FUNCTION" lines, tabs between -> a module with one of each cell, as Yosys writes netlists. Inputs are called
# after pins.
function declare(direction, name) {
    ports = ports (ports == "" ? "" : ", ") name
    text = text "  " direction " " name ";\n  wire " name ";\n"
}
$1 == "gate" {
    split("", seen)
    connections = ""
    logic = $4
    while (match(logic, /[A-Za-z_][A-Za-z_0-9]*/)) {
        pin = substr(logic, RSTART, RLENGTH)
        logic = substr(logic, RSTART + RLENGTH)
        if (!(pin in seen)) connections = connections "    ." pin "(" pin "),\n"
        if (!(pin in known)) declare("input", pin)
        seen[pin] = known[pin] = 1
    }
    declare("output", $2 "_of_" $3)
    instances = instances "  " $2 " one_" NR " (\n" connections "    ." $3 "(" $2 "_of_" $3 ")\n  );\n"
}
END { printf "module cells(%s);\n%s%sendmodule\n", ports, text, instances }
