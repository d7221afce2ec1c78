#!/usr/bin/env bash
# first.sh throttle FOLDER GPUSCHED SIZE [OPTION] - one kernel with each number of CTAs per SM, and with Perf-Sat, whose run gets
# the option; files and a page in FOLDER.
# first.sh text|html FOLDER - what these and the experiments first-*.yaml came to, from their CSVs and what gpusched printed of
# them, in FOLDER: each mechanism over the baseline of its paper, with what may be chance by the bands of sensitivity.md; beside
# it ours in the paper's sizes, of claims.md, and the paper's number, of claims.tsv.
set -euo pipefail

here=$(dirname "$0")
kernel=nearest_neighbour
gpu=m2090
if [ "$1" = throttle ]; then
    "$3" sweep $kernel -g $gpu --size="$4" --over=ctas -o "$2" > "$2/first-sweep.txt"
    "$3" run -w $kernel -g $gpu --size="$4" --scheduler=perf-sat "${@:5}" -o "$2/first-perf-sat" > "$2/first-perf-sat.txt"
    "$3" report -q "$2/first-perf-sat" -o "$2/first-perf-sat.html"
    exit
fi
csvs=() said=()
for name in claso bcs icc ctas onac laperm; do csvs+=("$2/first-$name.csv") said+=("$2/first-$name.txt"); done
awk -v form="$1" -f "$here/../sensitivity/ensembles.awk" -f "$here/first.awk" kind=bands "$here/../sensitivity.md" \
    kind=claims "$here/../claims/claims.tsv" kind=page "$here/../claims.md" \
    kind=runs "${csvs[@]}" kind=said "${said[@]}" \
    kind=counts "$2"/sweep-ctas-$kernel-*-$gpu.csv kind=answer "$2"/first-sweep.txt kind=throttled "$2"/first-perf-sat.txt
