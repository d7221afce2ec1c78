#!/usr/bin/env bash
# first-check.sh GPUSCHED WORK - the table of `make run`, of made-up runs, has a ~ where a change lies in the band of the same program,
# size, GPU and baseline, and nowhere else; without an ensemble it is refused.
set -euo pipefail

here=$(dirname "$0")
gpusched=$1
work=$2
copy=$work/results
names="claso bcs icc ctas onac laperm"
marks=0 refusals=0 baselines=0
rm -rf "$work"
mkdir -p "$copy/sensitivity" "$copy/claims"
cp -r "$here" "$copy/first"
cp "$here/../sensitivity/ensembles.awk" "$copy/sensitivity"
cp "$here/../claims/claims.tsv" "$copy/claims"
cp "$here/../claims.md" "$copy"

# What is read besides the runs of the experiments.
printf 'run,workload,gpu,ctas,status,cycles\n1,made_up,m2090,1,done,20\n2,made_up,m2090,2,done,10\n' > "$work/sweep-ctas-nearest_neighbour-small-m2090.csv"
echo 'the optimum is 2 CTAs per SM' > "$work/first-sweep.txt"
printf 'cycles 10\nmade_up perf_sat 2.0 100 1\n' > "$work/first-perf-sat.txt"
for name in $names; do
    echo > "$work/first-$name.txt"
    "$gpusched" experiment "first-$name" -o "$work" --dry-run > "$work/$name.runs"
done

# runs NAME PERCENT - the experiment's runs, of which those with a mechanism are so much faster than the others, and take so much more
# energy.
runs() {
    echo run,gpu,workload,size,variant,warps,status,cycles,energy.total
    awk -F ', ' -v percent="$2" '{
        split($1, first, " ")
        split($2, program, " ")
        plain = $3 ~ /^(plain|distributed|max|cdp-rr|dtbl-rr)$/
        sub(/^warps /, "", $4)
        printf("%d,%s,%s,%s,%s,%s,done,%.3f,%.3f\n", first[1], first[3], program[1], program[2], $3, $4, 1e6 / (plain ? 1 : 1 + percent / 100), 1e6 * (plain ? 1 : 1 + percent / 100))
    }' "$work/$1.runs"
}
# table PERCENT SED - whether there is a table, and a page, with sensitivity.md as SED makes it.
table() {
    local name form
    for name in $names; do runs "$name" "$1" > "$work/first-$name.csv"; done
    sed "$2" "$here/../sensitivity.md" > "$copy/sensitivity.md"
    [ -z "$2" ] || ! cmp -s "$here/../sensitivity.md" "$copy/sensitivity.md" || { echo "$2 changes nothing"; exit 1; }
    for form in text html; do
        if ! "$copy/first/first.sh" $form "$work" > "$work/$form" 2> "$work/said"; then return 1; fi
    done
}
# marked NUMBER PERCENT SED - so many changes of the table have a mark, and of the page.
marked() {
    local form
    table "$2" "$3" || { cat "$work/said"; exit 1; }
    for form in text html; do
        [ "$(grep -o '~[-+][0-9.]* %' "$work/$form" | wc -l)" -eq "$1" ] || { echo "$2 %, $3: not $1 marks"; cat "$work/$form"; exit 1; }
    done
    marks=$((marks + $1))
}
# slower MECHANISM TEXT CHANCE - what its row says of programs that are slower, and that may be by chance.
slower() {
    [ "$(awk -F '  +' -v OFS=, -v m="$1" '$1 == m && !energies { print $7, $8 } /^Energy/ { energies = 1 }' "$work/text")" = "$2,$3" ] ||
        { echo "$1: not $2, $3:"; cat "$work/text"; exit 1; }
}
# refused SED WORDS
refused() {
    ! table 0 "$1" || { echo "$1 is not seen"; exit 1; }
    grep -qF -- "$2" "$work/said" || { echo "$1:"; cat "$work/said"; exit 1; }
    refusals=$((refusals + 1))
}
# within NAME SED - only in the block of the ensemble.
within() { echo "/^<!-- noise-$1 -->/,/^<!-- end of noise-$1 -->/$2"; }

# Without a change all that has a band is marked: the programs of CLASO, BCS, ICC, ONAC and LaPerm, and four of LCS and
# Perf-Sat; eleven means; and the worst and the best beside these, which are the first programs. Of energies it is five rows.
marked $((13 * 2 + 7 + 11 * 4 + 3 * 2 + 6 * 2 + 4 * 2 + 11 + 11 * 2 + 5 * 3)) 0 ''
all=$marks
slower BCS '0 of 7' 0
slower LCS '0 of 9' 0
slower 'LaPerm, groups' '0 of 6' 0
for form in text html; do grep -qF 'no mark: LCS (5 of 9); Perf-Sat (5 of 9).' "$work/$form"; done
marked 0 -30 ''
slower BCS '7 of 7' 0
slower LCS '9 of 9' 0
slower 'LaPerm, groups' '6 of 6' 0
# Energies are worse if they rise.
more() {
    [ "$(awk -F '  +' -v OFS=, -v m="$1" '$1 == m && energies { print $7, $8 } /^Energy/ { energies = 1 }' "$work/text")" = "$2,$3" ] ||
        { echo "$1: not $2, $3:"; cat "$work/text"; exit 1; }
}
more DB '0 of 11' 0
marked 0 30 ''
more DB '11 of 11' 0
marked 6 30 "$(within icc-energy 's/^\(      hotspot medium  *1.000 \[[0-9.]*, \)[0-9.]*/\11.300/')"
more DB '10 of 11' 1
marked 0 30 "$(within icc-energy 's/^\(      hotspot medium  *1.000 \[[0-9.]*, \)[0-9.]*/\11.299/')"
# On the edge, with LCS and Perf-Sat, which have the program and the baseline too.
marked 5 -30 "$(within bcs 's/^\(      hotspot medium  *1.000 \)\[[0-9.]*/\1[0.700/')"
slower BCS '6 of 7' 1
slower LCS '8 of 9' 1
marked 0 -30 "$(within bcs 's/^\(      hotspot medium  *1.000 \)\[[0-9.]*/\1[0.701/')"
# The band of another size, of another GPU, or of a mean of other programs is of nothing.
marked $((all - 6)) 0 "$(within bcs 's/^      hotspot medium/      hotspot paper /')"
marked $((all - 12)) 0 "$(within onac 's/^    onac32$/    onac16/')"
slower ONAC '0 of 3' -
marked $((all - 8)) 0 "$(within claso '{/^      aes /d}')"
marked $((all - 2)) 0 "$(within onac 's/^      dct8x8 th44 .*/&\n      more th44  1.000 [0.999, 1.001]/')"

refused "$(within onac d)" 'has no ensemble onac'
refused "$(within onac-energy d)" 'has no ensemble onac-energy'
refused "$(within bcs d)" 'has no ensemble bcs'
refused "$(within claso 's/^    c2050, warps lrr$/    c2050, warps rr/')" 'has no ensemble claso with lrr'
refused "$(within laperm 's/^\(      bfs_cage15 laperm *1.000 \)\[[^]]*\]/\1/')" 'no band of bfs_cage15'
refused "$(within warp-policies '{/^<!-- end/d}')" 'does not end'
rm "$copy/sensitivity.md"
! "$copy/first/first.sh" text "$work" > "$work/text" 2> "$work/said" || { echo 'without sensitivity.md there is a table'; exit 1; }
refusals=$((refusals + 1))

# configured FILE [VARIANT] - the GPU with what a variant sets, or the baseline.
configured() {
    local variant=${2:-$(sed -n 's/^baseline: //p' "$1")} options=() key value
    grep -q "^  $variant: {" "$1"
    while IFS=' ' read -r key value; do
        case $key in
            scheduler:) options+=(--scheduler="$value") ;;
            ?*) options+=(--set="${key%:}=$value") ;;
        esac
    done <<< "$(sed -n "s/^  $variant: {\(.*\)}\$/\1/p" "$1" | sed 's/, /\n/g; s/"//g')"
    "$gpusched" config show "$(sed -n 's/^gpus: \[\(.*\)\]$/\1/p' "$1")" "${options[@]}"
}
# The ensembles that first.awk names have the baselines for which it names them.
while read -r name base ensemble; do
    configured "configs/experiments/first-$name.yaml" "$base" > "$work/baseline"
    docs/results/sensitivity/sensitivity.sh noise "$ensemble" > "$work/noise.yaml"
    configured "$work/noise.yaml" > "$work/repeated"
    diff -U0 --label "first-$name.yaml, $base" --label "the ensemble $ensemble" "$work/baseline" "$work/repeated"
    baselines=$((baselines + 1))
done <<< "$(sed -n 's/^    ensembles\["first-\([a-z]*\)", "\([-a-z]*\)"\] = "\(.*\)"$/\1 \2 \3/p' "$here/first.awk" |
    awk '{ for (i = 3; i <= NF; i++) print $1, $2, $i }')"
echo "checked: marks=$marks refusals=$refusals baselines=$baselines"
