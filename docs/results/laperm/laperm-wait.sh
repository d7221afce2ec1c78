#!/usr/bin/env bash
# laperm-wait.sh wait|spilled DATABASE - a table of docs/results/laperm.md on single launches, from the runs of
# configs/experiments/laperm.yaml: how many cycles a launch by a kernel waits for its first CTA, on average, or what share of
# the launches has been in memory.
set -euo pipefail

part=$1
case $part in
    wait) column="avg(k.value ->> '\$.first_cta' - (k.value ->> '\$.launched'))" ;;
    spilled) column="100.0 * avg(k.value ->> '\$.spilled')" ;;
    *) echo "$part: no such part; allowed: wait, spilled" >&2 && exit 2 ;;
esac
"${GPUSCHED:-build/gpusched}" query -s $'\t' "$2" "
    SELECT r.workload, r.variant, r.status, $column, count(k.value)
    FROM runs r LEFT JOIN json_each(r.result, '\$.kernels') k ON k.value ->> '\$.parent' IS NOT NULL
    GROUP BY r.id ORDER BY r.id" | awk -F '\t' -v part="$part" '
BEGIN {
    n_way = split("cdp dtbl", way, " ")
    n_mode = split("rr tb-pri smx-bind adaptive", mode, " ")
}
{
    if ($3 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    if ($5 == 0) { print "a run of " $1 " has no launches by kernels" > "/dev/stderr"; bad = 1; exit 1 }
    if (!($1 in seen)) { seen[$1]; program[++n] = $1 }
    of[$1, $2] = $4
}
function cell(x) { return part == "wait" ? sprintf(" %.0f |", x) : sprintf(" %.1f %% |", x) }
# Of one program, or the mean of all.
function row(name, p,   w, m, k, sum) {
    printf "| %s |", name
    for (w = 1; w <= n_way; w++)
        for (m = 1; m <= n_mode; m++) {
            sum = 0
            for (k = 1; k <= n; k++) if (p == "" || p == program[k]) sum += of[program[k], way[w] "-" mode[m]]
            printf "%s", cell(sum / (p == "" ? n : 1))
        }
    printf "\n"
}
END {
    if (bad) exit 1
    if (n == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    print "| program | CDP RR | TB-Pri | SMX-Bind | Adaptive | DTBL RR | TB-Pri | SMX-Bind | Adaptive |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (k = 1; k <= n; k++) row(program[k], program[k])
    row("mean (arithmetic)", "")
}'
