# SPDX-License-Identifier: Apache-2.0
# A port list of Yosys -> module miter: modules base and now with the same inputs, and an output for each of
# theirs that is 1 where they differ.
$1 != "input" && $1 != "output" { next }
{
    name = $3
    sub(/^\\/, "", name)
    ports = ports ",\n    " $1 " wire " ($1 == "input" ? $2 : "[0:0]") " \\" name " "
    bases = bases ",\n        .\\" name " (\\" ($1 == "input" ? "" : "base.") name " )"
    nows = nows ",\n        .\\" name " (\\" ($1 == "input" ? "" : "now.") name " )"
    if ($1 == "output") {
        wires = wires "    wire " $2 " \\base." name " ;\n    wire " $2 " \\now." name " ;\n"
        compare = compare "    assign \\" name "  = \\base." name "  != \\now." name " ;\n"
    }
}
END {
    print "module miter (" substr(ports, 2) "\n);\n" wires compare
    print "    base u_base (" substr(bases, 2) "\n    );\n    now u_now (" substr(nows, 2) "\n    );\nendmodule"
}
