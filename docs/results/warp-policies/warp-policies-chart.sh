#!/usr/bin/env bash
# warp-policies-chart.sh SVG DATABASE - a picture of docs/results/warp-policies.md: for each kernel the speed of greedy-then-oldest
# relative to round robin, in one level and in two (Fig. 3.7 of the thesis).
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/warp-policies.sh" chart "$2" > "$work/speed"
test -s "$work/speed" || { echo "$2: no kernels" >&2; exit 1; }

"$(dirname "$0")/../draw.sh" 960,400 "$work" "$1" bars <<EOG
set xzeroaxis lc '#808080' lt 1
set key at graph 0.62, graph 0.98 right top horizontal width -3 samplen 1
set arrow 1 from 10.5, graph 0 to 10.5, graph 1 nohead lc '#808080' dt 2
set title 'Greedy-then-oldest over round robin on the M2090; to the right what round robin suits better in the thesis'
set ylabel 'percent of speed'
plot '$work/speed' using 2:xtic(1) lc '#2060a8' title 'one level', '' using 3 lc '#e0a030' title 'two levels'
EOG
