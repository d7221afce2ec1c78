# floors.awk - the rules of floors.sh, for its lines.

# base is below all; a number is a floor, and what stands on the same one does not see each other.
BEGIN {
    n = split("base 0 units 1 stream 1 lockstep 2 gpu 2 ptx 3 synthetic 3 exec 4 driver 5 " \
              "tool 6 workloads 6 unit 7 gpusched 7", list, " ")
    for (i = 1; i < n; i += 2) floor[list[i]] = list[i + 1]
    # What does not see all that is below it.
    only["lockstep"] = "base units"
    only["units"] = only["tool"] = "base"
    only["unit"] = "base units lockstep tool"
    split(lists, list, " ")
    for (i in list) listing[list[i]] = 1
}
function wrong(text) { print text; failed = 1 }
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function stem(path) { sub(/\.[^.\/]*$/, "", path); return path }
function room(path,    part) { split(path, part, "/"); return part[2] }

$1 == "file" {
    # The model, header and table of a unit, which CONTRIBUTING.md puts side by side, are one.
    part = $2
    if (sub(/^cmodel\/units\//, "", part) && part !~ /\//) sub(/(_ports)?\.[a-z]*$/, "", part)
    if (!((folder($2), part) in counted)) files[folder($2)]++
    counted[folder($2), part] = 1
    n_file++
    next
}
$1 == "include" {
    n_include++
    from = room($2)
    to = $3 ~ /^(cmodel|sim)\// ? room($3) : ""
    if (!(from in floor)) wrong($2 ": " from " has no floor")
    else if ($3 ~ /_ports.def$|^UNIT/ || to == from) next
    else if (to == "") { if ($3 != "ptx_grammar.h" && $3 !~ /^(Vdut|verilated_)/) wrong($2 " includes " $3 ": not in cmodel or sim") }
    else if (floor[to] >= floor[from] || (from in only && index(" " only[from] " ", " " to " ") == 0))
        wrong($2 " includes " $3 ": " to " is no floor below " from)
    next
}
$1 == "call" {
    n_call++
    a = stem($2); b = stem($3)
    if (a in listing || b in listing) next
    call[a, b] = $4
    if (folder(a) == folder(b)) { within[folder(a)] = within[folder(a)] " " a " " b }
    else { across = across " " folder(a) " " folder(b); crossing[folder(a), folder(b)] = a " calls " $4 " of " b }
}

# What is reached from what, of "FROM TO FROM TO ...": who reaches each other, in groups.
function circles(text, least, what,    list, n, i, name, names, m, reach, k, j, group, seen, size) {
    n = split(text, list, " ")
    for (i = 1; i <= n; i++) if (!(list[i] in seen)) { seen[list[i]] = 1; name[++m] = list[i] }
    for (i = 1; i < n; i += 2) reach[list[i], list[i + 1]] = 1
    for (k = 1; k <= m; k++)
        for (i = 1; i <= m; i++)
            if ((name[i], name[k]) in reach)
                for (j = 1; j <= m; j++)
                    if ((name[k], name[j]) in reach) reach[name[i], name[j]] = 1
    for (i = 1; i <= m; i++) {
        if (name[i] in group || !((name[i], name[i]) in reach)) continue
        names = ""; size = 0
        for (j = 1; j <= m; j++)
            if ((name[i], name[j]) in reach && (name[j], name[i]) in reach) {
                group[name[j]] = 1; size++; names = names " " name[j]
            }
        if (size > least) {
            wrong(what ":" names)
            n = split(names, list, " ")
            for (k = 1; k <= n; k++) for (j = 1; j <= n; j++)
                if ((list[k], list[j]) in crossing) print "    " crossing[list[k], list[j]]
                else if ((list[k], list[j]) in call) print "    " list[k] " uses " call[list[k], list[j]] " of " list[j]
        }
    }
}
END {
    circles(across, 1, "folders that call each other")
    for (f in within) circles(within[f], 2, "files that call in a circle")
    for (f in files) if (files[f] > 27) wrong(f ": more than 27 files: " files[f])
    if (!n_include || !n_call) wrong("no includes, or no calls: nothing was looked at")
    if (!failed) printf "checked: files=%d\n", n_file
    exit failed
}
