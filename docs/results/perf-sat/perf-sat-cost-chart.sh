#!/usr/bin/env bash
# perf-sat-cost-chart.sh SVG GPU DATABASE... - a picture of docs/results/perf-sat.md: for each kernel on the m2090 or k20x the speed
# relative to all CTAs, and the registers and threads that Perf-Sat leaves free (Figs. 4.6 and 4.7 of the thesis). Of the thesis's
# numbers there are means of types only.
set -euo pipefail

svg=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part in speed saved; do
    "$(dirname "$0")/perf-sat.sh" "chart-$part" "$@" > "$work/$part"
    test -s "$work/$part" || { echo "$*: no kernels" >&2; exit 1; }
done

"$(dirname "$0")/../draw.sh" 960,760 "$work" "$svg" bars <<EOG
set xzeroaxis lc '#808080' lt 1
set key at graph 0.76, graph 1.0 right top horizontal width -3 samplen 1
set arrow 1 from 15.5, graph 0 to 15.5, graph 1 nohead lc '#808080' dt 2
set multiplot layout 2,1
set title 'Speed on the ${1^^}, relative to all CTAs; to the right means by the type in the thesis'
set ylabel 'percent'
set yrange [*:15]
plot '$work/speed' using 2:xtic(1) lc '#2060a8' title 'optimum', '' using 3 lc '#c03028' title 'Perf-Sat', \\
     '' using 4 lc '#e0a030' title 'LCS', '' using 5 lc '#808080' title 'thesis: Perf-Sat'
set title 'What Perf-Sat leaves free of an SM'
set ylabel 'percent of an SM'
set yrange [0:65]
plot '$work/saved' using 2:xtic(1) lc '#509050' title 'registers', '' using 3 lc '#8050a0' title 'threads', \\
     '' using 4 lc '#808080' title 'thesis: resources'
EOG
