# header.awk - file=1 TABLE file=2 PATHS file=3 FILE.h file=4 FILE.v: the module, with the comment at its head as the
# port table (TABLE is its markdown) and the golden model's header have it. A section begins with its name in the first
# column of the comment.

BEGIN {
    WIDTH = 116
    n_order = split("Purpose Parameters Ports Paths Timing Contract Reset Twin Source Deviations", order, " ")
    for (i = 1; i <= n_order; i++) is_section[order[i]] = 1
    repeated["Contract"] = repeated["Reset"] = repeated["Source"] = repeated["Deviations"] = 1
}

# ---- What is repeated ---------------------------------------------------------------------------

# Adds a row, whose meaning goes on in its own column.
function add(title, columns, meaning,   line, n, word, i) {
    line = columns
    n = split(meaning, word, " ")
    for (i = 1; i <= n; i++) {
        if (i > 1 && length(line) + 1 + length(word[i]) > WIDTH) {
            section[title] = section[title] "\n" line
            line = sprintf("%*s", length(columns), "")
        }
        line = line (i > 1 && line !~ / $/ ? " " : "") word[i]
    }
    section[title] = section[title] "\n" line
}
# The bits of a shape such as NUM(sm_w).
function bits(shape,   arguments) {
    if (shape == "FLAG") return 1
    sub(/^[A-Z]*\(/, "", shape)
    sub(/\)$/, "", shape)
    if (split(shape, arguments, ", ") > 1) shape = arguments[1] "*" arguments[2]
    return toupper(shape)
}

file == 1 {
    gsub(/`/, "")
    n = split($0, cell, / *[|] */)
    if (cell[2] == "parameter" || cell[2] == "constant") kind = cell[2]
    else if (cell[2] == "kind") kind = "port"
    else if (n >= 5 && cell[2] !~ /^-/) {
        if (kind == "parameter") sub(/ to /, "..", cell[4])
        n_row[kind]++
        for (i = 2; i < n; i++) row[kind, n_row[kind], i] = cell[i]
        if (cell[2] ~ /put$/) {
            if (length(cell[3]) > longest) longest = length(cell[3])
            in_width[bits(cell[4])] = 1
        }
    }
}
file == 2 { to[$2] = to[$2] (to[$2] == "" ? "" : ", ") $1 }
file == 3 && /^ \*\// { at = ""; nextfile }
file == 3 {
    text = substr($0, 4)
    split(text, word, /[^A-Za-z]/)
    if (text ~ /^[A-Z]/) at = word[1]
    if (at in repeated) section[at] = (text ~ /^[A-Z]/ ? "" : section[at] "\n") text
}

# Parameters, ports and paths.
function tables(   i, name) {
    section["Parameters"] = "Parameters, outside of whose ranges it does not elaborate"
    for (i = 1; i <= n_row["parameter"]; i++)
        add("Parameters", sprintf("  %-*s ", longest, row["parameter", i, 2]),
            row["parameter", i, 5] ", " row["parameter", i, 4])
    for (i = 1; i <= n_row["constant"]; i++)
        if (row["constant", i, 2] in in_width)
            add("Parameters", sprintf("  %-*s ", longest, row["constant", i, 2]),
                row["constant", i, 5] "; derived, never overridden")
    section["Ports"] = sprintf("%-*s width        meaning", longest + 2, "Ports")
    add("Ports", sprintf("  %-*s %-12s ", longest, "clk", 1), "clock, rising edge")
    add("Ports", sprintf("  %-*s %-12s ", longest, "rst_i", 1), "reset, synchronous, active high")
    section["Paths"] = "Paths from inputs to outputs in one cycle; every other output depends on state alone"
    for (i = 1; i <= n_row["port"]; i++) {
        name = row["port", i, 3]
        if (row["port", i, 2] ~ /put$/) add("Ports", sprintf("  %-*s %-12s ", longest, name, bits(row["port", i, 4])), row["port", i, 6])
        if (name in to) add("Paths", sprintf("  %-*s ", longest, name), to[name])
    }
    if (section["Paths"] !~ /\n/) section["Paths"] = "Paths\n  none: every output depends on state alone"
}

# The text with its items filled up to the width. An item is a paragraph, a line of a list ("- ") or a line with a gap;
# lines behind it that begin in the column of its text, the last one, go on with it.
function filled(text,   n, line, i, words, k, m, at, now, out, gap) {
    n = split(text, line, "\n")
    at = -1
    for (i = 1; i <= n; i++) {
        match(line[i], /^ */)
        gap = RLENGTH
        if (line[i] == "" || i == 1 || gap != at || line[i] ~ /[^ ]  +[^ ]/) {
            if (i > 1) out = out "\n"
            now = line[i]
            at = match(now, /^.*[^ ]  +[^ ]/) || match(now, /^ *- ./) ? RLENGTH - 1 : gap
            out = out now
            continue
        }
        m = split(substr(line[i], gap + 1), words, " ")
        for (k = 1; k <= m; k++) {
            if (length(now) + 1 + length(words[k]) > WIDTH) {
                out = out "\n"
                now = sprintf("%*s%s", at, "", words[k])
                out = out now
            } else {
                now = now " " words[k]
                out = out " " words[k]
            }
        }
    }
    return out
}

# ---- The module ---------------------------------------------------------------------------------

function comment(text,   n, lines, i) {
    sub(/\n+$/, "", text)
    n = split(text, lines, "\n")
    for (i = 1; i <= n; i++) print "//" (lines[i] == "" ? "" : " ") lines[i]
}
function print_head(   i) {
    tables()
    comment(intro)
    for (i = 1; i <= n_order; i++) {
        if (!(order[i] in section)) {
            print "header.awk: " FILENAME ": there is no section " order[i] > "/dev/stderr"
            exit failed = 1
        }
        print "//"
        comment(order[i] in repeated ? filled(section[order[i]]) : section[order[i]])
    }
}
file == 4 && FNR == 1 { head = 1 }
file == 4 && head && /^\/\// {
    text = substr($0, 4)
    split(text, word, /[^A-Za-z]/)
    if (text ~ /^[A-Z]/ && word[1] in is_section) at = word[1]
    if (at == "") intro = intro (intro == "" ? "" : "\n") text
    else if (!(at in repeated)) section[at] = (text ~ /^[A-Z]/ ? "" : section[at] "\n") text
    next
}
file == 4 && head { head = 0; done = 1; print_head() }
file == 4
END { exit !done || failed }
