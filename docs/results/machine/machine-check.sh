#!/usr/bin/env bash
# machine-check.sh GPUSCHED WORK - machine.md is what its kernels and published.tsv say; and what is published without a
# source, of a GPU or figure that there is not, as no range, or as an input that it cannot be, is refused. Nor does a measured figure pass that is not the page's,
# or does not go with what is configured.
set -euo pipefail

here=$(dirname "$0")
work=$2
rm -rf "$work"
mkdir -p "$work/docs/machine"
"$here/machine.sh" measure "$1" "$work" > "$work/measured.tsv"
"$here/machine.sh" check "$work/measured.tsv" > "$work/said" || { cat "$work/said"; exit 1; }

# refused SED - published.tsv, changed so, is not accepted.
refusals=0
refused() {
    cp "$here"/machine*.{sh,awk} "$work/docs/machine"
    sed "$1" "$here/published.tsv" > "$work/docs/machine/published.tsv"
    ! cmp -s "$here/published.tsv" "$work/docs/machine/published.tsv" || { echo "$1 changes nothing"; exit 1; }
    ! "$work/docs/machine/machine.sh" published "$work/measured.tsv" > /dev/null 2> "$work/docs/said" || { echo "$1 is accepted"; exit 1; }
    [ "$(wc -l < "$work/docs/said")" -eq 1 ] || { echo "$1:"; cat "$work/docs/said"; exit 1; }
    refusals=$((refusals + 1))
}
refused '2s/\t[^\t]*$/\t/'
refused '2s/^[^\t]*/x1/'
refused '2s/\t[a-z0-9_]*\t/\tl9_latency\t/'
refused '2s/\t[0-9.]*\t\([^\t]*\)\t/\t1e9\t\1\t/'
refused '/h100\ttdp/s/^[^\t]*/x1/'
refused '1s/source/by/'
refused '2s/\tyes\t/\tperhaps\t/'
refused '/^a100\tdram_latency\t290\t/s/\tno\t/\tyes\t/'

# The copy says of the figures as they are what the original says.
cp "$here"/machine*.{sh,awk} "$here/published.tsv" "$work/docs/machine"
cp "$here/../machine.md" "$work/docs"
for part in check rates; do
    "$work/docs/machine/machine.sh" $part "$work/measured.tsv" > "$work/docs/said" 2>&1 || { cat "$work/docs/said"; exit 1; }
done
# seen SED [PART] - measured figures, changed so, do not pass for the page's; or do not go with what is configured.
seen() {
    sed "$1" "$work/measured.tsv" > "$work/changed.tsv"
    ! cmp -s "$work/measured.tsv" "$work/changed.tsv" || { echo "$1 changes nothing"; exit 1; }
    ! "$work/docs/machine/machine.sh" "${2:-check}" "$work/changed.tsv" > "$work/docs/said" 2>&1 || { echo "$1 is not seen"; exit 1; }
    refusals=$((refusals + 1))
}
seen 's/^c2050\tl1_read_bytes\t[^\t]*/c2050\tl1_read_bytes\t32/'
seen 's/^\(fermi-30\tbarrier_latency\t.*\)\tnot calibrated$/\1\t/'
seen 's/^\(k20x\tshared_read_bytes\t[^\t]*\)\t.*/\1\t256/'
seen 's/^\(h100\tatomic_own_rate\t[^\t]*\)\t.*/\1\t200/' rates
seen 's/^\(v100\tl1_read_bytes\t[^\t]*\)\t.*/\1\t64/' rates
seen 's/^\(a100\tl2_hit_latency\t[^\t]*\)\t.*/\1\t150/' rates
echo "checked: figures=$(wc -l < "$work/measured.tsv") published=$(($(wc -l < "$here/published.tsv") - 1)) refusals=$refusals"
