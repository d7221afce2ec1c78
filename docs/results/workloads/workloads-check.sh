#!/usr/bin/env bash
# workloads-check.sh GPUSCHED WORK [short] - workloads.md is what the programs launch and papers.tsv say, all of them or but
# those that take longest; and rows without a source, of a
# kernel that there is not, or half empty, are refused, as are launches whose occupancy cannot be.
set -euo pipefail

here=$(dirname "$0")
work=$2
short=${3:-}
rm -rf "$work"
mkdir -p "$work/docs"
"$here/workloads.sh" measure "$1" "$work" "$short" > "$work/measured.tsv"
"$here/workloads.sh" check "$work/measured.tsv" "$short" > "$work/said" || { cat "$work/said"; exit 1; }
cp "$here"/workloads*.{sh,awk} "$work/docs"

# What a program says of its kernels' registers is what they are launched with.
"$1" list workloads | awk '$1 == "registers:" { sub(/,/, "", $3); print $2 "\t" $3 }' > "$work/registers"
[ -s "$work/registers" ]
while IFS=$'\t' read -r kernel count; do
    awk -F '\t' -v kernel="$kernel" -v count="$count" -v short="$short" '$5 == kernel { n++; bad += $9 != count }
        END { exit (n == 0 && short == "") || bad }' "$work/measured.tsv" || { echo "$kernel is not launched with $count registers, as gpusched list workloads says"; exit 1; }
done < "$work/registers"

# refused FILE SED - with this file, changed so, there is no headline, and one line says why.
refusals=0
refused() {
    cp "$here/papers.tsv" "$work/measured.tsv" "$work/docs"
    sed -i "$2" "$work/docs/$1"
    ! cmp -s "$work/docs/$1" "$([ "$1" = papers.tsv ] && echo "$here/$1" || echo "$work/$1")" || { echo "$2 changes nothing"; exit 1; }
    ! "$work/docs/workloads.sh" headline "$work/docs/measured.tsv" "$short" > "$work/docs/headline" 2> "$work/docs/said" || { echo "$2 is accepted"; exit 1; }
    [ "$(wc -l < "$work/docs/said")" -eq 1 ] || { echo "$2:"; cat "$work/docs/said"; exit 1; }
    refusals=$((refusals + 1))
}
refused papers.tsv '2s/\t[^\t]*$/\t/'
refused papers.tsv '2s/\taes\t\*\t/\taes\taes_decrypt\t/'
refused papers.tsv '2s/\t6\t/\t\t/'
refused papers.tsv '1s/source/by/'
refused papers.tsv '/^derived\taes/d'
refused measured.tsv '/aes_encrypt/s/[0-9]*$/9/'
refused measured.tsv '/\tstencil\t/s/[0-9]*$/7/'
echo "checked: runs=$(wc -l < "$work/runs") launches=$(grep -c '^launch' "$work/measured.tsv") rows=$(($(wc -l < "$here/papers.tsv") - 1)) registers=$(wc -l < "$work/registers") refusals=$refusals"
