#!/usr/bin/env bash
# icc-memory.sh rows|row-hits|headers|answers CSV - a table of docs/results/icc.md from the runs of configs/experiments/icc-rows.yaml,
# icc-headers.yaml or icc-answers.yaml: what is gained, or which share of accesses hits an open row of the DRAM, with each value of
# the axis.
set -euo pipefail

case $1 in
    rows) axis=row unit=' B' pairs='distributed two-level D over two-level,db-icc-cc distributed DB+ICC+CC' ;;
    row-hits) axis=row unit=' B' pairs='two-level - two-level,distributed - D,db-icc-cc - DB+ICC+CC' ;;
    headers) axis=header unit=' B' pairs='db distributed DB,db-icc distributed DB+ICC,db-icc-cc distributed DB+ICC+CC' ;;
    answers) axis=answers unit='' pairs='db distributed DB,d-icc distributed D+ICC,db-icc distributed DB+ICC,db-icc-cc distributed DB+ICC+CC' ;;
    *) echo "icc-memory.sh: $1: rows, row-hits, headers or answers" >&2; exit 2 ;;
esac

awk -F, -v axis="$axis" -v unit="$unit" -v pairs="$pairs" '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; if (!(axis in column)) { print FILENAME ": no column " axis > "/dev/stderr"; bad = 1; exit 1 }; next }
{
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    w = $column["workload"]; x = $column[axis]
    if (!(w in seen)) { seen[w]; row[++n_row] = w }
    if (!(x in known)) { known[x]; value[++n_value] = x }
    cycles[w, $column["variant"], x] = $column["cycles"]
    if ("dram_row_hit_rate" in column) hits[w, $column["variant"], x] = $column["dram_row_hit_rate"]
}
function named(x) { return x == "false" ? "without" : x == "true" ? "with" : x unit }
function lacks(w, variant, x) { print "no run of " w ", " variant ", " axis " " x > "/dev/stderr"; exit bad = 1 }
function number(w, pair, x) {
    if (pair[2] == "-" && hits[w, pair[1], x] == "") lacks(w, pair[1], x)
    if (pair[2] == "-") return 100 * hits[w, pair[1], x]
    if (cycles[w, pair[1], x] + 0 == 0) lacks(w, pair[1], x)
    if (cycles[w, pair[2], x] + 0 == 0) lacks(w, pair[2], x)
    return 100 * (cycles[w, pair[2], x] / cycles[w, pair[1], x] - 1)
}
function cells(w,   p, v, pair, line, sum, k, form) {
    for (p = 1; p <= n_pair; p++) {
        split(list[p], pair, " ")
        form = pair[2] == "-" ? " %.1f %% |" : " %+.1f %% |"
        for (v = 1; v <= n_value; v++) {
            sum = 0
            for (k = 1; k <= n_row; k++) if (w == "" || w == row[k]) sum += number(row[k], pair, value[v])
            line = line sprintf(form, sum / (w == "" ? n_row : 1))
        }
    }
    return line
}
END {
    if (n_row == 0 && !bad) print FILENAME ": no runs" > "/dev/stderr"
    if (bad || n_row == 0) exit 1
    n_pair = split(pairs, list, ",")
    printf "| benchmark |"
    for (p = 1; p <= n_pair; p++) {
        title = list[p]; sub(/^[^ ]* [^ ]* /, "", title)
        for (v = 1; v <= n_value; v++) printf " %s%s |", v == 1 ? title ": " : "", named(value[v])
    }
    printf "\n|---|"
    for (p = 1; p <= n_pair * n_value; p++) printf "---:|"
    print ""
    for (k = 1; k <= n_row; k++) print "| " row[k] " |" cells(row[k])
    print "| mean (arithmetic) |" cells("")
}' "$2"
