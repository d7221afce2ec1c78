#!/usr/bin/env bash
# bcs.sh GPU CSV - the table of a GPU in docs/results/bcs.md, from the runs of configs/experiments/bcs.yaml; the kernels that lose come first.
set -euo pipefail

awk -F, -v gpu="$1" '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["gpu"] == gpu {
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; order[++n] = name }
    at = name "/" $column["variant"]
    cycles[at] = $column["cycles"]
    miss[at] = 1 - $column["l1_hit_rate"]
}
function gain(name, way) { return 100 * (cycles[name "/plain"] / cycles[name "/" way] - 1) }
function missed(name, way) { return 100 * (miss[name "/" way] / miss[name "/plain"] - 1) }
END {
    if (bad || n == 0) exit 1
    for (i = 1; i <= n; i++)
        for (k = i + 1; k <= n; k++)
            if (gain(order[k], "bcs") < gain(order[i], "bcs")) { name = order[i]; order[i] = order[k]; order[k] = name }
    print "| benchmark | cycles | L1 miss rate | speedup | L1 miss rate, change | speedup, strict pairs | L1 miss rate, change |"
    print "|---|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        name = order[i]
        speed += gain(name, "bcs"); strict += gain(name, "bcs-strict")
        less += missed(name, "bcs"); less_strict += missed(name, "bcs-strict")
        printf "| %s | %d | %.1f %% | %+.1f %% | %+.1f %% | %+.1f %% | %+.1f %% |\n", name, cycles[name "/plain"],
            100 * miss[name "/plain"], gain(name, "bcs"), missed(name, "bcs"), gain(name, "bcs-strict"), missed(name, "bcs-strict")
    }
    printf "| mean | | | %+.1f %% | %+.1f %% | %+.1f %% | %+.1f %% |\n", speed / n, less / n, strict / n, less_strict / n
}' "$2"
