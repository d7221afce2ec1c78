#!/usr/bin/env bash
# workloads-check.sh GPUSCHED WORK [short] - workloads.md is what the programs launch, papers.tsv and the pages with our classes
# say, all programs or but those that take longest; and rows without a source, of a kernel that there is not, or half empty,
# are refused, as are launches whose occupancy cannot be, and classes of another kernel, or for which a page gives the paper
# another one.
set -euo pipefail

here=$(dirname "$0")
work=$2
short=${3:-}
rm -rf "$work"
mkdir -p "$work"
"$here/workloads.sh" measure "$1" "$work" "$short" > "$work/measured.tsv"
"$here/workloads.sh" check "$work/measured.tsv" "$short" > "$work/said" || { cat "$work/said"; exit 1; }

# What a program says of its kernels' registers is what they are launched with.
"$1" list workloads | awk '$1 == "registers:" { sub(/,/, "", $3); print $2 "\t" $3 }' > "$work/registers"
[ -s "$work/registers" ]
while IFS=$'\t' read -r kernel count; do
    awk -F '\t' -v kernel="$kernel" -v count="$count" -v short="$short" '$5 == kernel { n++; bad += $9 != count }
        END { exit (n == 0 && short == "") || bad }' "$work/measured.tsv" || { echo "$kernel is not launched with $count registers, as gpusched list workloads says"; exit 1; }
done < "$work/registers"

# All that the tables are made from, in a folder of its own.
copied() {
    mkdir -p "$work/changed/workloads"
    cp "$here"/workloads*.{sh,awk} "$here/papers.tsv" "$work/measured.tsv" "$work/changed/workloads"
    cp "$here"/../{workloads,perf-sat,onac}.md "$work/changed"
}
# changed FILE SED - with this file changed so.
changed() {
    copied
    cp "$work/changed/$1" "$work/before"
    sed -i "$2" "$work/changed/$1"
    ! cmp -s "$work/changed/$1" "$work/before" || { echo "$2 changes nothing"; exit 1; }
}
# refused FILE SED WORDS - with this file, changed so, there is no headline, and one line has these words.
refusals=0
refused() {
    changed "$1" "$2"
    ! "$work/changed/workloads/workloads.sh" headline "$work/changed/workloads/measured.tsv" "$short" > "$work/headline" 2> "$work/said" ||
        { echo "$2 is accepted"; exit 1; }
    if [ "$(wc -l < "$work/said")" -ne 1 ] || ! grep -qF -- "$3" "$work/said"; then echo "$2:"; cat "$work/said"; exit 1; fi
    refusals=$((refusals + 1))
}
# differs FILE SED LINE - with this file, changed so, the page is not what it should be, and the difference has such a line.
differences=0
differs() {
    changed "$1" "$2"
    if "$work/changed/workloads/workloads.sh" check "$work/changed/workloads/measured.tsv" ${short:+short} > "$work/said" 2>&1; then echo "$2 makes no difference"; exit 1; fi
    grep -q "$3" "$work/said" || { echo "$2:"; cat "$work/said"; exit 1; }
    differences=$((differences + 1))
}
copied
"$work/changed/workloads/workloads.sh" headline "$work/changed/workloads/measured.tsv" "$short" > "$work/headline"
refused workloads/papers.tsv '2s/\t[^\t]*$/\t/' 'the last is its source'
refused workloads/papers.tsv '2s/\taes\t\*\t/\taes\taes_decrypt\t/' 'AES: no such kernel is launched'
refused workloads/papers.tsv '2s/\t6\t/\t\t/' 'nothing as ctas_per_sm'
refused workloads/papers.tsv '1s/source/by/' 'does not name source'
refused workloads/papers.tsv '/^derived\taes/d' 'aes_encrypt: no row gives its registers'
refused workloads/measured.tsv '/aes_encrypt/s/[0-9]*$/9/' 'aes_encrypt has 9 CTAs per SM'
refused workloads/measured.tsv '/\tstencil\t/s/[0-9]*$/7/' 'stencil has 7 CTAs per SM'
refused workloads/papers.tsv '/\tBP-1\t.*\tm2090\t/s/\tC-strong\t/\tMEM\t/' 'BP-1: of class MEM on m2090, where the page says'
refused workloads/papers.tsv '/\tDXTC\t.*\tth44\t/s/\tB\t/\tA\t/' 'DXTC: of class A on onac32, where the page says'
refused perf-sat.md '/^<!-- k20x-counts -->/,/^<!-- end of/{/^| LUD /d}' 'LUD: no page has its class on k20x'
refused perf-sat.md '/^<!-- counts -->/,/^<!-- end of/s/lud_internal/lud_diagonal/' 'its class on m2090 is that of lud_diagonal'
refused onac.md '/^<!-- found -->/,/^<!-- end of/s/ type / kind /' 'LUD: no page has its class on onac32'
# Another class on a page is another cell, of kernels whose programs are left out too, and another count.
other() { printf '%s\n' "/^<!-- $1 -->/,/^<!-- end of/s/^\(| $2 ([^)]*) |\([^|]*|\)\{$3\}\)[^|]*|/\1 other ($4) |/"; }
differs perf-sat.md "$(other counts BP-1 2 C-strong)" '^[-+].*\(other: 1\|classes of kernels\)'
differs onac.md "$(other found DXTC 0 B)" '^[-+].*\(other: 1\|classes of kernels\)'
# The cell alone, where the page has the count.
differs workloads.md '/^| DXTC .*, onac32 /s:[AB] / B:C / B:' '^[-+].*DXTC'
differs workloads.md '/^| BP-1 .*, k20x /s: / C-strong: / MEM:' '^[-+].*BP-1'
echo "checked: runs=$(wc -l < "$work/runs") launches=$(grep -c '^launch' "$work/measured.tsv") rows=$(($(wc -l < "$here/papers.tsv") - 1)) registers=$(wc -l < "$work/registers") refusals=$refusals differences=$differences"
