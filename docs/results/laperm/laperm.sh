#!/usr/bin/env bash
# laperm.sh PART DATABASE - a table of docs/results/laperm.md from the runs of configs/experiments/laperm.yaml: `headline`,
# `speed`, `l1`, `l2`, these two with `-parents` or `-children`, `home`, `idle` or `tail`; or `chart`, the numbers of its picture.
# Rates are shown in points over RR of the same launches. laperm-wait.sh has the tables of single launches.
# What the paper has: V.B of LaPerm, means over its programs; SMX-Bind's IPC is there beside TB-Pri, 9 and 5 % below it, and
# Adaptive-Bind's L1 hits beside SMX-Bind, 2.3 and 3.1 below it.
set -euo pipefail

part=$1
"${GPUSCHED:-build/gpusched}" query -s $'\t' "$2" "
    WITH r AS MATERIALIZED (SELECT id, workload, variant, status, json_extract(result, '\$.derived.ipc', '\$.derived.l1_hit_rate',
        '\$.derived.l2_hit_rate', '\$.nested.children.on_sm', '\$.derived.no_cta_share', '\$.derived.tail', '\$.cycles.core',
        '\$.nested.host.l1_hit_rate', '\$.nested.children.l1_hit_rate',
        '\$.nested.host.l2_hit_rate', '\$.nested.children.l2_hit_rate') AS v FROM runs) -- a large result is parsed once
    SELECT workload, variant, v ->> 0, v ->> 1, v ->> 2, coalesce(v ->> 3, 0), v ->> 4, status, (v ->> 5) * 1.0 / (v ->> 6),
        v ->> 7, v ->> 8, v ->> 9, v ->> 10
    FROM r ORDER BY id" | awk -F '\t' -v part="$part" '
BEGIN {
    n_way = split("cdp dtbl", way, " ")
    n_mode = split("tb-pri smx-bind adaptive", mode, " ")
    split("TB-Pri SMX-Bind Adaptive-Bind", name, " ")
    label["cdp"] = "CDP"; label["dtbl"] = "DTBL"
    split("+4 % -5 % +6 % +13 % +7 % +27 %", number, " ")
    for (k = 1; k <= 6; k++) ipc_there[k] = number[2 * k - 1] " %"
    split("+1.1 +6.6 +4.3 +2.1 +13.6 +10.5", l1_there, " ")
    split("+6.7 - - +8.7 - -", l2_there, " ")
}
{
    if ($8 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    if (!($1 in seen)) { seen[$1]; program[++n] = $1 }
    ipc[$1, $2] = $3; l1[$1, $2] = $4; l2[$1, $2] = $5; home[$1, $2] = $6; idle[$1, $2] = $7; tail[$1, $2] = $9
    l1_parents[$1, $2] = $10; l1_children[$1, $2] = $11; l2_parents[$1, $2] = $12; l2_children[$1, $2] = $13
}
function base(w) { return way[w] "-rr" }
function variant(w, m) { return way[w] "-" mode[m] }
function faster(p, w, m) { return 100 * (ipc[p, variant(w, m)] / ipc[p, base(w)] - 1) }
function points(table, p, w, m) { return 100 * (table[p, variant(w, m)] - table[p, base(w)]) }
function mean_faster(w, m,   k, sum) { for (k = 1; k <= n; k++) sum += faster(program[k], w, m); return sum / n }
function mean_points(table, w, m,   k, sum, c) {
    for (k = 1; k <= n; k++) if (both(table, program[k], w, m)) { sum += points(table, program[k], w, m); c++ }
    return sum / c
}
# What has read nothing has no rate, and is left out of a mean.
function both(table, p, w, m) { return table[p, variant(w, m)] != "" && table[p, base(w)] != "" }
function mean_relative(table, w, m,   k, sum) {
    for (k = 1; k <= n; k++) sum += table[program[k], variant(w, m)] / table[program[k], base(w)] - 1
    return 100 * sum / n
}
function mean_home(v,   k, sum) { for (k = 1; k <= n; k++) sum += home[program[k], v]; return 100 * sum / n }

function headline(   w, m, at) {
    print "| launches and mode | IPC over RR | paper | L1 hits, points | relative | paper | L2 hits, points | relative | paper | children on their SM |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (w = 1; w <= n_way; w++) {
        printf "| %s RR | | | | | | | | | %.0f %% |\n", label[way[w]], mean_home(base(w))
        for (m = 1; m <= n_mode; m++) {
            at = 3 * (w - 1) + m
            printf "| %s %s | %+.1f %% | %s |", label[way[w]], name[m], mean_faster(w, m), ipc_there[at]
            printf " %+.1f | %+.1f %% | %s |", mean_points(l1, w, m), mean_relative(l1, w, m), l1_there[at]
            printf " %+.1f | %+.1f %% | %s | %.0f %% |\n", mean_points(l2, w, m), mean_relative(l2, w, m), l2_there[at],
                mean_home(variant(w, m))
        }
    }
}
# RR as it is, and the modes beside it.
function each(table, unit,   k, w, m) {
    print "| program | CDP RR | TB-Pri | SMX-Bind | Adaptive | DTBL RR | TB-Pri | SMX-Bind | Adaptive |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (k = 1; k <= n; k++) {
        printf "| %s |", program[k]
        for (w = 1; w <= n_way; w++) {
            if (unit == "ipc") printf " %.2f |", ipc[program[k], base(w)]
            else if (table[program[k], base(w)] == "") printf " - |"
            else printf " %.1f %% |", 100 * table[program[k], base(w)]
            for (m = 1; m <= n_mode; m++)
                if (unit == "ipc") printf " %+.1f %% |", faster(program[k], w, m)
                else if (!both(table, program[k], w, m)) printf " - |"
                else printf " %+.1f |", points(table, program[k], w, m)
        }
        printf "\n"
    }
    printf "| mean (arithmetic) |"
    for (w = 1; w <= n_way; w++) {
        printf " |"
        for (m = 1; m <= n_mode; m++)
            if (unit == "ipc") printf " %+.1f %% |", mean_faster(w, m)
            else printf " %+.1f |", mean_points(table, w, m)
    }
    printf "\n"
}
function homes(   k, w, m) {
    print "| program | CDP RR | TB-Pri | SMX-Bind | Adaptive | DTBL RR | TB-Pri | SMX-Bind | Adaptive |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (k = 1; k <= n; k++) {
        printf "| %s |", program[k]
        for (w = 1; w <= n_way; w++) {
            printf " %.0f %% |", 100 * home[program[k], base(w)]
            for (m = 1; m <= n_mode; m++) printf " %.0f %% |", 100 * home[program[k], variant(w, m)]
        }
        printf "\n"
    }
}
END {
    if (bad) exit 1
    if (n == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    if (part == "headline") headline()
    else if (part == "speed") each(ipc, "ipc")
    else if (part == "l1") each(l1, "points")
    else if (part == "l2") each(l2, "points")
    else if (part == "l1-parents") each(l1_parents, "points")
    else if (part == "l1-children") each(l1_children, "points")
    else if (part == "l2-parents") each(l2_parents, "points")
    else if (part == "l2-children") each(l2_children, "points")
    else if (part == "home") homes()
    else if (part == "idle") each(idle, "points")
    else if (part == "tail") each(tail, "points")
    else if (part == "chart") {
        for (k = 1; k <= n; k++) {
            printf "%s", program[k]
            for (w = 1; w <= n_way; w++) for (m = 1; m <= n_mode; m++) printf " %.2f", faster(program[k], w, m)
            printf "\n"
        }
        printf "mean"
        for (w = 1; w <= n_way; w++) for (m = 1; m <= n_mode; m++) printf " %.2f", mean_faster(w, m)
        printf "\n"
    } else { print part ": no such part; allowed: headline, speed, l1, l2, l[12]-parents, l[12]-children, home, idle, tail, chart" > "/dev/stderr"; exit 2 }
}'
