#!/usr/bin/env bash
# same.sh WORK GPUSCHED GPUSCHED-DEBUG GPU WORKLOAD - one run in several ways: twice, with all
# fast paths switched off, with spurious steps, and by a build without optimisation and with
# all assertions. Every way must give the same bytes.
set -euo pipefail

work=$1
fast=$2
debug=$3
run=(run --gpu "$4" --workload "$5" --quiet)
rm -rf "$work"
mkdir -p "$work"

"$fast" "${run[@]}" -o "$work/first" --timeline --series=1000
"$fast" "${run[@]}" -o "$work/again" --timeline --series=1000
"$fast" "${run[@]}" -o "$work/naive" --naive --timeline --series=1000
"$fast" "${run[@]}" -o "$work/fuzz" --naive=fuzz --timeline --series=1000
"$debug" "${run[@]}" -o "$work/debug" --timeline --series=1000
compared=0
for way in again naive fuzz debug; do
    for file in result.json timeline.json series.csv; do
        cmp "$work/first/$file" "$work/$way/$file"
        compared=$((compared + 1))
    done
done
grep -q '"unanswered": 0' "$work/first/result.json" || { echo 'requests are unanswered'; exit 1; }
echo "$4, $5: the same bytes in every way"
echo "checked: files=$compared"
