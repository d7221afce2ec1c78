#!/usr/bin/env bash
# check.sh GPUSCHED WORK - claims.md is what claims.tsv, the pages, the GPUs and the tests say; and claims of a table's row that
# is missing, of a parameter, test or statement that there is not, of a bound that is given as a value, or half empty, are refused.
set -euo pipefail

here=$(dirname "$0")
work=$2
rm -rf "$work"
mkdir -p "$work"
"$here/claims.sh" check "$1" > "$work/said" || { cat "$work/said"; exit 1; }

# refused SED - with claims.tsv changed so there is no table, and one line says why.
refusals=0
refused() {
    sed "$1" "$here/claims.tsv" > "$work/claims.tsv"
    ! cmp -s "$here/claims.tsv" "$work/claims.tsv" || { echo "$1 changes nothing"; exit 1; }
    ! "$here/claims.sh" table "$3" "$work/claims.tsv" > "$work/table" 2> "$work/refusal" || { echo "$1 is accepted"; exit 1; }
    if ! grep -q -e "$2" "$work/refusal" || [ "$(wc -l < "$work/refusal")" -ne 1 ]; then
        echo "$1:"
        cat "$work/refusal"
        exit 1
    fi
    refusals=$((refusals + 1))
}
refused 's/cell claso lrr scalar_product 3/cell claso lrr scalar_produkt 3/' 'CLASO-05: no row scalar_produkt' "$1"
refused 's/cell icc speedup lud 5/cell icc speedup lud 6/' 'ICC-01: no row lud with column 6' "$1"
refused 's/set c2050 dram.queue/set c2050 dram.queues/' 'CLASO-63: c2050 has no dram.queues' "$1"
refused 's/a_floor_in_line_2_would_strand_4_of_17_ctas/a_floor/' 'CLASO-31: .* does not have: static void a_floor(' "$1"
refused 's/maximum claso grid 1/maximum claso grid 7/' 'CLASO-41: no row stream with column 7' "$1"
refused 's/laperm.md a set is/laperm.md a set has/' 'LAPERM-22: .* does not have: a set has' "$1"
refused 's/laperm.md a set is/laperm.md a set/' 'LAPERM-22: no number in .* behind: a set' "$1"
refused 's/shapes perf-sat curves 8/shapes perf-sat curve 8/' 'SLIDES-12: no table curve in perf-sat.md' "$1"
refused '/^CLASO-48/s/>30 %/30 %/' 'CLASO-48: the paper has a bound, > 30 % on average, and 30 % is none' "$1"
refused '2s/52.4 %//' 'line 2: nothing in column 7' "$1"
refused '/^CLASO-03/s/CLASO-03/CLASO-02/' 'CLASO-02 is there twice' "$1"
refused '1s/metric/figure/' 'first line' "$1"

# made_up THEIRS OURS PART - headline or table of one claim about a table `made` of perf-sat.md, whose rows are on stdin.
made_up() {
    { echo '<!-- made -->'; cat; echo '<!-- end of made -->'; } > "$work/made.md"
    printf '%s\n' "$(head -1 "$here/claims.tsv")" "SLIDES-12"$'\tit\tit\tit\tit\t-\tit\t'"$1"$'\t'"$2"$'\t-' > "$work/claims.tsv"
    awk -v want="$3" -f "$here/claims.awk" kind=page of=perf-sat "$work/made.md" kind=claims "$work/claims.tsv"
}
ours() { awk -F ' [|] ' '$1 ~ /SLIDES/ { print $5 }'; }

# shapes CLASSES SPEED... - the classes of the slides that a curve of these speeds is of.
curves=0
shapes() {
    printf '| it |%s\n' "$(printf ' %s |' "${@:2}")" | made_up it 'shapes perf-sat made 8' table > "$work/table"
    [ "$(ours < "$work/table")" = "$1" ] || { echo "$*:"; cat "$work/table"; exit 1; }
    curves=$((curves + 1))
}
shapes I 50 80 100
shapes I 50 97.9 100
shapes II 50 98.1 100
shapes II 50 100 98.1
shapes III 100 90 80
shapes III 100 99 98
shapes IV 90 100 97
shapes '' 99 100 100

# chance OURS BY-NOISE THEIRS SPEC - what is here of four rows, two of which may be noise, and whether it contradicts by noise alone.
chances=0
chance() {
    printf '| %s |\n' 'a | ~-0.2 % | -9 %' 'b | ~+0.1 % | ~-8 %' 'c | +3.0 % | +3 %' 'd | +4.0 % | +4 %' > "$work/rows"
    made_up "$3" "$4" table < "$work/rows" > "$work/table"
    made_up "$3" "$4" headline < "$work/rows" > "$work/headline"
    if [ "$(ours < "$work/table")" != "$1" ] || ! grep -q ", $2 do so only" "$work/headline"; then
        echo "$*:"
        cat "$work/table" "$work/headline"
        exit 1
    fi
    chances=$((chances + 1))
}
chance '~-0.2 %' 1 '+5 %' 'cell perf-sat made a 1'
chance '~-0.2 %' 0 '-1 %' 'cell perf-sat made a 1'
chance '-9 %' 0 '+5 %' 'cell perf-sat made a 2'
chance '~-0.2 %; -9 %' 0 '+5 %; +5 %' 'cell perf-sat made a 1; cell perf-sat made a 2'
chance '-9 %; ~-0.2 %' 0 '+5 %; +5 %' 'cell perf-sat made a 2; cell perf-sat made a 1'
chance '~-0.2 %; +3.0 %' 1 '+5 %; +3 %' 'cell perf-sat made a 1; cell perf-sat made c 1'
chance '~-0.2' 1 '5' 'number perf-sat made a 1'
chance '~-0.2 %' 1 '+5 %' 'points perf-sat made a 1'
chance '~+8.8 %' 1 '-5 %' 'less perf-sat made a 1 2'
chance '~+9.7 %' 1 '-5 %' 'over perf-sat made a 1 2'
chance '~2' 1 4 'above perf-sat made 1 0.5'
chance 2 0 4 'above perf-sat made 2 0.5'
chance 3 0 4 'near perf-sat made 1 3.5'
claims=$(($(wc -l < "$here/claims.tsv") - 1))
echo "checked: claims=$claims verdicts=$((claims - $(grep -c $'\tnone ' "$here/claims.tsv"))) refusals=$refusals curves=$curves chances=$chances"
