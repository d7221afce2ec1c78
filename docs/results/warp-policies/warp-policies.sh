#!/usr/bin/env bash
# warp-policies.sh PART DATABASE - a table of docs/results/warp-policies.md from the runs of configs/experiments/warp-policies.yaml:
# `headline` (means by the thesis's types), `speed` (per kernel), `levels` (two levels over one, with ready queues of 6 and of 12
# warps), `idle` (scheduler idle time) or `load` (reads in flight); or the numbers of its picture, `chart`. A kernel's cycles are
# those of all its launches.
# Types and means of the paper: thesis, section 3.5.2 with Fig. 3.7, and section 3.5.3 with Fig. 3.8.
set -euo pipefail

part=$1
# The idle time of a scheduler is all cycles of a kernel in which no warp issues: the thesis's states 1 to 3.
"${GPUSCHED:-build/gpusched}" query -s $'\t' "$2" "
    SELECT json_extract(k.value, '\$.name'), runs.variant, json_extract(k.value, '\$.cycles'), json_extract(k.value, '\$.sm.issued'),
        json_extract(k.value, '\$.sm.miss_latency'), runs.status
    FROM runs LEFT JOIN json_each(runs.result, '\$.by_kernel') AS k" | awk -F '\t' -v part="$part" '
BEGIN {
    n = split("backprop_forward backprop_adjust btree_find_key btree_find_range kmeans_assign lud_internal srad_diffuse haar_levels " \
        "dxt_compress histogram256 monte_carlo_price heart_wall cfd_flux fast_walsh_shared", kernel, " ")
    split("BP-K1 BP-K2 B+T-K1 B+T-K2 KM LUD SRAD DWT DXTC HIST MCO Heart CFD FWT", row, " ")
    split("A A A A A A A A A A A B B B", one, " ")
    split("B A A A B B A A A A A B B B", two, " ")
    sms = 16; schedulers = 2 * sms
}
{
    if ($6 != "done") { print "a run is not done" > "/dev/stderr"; bad = 1; exit 1 }
    at = $1 "/" $2
    cycles[at] = $3; idle[at] = 100 * (1 - $4 / $3 / schedulers); load[at] = $5 / $3 / sms
}
function faster(name, way, base) { return 100 * (cycles[name "/" base] / cycles[name "/" way] - 1) }
function percent(x) { return sprintf("%+.1f %%", x) }
# The mean over the kernels of a type, of how much `way` is faster than `base`.
function mean_of(type, letter, way, base, i, m, sum) {
    for (i = 1; i <= n; i++) if (letter == "" || type[i] == letter) { m++; sum += faster(kernel[i], way, base) }
    return sum / m
}
# How much idler schedulers are, in the mean over the kernels of a type; the means are compared, as in the thesis.
function idler(type, letter, way, base, i, with_way, with_base) {
    for (i = 1; i <= n; i++) if (type[i] == letter) { with_way += idle[kernel[i] "/" way]; with_base += idle[kernel[i] "/" base] }
    return 100 * (with_way / with_base - 1)
}
# Kernels whose faster policy is that of their type, by more than the 1 % that the thesis leaves out; those that differ less.
function as_there(type, way, base, i, gain, right, even, other) {
    for (i = 1; i <= n; i++) {
        gain = faster(kernel[i], way, base)
        if (gain < 1 && gain > 100 / 1.01 - 100) even++
        else if ((gain > 0) == (type[i] == "A")) right++
        else other++
    }
    return sprintf("%d; %d; %d", right, even, other)
}
function always(i, m) {
    for (i = 1; i <= n; i++) m += faster(kernel[i], "gto", "lrr") > 0 && faster(kernel[i], "two-level-gto", "two-level-rr") > 0
    return m
}
function line(text, a, there_a, b, there_b) { printf "| %s | %s | %s | %s | %s |\n", text, a, there_a, b, there_b }
END {
    if (bad) exit 1
    for (i = 1; i <= n; i++) for (k = split("lrr gto two-level-rr two-level-gto two-level-rr-12 two-level-gto-12", way, " "); k >= 1; k--)
        if (!((kernel[i] "/" way[k]) in cycles)) { print "no run of " kernel[i] " with " way[k] > "/dev/stderr"; exit 1 }
    if (part == "headline") {
        print "| arithmetic means | one level | paper | two levels | paper |"
        print "|---|---:|---:|---:|---:|"
        line("A faster (type A: speed of GTO over round robin)", percent(mean_of(one, "A", "gto", "lrr")), "+10 %",
            percent(mean_of(two, "A", "two-level-gto", "two-level-rr")), "+4 %")
        line("B faster (type B: speed of round robin over GTO)", percent(mean_of(one, "B", "lrr", "gto")), "+9.2 %",
            percent(mean_of(two, "B", "two-level-rr", "two-level-gto")), "+7 %")
        line("A idle (type A: idle time of GTO, relative to round robin)", percent(idler(one, "A", "gto", "lrr")), "-21.56 %",
            percent(idler(two, "A", "two-level-gto", "two-level-rr")), "comparable")
        line("B idle (type B: the same)", percent(idler(one, "B", "gto", "lrr")), "+13.66 %",
            percent(idler(two, "B", "two-level-gto", "two-level-rr")), "+8.73 %")
        line("kernels (as typed there; within 1 %; the other way)", as_there(one, "gto", "lrr"), "14; 0; 0",
            as_there(two, "two-level-gto", "two-level-rr"), "14; 0; 0")
        line("always (kernels that GTO makes faster in one level and in two)", always(), "8", "", "")
    }
    if (part == "speed") {
        print "| kernel | type, one level | GTO over round robin | type, two levels | GTO over round robin | with 12 warps |"
        print "|---|---|---:|---|---:|---:|"
        for (i = 1; i <= n; i++)
            printf "| %s (`%s`) | %s | %s | %s | %s | %s |\n", row[i], kernel[i], one[i], percent(faster(kernel[i], "gto", "lrr")), two[i],
                percent(faster(kernel[i], "two-level-gto", "two-level-rr")), percent(faster(kernel[i], "two-level-gto-12", "two-level-rr-12"))
    }
    if (part == "levels") {
        print "| kernel | round robin: 6 warps | 12 warps | GTO: 6 warps | 12 warps |"
        print "|---|---:|---:|---:|---:|"
        for (i = 1; i <= n; i++)
            printf "| %s (`%s`) | %s | %s | %s | %s |\n", row[i], kernel[i], percent(faster(kernel[i], "two-level-rr", "lrr")),
                percent(faster(kernel[i], "two-level-rr-12", "lrr")), percent(faster(kernel[i], "two-level-gto", "gto")),
                percent(faster(kernel[i], "two-level-gto-12", "gto"))
        printf "| mean (arithmetic) | %s | %s | %s | %s |\n", percent(mean_of(one, "", "two-level-rr", "lrr")),
            percent(mean_of(one, "", "two-level-rr-12", "lrr")), percent(mean_of(one, "", "two-level-gto", "gto")),
            percent(mean_of(one, "", "two-level-gto-12", "gto"))
    }
    if (part == "idle" || part == "load") {
        print "| kernel | one level: round robin | GTO | two levels: round robin | GTO |" (part == "load" ? " round robin over GTO |" : "")
        print "|---|---:|---:|---:|---:|" (part == "load" ? "---:|" : "")
        for (i = 1; i <= n; i++) {
            printf "| %s (`%s`) |", row[i], kernel[i]
            for (k = 1; k <= 4; k++) printf part == "idle" ? " %.1f %% |" : " %.1f |", part == "idle" ? idle[kernel[i] "/" way[k]] : load[kernel[i] "/" way[k]]
            print part == "load" ? " " percent(100 * (load[kernel[i] "/two-level-rr"] / load[kernel[i] "/two-level-gto"] - 1)) " |" : ""
        }
    }
    if (part == "chart") for (i = 1; i <= n; i++)
        printf "%s %.4f %.4f\n", row[i], faster(kernel[i], "gto", "lrr"), faster(kernel[i], "two-level-gto", "two-level-rr")
}'
