#!/usr/bin/env bash
# laperm-chart.sh DATABASE SVG - the picture of docs/results/laperm.md: IPC of LaPerm's modes over RR for each program, with
# launches as kernels and as groups (Fig. 9 of LaPerm).
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/laperm.sh" chart "$1" | sed -E 's/^([^ ]*) /"\1" /; s/_/ /g' > "$work/rows"
test -s "$work/rows" || { echo "$1: no runs" >&2; exit 1; }

"$(dirname "$0")/../draw.sh" 960,620 "$work" "$2" bars <<EOG
set ylabel 'IPC over RR, %'
set key above left horizontal samplen 1
set xzeroaxis lt 1 lc '#808080'
set multiplot layout 2,1
set title 'Launches as kernels (CDP)'
plot '$work/rows' using 2:xtic(1) lc '#c8c8c8' title 'TB-Pri', '' using 3 lc '#e0a030' title 'SMX-Bind', \\
     '' using 4 lc '#2060a8' title 'Adaptive-Bind'
unset key
set title 'Launches as groups of CTAs (DTBL)'
plot '$work/rows' using 5:xtic(1) lc '#c8c8c8' title 'TB-Pri', '' using 6 lc '#e0a030' title 'SMX-Bind', \\
     '' using 7 lc '#2060a8' title 'Adaptive-Bind'
unset multiplot
EOG
