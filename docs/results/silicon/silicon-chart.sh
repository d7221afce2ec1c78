#!/usr/bin/env bash
# silicon-chart.sh KERNELS.tsv SVG - the picture of docs/results/silicon.md: each kernel's cycles in the model over those on the
# H100, from what silicon.sh measure prints.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/silicon.sh" chart "$1" > "$work/rows"
test -s "$work/rows" || { echo "$1: no kernels" >&2; exit 1; }

"$(dirname "$0")/../draw.sh" 640,560 "$work" "$2" <<EOG
set title 'Cycles of each kernel: an H100, and its model'
set logscale xy
set xrange [4000:4000000]
set yrange [4000:4000000]
set format xy '10^{%L}'
set xlabel 'H100'
set ylabel 'model'
set grid xtics
set key top left samplen 1 reverse Left
plot 1.25 * x lc '#c8c8c8' dt 2 title '25 % more, or less', x / 1.25 lc '#c8c8c8' dt 2 notitle, x lc '#808080' title 'the same', \\
     '$work/rows' index 0 with points pt 7 ps 0.6 lc '#2060a8' title 'size medium', \\
     '' index 1 with points pt 6 ps 0.7 lc '#c03028' title 'size paper'
EOG
