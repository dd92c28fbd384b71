# SPDX-License-Identifier: Apache-2.0
# The face of a netlist: the RTL module's header as it stands (ports, parameters), around an instance of module TOP_netlist, whose ports
# are single bits called name[bit].
#   awk -v top=TOP -f cosim_face.awk RTL_FILE NETLIST
# The header: up to the end of the port list.
NR == FNR {
    if (!header_ended) print
    if ($0 ~ /^\);/) header_ended = 1
    next
}
# The netlist's port list, over several lines.
index($0, "module " top "_netlist(") == 1 { collecting = 1; sub(/^[^(]*\(/, "") }
collecting {
    list = list " " $0
    if ($0 ~ /\);$/) { collecting = 0; found = 1 }
}
function connect(port) {
    gsub(/^[ \t]+|[ \t]+$/, "", port)
    name = port
    sub(/^\\/, "", name)
    return sprintf("        .%s (%s)", port, name)
}
END {
    if (!header_ended || !found) { print "cosim_face.awk: no module " top > "/dev/stderr"; exit 1 }
    sub(/\);[ \t]*$/, "", list)
    count = split(list, ports, ",")
    print "    " top "_netlist u_netlist ("
    for (i = 1; i <= count; i++) print connect(ports[i]) (i < count ? "," : "")
    print "    );\nendmodule\n`default_nettype wire"
}
