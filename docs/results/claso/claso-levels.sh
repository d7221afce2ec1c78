#!/usr/bin/env bash
# claso-levels.sh CSV - the table of docs/results/claso.md about CLASO's levels, from the runs of claso-levels.yaml.
set -euo pipefail

awk -F, "$(< "${0%/*}/claso-runs.awk")"'
END {
    if (bad || n == 0) exit 1
    n_level = split("1-0 2-0 4-0 1-1 1-2 4-2", level, " ")
    print "| benchmark | speedup (1, 0) | (2, 0) | (4, 0) | (1, 1) | (1, 2) | (4, 2) | idle cycles (1, 0) | (2, 0) | (4, 0) | (1, 1) | (1, 2) | (4, 2) | scoreboard (4, 2) |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        printf "| %s |", workload[i]
        for (k = 1; k <= n_level; k++) {
            faster = cycles[workload[i] "/none"] / cycles[workload[i] "/" level[k]] - 1
            speed[k] += faster
            printf " %+.1f %% |", 100 * faster
        }
        for (k = 1; k <= n_level; k++) {
            ratio = idle[workload[i] "/" level[k]] / idle[workload[i] "/none"]
            left[k] += log(ratio)
            printf " %+.1f %% |", 100 * (ratio - 1)
        }
        printf " %+.1f %% |\n", 100 * (wait[workload[i] "/4-2"] / wait[workload[i] "/1-0"] - 1)
    }
    printf "| mean (arithmetic) |"
    for (k = 1; k <= n_level; k++) printf " %+.1f %% |", 100 * speed[k] / n
    for (k = 1; k <= n_level; k++) printf " |"
    printf " |\n| mean (geometric) |"
    for (k = 1; k <= n_level; k++) printf " |"
    for (k = 1; k <= n_level; k++) printf " %+.1f %% |", 100 * (exp(left[k] / n) - 1)
    print " |"
}' "$1"
