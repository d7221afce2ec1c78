#!/usr/bin/env bash
# icc-off.sh PART [PAGE.md] - from the tables of docs/results/icc.md, whose cells have the paper's value in brackets: `headline`, how
# many of these are near, or `off`, those that are not, the furthest first. icc-off.sh write - makes the page so. icc-off.sh check WORK
# - whether it is, and that a value less is seen.
set -euo pipefail

page=docs/results/icc.md
case $1 in
    write)
        for part in headline off; do tb/drift/document.sh write $page $part "$0" $part; done
        exit
        ;;
    check)
        for part in headline off; do tb/drift/document.sh check $page $part "$0" $part > "$2" || { cat "$2"; exit 1; }; done
        sed 's/ (+67)//' $page > "$2"
        for part in headline off; do
            "$0" $part > "$2.as"
            "$0" $part "$2" > "$2.less"
            ! cmp -s "$2.as" "$2.less" || { echo "$part: a value less of the paper is not seen"; exit 1; }
        done
        "$0" headline > "$2.as"
        echo "checked: values=$(sed 's/.* of \([0-9]*\) values .*/\1/' "$2.as") faults=2"
        exit
        ;;
esac

awk -v part="$1" '
BEGIN {
    split("windows locality schedulers speedup energy edp parts traffic entries clusters bandwidth", name, " ")
    split("locality,locality,speedup over two-level,speedup,energy,energy-delay product,shares,reads sent,reads merged,speedup by clusters,speedup by clock", title, ",")
    for (i in name) title_of[name[i]] = title[i]
}
/^<!-- end of / { table = ""; next }
/^<!-- .* -->$/ { table = $2; n_line = 0; next }
table in title_of && /^\|/ {
    n = split($0, cell, / *\| */)
    if (++n_line == 1) { for (k = 3; k < n; k++) head[k] = cell[k] == "+ CC" ? head[k - 1] " + CC" : cell[k]; next }
    bench = cell[2]
    sub(/ .*/, "", bench)
    for (k = 3; k < n; k++) if (cell[k] ~ / % \([-+0-9.]+\)$/) value(cell[k])
}
function value(text, ours, theirs) {
    sub(/^~/, "", text)
    ours = text + 0
    sub(/.*\(/, "", text)
    theirs = text + 0
    off = ours > theirs ? ours - theirs : theirs - ours
    of[bench == "mean"]++
    near[bench == "mean"] += off <= 5
    flipped[bench == "mean"] += ours * theirs < 0
    if (off <= 5 || bench == "mean") return
    rows++
    row[rows] = sprintf("| %s | %s, %s | %g %% | %.1f %% | %.0f |", bench, title_of[table], head[k], theirs, ours, off)
    far[rows] = off
}
END {
    if (of[0] == 0 || of[1] == 0) { print "icc-off.sh: the page has no values of the paper" > "/dev/stderr"; exit 1 }
    if (part == "headline")
        printf "Of %d means that the paper prints %d are within 5 points here, and of %d values of single benchmarks %d are. Of the other sign: %s.\n",
            of[1], near[1], of[0], near[0], flipped[0] == 0 ? "none" : flipped[0]
    else if (part == "off") {
        print "| benchmark | value | paper | here | points off |\n|---|---|---:|---:|---:|"
        for (; rows > 0; rows--) {
            best = ""
            for (k in far) if (best == "" || far[k] > far[best] || (far[k] == far[best] && k + 0 < best + 0)) best = k
            print row[best]
            delete far[best]
        }
    } else { print "icc-off.sh: " part ": headline or off" > "/dev/stderr"; exit 2 }
}' "${2:-$page}"
