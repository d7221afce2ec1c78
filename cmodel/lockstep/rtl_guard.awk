# rtl_guard.awk - reads the C++ that Verilator has made of a module, all files in one, and prints it with a change:
# logic is evaluated only if something on which it depends has another value: after a clock edge a register, and
# before it an input.
#
# A statement behind the last one that writes a register is such logic. It is a function of registers and inputs,
# and at the edge the inputs are those of the evaluation before it (rtl_library.sh); there the registers are. Verilator's
# own function for the start, eval_stl, tells logic from registers: it evaluates all logic, and writes no register.
# A statement depends on the registers or inputs that it reads, and on those on which other logic depends that it
# reads; statements that write a variable together depend on the same. Whether the edge has changed a register is
# left in rtl_changed. The inputs of the last evaluation are in rtl_before_NAME, which rtl_library.sh puts beside them.
#
# At the edge most elements of an array of registers are not written: statement after statement looks at a bit of what
# says which are. Such statements run only if a variable of their conditions is not 0, or if a condition holds where all
# of them are 0, which g++ finds out. What depends on flags that only such statements raise runs only with these.
#
# Where something is not understood - several clocks, other functions that write, too many registers - nothing is
# changed, and nothing is printed.

# The text without line breaks and comments.
function joined(text) {
    gsub(/\n */, " ", text)
    gsub(/\/\*[^*]*\*\//, "", text)
    gsub(/"[^"]*"/, "\"\"", text)
    return text
}

# The variables of a statement: writes[name] and reads[name]. False if it is not understood.
function variables(text, writes, reads,    rest, name, before, n) {
    delete writes
    delete reads
    text = joined(text)
    rest = text
    while (match(rest, /VL_[A-Za-z0-9_]+\(/)) {
        name = substr(rest, RSTART, RLENGTH - 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (name ~ /^VL_(ASSIGN|ZERO|ZERO_RESET)_W$/) {
            if (!match(rest, /^[^,]*, *(vlSelf->)?[A-Za-z_][A-Za-z0-9_]*/)) return 0
            before = substr(rest, RSTART, RLENGTH)
            sub(/^[^,]*, */, "", before)
            writes[before]
        } else if (name !~ /^VL_(REDXOR|COUNTONES|EXTENDS?|LTS|GTS|GTES|LTES|SHIFT[LR]S?|LIKELY|UNLIKELY|ONEHOT0?|CLOG2)(_[IQ]*)?$/) return 0
    }
    rest = text
    while (match(rest, /(vlSelf->)?[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(rest, RSTART, RLENGTH)
        before = RSTART == 1 ? "" : substr(rest, RSTART - 1, 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (before ~ /[0-9A-Za-z.]/ || name ~ /^([CSIQEW]Data|if|else|VL_.*)$/) continue
        reads[name]
        if (match(rest, /^ *(\[[^][]*\] *)*=[^=]/)) {
            writes[name]
            n++
        }
    }
    # Every assignment has been seen, and there is no other kind.
    gsub(/[=!<>]=/, "", text)
    return text !~ /\+\+|--|[-+*\/|&^]=/ && gsub(/=/, "", text) == n
}

# ---- Reading: functions, and the statements of their bodies -------------------------------------------------

FILENAME ~ /header$/ {
    if (match($0, /VL_IN[0-9W]*\([A-Za-z0-9_]+,/)) {
        name = substr($0, RSTART, RLENGTH - 1)
        sub(/.*\(/, "vlSelf->", name)
        if (name != "vlSelf->clk") input[n_input++] = name
        name = ""
    }
    next
}
{ source[++n_line] = $0 }
/^(VL_INLINE_OPT |VL_ATTR_COLD )*void Vdut___024root___[A-Za-z0-9_]+\(Vdut___024root\* vlSelf\) \{$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.* /, "", name)
    first[name] = n_line
    body = 0
    next
}
name != "" && /^}/ { last[name] = n_line; name = ""; next }
name != "" && /^    \/\/ Body/ { begin[name] = n_line; body = 1; next }
name != "" && body && /^    [^ }]/ { start[name, ++count[name]] = n_line }
name != "" && body && match($0, /Vdut___024root___[A-Za-z0-9_]+\(vlSelf\);/) {
    calls[name] = calls[name] substr($0, RSTART, RLENGTH - 9) " "
    callers[substr($0, RSTART, RLENGTH - 9)]++
}

function statement(function_name, i,    n, text) {
    text = source[start[function_name, i]]
    for (n = start[function_name, i] + 1; n < (i < count[function_name] ? start[function_name, i + 1] : last[function_name]); n++)
        text = text "\n" source[n]
    return text
}

# Lines of a function that calls others under one trigger, and does nothing else.
function only_calls(name,    i) {
    for (i = begin[name] + 1; i < last[name]; i++)
        if (source[i] !~ /^    if \(vlSelf->__V(ico|nba|stl)Triggered\.at\(0U\)\) \{$/ && source[i] !~ /^    \}$/ &&
            source[i] !~ /^        Vdut___024root___[A-Za-z0-9_]+\(vlSelf\);$/ &&
            source[i] !~ /^        vlSelf->__Vm_traceActivity\[[0-9]+U\] = 1U;$/) return 0
    return (name in last) && count[name] == 1
}

# ---- Understanding -------------------------------------------------------------------------------------------

# A variable of statement s: a local one is of its function.
function named(s, v) { return v ~ /^vlSelf->/ ? v : of[s] " " v }

# What variables of a list depend on is added to what statement s does, and with `back` the other way, too.
function spread(s, list, back,    k, j, r, v, item) {
    k = split(list, item, " ")
    for (j = 1; j <= k; j++) {
        v = named(s, item[j])
        if (v in bit) {
            if (!((s, bit[v]) in depends)) { depends[s, bit[v]]; again = 1 }
            continue
        }
        for (r = 0; r < n_source; r++) {
            if (((v, r) in on) && !((s, r) in depends)) { depends[s, r]; again = 1 }
            if ((back || v !~ /^vlSelf->/) && ((s, r) in depends) && !((v, r) in on)) { on[v, r]; again = 1 }
        }
    }
}

# Of everything that eval_stl evaluates.
function find_logic(    c, i, n, called, v) {
    if (!only_calls(root "eval_stl")) return 0
    n = split(calls[root "eval_stl"], called, " ")
    for (c = 1; c <= n; c++) for (i = 1; i <= count[called[c]]; i++) {
        if (!variables(statement(called[c], i), writes, reads)) return 0
        for (v in writes) logic[v]
    }
    return n > 0
}

function add_source(v) { if (!(v in bit)) { bit[v] = n_source; origin[n_source++] = v } }

# The statements that a function calls, in their order. What is no logic is a register.
function collect(name,    f, i, v) {
    if (!only_calls(name)) return 0
    n = n_source = edge_ends = 0
    split("", bit)
    split("", on)
    split("", depends)
    split("", registers)
    split("", wrote)
    split("", read)
    split("", of)
    split("", number)
    n_part = split(calls[name], part, " ")
    for (f = 1; f <= n_part; f++) for (i = 1; i <= count[part[f]]; i++) {
        of[++n] = f
        number[n] = i
        if (!variables(statement(part[f], i), writes, reads)) return 0
        for (v in writes) {
            wrote[n] = wrote[n] " " v
            if (v ~ /^vlSelf->/ && !(v in logic)) {
                edge_ends = n
                registers[n]
                add_source(v)
            }
        }
        for (v in reads) read[n] = read[n] " " v
    }
    return n > 0
}

function find_dependences(    s, r) {
    for (s in registers) for (r = 0; r < n_source; r++) depends[s, r]
    for (again = 1; again;) {
        again = 0
        for (s = 1; s <= n; s++) {
            spread(s, read[s], 0)
            spread(s, wrote[s], 1)
        }
    }
}

# A local variable of a function that is cut has no value behind the cut.
function can_be_cut(    s, k, j, list, early) {
    for (s = 1; s <= edge_ends; s++) {
        k = split(wrote[s], list, " ")
        for (j = 1; j <= k; j++) early[named(s, list[j])]
    }
    for (s = edge_ends + 1; s <= n; s++) {
        k = split(read[s], list, " ")
        for (j = 1; j <= k; j++) if (list[j] !~ /^vlSelf->/ && (named(s, list[j]) in early)) return 0
    }
    return 1
}

# ---- Writing: text in place of lines, up to line upto[] ---------------------------------------------------------

# On what statement s depends, as an expression of C++.
function condition(s,    r, text) {
    for (r = 0; r < n_source; r++) if ((s, r) in depends) text = text (text == "" ? "" : " | ") "changed_" r
    return text == "" ? "true" : text
}

function parameters(    r, text) {
    for (r = 0; r < n_source; r++) text = text ", const bool changed_" r
    return text
}

function arguments(    r, text) {
    for (r = 0; r < n_source; r++) text = text ", changed_" r
    return text
}

# A function with its statements from number s on, each group under its condition.
function guarded(f, s,    i, now, before, text) {
    text = "void " part[f] "_after(Vdut___024root* vlSelf" parameters() ") {\n"
    for (i = first[part[f]] + 1; i <= begin[part[f]]; i++) text = text source[i] "\n"
    for (; s <= n && of[s] == f; s++) {
        now = condition(s)
        if (now != before) text = text (before == "" ? "" : "    }\n") "    if (" now ") {\n"
        before = now
        text = text statement(part[f], number[s]) "\n"
    }
    return text (before == "" ? "" : "    }\n") "}"
}

function first_of(f,    s) {
    for (s = 1; of[s] != f; s++) {}
    return s
}

# ---- Statements of the edge that seldom do something -----------------------------------------------------------

# Of statement s of the edge, which does nothing unless a condition holds: its conditions, joined by ||, with 0 in place
# of their variables, which are asked[name]. "": it may do something anyway, or is not understood, as one that asks for
# more than scalars.
function conditions(s,    k, j, line, text, all, rest, name, before) {
    delete asked
    k = split(statement(part[of[s]], number[s]), line, "\n")
    if (line[1] !~ /^    if \(/) return ""
    for (j = 1; j <= k; j++) {
        if (line[j] ~ /^    \} else \{/) return ""
        if (line[j] !~ /^    (\} else )?if \(/) continue
        text = line[j]
        while (text !~ /\{ *$/ && j < k) text = text " " line[++j]
        sub(/^    (\} else )?if /, "", text)
        if (!sub(/\{ *$/, "", text)) return ""
        all = all (all == "" ? "" : " || ") joined(text)
    }
    text = ""
    rest = all
    while (match(rest, /(vlSelf->)?[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(rest, RSTART, RLENGTH)
        before = RSTART == 1 ? "" : substr(rest, RSTART - 1, 1)
        text = text substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (before ~ /[0-9A-Za-z.]/ || name ~ /^[CSIQ]Data$/) {
            text = text name
        } else if (name ~ /^VL_/ || rest ~ /^ *\[/) {
            return ""
        } else {
            asked[name]
            text = text "decltype(" name ")(0)"
        }
    }
    return text rest
}

function writes_any(s, names,    k, j, list) {
    k = split(wrote[s], list, " ")
    for (j = 1; j <= k; j++) if (list[j] in names) return 1
    return 0
}

# Which statements of the edge are in which group: group[s]. A group is of 8 statements or more, side by side, that ask
# for the same variables, any[g], and write none of them; zero[g] are its conditions with 0.
function find_groups(    s, text, key, last_key, v) {
    n_group = 0
    split("", group)
    split("", size)
    for (s = 1; s <= edge_ends; s++) {
        text = conditions(s)
        key = ""
        if (text != "") for (v in asked) key = key (key == "" ? "" : " | ") v
        if (key == "" || writes_any(s, asked)) { last_key = ""; continue }
        if (key != last_key || of[s] != of[s - 1]) {
            any[++n_group] = key
            zero[n_group] = ""
        }
        group[s] = n_group
        size[n_group]++
        zero[n_group] = zero[n_group] " || " text
        last_key = key
    }
    follow_flags()
    for (s = 1; s <= edge_ends; s++) if ((s in group) && size[group[s]] < 8 && !(s in follows)) delete group[s]
}

# A statement that asks for one flag alone follows the group whose statements raise it. Nothing else gives the flag a
# value but 0.
function follow_flags(    s, k, j, list, raiser, raised, other, flag) {
    split("", follows)
    for (s = 1; s <= edge_ends; s++) {
        if (statement(part[of[s]], number[s]) ~ /^    [A-Za-z0-9_]+ = 0U;$/) continue
        k = split(wrote[s], list, " ")
        for (j = 1; j <= k; j++) {
            flag = named(s, list[j])
            if (!(s in group) || size[group[s]] < 8 || ((flag in raiser) && raiser[flag] != group[s])) other[flag]
            raiser[flag] = group[s]
            raised[flag] = s
        }
    }
    for (s = 1; s <= edge_ends; s++) {
        if (source[start[part[of[s]], number[s]]] !~ /^    if \([A-Za-z_][A-Za-z0-9_]*\) \{/ || conditions(s) == "") continue
        for (flag in asked) flag = named(s, flag)
        if ((flag in raiser) && !(flag in other) && raised[flag] < s) {
            group[s] = raiser[flag]
            follows[s]
        }
    }
}

# The statements of the edge in function f, up to number `last`.
function edge(f, last,    s, text, now) {
    text = lines(first[part[f]], begin[part[f]])
    for (s = first_of(f); s <= last && of[s] == f; s++) {
        if (group[s] != now) {
            text = text (now == "" ? "" : "    }\n")
            now = group[s]
            if (now != "" && !(s in follows))
                text = text "    const bool rtl_runs_" now " = (" any[now] ") != 0" zero[now] ";\n"
            if (now != "") text = text "    if (rtl_runs_" now ") {\n"
        }
        text = text statement(part[f], number[s]) "\n"
    }
    return text (now == "" ? "" : "    }\n")
}

function lines(from, to,    text) {
    for (; from <= to; from++) text = text source[from] "\n"
    return text
}

# The functions from number f on are guarded, the first of them behind statement `cut` if that is not 0.
function replace_functions(f, cut,    name, i, end, k) {
    if (cut != 0) find_groups()
    for (k = 1; cut != 0 && k < f; k++) {
        upto[first[part[k]]] = last[part[k]]
        instead[first[part[k]]] = edge(k, n) "}"
    }
    for (; f <= n_part; f++) {
        name = part[f]
        i = first[name]
        upto[i] = last[name]
        if (cut != 0) {
            instead[i] = edge(f, cut) "}\n\n" guarded(f, cut + 1)
        } else {
            instead[i] = (callers[name] > 1 ? lines(i, last[name]) : "") guarded(f, first_of(f))
        }
        cut = 0
    }
}

# The function that calls them: text before the first of the guarded calls, which begin with function g.
function replace_caller(name, g, top, between,    f, i, call, text) {
    for (f = g; f <= n_part; f++) text = text "void " part[f] "_after(Vdut___024root* vlSelf" parameters() ");\n"
    for (i = first[name]; i <= last[name]; i++) {
        call = source[i]
        gsub(/^ *|\(vlSelf\);$/, "", call)
        for (f = 1; f <= n_part && part[f] != call; f++) {}
        if (f > n_part || (edge_ends != 0 && f <= g)) text = text source[i] "\n"
        if (i == begin[name] + 1) text = text top
        if (f == g) text = text between
        if (f >= g && f <= n_part) text = text "        " call "_after(vlSelf" arguments() ");\n"
    }
    instead[first[name]] = text
    upto[first[name]] = last[name]
}

function guard_edge(    r, top, between, g) {
    if (!collect(root "eval_nba") || edge_ends == 0 || n_source > 60 || n - edge_ends < 20 || !can_be_cut()) return 0
    find_dependences()
    g = of[edge_ends]
    for (r = 0; r < n_source; r++) {
        top = top "        const auto before_" r " = " origin[r] ";\n"
        between = between "        const bool changed_" r " = std::memcmp(&before_" r ", &" origin[r] ", sizeof before_" r ") != 0;\n"
    }
    between = between "        rtl_changed = false"
    for (r = 0; r < n_source; r++) between = between " || changed_" r
    replace_functions(g, edge_ends)
    replace_caller(root "eval_nba", g, top, between ";\n")
    return 1
}

function guard_inputs(    r, v, between) {
    if (!collect(root "eval_ico") || edge_ends != 0) return
    for (r = 0; r < n_input; r++) add_source(input[r])
    find_dependences()
    for (r = 0; r < n_source; r++) {
        v = origin[r]
        sub(/->/, "->rtl_before_", v)
        between = between "        const bool changed_" r " = std::memcmp(&" v ", &" origin[r] ", sizeof " v ") != 0;\n"
        between = between "        std::memcpy(&" v ", &" origin[r] ", sizeof " v ");\n"
    }
    replace_functions(1, 0)
    replace_caller(root "eval_ico", 1, "", between)
}

END {
    root = "Vdut___024root___"
    if (!find_logic() || !guard_edge()) exit 1
    guard_inputs()
    print "#include <cstring>\n#define RTL_KNOWS_CHANGES\nstatic thread_local bool rtl_changed = true;"
    print "#define rtl_inputs_stay(self) (self)->clk"
    for (i = 1; i <= n_line; i++) {
        if (i in instead) {
            print instead[i]
            i = upto[i]
        } else {
            print source[i]
        }
    }
}
