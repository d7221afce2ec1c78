#!/usr/bin/env bash
# claso.sh TABLE CSV... - a table of docs/results/claso.md from the runs of the experiments claso.yaml and claso-coulombic.yaml: `lrr`,
# `tl`, `owl` or `dyncta`, the scheduler that CLASO is on.
#
# A speedup with a ~ may be noise, as in docs/experiments.md: its median lies in the band of the runs without CLASO, or theirs in its
# band. What was run with one seed is compared with the widest band of the others without CLASO.
# Speedups, idle cycles and scoreboard conflicts are relative to the same scheduler without
# CLASO; the mean of idle cycles is the geometric one of the ratios. The paper's
# numbers are those that its text prints; its figures have the others, without values.
set -euo pipefail

base=$1
shift
awk -F, -v base="$base" "$(cat "${0%/*}/../chance.awk" "${0%/*}/claso-runs.awk")"'
BEGIN {
    sms = 14 # of the C2050
    # From CLASO 4.2 and 4.3. Speedup; change of idle cycles.
    split("aes bfs backprop black_scholes coulombic_potential fast_walsh kmeans libor " \
          "monte_carlo neural_network scan scalar_product stencil", order, " ")
    split("AES BFS BP BS CP FWT KMS LIB MC NN SLA SP ST", short, " ")
    said["lrr"] = "aes +1.1, black_scholes +12.5, coulombic_potential +26.6, monte_carlo +5.1, scan +1.0, scalar_product +26.1, mean +8.4"
    said["tl"] = "black_scholes +18.3, monte_carlo +18.0, mean +7.4"
    said["owl"] = "scalar_product +0.0, mean +4.4"
    said["dyncta"] = "bfs +2.5, scalar_product +0.0, mean +3.5"
    looser["dyncta"] = "bfs +3.7"
    dropped["lrr"] = "coulombic_potential -92.5, scalar_product -80.0, mean -52.4"
    rises["owl"] = "aes"
    rises["dyncta"] = "bfs"
    percent(said[base], speedup)
    percent(looser[base], speedup20)
    percent(dropped[base], drop)
    for (name in speedup20) speedup[name] = speedup[name] "; " speedup20[name]
    if (base in rises) drop[rises[base]] = "more"
}
function percent(text, table,  n, i, pair, word) {
    n = split(text, pair, ", ")
    for (i = 1; i <= n; i++) { split(pair[i], word, " "); table[word[1]] = word[2] " %" }
}
function paper(table, name) { return name in table ? table[name] : "" }
function of(name, way) { return name "/" (base == "tl" ? "two-level-warps" : base) "/" way }
function faster(name, way) { return cycles[of(name, "plain")] / cycles[of(name, way)] }
function waits(name, way)  { return wait[of(name, way)] / wait[of(name, "plain")] }
function left(name, way)   { return idle[of(name, way)] / idle[of(name, "plain")] }

function noise(name, way, plain, with) {
    plain = of(name, "plain"); with = of(name, way)
    if (plain in low) return by_chance(plain, with) ? "~" : ""
    return faster(name, way) >= slowest && faster(name, way) <= fastest ? "~" : ""
}
function need(at) { if (!(at in cycles)) { print "no run of " at > "/dev/stderr"; exit bad = 1 } }
function widest(i, plain) {
    slowest = fastest = 1
    for (i = 1; i <= n; i++) {
        plain = of(workload[i], "plain")
        need(plain); need(of(workload[i], "claso10")); need(of(workload[i], "claso20"))
        if (!(plain in low)) continue
        if (cycles[plain] / high[plain] < slowest) slowest = cycles[plain] / high[plain]
        if (cycles[plain] / low[plain] > fastest) fastest = cycles[plain] / low[plain]
    }
}
END {
    if (bad || n != 13) exit 1
    widest()
    print "| benchmark | cycles | idle | speedup (1, 0) | (2, 0) | paper | idle cycles (1, 0) | (2, 0) | paper | scoreboard (1, 0) |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        name = order[i]
        a = faster(name, "claso10"); b = faster(name, "claso20")
        c = left(name, "claso10");   d = left(name, "claso20")
        fast10 += a - 1; fast20 += b - 1; left10 += log(c); left20 += log(d)
        plain = of(name, "plain")
        all += idle[plain]
        all10 += idle[of(name, "claso10")]; all20 += idle[of(name, "claso20")]
        printf "| %s (%s%s) | %d | %.2f %% | %s%+.1f %% | %s%+.1f %% | %s | %+.1f %% | %+.1f %% | %s | %+.1f %% |\n",
            name, short[i], plain in low ? "" : "; one seed", cycles[plain], 100 * idle[plain] / cycles[plain] / sms,
            noise(name, "claso10"), 100 * (a - 1), noise(name, "claso20"), 100 * (b - 1), paper(speedup, name), 100 * (c - 1), 100 * (d - 1),
            paper(drop, name), 100 * (waits(name, "claso10") - 1)
    }
    printf "| mean (arithmetic) | | | %+.1f %% | %+.1f %% | %s | | | | |\n", 100 * fast10 / n, 100 * fast20 / n, paper(speedup, "mean")
    printf "| mean (geometric) | | | | | | %+.1f %% | %+.1f %% | %s | |\n", 100 * (exp(left10 / n) - 1), 100 * (exp(left20 / n) - 1),
        paper(drop, "mean")
    printf "| all idle cycles together | | | | | | %+.1f %% | %+.1f %% | | |\n",
        100 * (all10 / all - 1), 100 * (all20 / all - 1)
}' "$@"
