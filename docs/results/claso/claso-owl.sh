#!/usr/bin/env bash
# claso-owl.sh CSV - the table of docs/results/claso.md about the groups of OWL, from the runs of claso-owl.yaml.
set -euo pipefail

awk -F, "$(< "${0%/*}/claso-runs.awk")"'
END {
    if (bad || n == 0) exit 1
    SMS = 14 # of the C2050
    n_group = split("1 2 all lrr", group, " ")
    print "| benchmark | speedup, groups of 1 | of 2 | of all | over LRR | idle, groups of 1 | of 2 | of all | over LRR |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        printf "| %s |", workload[i]
        for (k = 1; k <= n_group; k++) {
            faster = cycles[workload[i] "/" group[k]] / cycles[workload[i] "/" group[k] "-claso"] - 1
            speed[k] += faster
            printf " %+.1f %% |", 100 * faster
        }
        for (k = 1; k <= n_group; k++) {
            part = idle[workload[i] "/" group[k]] / cycles[workload[i] "/" group[k]] / SMS
            share[k] += part
            printf " %.1f %% |", 100 * part
        }
        print ""
    }
    printf "| mean (arithmetic) |"
    for (k = 1; k <= n_group; k++) printf " %+.1f %% |", 100 * speed[k] / n
    for (k = 1; k <= n_group; k++) printf " %.1f %% |", 100 * share[k] / n
    print ""
}' "$1"
