# liberty.awk - what the measuring needs to know of a library of cells, found by function and not by name. Prints
# lines of a word and values:
#
#   time PICOSECONDS              the library's unit of time
#   load FEMTOFARAD               and of capacitance
#   area NAME AREA                each cell
#   ff NAME                       each flip-flop; latch NAME each latch
#   nand2 NAME AREA               the smallest NAND of two inputs
#   inverter NAME IN OUT CAP      each inverter, with the capacitance of its input in the library's unit
#   driver NAME IN OUT CAP        the one whose input is nearest to four times the smallest one's
#
# Ends with 1 and a sentence when one of these is not there.

function number(text) { sub(/^[^:]*:/, "", text); gsub(/[ \t";]/, "", text); return text + 0 }
function quoted(text) { sub(/^[^:]*:/, "", text); gsub(/[";]/, "", text); return text }
function argument(text) { sub(/^[^(]*\(/, "", text); sub(/\).*/, "", text); gsub(/[ \t"]/, "", text); return text }
function missing(what) { printf "liberty.awk: %s: there is no %s\n", FILENAME, what > "/dev/stderr"; bad = 1; exit 1 }

# A function of pins, by precedence: or, xor, and, not; "A B" and "A * B" are and, "A'" is not.
function skip() { while (substr(text, at, 1) == " ") at++ }
function either(    v, w) { v = odd(); skip(); while (substr(text, at, 1) ~ /[|+]/) { at++; w = odd(); v = v || w; skip() } return v }
function odd(    v) { v = both(); skip(); while (substr(text, at, 1) == "^") { at++; v = v != both(); skip() } return v }
function both(    v, w) {
    v = single(); skip()
    while (at <= length(text) && substr(text, at, 1) !~ /[|+^)]/) {
        if (substr(text, at, 1) ~ /[&*]/) at++
        w = single(); v = v && w; skip()
    }
    return v
}
function single(    v) {
    skip()
    if (substr(text, at, 1) == "!") { at++; return !single() }
    if (substr(text, at, 1) == "(") { at++; v = either(); skip(); at++ }
    else if (match(substr(text, at), /^[A-Za-z0-9_]+/)) { v = value[substr(text, at, RLENGTH)]; at += RLENGTH }
    else { at = length(text) + 1; return -1 }
    skip()
    while (substr(text, at, 1) == "'") { at++; v = !v; skip() }
    return v
}
# The truth table of the cell, of one output and one or two inputs: its bits for the inputs 0, 1, 2, 3.
function truth(    i, j, table) {
    for (i = 0; i < 2 ^ n_in; i++) {
        for (j = 1; j <= n_in; j++) value[in_pin[j]] = int(i / 2 ^ (j - 1)) % 2
        text = formula; at = 1
        table = table either()
    }
    return table
}
function end_cell(    table) {
    print "area", cell, area
    if (is_ff) print "ff", cell
    else if (is_latch) print "latch", cell
    else if (!unused && n_out == 1 && formula != "" && n_in >= 1 && n_in <= 2) {
        table = truth()
        if (table == "1110" && (nand == "" || area < nand_area)) { nand = cell; nand_area = area }
        if (table == "10") {
            inv[++n_inv] = cell; inv_in[n_inv] = in_pin[1]; inv_out[n_inv] = out_pin; inv_cap[n_inv] = cap[1]
            if (least == "" || cap[1] < least) least = cap[1]
        }
    }
    cell = ""
}
# Lines of tables need not be looked at.
/^[ \t]*(values|index_|"|[0-9])/ || /\\$/ { next }
{
    gsub(/\/\*.*\*\//, "")
    if ($0 ~ /time_unit/) {
        line = quoted($0); time = line + 0
        time *= line ~ /ns/ ? 1000 : line ~ /ps/ ? 1 : line ~ /fs/ ? 0.001 : 0
    }
    if ($0 ~ /capacitive_load_unit/) {
        line = argument($0); split(line, part, ",")
        load = part[1] * (tolower(part[2]) == "pf" ? 1000 : tolower(part[2]) == "ff" ? 1 : 0)
    }
    if (match($0, /^[ \t]*cell[ \t]*\(/)) {
        cell = argument($0); cell_depth = depth; area = 0; n_in = n_out = is_ff = is_latch = unused = pin_depth = 0
        formula = ""
    } else if (cell != "") {
        if ($0 ~ /^[ \t]*area[ \t]*:/ && depth == cell_depth + 1) area = number($0)
        if ($0 ~ /^[ \t]*ff(_bank)?[ \t]*\(/) is_ff = 1
        if ($0 ~ /^[ \t]*(latch(_bank)?|statetable)[ \t]*\(/) is_latch = 1
        if ($0 ~ /dont_use[ \t]*:[ \t]*"?true/) unused = 1
        if ($0 ~ /^[ \t]*pin[ \t]*\(/) { pin = argument($0); pin_depth = depth; pin_cap = 0 }
        if (depth == pin_depth + 1 && pin_depth) {
            if ($0 ~ /^[ \t]*capacitance[ \t]*:/) { pin_cap = number($0); if (n_in && in_pin[n_in] == pin) cap[n_in] = pin_cap }
            if ($0 ~ /^[ \t]*direction[ \t]*:/) {
                if ($0 ~ /input/) { in_pin[++n_in] = pin; cap[n_in] = pin_cap }
                if ($0 ~ /output/) { n_out++; out_pin = pin }
            }
            if ($0 ~ /^[ \t]*function[ \t]*:/) { formula = quoted($0) }
        }
    }
    line = $0
    depth += gsub(/{/, "", line); depth -= gsub(/}/, "", line)
    if (cell != "" && depth == cell_depth && $0 ~ /}/) end_cell()
    else if (pin_depth && depth <= pin_depth) pin_depth = 0
}
END {
    if (bad) exit 1
    if (!time) missing("unit of time")
    if (!load) missing("unit of capacitance")
    if (nand == "") missing("NAND of two inputs")
    if (!n_inv) missing("inverter")
    for (i = 1; i <= n_inv; i++) {
        distance = inv_cap[i] / least - 4
        if (distance < 0) distance = -distance
        if (!best || distance < best_distance) { best = i; best_distance = distance }
    }
    print "time", time
    print "load", load
    print "nand2", nand, nand_area
    for (i = 1; i <= n_inv; i++) print "inverter", inv[i], inv_in[i], inv_out[i], inv_cap[i]
    print "driver", inv[best], inv_in[best], inv_out[best], inv_cap[best]
}
