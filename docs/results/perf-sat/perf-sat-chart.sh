#!/usr/bin/env bash
# perf-sat-chart.sh SVG GPU DATABASE... - a picture of docs/results/perf-sat.md: Nmax, the optimum, and what Perf-Sat and LCS find
# on the m2090 or k20x, for each kernel (Fig. 4.5 of the thesis).
set -euo pipefail

svg=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/perf-sat.sh" chart "$@" > "$work/rows"
test -s "$work/rows" || { echo "$*: no kernels" >&2; exit 1; }

"$(dirname "$0")/../draw.sh" 900,380 "$work" "$svg" bars <<EOG
set title 'CTAs per SM on the ${1^^}: all that fit, the best, and what is found at run time'
set yrange [0:*]
set ylabel 'CTAs per SM'
set key top right horizontal samplen 1
plot '$work/rows' using 2:xtic(1) lc '#c8c8c8' title 'Nmax', \\
     '' using 3 lc '#2060a8' title 'optimum', '' using 4 lc '#c03028' title 'Perf-Sat', '' using 5 lc '#e0a030' title 'LCS'
EOG
