#!/usr/bin/env bash
# lcs.sh DATABASE - the table `static` of docs/results/perf-sat.md: programs and their kernels with every number of CTAs that an SM can
# have, and what lazy CTA scheduling finds and gives. A kernel's cycles are those of all its launches; a program's are all.
set -euo pipefail

"${GPUSCHED:-build/gpusched}" query -s $'\t' "$1" "
    SELECT runs.workload, runs.variant, runs.status, coalesce(json_extract(k.value, '\$.name'), ''),
        CASE WHEN json_extract(k.value, '\$.name') IS NULL THEN json_extract(runs.result, '\$.cycles.core') ELSE json_extract(k.value, '\$.cycles') END,
        coalesce(json_extract(k.value, '\$.throttles.lcs.ctas'), 0), coalesce(json_extract(k.value, '\$.throttles.lcs.sms'), 0),
        coalesce((SELECT max(json_extract(launch.value, '\$.ctas_per_sm')) FROM json_each(runs.result, '\$.kernels') AS launch
            WHERE json_extract(k.value, '\$.name') IS NULL OR json_extract(launch.value, '\$.name') = json_extract(k.value, '\$.name')), 0)
    FROM runs, json_each(runs.result, '\$.by_kernel') AS k ORDER BY runs.id, k.key" | awk -F '\t' '
BEGIN { label["kmeans"] = "KMN"; label["bfs"] = "BFS" }
{
    if ($3 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    row = $1 "/" $4
    if (!(row in max)) { row_of[++n] = row; program[row] = $1; kernel[row] = $4; max[row] = 0 }
    cycles[row, $2] = $5
    if ($2 == "max") max[row] = $8
    if (max[row] > widest) widest = max[row]
    if ($2 == "lcs") { found[row] = $7 ? sprintf(" %.1f", $6 / $7) : "" }
}
function with(row, count) { return cycles[row, count == max[row] ? "max" : "n" count] }
function faster(row, other) { return sprintf("%+.1f %%", 100 * (cycles[row, "max"] / other - 1)) }
function line(row, name, count, text, best) {
    for (count = 1; count <= widest; count++) {
        text = text (count <= max[row] ? sprintf(" %.1f |", 100 * cycles[row, "max"] / with(row, count)) : " |")
        if (count <= max[row] && (!best || with(row, count) < with(row, best))) best = count
    }
    printf "| %s |%s %d | %s |%s | %s |\n", name, text, best, faster(row, with(row, best)), found[row], faster(row, cycles[row, "lcs"])
}
END {
    if (bad) exit 1
    if (NR == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    for (k = 1; k <= widest; k++) { head = head " " k " |"; rule = rule "---:|" }
    print "| program |" head " best | speed | LCS | speed |"
    print "|---|" rule "---:|---:|---:|---:|"
    for (p = 1; p <= n; p++) if (kernel[row_of[p]] == "") {
        line(row_of[p], label[program[row_of[p]]] " (`" program[row_of[p]] "`)")
        for (k = 1; k <= n; k++) if (program[row_of[k]] == program[row_of[p]] && kernel[row_of[k]] != "") line(row_of[k], "of it `" kernel[row_of[k]] "`")
    }
}'
