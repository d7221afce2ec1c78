#!/usr/bin/env bash
# results.sh WORK GPUSCHED - the experiments of the results pages at size small, whose runs must
# all be right, and the tables and charts made from them.
set -euo pipefail

work=$1
gpusched=$2
rm -rf "$work"
mkdir -p "$work"

sed 's/^size: .*/size: small/; s/{name: \([a-z_]*\), size: [a-z]*}/\1/' configs/experiments/claso.yaml \
    > "$work/claso.yaml"
"$gpusched" experiment "$work/claso.yaml" -o "$work" --quiet --csv="$work/claso.csv"
for base in lrr tl; do
    docs/results/claso.sh $base "$work/claso.csv" > "$work/$base"
    test "$(grep -c '^| [a-z_0-9]* ([A-Z]*) |' "$work/$base")" -eq 13
done
sed '/values:/,/]/c\    values: [15, 80, 115, 150]' configs/experiments/claso-grid.yaml \
    > "$work/claso-grid.yaml"
"$gpusched" experiment "$work/claso-grid.yaml" -o "$work" --quiet --csv="$work/claso-grid.csv"
docs/results/claso-grid.sh "$work/claso-grid.csv" "$work/claso-grid.svg"
test "$(grep -c 'gnuplot_plot_' "$work/claso-grid.svg")" -ge 8
echo "$(($(wc -l < "$work/claso.csv") + $(wc -l < "$work/claso-grid.csv") - 2)) runs, 2 tables, 1 chart"
