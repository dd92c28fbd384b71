# SPDX-License-Identifier: Apache-2.0
# Reads a Liberty file and prints what the flow needs to know of it, as JSON: units, area and functions of every cell, and the
# cells that it has to name: flip-flop, two-input NAND, inverter, buffer. What is not found stays null; the caller says so.
# A cell is known by its function, never by its name: the function's truth table is evaluated.

# The value of an expression of 0, 1, ! ' ^ & * | + and juxtaposition, without parentheses; binding: not, xor, and, or.
function flat(e) {
    while (sub(/!0|0'/, "1", e) || sub(/!1|1'/, "0", e)) ;
    while (sub(/0\^0|1\^1/, "0", e) || sub(/0\^1|1\^0/, "1", e)) ;
    while (sub(/1[&*]?1/, "1", e) || sub(/0[&*]?[01]|1[&*]?0/, "0", e)) ;
    while (sub(/0[|+]0/, "0", e) || sub(/1[|+][01]|0[|+]1/, "1", e)) ;
    return e
}
function value(e,    inner) {
    gsub(/ /, "", e)
    while (match(e, /\([^()]*\)/)) {
        inner = substr(e, RSTART + 1, RLENGTH - 2)
        e = substr(e, 1, RSTART - 1) flat(inner) substr(e, RSTART + RLENGTH)
    }
    return flat(e)
}
# The function with its input pins replaced by the bits of `row`.
function row_value(e, row,    out, i, name) {
    out = ""
    while (match(e, /[A-Za-z_][A-Za-z_0-9]*/)) {
        name = substr(e, RSTART, RLENGTH)
        for (i = 1; i <= inputs && input[i] != name; i++) ;
        out = out substr(e, 1, RSTART - 1) (int(row / 2 ^ (i - 1)) % 2)
        e = substr(e, RSTART + RLENGTH)
    }
    return value(out e)
}
function truth(    row, t) {
    t = ""
    for (row = 0; row < 2 ^ inputs; row++) t = t row_value(logic, row)
    return t
}

# The bit that keeps a clear or preset, a function of one pin, from acting; "" where there is none.
function inactive(e,    pin, low) {
    if (!match(e, /[A-Za-z_][A-Za-z_0-9]*/)) return ""
    pin = substr(e, RSTART, RLENGTH)
    gsub(pin, "0", e)
    if (e ~ /[A-Za-z_]/) return ""
    low = value(e)
    return low == "0" || low == "1" ? sprintf("\"%s\": %s", pin, low) : ""
}

function quoted(line) { sub(/^[^"]*"/, "", line); sub(/".*/, "", line); gsub(/^ +| +$/, "", line); return line }
function text(line) { sub(/^[^:(]*[:(] */, "", line); gsub(/[";){]/, "", line); sub(/[ \t\r]+$/, "", line); return line }
function better(kind) {
    return !(kind in best) || area < best_area[kind] ||
        (kind == "inverter" && area == best_area[kind] && load < best_load[kind])
}
function keep(kind) {
    if (!better(kind)) return
    best[kind] = cell; best_area[kind] = area
    best_in[kind] = input[1]; best_out[kind] = output; best_load[kind] = load
}

# A rising-edge flip-flop of one data pin. One with clear or preset is used, tied off, where the library has none without.
function keep_flop(    i, found, ties, plain) {
    plain = "^[(]?[A-Za-z_0-9]+[)]?$"
    if (next_state !~ plain || clocked_on !~ plain) return
    for (i = 1; i <= outputs; i++) if (output_logic[i] == state) found = i
    for (i = 1; i <= outputs && !found; i++) if (output_logic[i] == state_inverted) found = i
    if (!found || (clear != "" && (ties = inactive(clear)) == "")) return
    if (preset != "") { if (inactive(preset) == "") return; ties = ties (ties == "" ? "" : ", ") inactive(preset) }
    gsub(/[()]/, "", next_state); gsub(/[()]/, "", clocked_on)
    if (flop != "" && (flop_tied < (ties != "") || (flop_tied == (ties != "") && flop_area <= area))) return
    flop_area = area; flop_tied = (ties != "")
    flop = sprintf("{\"cell\": \"%s\", \"area\": %s, \"data\": \"%s\", \"clock\": \"%s\", ",
            cell, area, next_state, clocked_on) \
        sprintf("\"output\": \"%s\", \"inverted\": %s, \"ties\": {%s}}",
            output_name[found], output_logic[found] == state ? "false" : "true", ties)
}
function end_cell(    t) {
    if (cell == "") return
    cells = cells (cells == "" ? "" : ",\n") \
        sprintf("  \"%s\": {\"area\": %s, \"kind\": \"%s\", \"outputs\": {%s}}", cell, area, kind, functions)
    if (dont_use) { }
    else if (kind == "flop") keep_flop()
    else if (kind == "gate" && outputs == 1 && (inputs == 1 || inputs == 2)) {
        t = truth()
        if (inputs == 1 && t == "10") keep("inverter")
        if (inputs == 1 && t == "01") keep("buffer")
        if (inputs == 2 && t == "1110") keep("nand2")
    }
}
function end_pin() {
    if (pin == "") return
    if (direction == "output") {
        output_name[++outputs] = output = pin
        output_logic[outputs] = logic = pin_logic
        functions = functions (functions == "" ? "" : ", ") sprintf("\"%s\": \"%s\"", pin, pin_logic)
    }
    else if (direction == "input") { input[++inputs] = pin; load = pin_load }
    pin = ""
}

{ gsub(/[\t\r]/, " ") }
/^ *library *\(/ { library = text($0) }
/^ *time_unit *:/ { unit = text($0); number = unit + 0; time_ns = unit ~ /ps/ ? number / 1000 : unit ~ /ns/ ? number : "null" }
/^ *capacitive_load_unit *\(/ {
    unit = tolower(text($0)); split(unit, part, / *, */)
    capacitance_pf = part[2] ~ /ff/ ? part[1] / 1000 : part[2] ~ /pf/ ? part[1] + 0 : "null"
}
/^ *cell *\(/ {
    end_pin(); end_cell()
    cell = text($0); area = "null"; kind = "gate"; inputs = outputs = dont_use = 0
    next_state = clocked_on = clear = preset = functions = ""; state = state_inverted = "none"
}
cell == "" { next }
/^ *area *:/ { area = text($0) + 0 }
/^ *dont_use *: *"?true/ { dont_use = 1 }
/^ *ff *\(/ { kind = "flop"; split(text($0), part, / *, */); state = part[1]; state_inverted = part[2] }
/^ *ff_bank *\(/ { kind = "flop" }
/^ *(latch|latch_bank|statetable) *\(/ { kind = "latch" }
/^ *clear *:/ { clear = quoted($0) }
/^ *preset *:/ { preset = quoted($0) }
/^ *next_state *:/ { next_state = quoted($0) }
/^ *clocked_on *:/ { clocked_on = quoted($0) }
/^ *pin *\(/ { end_pin(); pin = text($0); direction = pin_logic = ""; pin_load = "null" }
/^ *pg_pin *\(/ { end_pin() }
pin != "" && /^ *direction *:/ { direction = text($0) }
pin != "" && /^ *three_state *:/ { kind = "three_state" }
pin != "" && /^ *capacitance *:/ { pin_load = text($0) + 0 }
pin != "" && /^ *function *:/ { pin_logic = quoted($0) }

function found(kind) {
    if (!(kind in best)) return "null"
    return sprintf("{\"cell\": \"%s\", \"area\": %s, \"input\": \"%s\", \"output\": \"%s\", \"capacitance_pf\": %.6g}",
        best[kind], best_area[kind], best_in[kind], best_out[kind], best_load[kind] * capacitance_pf)
}
END {
    end_pin(); end_cell()
    printf "{\n\"name\": \"%s\",\n\"time_unit_ns\": %s,\n\"capacitance_unit_pf\": %s,\n", library,
        time_ns == "" ? "null" : time_ns, capacitance_pf == "" ? "null" : capacitance_pf
    printf "\"flip_flop\": %s,\n\"nand2\": %s,\n\"inverter\": %s,\n\"buffer\": %s,\n",
        flop == "" ? "null" : flop, found("nand2"), found("inverter"), found("buffer")
    printf "\"cells\": {\n%s\n}}\n", cells
}
