#!/usr/bin/env bash
# warp-policies-chart.sh SVG DATABASE - a picture of docs/results/warp-policies.md: for each kernel the speed of greedy-then-oldest
# relative to round robin, in one level and in two (Fig. 3.7 of the thesis).
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/warp-policies.sh" chart "$2" > "$work/speed"
test -s "$work/speed" || { echo "$2: no kernels" >&2; exit 1; }

gnuplot > "$work/svg" <<EOG
set terminal svg size 960,400 font 'DejaVu Sans,13' background '#ffffff' dynamic
set border 3 lc '#808080'
set tics nomirror out textcolor '#404040'
set xtics rotate by -40 scale 0
set grid ytics lc '#e0e0e0' lt 1
set xzeroaxis lc '#808080' lt 1
set key at graph 0.62, graph 0.98 right top horizontal width -3 samplen 1
set style data histograms
set style histogram clustered gap 1.5
set style fill solid noborder
set arrow 1 from 10.5, graph 0 to 10.5, graph 1 nohead lc '#808080' dt 2
set title 'Greedy-then-oldest over round robin on the M2090; to the right what round robin suits better in the thesis'
set ylabel 'percent of speed'
plot '$work/speed' using 2:xtic(1) lc '#2060a8' title 'one level', '' using 3 lc '#e0a030' title 'two levels'
EOG
sed "s|$work/||g" "$work/svg" > "$1" # gnuplot names its files: the same bytes wherever it ran
