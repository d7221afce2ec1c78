#!/usr/bin/env bash
# results.sh WORK GPUSCHED - the experiments of the results pages at size small, whose runs must
# all be right, and the tables and charts made from them.
set -euo pipefail

work=$1
gpusched=$2
export GPUSCHED=$gpusched
rm -rf "$work"
mkdir -p "$work"

# small NAME - runs the experiment at size small, without RTL.
small() {
    sed '/^rtl:/d; /^units:/d; s/^seeds: .*/seeds: 6/; s/^size: .*/size: small/; s/{name: \([a-z_0-9]*\), size: [a-z]*}/\1/' "configs/experiments/$1.yaml" \
        > "$work/$1.yaml"
    "$gpusched" experiment "$work/$1.yaml" -o "$work" --quiet --csv="$work/$1.csv"
}
# bars SVG NUMBER - so many there are in the picture, those of its key among them.
bars() {
    test "$(grep -o '<polygon' "$1" | wc -l)" -ge "$2"
}
small claso
small claso-coulombic
for base in lrr tl owl dyncta; do
    docs/results/claso/claso.sh $base "$work/claso.csv" "$work/claso-coulombic.csv" > "$work/$base"
    test "$(grep -c '^| [a-z_0-9]* ([A-Z]*) |' "$work/$base")" -eq 12
    grep -q '^| coulombic_potential (CP; one seed) |' "$work/$base"
    if docs/results/claso/claso.sh $base "$work/claso.csv" > "$work/fewer"; then exit 1; fi
    if grep -v claso20,owl "$work/claso.csv" | docs/results/claso/claso.sh owl /dev/stdin "$work/claso-coulombic.csv" > "$work/fewer" 2>&1; then exit 1; fi
    test "$(grep -cE 'nan|inf ' "$work/$base")" -eq 0
done
# A median in the other's band may be noise, whichever it is, and one seed if it lies in the widest band without CLASO.
banded() { # CYCLES LOW HIGH, with CLASO (1, 0), where without it 1000 lie in [990, 1020]; CYCLES of one seed
    awk -F, -v OFS=, -v with="$1,$2,$3" -v one="$4" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
        { split($c["variant"] == "claso10" && !("cycles low" in c) ? one : $c["variant"] == "claso10" ? with : "1000,990,1020", v, ",") }
        { $c["cycles"] = v[1]; if ("cycles low" in c) { $c["cycles low"] = v[2]; $c["cycles high"] = v[3] } print }' "$5"
}
marks() { # so many of the other twelve, and of the one seed
    banded "$3" "$4" "$5" "$6" "$work/claso.csv" > "$work/banded.csv"
    banded "$3" "$4" "$5" "$6" "$work/claso-coulombic.csv" > "$work/banded-one.csv"
    docs/results/claso/claso.sh lrr "$work/banded.csv" "$work/banded-one.csv" > "$work/banded"
    test "$(awk -F ' [|] ' '/; one seed/ { one = $4 ~ /~/ } /^\| [a-z_0-9]* \([A-Z]*\)/ { n += $4 ~ /~/ } END { print n + 0, one + 0 }' "$work/banded")" = "$1 $2"
}
marks 12 1 990 980 999 1019
marks 12 1 980 975 1001 991
marks 0 0 980 975 999 1021
marks 0 0 1030 1021 1040 989
sed '/values:/,/]/c\    values: [15, 80, 115, 150]' configs/experiments/claso-grid.yaml \
    > "$work/claso-grid.yaml"
"$gpusched" experiment "$work/claso-grid.yaml" -o "$work" --quiet --csv="$work/claso-grid.csv"
docs/results/claso/claso-grid.sh chart "$work/claso-grid.csv" "$work/claso-grid.svg"
test "$(grep -c 'gnuplot_plot_' "$work/claso-grid.svg")" -ge 8
# Four grids cannot have two slumps. Of a sawtooth of six the table has the peak and the period.
if docs/results/claso/claso-grid.sh table "$work/claso-grid.csv" > "$work/grid" 2> "$work/said"; then exit 1; fi
grep -q '^[a-z]*-[a-z0-9]*: fewer than two slumps$' "$work/said"
{
    echo 'workload,variant,ctas,status,sm.no_cta,cycles'
    for run in {compute,stream,tile,mix},{greedy,claso10}; do
        for grid in 5:30 10:10 15:20 20:45 25:15 30:25; do echo "${run/,/:${grid%:*},},${grid%:*},done,$((${grid#*:} * 15)),100"; done
    done
} > "$work/sawtooth"
test "$(docs/results/claso/claso-grid.sh table "$work/sawtooth" | grep -cE '^\| [a-z]+ \|( 45\.0 % \| 20 \|){2} 15\.0 \| 15\.0 \|$')" -eq 4
small claso-ctas
docs/results/claso/claso-ctas.sh chart "$work/claso-ctas.sqlite" aes AES "$work/claso-ctas.svg"
test "$(grep -c 'gnuplot_plot_' "$work/claso-ctas.svg")" -ge 2
# Over the whole run, the mean number of SMs without a CTA is that of the cycles that the runs count without one.
test "$(docs/results/claso/claso-ctas.sh table "$work/claso-ctas.sqlite" aes | grep -cE '^\| (second|last) [a-z]+ \|( [0-9.]+ \| [0-9]+ \|){2}$')" -eq 3
sed "s/'second half:2'.*twelfth:12'/'whole run:1'/" docs/results/claso/claso-ctas.sh > "$work/claso-whole.sh"
bash "$work/claso-whole.sh" table "$work/claso-ctas.sqlite" aes | awk '/whole/ { print $5, $9 }' > "$work/whole"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["workload"] == "aes" { printf("%.2f ", $column["sm.no_cta"] / $column["cycles"]) }' "$work/claso-ctas.csv" > "$work/counted"
for each in whole counted; do test "$(wc -w < "$work/$each")" -eq 2; done
awk 'NR == FNR { plain = $1; claso = $2; next }
    END { exit plain - $1 > 0.1 || $1 - plain > 0.1 || claso - $2 > 0.1 || $2 - claso > 0.1 }' "$work/whole" "$work/counted"
small claso-levels
docs/results/claso/claso-levels.sh "$work/claso-levels.csv" > "$work/levels"
test "$(grep -c '^| [a-z_0-9]* | [-+0-9]' "$work/levels")" -eq 13
test "$(grep -cE '^\| mean \((arithmetic|geometric)\) \|.*[-+][0-9.]+ %' "$work/levels")" -eq 2
small claso-owl
docs/results/claso/claso-owl.sh "$work/claso-owl.csv" > "$work/groups"
test "$(grep -c '^| [a-z_0-9]* | [-+0-9]' "$work/groups")" -eq 6
test "$(grep -cE '^\| mean \(arithmetic\) \|.*[-+][0-9.]+ %' "$work/groups")" -eq 1
small bcs
for gpu in m2090 k20c k20x; do
    docs/results/bcs/bcs.sh $gpu "$work/bcs.csv" > "$work/bcs"
    test "$(grep -c '^| [a-z_0-9]* | [0-9]' "$work/bcs")" -eq 7
done
test "$(cat "$work/levels" "$work/groups" "$work/bcs" | grep -cE 'nan|inf ')" -eq 0
small warp-policies
for part in headline:6 speed:14 levels:15 idle:14 load:14; do
    docs/results/warp-policies/warp-policies.sh ${part%:*} "$work/warp-policies.sqlite" > "$work/policies"
    test "$(grep -cE '^\| [-+0-9A-Za-z ]+ \([^)]*\) \|.* -?\+?[0-9]' "$work/policies")" -eq ${part#*:}
    test "$(grep -cE 'nan|inf ' "$work/policies")" -eq 0
done
docs/results/warp-policies/warp-policies-chart.sh "$work/warp-policies.svg" "$work/warp-policies.sqlite"
bars "$work/warp-policies.svg" $((14 * 2 + 2))
sed '/^  - /{/haar/!d}' "$work/warp-policies.yaml" > "$work/warp-fewer.yaml"
"$gpusched" experiment "$work/warp-fewer.yaml" -o "$work" --quiet
if docs/results/warp-policies/warp-policies.sh speed "$work/warp-fewer.sqlite" > "$work/policies" 2> "$work/said"; then exit 1; fi
grep -q '^no run of backprop_forward with' "$work/said"
if docs/results/warp-policies/warp-policies.sh speed "$work/none.sqlite" > "$work/policies" 2> "$work/said"; then exit 1; fi

icc=()
for name in icc icc-sizes icc-clusters icc-bandwidth; do
    small $name
    icc+=("$work/$name.csv")
done
sed '/^<!-- [-a-z]* -->$/,/^<!-- end of/{/^|/d}' docs/results/icc.md > "$work/icc.md"
docs/results/icc/icc-tables.sh "${icc[@]}" "$work/icc.md" > /dev/null
docs/results/icc/icc-charts.sh "${icc[@]}" "$work"
test "$(grep -c '^| [a-z_0-9]* ([A-Z0-9]*) |' "$work/icc.md")" -eq $((12 * 11))
test "$(grep -c '^| mean (arithmetic) |' "$work/icc.md")" -eq 12
test "$(grep -cE 'nan|inf ' "$work/icc.md")" -eq 0
for name in icc-rows icc-headers; do small $name; done
for part in rows:9 row-hits:13 headers:13; do
    name=icc-${part%%:*}
    docs/results/icc/icc-memory.sh ${part%:*} "$work/${name/row-hits/rows}.csv" > "$work/memory"
    test "$(head -1 "$work/memory" | tr -cd '|' | wc -c)" -eq $((${part#*:} + 1))
    test "$(grep -cE 'nan|inf ' "$work/memory")" -eq 0
done
for name in locality gains sweeps; do
    test "$(grep -c 'gnuplot_plot_' "$work/icc-$name.svg")" -ge 3
done

# Of Perf-Sat: a GPU with one database, and one with two.
for name in perf-sat perf-sat-k20x perf-sat-k20x-gaussian; do small $name; done
for gpu in m2090 k20x; do
    of=("$work/perf-sat.sqlite")
    [ $gpu = m2090 ] || of=("$work/perf-sat-k20x.sqlite" "$work/perf-sat-k20x-gaussian.sqlite")
    for part in counts curves speed saved; do
        docs/results/perf-sat/perf-sat.sh $part $gpu "${of[@]}" > "$work/perf-sat"
        test "$(grep -c '^| [-+A-Za-z0-9]* ([^a-z][a-z_0-9]*.) |' "$work/perf-sat")" -eq 16
        test "$(grep -cE 'nan|inf ' "$work/perf-sat")" -eq 0
    done
    test "$(docs/results/perf-sat/perf-sat.sh headline $gpu "${of[@]}" | grep -c '^| [a-z]* (')" -eq 6
    test "$(docs/results/perf-sat/perf-sat.sh types $gpu "${of[@]}" | grep -c '^| [CM]')" -eq 4
    docs/results/perf-sat/perf-sat-chart.sh "$work/perf-sat.svg" $gpu "${of[@]}"
    bars "$work/perf-sat.svg" $((16 * 4 + 4))
    # 16 kernels, and means of which the thesis has all but one.
    for part in speed:3:3:2 saved:2:4:4; do
        IFS=: read -r part values means theirs <<< "$part"
        docs/results/perf-sat/perf-sat.sh "chart-$part" $gpu "${of[@]}" > "$work/perf-sat"
        test "$(grep -cE "^\"[^\"]*\"( -?[0-9]+\.[0-9]+){$values} (NaN|-?[0-9.]+)$" "$work/perf-sat")" -eq $((16 + means))
        test "$(grep -vc ' NaN$' "$work/perf-sat")" -eq "$theirs"
    done
    docs/results/perf-sat/perf-sat-cost-chart.sh "$work/perf-sat-cost.svg" $gpu "${of[@]}"
    test "$(grep -c 'gnuplot_plot_' "$work/perf-sat-cost.svg")" -ge 7
done
# LCS beside numbers of CTAs: two programs and their four kernels.
small lcs
docs/results/perf-sat/lcs.sh "$work/lcs.sqlite" > "$work/lcs"
test "$(grep -cE '^\| (of it .*|[A-Z]+ \(.*\)) \|(( [0-9.]+)? \|){6} [1-9] \| [-+][0-9.]+ % \|( [0-9.]+)? \| [-+][0-9.]+ % \|$' "$work/lcs")" -eq 6
# Of size small no period ends.
docs/results/perf-sat/perf-sat-walks.sh record "$gpusched" "$work" nearest_neighbour medium
docs/results/perf-sat/perf-sat-walks.sh chart "$work/perf-sat-walks.svg" "$work" nearest_neighbour_distance
test "$(grep -c 'gnuplot_plot_' "$work/perf-sat-walks.svg")" -ge 3
if docs/results/perf-sat/perf-sat-walks.sh chart "$work/none.svg" "$work" hotspot 2> "$work/said"; then exit 1; fi
test ! -e "$work/none.svg"
if docs/results/perf-sat/perf-sat.sh counts m2090 "$work/none.sqlite" > "$work/perf-sat" 2> "$work/said"; then exit 1; fi
if docs/results/perf-sat/lcs.sh "$work/none.sqlite" > "$work/lcs" 2> "$work/said"; then exit 1; fi

# Of ONAC: two oracles, one of each kind, each number of SMs and a search.
small onac
small onac-waves
sed 's/^size: .*/size: small/; s/^workloads: .*/workloads: [dct8x8, backprop]/' configs/experiments/oracle-each.yaml > "$work/oracle-each.yaml"
"$gpusched" experiment "$work/oracle-each.yaml" -o "$work" --quiet --csv="$work/oracle-each.csv"
sed 's/^size: .*/size: small/' docs/results/onac/onac-oracle.sh > "$work/onac-oracle.sh"
bash "$work/onac-oracle.sh" "$gpusched" "$work" hotspot hotspot > "$work/oracle"
grep -qE '^hotspot [0-9]+$' "$work/oracle"
for part in found:20 cost:20 tries:16; do
    docs/results/onac/onac.sh ${part%:*} "$work" > "$work/onac"
    test "$(grep -c '^| [-A-Z0-9]* (.[a-z_0-9]*.) |' "$work/onac")" -eq ${part#*:}
    test "$(grep -cE 'nan|inf ' "$work/onac")" -eq 0
done
test "$(docs/results/onac/onac.sh each "$work" | grep -cE '^\| [0-9]+ \|( [-+][0-9.]+ % \|){4}$')" -eq 31
test "$(docs/results/onac/onac.sh latency "$work" | grep -cE '^\| [0-9]+ \|( [0-9]+ \|){6}$')" -eq 32
test "$(docs/results/onac/onac.sh type-a "$work" | grep -c '^| [a-z]* (')" -eq 9
test "$(docs/results/onac/onac.sh type-b "$work" | grep -c '^| [a-z]* (')" -eq 8
test "$(docs/results/onac/onac.sh waves "$work" | grep -c '^| [-A-Z0-9]* (')" -eq 3

# Energies that follow no source: what sums say of half and of twice as much is what runs say. ONAC finds fewer SMs where a grid of
# size small is long enough.
means() { grep -oE '[-+][0-9.]+ %' | tr '\n' ' '; }
energies() { # FOLDER [KEY VALUE]
    mkdir "$1"
    sed "s/^  [a-z-]*: {/&${2:+$2: $3, }/" "$work/icc.yaml" > "$1/icc.yaml"
    sed "s/^  [a-z-]*: {/&${2:+$2: $3, }sm.count: 2, cluster.count: 2, sm.cta_slots: 1, onac.waves: 1, /" "$work/onac.yaml" |
        sed '/^  - /{/dct8x8\|nearest_neighbour\|transpose/!d}' > "$1/onac.yaml"
    for name in icc onac; do "$gpusched" experiment "$1/$name.yaml" -o "$1" --quiet; done
    docs/results/sensitivity/energies.sh "$gpusched" "$1" > "$1/table"
    test "$(grep '^| all ' "$1/table" | means | wc -w)" -eq 10
}
energies "$work/energies"
test "$(grep '^| all ' "$work/energies/table" | means | tr ' ' '\n' | grep -c '^.0.0$')" -eq 0
for each in 'energy.noc 37' 'energy.scale 3' 'energy.other_static 20'; do
    read -r key value <<< "$each"
    energies "$work/$key" "$key" "$value"
    test "$(grep "^| .$key. | [0-9.]* | $value |" "$work/energies/table" | means)" = "$(grep '^| all ' "$work/$key/table" | means)"
done
sed -i 's/^  onac: /  other: /' "$work/energies/onac.yaml"
"$gpusched" experiment "$work/energies/onac.yaml" -o "$work/energies" --quiet
if docs/results/sensitivity/energies.sh "$gpusched" "$work/energies" > "$work/said" 2>&1; then exit 1; fi
grep -q 'no run of onac32, [a-z_0-9]*, onac$' "$work/said"

# The walks, on 2 SMs of one CTA each, where a grid of size small is long enough for a detection.
mkdir "$work/scripts"
sed "s/--size=th44/--size=small --set=sm.count=2 --set=cluster.count=2 --set=sm.cta_slots=1 --set=onac.waves=1/" \
    docs/results/onac/onac-walks.sh > "$work/scripts/onac-walks.sh"
cp docs/results/onac/onac{-walk.awk,.sh,.awk} "$work/scripts"
cp docs/results/vectors.awk "$work"
for program in dct8x8 nearest_neighbour transpose; do bash "$work/scripts/onac-walks.sh" record "$gpusched" "$work" $program; done
kernels=(dct8x8_forward nearest_neighbour_distance transpose_tiled)
bash "$work/scripts/onac-walks.sh" table "$work" "${kernels[@]}" > "$work/walks"
test "$(grep -cE '^\| .[a-z_0-9]*. \|( [0-9]+\.[0-9]+ \|){2} (ONAC|Seq-Det) \| 1: [0-9.]+ \| [12] \|$' "$work/walks")" -eq 6
if bash "$work/scripts/onac-walks.sh" table "$work" backprop_adjust > "$work/walks" 2> "$work/said"; then exit 1; fi
# Left after its first detection the run has given the same, and of more there are than it has it says so.
mkdir "$work/one"
cp "$work/onac.sqlite" "$work/one"
bash "$work/scripts/onac-walks.sh" record "$gpusched" "$work/one" dct8x8 1
grep ' dct8x8_forward ' "$work/walk-dct8x8.txt" | cmp - "$work/one/walk-dct8x8.txt"
if bash "$work/scripts/onac-walks.sh" record "$gpusched" "$work/one" dct8x8 99 2> "$work/said"; then exit 1; fi
grep -q 'fewer than 99 detections' "$work/said"
# First samples with two L2s and two windows, which are short here.
sed "s/--size=th44/--size=small --set=sm.count=2 --set=cluster.count=2 --set=sm.cta_slots=1/; s/waves in 4 16/waves in 1 2/" \
    docs/results/onac/onac-l2.sh > "$work/scripts/onac-l2.sh"
bash "$work/scripts/onac-l2.sh" record "$gpusched" "$work" dct8x8 dct8x8_forward 1
test "$(bash "$work/scripts/onac-l2.sh" table "$work" dct8x8_forward | grep -cE '^\| .dct8x8_forward. \| (16|64) \| [12] \|( [0-9]+\.[0-9]+ \|){2} [-+][0-9.]+ % \|$')" -eq 4
if bash "$work/scripts/onac-l2.sh" table "$work" backprop_adjust > "$work/l2" 2> "$work/said"; then exit 1; fi
docs/results/onac/onac-chart.sh "$work" "$work" "${kernels[@]}"
bars "$work/onac.svg" $((20 * 3 + 3))
test "$(grep -c 'gnuplot_plot_' "$work/onac-each.svg")" -ge 4
test "$(grep -c 'gnuplot_plot_' "$work/onac-walk.svg")" -eq 18
# ONAC's sample of each kernel, Seq-Det's, and those of the key.
for mark in 1 5; do test "$(grep -o "<use xlink:href='#gpPt$mark' transform" "$work/onac-walk.svg" | wc -l)" -eq 4; done
mv "$work/walk-transpose.txt" "$work/transpose-walk.txt"
if docs/results/onac/onac-chart.sh "$work" "$work" "${kernels[@]}" 2> "$work/said"; then exit 1; fi

# Of LaPerm: all programs in all modes, and what launches cost.
small laperm
for part in speed l1 l2 l1-parents l1-children l2-parents l2-children home idle tail; do
    docs/results/laperm/laperm.sh $part "$work/laperm.sqlite" > "$work/laperm"
    test "$(grep -c '^| [a-z0-9_]* | [0-9]' "$work/laperm")" -eq 16
    test "$(grep -cE 'nan|inf |-100\.0 %' "$work/laperm")" -eq 0
done
test "$(docs/results/laperm/laperm.sh headline "$work/laperm.sqlite" | grep -cE '^\| [A-Z]+ [A-Z].*( [-+][0-9.]+ \| [-+][0-9.]+ % \| [-+0-9.]+ \|){2} [0-9]+ % \|$')" -eq 6
# Of single launches, on a GPU of 2 SMs whose queues soon go to memory as well.
sed '/^  - /{/clr_cage15/!d}; s/^size: .*/size: small/; s/cdp.pending: 65536/&, laperm.entries: 1, sm.count: 2, sm.cta_slots: 2, cluster.count: 2/' \
    configs/experiments/laperm.yaml > "$work/laperm-full.yaml"
"$gpusched" experiment "$work/laperm-full.yaml" -o "$work" --quiet --csv="$work/laperm-full.csv"
# of_launches DATABASE FIGURE - the mean over launches by the kernels of clr_cage15, as groups with Adaptive-Bind.
of_launches() {
    "$gpusched" query "$work/$1.sqlite" "SELECT result FROM runs WHERE workload = 'clr_cage15' AND variant = 'dtbl-adaptive'" |
        sed -n '/^{/,$p' | jq -r "[.kernels[] | select(.parent != null) | $2] | add / length"
}
for db in laperm:17 laperm-full:2; do
    docs/results/laperm/laperm-wait.sh wait "$work/${db%:*}.sqlite" > "$work/wait"
    docs/results/laperm/laperm-wait.sh spilled "$work/${db%:*}.sqlite" > "$work/spilled"
    for part in wait spilled; do test "$(grep -cE '^\| [a-z0-9_]+( \(arithmetic\))? \|( [0-9.]+( %)? \|){8}$' "$work/$part")" -eq "${db#*:}"; done
    grep -qE "^\| clr_cage15 \|.* $(of_launches "${db%:*}" '.first_cta - .launched' | awk '{ printf("%.0f", $1) }') \|$" "$work/wait"
    grep -qE "^\| clr_cage15 \|.* $(of_launches "${db%:*}" 'if .spilled then 100 else 0 end' | awk '{ printf("%.1f %%", $1) }') \|$" "$work/spilled"
done
docs/results/laperm/laperm-chart.sh "$work/laperm.sqlite" "$work/laperm.svg"
bars "$work/laperm.svg" $((16 * 6 + 6))
small laperm-launch
test "$(docs/results/laperm/laperm-launch.sh "$work/laperm-launch.sqlite" | grep -c '^| [CD]')" -eq 10
# A cell of each table as the results have it.
small laperm-levels
levels() {
    "$gpusched" query -s ' ' "$work/laperm-levels.sqlite" "SELECT json_extract(result, '$.$1') FROM runs
        WHERE workload = 'bht' AND variant IN ('dtbl-rr', 'dtbl-tb-pri-2') ORDER BY id" | xargs
}
for part in 'levels derived.ipc %+.1f_%%' 'levels-l1 nested.children.l1_hit_rate %+.2f'; do
    read -r name figure format <<< "$part"
    docs/results/laperm/laperm-levels.sh "$name" "$work/laperm-levels.sqlite" > "$work/levels"
    test "$(grep -cE '^\| (amr|bht), (CDP|DTBL) [-A-Za-z]+ \| [0-9.]+( %)? \|( [-+][0-9.]+( %)? \|){5}$' "$work/levels")" -eq 8
    cell=$(levels "$figure" | awk -v f="${format//_/ }" -v part="$name" '{ printf(f, 100 * (part == "levels" ? $2 / $1 - 1 : $2 - $1)) }')
    test "$(awk -F ' \\| ' '/bht, DTBL TB-Pri/ { print $4 }' "$work/levels")" = "$cell"
done
docs/results/laperm/laperm-footprint.sh "$gpusched" "$work/footprint" small > "$work/laperm"
test "$(grep -c '^| [a-z0-9_]* | [0-9]' "$work/laperm")" -eq 16

# The table of `make run`: a row for each mechanism, whose means SQL finds as well, and one for each program.
for name in first-claso first-bcs first-icc first-ctas first-onac first-laperm; do
    small $name
    "$gpusched" report "$work/$name.sqlite" -o "$work/$name.html" > "$work/$name.txt"
done
docs/results/first/first.sh throttle "$work" "$gpusched" small
docs/results/first/first.sh text "$work" > "$work/first"
docs/results/first/first.sh html "$work" > "$work/first.html"
# mean PART NAME VARIANT BASE AND: of the changes of speed, or of energy.
mean() {
    local now="(m.result ->> '\$.cycles.core')" plain="(b.result ->> '\$.cycles.core')"
    [ "$1" = speed ] || now="(b.result ->> '\$.energy.total')" plain="(m.result ->> '\$.energy.total')"
    "$gpusched" query "$work/first-$2.sqlite" "SELECT printf('%+.1f %%', 100 * avg(1.0 * $plain / $now - 1)) FROM runs m
        JOIN runs b ON b.workload = m.workload AND $5 WHERE m.variant = '$3' AND b.variant = '$4'"
}
sed -n '/^Speedup/,/^Energy/p' "$work/first" > "$work/first-speed"
sed -n '/^Energy/,/^Means/p' "$work/first" > "$work/first-energy"
while read -r row part name variant base extra; do
    test "$(grep "$row" "$work/first-$part" | awk -F '  +' '{ print $4 }')" = "$(mean "$part" "$name" "$variant" "$base" "$extra")"
done << 'END'
^CLASO.*robin speed claso claso plain m.warps = 'lrr' AND b.warps = m.warps
^CLASO.*level speed claso claso plain m.warps = 'two-level-warps' AND b.warps = m.warps
^BCS speed bcs bcs plain 1
^DB[[:space:]] speed icc db distributed 1
^ICC speed icc d-icc distributed 1
^DB+ICC[[:space:]] speed icc db-icc distributed 1
^DB+ICC+CC speed icc db-icc-cc distributed 1
^LCS speed ctas lcs max 1
^Perf-Sat speed ctas perf-sat max 1
^ONAC speed onac onac max 1
^Seq-Det speed onac seq-det max 1
^LaPerm,.kernels speed laperm cdp-adaptive cdp-rr 1
^LaPerm,.groups speed laperm dtbl-adaptive dtbl-rr 1
^DB[[:space:]] energy icc db distributed 1
^DB+ICC[[:space:]] energy icc db-icc distributed 1
^DB+ICC+CC energy icc db-icc-cc distributed 1
^ONAC energy onac onac max 1
^Seq-Det energy onac seq-det max 1
END
# Each row has all of its columns; ours at the papers' sizes is that of claims.md.
for part in speed:13 energy:5; do
    test "$(awk -F '  +' 'NF == 10 && / of [0-9]+ /' "$work/first-${part%:*}" | wc -l)" -eq "${part#*:}"
done
# No ensemble has this size.
test "$(grep -c '~[-+]' "$work/first")" -eq 0
full=$(awk -F ' [|] ' '/^\| ONAC-02 / { print $5 }' docs/results/claims.md)
test -n "$full"
test "$(awk -F '  +' '/^ONAC/ { print $5 }' "$work/first-energy")" = "$full"
test "$(grep -cE '^[a-z0-9_]+ +[-+][0-9.]+ %' "$work/first")" -eq $((13 + 7 + 11 + 9 + 3 + 6))
test "$(grep -c '^BCS .* +3 % ' "$work/first")" -eq 1
test "$(grep -cE 'nan|inf ' "$work/first")" -eq 0
xmllint --noout "$work/first.html"
# Of one kernel a row for each number of CTAs, with the cycles of its run, and one for Perf-Sat.
test "$(grep -cE '^[1-6](, the optimum)? +[0-9,]+ +[-+][0-9.]+ %$' "$work/first")" -eq 6
test "$(grep -c '^[1-6], the optimum ' "$work/first")" -eq 1
test "$(sed -n 's/^1  *\([0-9,]*\) .*/\1/p' "$work/first" | tr -d ,)" = "$("$gpusched" query "$work"/sweep-ctas-*.sqlite \
    "SELECT result ->> '\$.cycles.core' FROM runs WHERE ctas = 1")"
perf_sat=$(sed -n 's/^[0-9.]* found by Perf-Sat  *\([0-9,]*\) .*/\1/p' "$work/first" | tr -d ,)
test -n "$perf_sat"
grep -q "\"core\": $perf_sat," "$work/first-perf-sat/result.json"
test "$(grep -c '<circle ' "$work/first.html")" -eq 6
echo "checked: runs=$(cat "$work"/*.csv | grep -vc '^run,')"
