#!/usr/bin/env bash
# claso.sh TABLE CSV - a table of docs/results/claso.md from the runs of the experiment
# configs/experiments/claso.yaml: `lrr` or `tl`, the warp scheduler that CLASO is on.
#
# Speedups, idle cycles and scoreboard conflicts are relative to the same warp scheduler without
# CLASO; the mean of idle cycles is the geometric one of the ratios. The paper's
# numbers are those that its text prints; its figures have the others, without values.
set -euo pipefail

awk -F, -v base="$1" '
BEGIN {
    # Percent, from CLASO 4.2 and 4.3. Speedup; reduction of idle cycles.
    split("aes bfs backprop black_scholes coulombic_potential fast_walsh kmeans libor " \
          "monte_carlo neural_network scan scalar_product stencil", order, " ")
    split("AES BFS BP BS CP FWT KMS LIB MC NN SLA SP ST", short, " ")
    if (base == "lrr") {
        speedup["aes"] = 1.1; speedup["black_scholes"] = 12.5
        speedup["coulombic_potential"] = 26.6; speedup["monte_carlo"] = 5.1
        speedup["scan"] = 1.0; speedup["scalar_product"] = 26.1; speedup["mean"] = 8.4
        drop["coulombic_potential"] = 92.5; drop["scalar_product"] = 80; drop["mean"] = 52.4
    } else {
        speedup["black_scholes"] = 18.3; speedup["monte_carlo"] = 18.0; speedup["mean"] = 7.4
    }
}
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    at = $column["workload"] "/" $column["variant"]
    cycles[at] = $column["cycles"]
    idle[at] = $column["sm.no_cta"]
    wait[at] = $column["sm.scoreboard_alu"]
    sms = 14
}
function paper(table, name) { return name in table ? sprintf("%+.1f %%", table[name]) : "" }
function faster(name, way) { return cycles[name "/" base] / cycles[name "/" base "-" way] }
function waits(name, way)  { return wait[name "/" base "-" way] / wait[name "/" base] }
function left(name, way)   { return idle[name "/" base "-" way] / idle[name "/" base] }
END {
    if (bad) exit 1
    print "| benchmark | cycles | idle | speedup (1, 0) | (2, 0) | paper | idle cycles (1, 0) | (2, 0) | paper | scoreboard (1, 0) |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    n = 13
    for (i = 1; i <= n; i++) {
        name = order[i]
        a = faster(name, "claso10"); b = faster(name, "claso20")
        c = left(name, "claso10");   d = left(name, "claso20")
        fast10 += a - 1; fast20 += b - 1; left10 += log(c); left20 += log(d)
        all += idle[name "/" base]
        all10 += idle[name "/" base "-claso10"]; all20 += idle[name "/" base "-claso20"]
        printf "| %s (%s) | %d | %.2f %% | %+.1f %% | %+.1f %% | %s | %+.1f %% | %+.1f %% | %s | %+.1f %% |\n",
            name, short[i], cycles[name "/" base],
            100 * idle[name "/" base] / cycles[name "/" base] / sms,
            100 * (a - 1), 100 * (b - 1), paper(speedup, name), 100 * (c - 1), 100 * (d - 1),
            name in drop ? sprintf("%+.1f %%", -drop[name]) : "", 100 * (waits(name, "claso10") - 1)
    }
    printf "| mean | | | %+.1f %% | %+.1f %% | %s | %+.1f %% | %+.1f %% | %s | |\n",
        100 * fast10 / n, 100 * fast20 / n, paper(speedup, "mean"),
        100 * (exp(left10 / n) - 1), 100 * (exp(left20 / n) - 1),
        "mean" in drop ? sprintf("%+.1f %%", -drop["mean"]) : ""
    printf "| all idle cycles together | | | | | | %+.1f %% | %+.1f %% | | |\n",
        100 * (all10 / all - 1), 100 * (all20 / all - 1)
}' "$2"
