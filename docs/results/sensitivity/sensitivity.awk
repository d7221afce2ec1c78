# sensitivity.awk - a table of sensitivity.md, as Markdown, from the runs of sensitivity.sh's experiment and, before them, its lines
# KEY VALUE of what is not calibrated: the values that move the mean gain most come first.

FNR == 1 { file++ }
file == 1 { order[++n_key] = $1; value[$1] = $2; next }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    at = $column["variant"]
    if ($column["error"] ~ /^"?bad input/) { sub(/ with$/, "", at); refused[at]; next }
    if ($column["status"] != "done") fail("run " $1 " is not done")
    if (sub(/ with$/, "", at)) with[at, $column["workload"]] = $column["cycles"]
    else {
        if (at == "plain") at = "as is"
        plain[at, $column["workload"]] = $column["cycles"]
    }
    if (!($column["workload"] in seen)) { seen[$column["workload"]]; program[++n_program] = $column["workload"] }
    split(at, part, "=")
    if (part[2] != "" && !(part[1] in value)) fail(part[1] " is calibrated")
    given[at]
}

function fail(what) { print FILENAME ": " what > "/dev/stderr"; failed = 1; exit 1 }

# The arithmetic mean of the gains of all programs, in percent.
function gain(at, i, sum) {
    for (i = 1; i <= n_program; i++) {
        if (!((at, program[i]) in plain) || !((at, program[i]) in with)) fail(at ": no run of " program[i])
        sum += 100 * (plain[at, program[i]] / with[at, program[i]] - 1)
    }
    return sum / n_program
}

function least(at, x, found) { x = base; for (at in given) if ((found = gain(at)) < x) x = found; return x }
function highest(at, x, found) { x = base; for (at in given) if ((found = gain(at)) > x) x = found; return x }
function size(x) { return x < 0 ? -x : x }

# How far KEY=SET moves the gain; 0 if the GPU cannot be so.
function moves(key, set) { return (key "=" set) in given ? gain(key "=" set) - base : 0 }
function shown(key, set) { return (key "=" set) in given ? sprintf("%s: %+.1f %%", set, gain(key "=" set)) : "-" }

END {
    if (failed) exit 1
    if (n_program == 0) fail("no run")
    for (at in refused) delete given[at]
    base = gain("as is")
    for (k = 1; k <= n_key; k++) {
        key = order[k]
        low = moves(key, int(value[key] / 2))
        high = moves(key, 2 * value[key])
        most[key] = size(low) > size(high) ? size(low) : size(high)
        tried[key] = ((key "=" int(value[key] / 2)) in given) || ((key "=" (2 * value[key])) in given)
    }
    printf "The arithmetic mean gain is %+.1f %%. With one of the values changed it lies between %+.1f and %+.1f %%.\n\n", base, least(), highest()
    print "| value | as it is | with half of it | with twice as much | moves this mean by, points |"
    print "|---|---:|---:|---:|---:|"
    rows()
    rest("Moved by less than 0.05 points", 1)
    rest("Not varied, since it is a choice or 0, or since no GPU can have it or not all programs run with it", 0)
}

function rows(k, i, key, best) {
    for (;;) {
        best = ""
        for (k = 1; k <= n_key; k++)
            if (tried[order[k]] && !done[order[k]] && most[order[k]] >= 0.05 && (best == "" || most[order[k]] > most[best])) best = order[k]
        if (best == "") return
        done[best] = 1
        printf "| `%s` | %s | %s | %s | %.1f |\n", best, value[best], shown(best, int(value[best] / 2)), shown(best, 2 * value[best]), most[best]
    }
}

function rest(what, wanted, k, text, n) {
    for (k = 1; k <= n_key; k++)
        if (!done[order[k]] && tried[order[k]] + 0 == wanted) { text = text (n++ ? ", " : "") "`" order[k] "`"; done[order[k]] = 1 }
    if (n) printf "\n%s (%d): %s.\n", what, n, text
}
