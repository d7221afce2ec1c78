#!/usr/bin/env bash
# bcs.sh GPU CSV - the table of a GPU in docs/results/bcs.md, from the ensembles of configs/experiments/bcs.yaml; the kernels that
# lose come first. A speedup with a ~ may be noise, as in docs/experiments.md: its median lies in the band of the runs without BCS,
# or theirs in its band.
set -euo pipefail

awk -F, -v gpu="$1" "$(< "${0%/*}/../chance.awk")"'
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["gpu"] == gpu {
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; order[++n] = name }
    at = name "/" $column["variant"]
    cycles[at] = $column["cycles"]; low[at] = $column["cycles low"]; high[at] = $column["cycles high"]
    miss[at] = 100 * (1 - $column["l1_hit_rate"])
    idle[at] = 100 * $column["no_cta_share"]
}
function gain(name, way) { return 100 * (cycles[name "/plain"] / cycles[name "/" way] - 1) }
function missed(name) { return 100 * (miss[name "/bcs"] / miss[name "/plain"] - 1) }
function noise(name, way) { return by_chance(name "/plain", name "/" way) ? "~" : "" }
END {
    if (bad || n == 0) exit 1
    for (i = 1; i <= n; i++)
        for (k = i + 1; k <= n; k++)
            if (gain(order[k], "bcs") < gain(order[i], "bcs")) { name = order[i]; order[i] = order[k]; order[k] = name }
    print "| benchmark | cycles | L1 miss rate | speedup | L1 miss rate, change | idle | idle with BCS | speedup, strict pairs |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        name = order[i]
        speed += gain(name, "bcs"); strict += gain(name, "bcs-strict"); less += missed(name)
        printf "| %s | %d | %.1f %% | %s%+.1f %% | %+.1f %% | %.1f %% | %.1f %% | %s%+.1f %% |\n", name, cycles[name "/plain"],
            miss[name "/plain"], noise(name, "bcs"), gain(name, "bcs"), missed(name), idle[name "/plain"], idle[name "/bcs"],
            noise(name, "bcs-strict"), gain(name, "bcs-strict")
    }
    printf "| mean (arithmetic) | | | %+.1f %% | %+.1f %% | | | %+.1f %% |\n", speed / n, less / n, strict / n
}' "$2"
