#!/usr/bin/env bash
# machine-check.sh GPUSCHED WORK - machine.md is what its kernels and published.tsv say; and what is published without a
# source, of a GPU or figure that there is not, or as no range, is refused.
set -euo pipefail

here=$(dirname "$0")
work=$2
rm -rf "$work"
mkdir -p "$work/docs"
"$here/machine.sh" measure "$1" "$work" > "$work/measured.tsv"
"$here/machine.sh" check "$work/measured.tsv" > "$work/said" || { cat "$work/said"; exit 1; }

# refused SED - published.tsv, changed so, is not accepted.
refusals=0
refused() {
    cp "$here"/machine*.{sh,awk} "$work/docs"
    sed "$1" "$here/published.tsv" > "$work/docs/published.tsv"
    ! cmp -s "$here/published.tsv" "$work/docs/published.tsv" || { echo "$1 changes nothing"; exit 1; }
    ! "$work/docs/machine.sh" published "$work/measured.tsv" > /dev/null 2> "$work/docs/said" || { echo "$1 is accepted"; exit 1; }
    [ "$(wc -l < "$work/docs/said")" -eq 1 ] || { echo "$1:"; cat "$work/docs/said"; exit 1; }
    refusals=$((refusals + 1))
}
refused '2s/\t[^\t]*$/\t/'
refused '2s/^[^\t]*/x1/'
refused '2s/\t[a-z0-9_]*\t/\tl9_latency\t/'
refused '2s/\t[0-9.]*\t\([^\t]*\)\t/\t1e9\t\1\t/'
refused '/h100\ttdp/s/^[^\t]*/x1/'
refused '1s/source/by/'
echo "checked: figures=$(wc -l < "$work/measured.tsv") published=$(($(wc -l < "$here/published.tsv") - 1)) refusals=$refusals"
