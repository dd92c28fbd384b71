# SPDX-License-Identifier: Apache-2.0
# A mapped netlist, as Yosys writes it with one net a bit, in plain Verilog: each gate an assignment of its Liberty function, each
# flip-flop a register; nothing is optimised. Other instances (memories, modules whose borders stand) stay as they are; such
# modules are not inlined, as Verilator's names are shorter then, and its C++ compiles in half the time.
#   awk -v top=MODULE -v broken=0 -f cosim_gates.awk CELLS NETLIST NETLIST
# CELLS, a line each: gate CELL OUTPUT FUNCTION, flop CELL DATA CLOCK OUTPUT INVERTED, tabs between. The netlist is read twice:
# which nets are registers is known behind their declarations. The top module becomes MODULE_netlist.
# broken 1: a deliberate bug, eight gates inverted, spread over the list, as any one of them may be the logic of a case that a
# short run does not reach. Their nets go to standard error.

# ---- Liberty's functions: binding is not, xor, and, or ------------------------------------------------------------------------
function next_is(pattern) {
    sub(/^ +/, "", rest)
    return rest ~ ("^" pattern)
}
function step(    first) {
    first = substr(rest, 1, 1)
    rest = substr(rest, 2)
    return first
}
function factor(    e) {
    if (next_is("!")) { step(); return "~" factor() }
    if (next_is("[(]")) {
        step()
        e = "(" sum() ")"
        if (!next_is("[)]")) wrong("a function without its closing bracket")
        step()
    } else if (next_is("[01]")) e = "1'b" step()
    else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
        e = "{" substr(rest, 1, RLENGTH) "}"
        rest = substr(rest, RLENGTH + 1)
    } else wrong("a function that is not understood: " rest)
    while (next_is("'")) { step(); e = "(~" e ")" }
    return e
}
function difference(    e) {
    e = factor()
    while (next_is("\\^")) { step(); e = "(" e " ^ " factor() ")" }
    return e
}
function product(    e) {
    e = difference()
    while (next_is("[&*A-Za-z_01(!]")) {
        if (next_is("[&*]")) step()
        e = e " & " difference()
    }
    return e
}
function sum(    e) {
    e = product()
    while (next_is("[|+]")) { step(); e = e " | " product() }
    return e
}
function verilog(logic,    e) {
    rest = logic
    e = sum()
    if (next_is(".")) wrong("a function that is not understood: " logic)
    return e
}

# ---- instances ----------------------------------------------------------------------------------------------------------------
function wrong(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    failed = 1
    exit 2
}
# The assignment of one output: pins stand between braces in the template, that is in every second part.
function assignment(output, template, inverted,    count, part, i, e) {
    count = split(template, part, /[{}]/)
    for (i = 1; i <= count; i++) e = e (i % 2 ? part[i] : net[part[i]])
    printf "  assign %s = %s;\n", output, inverted ? "~(" e ")" : e
}
function broken_now(    eighth) {
    for (eighth = 0; broken && eighth < 8; eighth++)
        if (number == int(gates * eighth / 8)) return 1
    return 0
}
function write_gate(    i, output, inverted) {
    for (i = 1; i <= outputs[type]; i++) {
        output = net[output_of[type, i]]
        if (output == "") continue
        inverted = broken_now()
        if (inverted) print output > "/dev/stderr"
        assignment(output, function_of[type, i], inverted)
        number++
    }
}
function end_instance(    i) {
    if (pass == 1) {
        for (i = 1; i <= outputs[type]; i++) gates += net[output_of[type, i]] != ""
        if (type == flop) register[module, net[flop_output]] = 1
    } else if (type == flop)
        printf "  always @(posedge %s) %s <= %s%s;\n", net[flop_clock], net[flop_output], flop_inverted, net[flop_data]
    else write_gate()
    split("", net)
    type = ""
}

FNR == 1 { pass = NR == 1 ? 0 : pass + 1 }
pass == 0 {
    split($0, field, "\t")
    if (field[1] == "gate") {
        output_of[field[2], ++outputs[field[2]]] = field[3]
        function_of[field[2], outputs[field[2]]] = verilog(field[4])
    } else {
        flop = field[2]; flop_data = field[3]; flop_clock = field[4]; flop_output = field[5]
        flop_inverted = field[6] == "true" ? "~" : ""
    }
    next
}
type != "" && /^    \./ {
    match($0, /^    \.[^(]*\(/)
    value = substr($0, RLENGTH + 1)
    sub(/\),?$/, "", value)
    net[substr($0, 6, RLENGTH - 6)] = value
    next
}
type != "" { end_instance(); next }
/^  [^ ]+ .*\($/ && ($1 in outputs || $1 == flop) { type = $1; next }
/^module / { module = $2; sub(/\(.*/, "", module); bordered = module != top }
pass == 1 { next }
module == top && /^module / { sub(top, top "_netlist") }
/^  wire / {
    name = substr($0, 8, length($0) - 8)
    if ((module, name) in register) { print "  reg " name ";"; declared++; next }
}
{ print }
bordered && /\);$/ { print "  /* verilator no_inline_module */"; bordered = 0 }
END {
    if (failed) exit 2
    for (name in register) registers++
    if (declared != registers || registers + gates == 0) {
        print FILENAME ": " registers " registers, " declared + 0 " declared, " gates + 0 " gates" > "/dev/stderr"
        exit 2
    }
}
