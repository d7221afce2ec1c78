#!/usr/bin/env bash
# claso-grid.sh CSV SVG - the chart of docs/results/claso.md from the runs of the experiment
# configs/experiments/claso-grid.yaml: the share of idle cycles over the size of the grid.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A file for each kernel and variant: CTAs, percent of the 15 cores' cycles.
awk -F, -v work="$work" '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["status"] != "done" { print "run " $1 " is not done" > "/dev/stderr"; exit 1 }
{
    split($column["workload"], name, ":")
    print $column["ctas"], 100 * $column["sm.no_cta"] / $column["cycles"] / 15 \
        > (work "/" name[1] "-" $column["variant"])
}' "$1"

"$(dirname "$0")/../draw.sh" 900,620 "$work" "$2" <<EOF
set multiplot layout 2,2 title 'Idle SM cycles over the size of the grid, GTX 480 (15 SMs)'
set xtics 75
set yrange [0:*]
set format y '%g %%'
set key top right samplen 2
set offsets 0, 0, graph 0.3, 0
do for [name in 'compute stream tile mix'] {
    set title name offset 0,-0.6
    set xlabel 'CTAs' offset 0,0.6
    plot '$work/'.name.'-greedy'  using 1:2 with lines lw 2 lc '#c03028' title 'greedy', \\
         '$work/'.name.'-claso10' using 1:2 with lines lw 2 lc '#2060a8' title 'CLASO (1, 0)'
}
EOF
