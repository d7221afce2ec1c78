#!/usr/bin/env bash
# silicon-check.sh GPUSCHED WORK - the tables of silicon.md are what the model does: size medium is run again. A kernel with
# another number of launches than on the H100 is refused, and so are one that it has not run, and runs without some kernel.
set -euo pipefail

here=$(dirname "$0")
work=$2
rm -rf "$work"
mkdir -p "$work"
"$1" experiment configs/experiments/silicon-medium.yaml -o "$work" -q
"$here/silicon.sh" measure "$1" "$work/silicon-medium.sqlite" > "$work/kernels.tsv"
for part in headline-medium medium machine nested; do
    tb/drift/document.sh check "$here/../silicon.md" "$part" "$here/silicon.sh" "$part" "$work/kernels.tsv"
done
# What the README says of size paper is what the page says.
read -r kernels error correlation < <(sed -nE 's/^Size .paper.: of ([0-9]+) kernels .* mean error is ([0-9]+) %.* logarithms (0\.[0-9][0-9]).*/\1 \2 \3/p' "$here/../silicon.md") || { echo 'silicon.md: no headline of size paper'; exit 1; }
for words in "[$kernels kernels at" "$correlation" "mean error is $error %"; do
    sed -n '/ran on a real H100/,/^$/p' README.md | grep -qF -e "$words" || { echo "README.md: not \"$words\", which silicon.md says"; exit 1; }
done
sed '1s/\t1\t/\t2\t/' "$work/kernels.tsv" > "$work/other.tsv"
! "$here/silicon.sh" medium "$work/other.tsv" > /dev/null 2> "$work/said" || { echo 'another number of launches is accepted'; exit 1; }
grep -q launches "$work/said"
sed '1s/^[^\t]*/other/' "$work/kernels.tsv" > "$work/other.tsv"
! "$here/silicon.sh" medium "$work/other.tsv" > /dev/null 2> "$work/said" || { echo 'a kernel that the H100 has not run is accepted'; exit 1; }
grep -q 'has not been measured' "$work/said"
sed 1d "$work/kernels.tsv" > "$work/other.tsv"
! "$here/silicon.sh" medium "$work/other.tsv" > /dev/null 2> "$work/said" || { echo 'a kernel that is missing is accepted'; exit 1; }
grep -q 'has not been run' "$work/said"
! "$here/silicon.sh" medium /dev/null > /dev/null 2> "$work/said" || { echo 'runs without kernels are accepted'; exit 1; }
grep -q 'has not been run' "$work/said"
echo "checked: kernels=$(wc -l < "$work/kernels.tsv") refusals=4"
