#!/usr/bin/env bash
# results.sh WORK GPUSCHED - the experiments of the results pages at size small, whose runs must
# all be right, and the tables and charts made from them.
set -euo pipefail

work=$1
gpusched=$2
rm -rf "$work"
mkdir -p "$work"

# small NAME - runs the experiment at size small.
small() {
    sed 's/^size: .*/size: small/; s/{name: \([a-z_0-9]*\), size: [a-z]*}/\1/' "configs/experiments/$1.yaml" \
        > "$work/$1.yaml"
    "$gpusched" experiment "$work/$1.yaml" -o "$work" --quiet --csv="$work/$1.csv"
}
small claso
for base in lrr tl; do
    docs/results/claso.sh $base "$work/claso.csv" > "$work/$base"
    test "$(grep -c '^| [a-z_0-9]* ([A-Z]*) |' "$work/$base")" -eq 13
done
sed '/values:/,/]/c\    values: [15, 80, 115, 150]' configs/experiments/claso-grid.yaml \
    > "$work/claso-grid.yaml"
"$gpusched" experiment "$work/claso-grid.yaml" -o "$work" --quiet --csv="$work/claso-grid.csv"
docs/results/claso-grid.sh "$work/claso-grid.csv" "$work/claso-grid.svg"
test "$(grep -c 'gnuplot_plot_' "$work/claso-grid.svg")" -ge 8
small claso-ctas
docs/results/claso-ctas.sh "$work/claso-ctas.sqlite" "$work/claso-ctas.svg"
test "$(grep -c 'gnuplot_plot_' "$work/claso-ctas.svg")" -ge 2
small claso-levels
docs/results/claso-levels.sh "$work/claso-levels.csv" > "$work/levels"
test "$(grep -c '^| [a-z_0-9]* | [-+0-9]' "$work/levels")" -eq 14
small bcs
for gpu in m2090 k20c k20x; do
    docs/results/bcs.sh $gpu "$work/bcs.csv" > "$work/bcs"
    test "$(grep -c '^| [a-z_0-9]* | [0-9]' "$work/bcs")" -eq 7
done
test "$(cat "$work/levels" "$work/bcs" | grep -cE 'nan|inf ')" -eq 0

icc=()
for name in icc icc-sizes icc-clusters icc-bandwidth; do
    small $name
    icc+=("$work/$name.csv")
done
sed '/^<!-- [a-z]* -->$/,/^<!-- end of/{/^|/d}' docs/results/icc.md > "$work/icc.md"
docs/results/icc-tables.sh "${icc[@]}" "$work/icc.md" > /dev/null
docs/results/icc-charts.sh "${icc[@]}" "$work"
test "$(grep -c '^| [a-z_0-9]* ([A-Z0-9]*) |' "$work/icc.md")" -eq $((12 * 11))
test "$(grep -c '^| mean |' "$work/icc.md")" -eq 12
test "$(grep -cE 'nan|inf ' "$work/icc.md")" -eq 0
for name in locality gains sweeps; do
    test "$(grep -c 'gnuplot_plot_' "$work/icc-$name.svg")" -ge 3
done
echo "checked: runs=$(cat "$work"/*.csv | grep -vc '^run,')"
