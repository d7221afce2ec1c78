#!/usr/bin/env bash
# laperm-launch.sh DATABASE - the table of launch latencies and resident kernels of docs/results/laperm.md, from the runs of
# configs/experiments/laperm-launch.yaml (LaPerm V.C): IPC of RR, and of Adaptive-Bind over it.
set -euo pipefail

"${GPUSCHED:-build/gpusched}" query -s $'\t' "$1" "
    SELECT workload, variant, json_extract(result, '\$.derived.ipc'), status FROM runs ORDER BY id" | awk -F '\t' '
BEGIN {
    n_row = split("free tenth half full double group-free kernels8 kernels16 kernels64 kernels128", row, " ")
    split("CDP, launches cost nothing;CDP, a tenth of the latency;CDP, half of it;CDP, the whole latency;CDP, twice it;" \
        "DTBL, launches cost nothing;" \
        "CDP, nothing, 8 resident kernels;CDP, nothing, 16 resident kernels;" \
        "CDP, nothing, 64 resident kernels;CDP, nothing, 128 resident kernels", name, ";")
}
{
    if ($4 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    if (!($1 in seen)) { seen[$1]; program[++n] = $1 }
    ipc[$1, $2] = $3
}
END {
    if (bad) exit 1
    if (n == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    printf "| launches |"
    for (k = 1; k <= n; k++) printf " %s: RR | Adaptive |", program[k]
    printf "\n|---|"
    for (k = 1; k <= n; k++) printf "---:|---:|"
    printf "\n"
    for (r = 1; r <= n_row; r++) {
        printf "| %s |", name[r]
        for (k = 1; k <= n; k++)
            printf " %.2f | %+.1f %% |", ipc[program[k], "rr-" row[r]],
                100 * (ipc[program[k], "adaptive-" row[r]] / ipc[program[k], "rr-" row[r]] - 1)
        printf "\n"
    }
}'
