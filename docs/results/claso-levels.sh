#!/usr/bin/env bash
# claso-levels.sh CSV - the table of docs/results/claso.md about CLASO's levels, from the runs of claso-levels.yaml.
set -euo pipefail

awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; order[++n] = name }
    at = name "/" $column["variant"]
    cycles[at] = $column["cycles"]
    idle[at] = $column["sm.no_cta"]
    wait[at] = $column["sm.scoreboard_alu"]
}
END {
    if (bad || n == 0) exit 1
    n_level = split("1-0 2-0 4-0 1-1 1-2 4-2", level, " ")
    print "| benchmark | speedup (1, 0) | (2, 0) | (4, 0) | (1, 1) | (1, 2) | (4, 2) | idle cycles (1, 0) | (2, 0) | (4, 0) | (1, 1) | (1, 2) | (4, 2) | scoreboard (4, 2) |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        printf "| %s |", order[i]
        for (k = 1; k <= n_level; k++) {
            faster = cycles[order[i] "/none"] / cycles[order[i] "/" level[k]] - 1
            speed[k] += faster
            printf " %+.1f %% |", 100 * faster
        }
        for (k = 1; k <= n_level; k++) {
            ratio = idle[order[i] "/" level[k]] / idle[order[i] "/none"]
            left[k] += log(ratio)
            printf " %+.1f %% |", 100 * (ratio - 1)
        }
        printf " %+.1f %% |\n", 100 * (wait[order[i] "/4-2"] / wait[order[i] "/1-0"] - 1)
    }
    printf "| mean |"
    for (k = 1; k <= n_level; k++) printf " %+.1f %% |", 100 * speed[k] / n
    for (k = 1; k <= n_level; k++) printf " %+.1f %% |", 100 * (exp(left[k] / n) - 1)
    print " |"
}' "$1"
