#!/usr/bin/env bash
# claso-grid.sh chart CSV SVG - the chart of docs/results/claso.md from the runs of the experiment
# configs/experiments/claso-grid.yaml: the share of idle cycles over the size of the grid. claso-grid.sh table CSV - its
# peaks, and how far apart its slumps are.
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
}' "$2"

# peaks KERNEL-VARIANT - the highest share, its number of CTAs, and the mean distance of the slumps: grids that idle less than
# the next smaller and the next larger one.
peaks() {
    sort -n "$work/$1" | awk -v of="$1" '
    { ctas[NR] = $1; idle[NR] = $2 }
    END {
        top = 1
        for (i = 2; i <= NR; i++) {
            if (idle[i] > idle[top]) top = i
            if (i == NR || idle[i] >= idle[i - 1] || idle[i] >= idle[i + 1]) continue
            if (!slumps++) first = ctas[i]
            last = ctas[i]
        }
        if (slumps < 2) { print of ": fewer than two slumps" > "/dev/stderr"; exit 1 }
        printf "%.1f %d %.1f\n", idle[top], ctas[top], (last - first) / (slumps - 1)
    }'
}

if [ "$1" = table ]; then
    echo "| kernel | highest idle share, greedy | of CTAs | CLASO (1, 0) | of CTAs | CTAs between slumps, greedy | CLASO (1, 0) |"
    echo "|---|---:|---:|---:|---:|---:|---:|"
    for kernel in compute stream tile mix; do
        greedy=$(peaks $kernel-greedy)
        claso=$(peaks $kernel-claso10)
        read -r share ctas apart <<< "$greedy"
        read -r share10 ctas10 apart10 <<< "$claso"
        echo "| $kernel | $share % | $ctas | $share10 % | $ctas10 | $apart | $apart10 |"
    done
    exit
fi

"$(dirname "$0")/../draw.sh" 900,620 "$work" "$3" <<EOF
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
