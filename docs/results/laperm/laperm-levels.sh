#!/usr/bin/env bash
# laperm-levels.sh PART DATABASE - a table of docs/results/laperm.md over L, the levels of priority, from the runs of
# configs/experiments/laperm-levels.yaml: `levels`, the IPC over that of RR of the same launches; or `levels-l1`, the L1 hit
# rate of children beside RR's, in points.
set -euo pipefail

"${GPUSCHED:-build/gpusched}" query -s $'\t' "$2" "
    WITH r AS MATERIALIZED (SELECT id, workload, variant, status,
        json_extract(result, '\$.derived.ipc', '\$.nested.children.l1_hit_rate') AS v FROM runs)
    SELECT workload, variant, status, v ->> 0, v ->> 1 FROM r ORDER BY id" | awk -F '\t' -v part="$1" '
BEGIN {
    n_way = split("cdp dtbl", way, " ")
    n_mode = split("tb-pri adaptive", mode, " ")
    split("TB-Pri Adaptive-Bind", name, " ")
    label["cdp"] = "CDP"; label["dtbl"] = "DTBL"
    if (part != "levels" && part != "levels-l1") { print part ": no such part; allowed: levels, levels-l1" > "/dev/stderr"; bad = 2; exit 2 }
}
{
    if ($3 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    if (!($1 in seen)) { seen[$1]; program[++n] = $1 }
    l = $2
    if (sub(/.*-/, "", l) && l ~ /^[0-9]+$/ && !(l in known)) { known[l]; level[++n_level] = l }
    ipc[$1, $2] = $4; l1[$1, $2] = $5
}
function cell(p, base, variant) {
    if (part == "levels") return sprintf("%+.1f %%", 100 * (ipc[p, variant] / ipc[p, base] - 1))
    return sprintf("%+.2f", 100 * (l1[p, variant] - l1[p, base]))
}
END {
    if (bad) exit bad
    if (n == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    printf "| program and mode | RR |"
    for (k = 1; k <= n_level; k++) printf " L = %d |", level[k]
    printf "\n|---|---:|"
    for (k = 1; k <= n_level; k++) printf "---:|"
    printf "\n"
    for (i = 1; i <= n; i++) for (w = 1; w <= n_way; w++) for (m = 1; m <= n_mode; m++) {
        base = way[w] "-rr"
        printf "| %s, %s %s |", program[i], label[way[w]], name[m]
        if (part == "levels") printf " %.2f |", ipc[program[i], base]
        else printf " %.1f %% |", 100 * l1[program[i], base]
        for (k = 1; k <= n_level; k++) printf " %s |", cell(program[i], base, way[w] "-" mode[m] "-" level[k])
        printf "\n"
    }
}'
