#!/usr/bin/env bash
# claso-owl.sh CSV - the table of docs/results/claso.md about the groups of OWL, from the runs of claso-owl.yaml.
set -euo pipefail

awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; order[++n] = name }
    at = name "/" $column["variant"]
    cycles[at] = $column["cycles"]
    idle[at] = $column["sm.no_cta"] / $column["cycles"] / 14
}
END {
    if (bad || n == 0) exit 1
    n_group = split("1 2 all lrr", group, " ")
    print "| benchmark | speedup, groups of 1 | of 2 | of all | over LRR | idle, groups of 1 | of 2 | of all | over LRR |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        printf "| %s |", order[i]
        for (k = 1; k <= n_group; k++) {
            faster = cycles[order[i] "/" group[k]] / cycles[order[i] "/" group[k] "-claso"] - 1
            speed[k] += faster
            printf " %+.1f %% |", 100 * faster
        }
        for (k = 1; k <= n_group; k++) {
            share[k] += idle[order[i] "/" group[k]]
            printf " %.1f %% |", 100 * idle[order[i] "/" group[k]]
        }
        print ""
    }
    printf "| mean |"
    for (k = 1; k <= n_group; k++) printf " %+.1f %% |", 100 * speed[k] / n
    for (k = 1; k <= n_group; k++) printf " %.1f %% |", 100 * share[k] / n
    print ""
}' "$1"
