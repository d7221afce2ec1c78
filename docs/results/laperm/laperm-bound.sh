#!/usr/bin/env bash
# laperm-bound.sh CSV - the table of docs/results/laperm.md on large caches, from the runs of configs/experiments/laperm-bound.yaml.
set -euo pipefail

awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; order[++n] = name }
    at = name "/" $column["variant"]
    ipc[at] = $column["ipc"]; l1[at] = 100 * $column["l1_hit_rate"]; l2[at] = 100 * $column["l2_hit_rate"]
}
function faster(name, way) { return 100 * (ipc[name "/" way] / ipc[name "/rr"] - 1) }
END {
    if (bad || n == 0) exit 1
    print "| program | L1 hits | L1 of 1 MB | IPC | L2 hits | L2 of 192 MB | IPC |"
    print "|---|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        name = order[i]
        printf "| %s | %.1f %% | %+.1f | %+.1f %% | %.1f %% | %+.1f | %+.1f %% |\n", name, l1[name "/rr"], l1[name "/l1"] - l1[name "/rr"],
            faster(name, "l1"), l2[name "/rr"], l2[name "/l2"] - l2[name "/rr"], faster(name, "l2")
        hits1 += l1[name "/l1"] - l1[name "/rr"]; fast1 += faster(name, "l1")
        hits2 += l2[name "/l2"] - l2[name "/rr"]; fast2 += faster(name, "l2")
    }
    printf "| mean (arithmetic) | | %+.1f | %+.1f %% | | %+.1f | %+.1f %% |\n", hits1 / n, fast1 / n, hits2 / n, fast2 / n
}' "$1"
