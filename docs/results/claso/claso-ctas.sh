#!/usr/bin/env bash
# claso-ctas.sh chart DATABASE WORKLOAD NAME SVG - the picture of a workload, with this name in its title, from the runs of
# configs/experiments/claso-ctas.yaml: which SM has a CTA when, without CLASO and with it. claso-ctas.sh table DATABASE
# WORKLOAD - how many SMs have none towards the end of the run.
set -euo pipefail

verb=$1 database=$2 workload=$3 name=${4:-} svg=${5:-}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A line a CTA: first and last cycle, SM, slot.
for variant in global claso10; do
    sqlite3 -readonly -separator ' ' "$database" "
        SELECT json_extract(cta.value, '\$[4]'), json_extract(cta.value, '\$[5]'),
               json_extract(cta.value, '\$[2]'), json_extract(cta.value, '\$[3]')
        FROM runs JOIN observed ON observed.run = runs.id, json_each(observed.value, '\$.ctas') AS cta
        WHERE observed.name = 'ctas' AND runs.variant = '$variant' AND runs.workload = '$workload'" > "$work/$variant"
    test -s "$work/$variant" || { echo "$database: no CTAs of $workload with $variant" >&2; exit 1; }
done

# idle VARIANT PART - of the SMs, in the last 1/PART of the run: the mean number that has no CTA, and those that never have one.
idle() {
    sort -k 3,3n -k 1,1n "$work/$1" | awk -v part="$2" '
    { from[NR] = $1; to[NR] = $2; sm[NR] = $3; if ($2 > end) end = $2 }
    END {
        SMS = 14 # of the C2050
        begin = end - int(end / part)
        for (i = 1; i <= NR; i++) {
            if (i == 1 || sm[i] != sm[i - 1]) seen = begin # an SM: what of the part is behind the CTAs so far
            if (to[i] <= seen) continue
            busy[sm[i]] += to[i] - (from[i] > seen ? from[i] : seen)
            seen = to[i]
        }
        for (i in busy) { all += busy[i]; used++ }
        printf "%.1f %d\n", SMS - all / (end - begin), SMS - used
    }'
}

if [ "$verb" = table ]; then
    echo "| part of the run | SMs without a CTA | in all of it | with (1, 0) | in all of it |"
    echo "|---|---:|---:|---:|---:|"
    for part in 'second half:2' 'last quarter:4' 'last twelfth:12'; do
        plain=$(idle global "${part#*:}")
        claso=$(idle claso10 "${part#*:}")
        read -r mean never <<< "$plain"
        read -r mean10 never10 <<< "$claso"
        echo "| ${part%:*} | $mean | $never | $mean10 | $never10 |"
    done
    exit
fi

gnuplot > "$work/svg" <<EOG
set terminal svg size 900,560 font 'DejaVu Sans,13' background '#ffffff' dynamic
stats '$work/global' using 2 name 'END' nooutput
stats '$work/claso10' using 2 name 'LEVEL' nooutput
stats '$work/global' using 4 name 'SLOT' nooutput
slots = SLOT_max + 1
set multiplot layout 2,1
set border 1 lc '#808080'
set xrange [0:END_max]
set yrange [13.6:-0.6]
set ytics 0,1,13 scale 0 font ',10' textcolor '#404040'
set format x ''
set tics nomirror
set style fill solid 1 border lc '#ffffff'
set ylabel 'SM'
unset key
set title '$name without credits: SMs a little faster take more CTAs, and all wait for them in the end'
y(sm, slot) = sm - 0.42 + slot / slots * 0.84
plot '$work/global' using 1:(0):1:2:(y(\$3, \$4)):(y(\$3, \$4 + 1)) with boxxyerror lc '#c03028' lw 0.5
set format x '%.0f'
set xlabel 'cycles'
set xtics textcolor '#404040'
change = 100 * (LEVEL_max / END_max - 1)
set title sprintf('With CLASO, credits keep their shares alike: %.1f %% %s cycles', abs(change), change > 0 ? 'more' : 'fewer')
set arrow from LEVEL_max, graph 0 to LEVEL_max, graph 1 nohead dt 2 lc '#404040'
plot '$work/claso10' using 1:(0):1:2:(y(\$3, \$4)):(y(\$3, \$4 + 1)) with boxxyerror lc '#2060a8' lw 0.5
EOG
sed "s|$work/||g" "$work/svg" > "$svg" # gnuplot names its files: the same bytes wherever it ran
