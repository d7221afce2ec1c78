#!/usr/bin/env bash
# icc-charts.sh MAIN.csv SIZES.csv CLUSTERS.csv BANDWIDTH.csv FOLDER - the charts of
# docs/results/icc.md, from its tables: icc-locality.svg, icc-gains.svg, icc-sweeps.svg.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(dirname "$0")

# table NAME CSV - as tab-separated numbers: benchmark, percent...; titles in the first line.
table() {
    "$here/icc.sh" "$1" "$2" | awk -F' *[|] *' '
        NR == 2 { next }
        {
            name = $2
            if (match(name, /\(.*\)/)) name = substr(name, RSTART + 1, RLENGTH - 2)
            printf "\"%s\"", name
            for (i = 3; i < NF; i++) {
                if (NR > 1) sub(/ %.*/, "", $i)
                printf "\t%s", NR == 1 ? "\"" $i "\"" : $i
            }
            print ""
        }' > "$work/$1"
}
# mean NAME - the last line of a table as lines of title, value.
mean() {
    awk -F'\t' 'NR == 1 { for (i = 2; i <= NF; i++) title[i] = $i } { last = $0; n = NF }
        END { split(last, x, "\t"); for (i = 2; i <= n; i++) print title[i] "\t" x[i] }' "$work/$1" > "$work/$1.mean"
}
for name in windows locality speedup energy edp traffic; do table $name "$1"; done
table entries "$2"
table clusters "$3"
table bandwidth "$4"
for name in locality entries clusters bandwidth; do mean $name; done
# Clusters: with the table, and with the cache too.
awk -F'\t' 'NR % 2 { split($1, word, " "); first = $2; next } { print word[1] "\"\t" first "\t" $2 }' \
    "$work/clusters.mean" > "$work/clusters.pairs"

draw=$(dirname "$0")/../draw.sh
style="
set xtics scale 0
set format y '%g %%'
set style fill solid 1 noborder
set style data histograms
set boxwidth 0.9
set key outside top right horizontal samplen 1 width 1
set xzeroaxis lt 1 lc '#808080'
"
"$draw" 900,340 "$work" "$5/icc-locality.svg" <<EOG
set multiplot
$style
set size 0.7,1
set title 'Reads that repeat one of the cluster within 2000 cycles' offset -11,0
set style histogram rowstacked
set xtics font ',11'
set xrange [-0.6:11.6]
set yrange [0:*]
plot '$work/windows' skip 1 using 6:xtic(1) lc '#2060a8' title 'line sharing', \
     '' skip 1 using 7 lc '#e0903c' title 'data sharing'
set origin 0.7,0
set size 0.3,1
set title 'Mean, by CTA scheduler' offset 0,0
unset key
set xtics rotate by -30
set xrange [-0.7:4.7]
set style histogram clustered gap 0.4
plot '$work/locality.mean' using 2:xtic(1) lc '#6a6a6a'
EOG
"$draw" 900,1100 "$work" "$5/icc-gains.svg" <<EOG
set multiplot layout 4,1
$style
set style histogram clustered gap 1.5
set xrange [-0.7:11.7]
set xtics offset 0,0.3
do for [k=1:4] {
    name = word('speedup traffic energy edp', k)
    set title (k == 1 ? 'Speedup over distributed scheduling' : k == 2 ? 'Reads that go to the network' : \
               k == 3 ? 'Energy' : 'Energy-delay product') offset -28,-0.3
    if (k == 2) { unset key; set yrange [*:1<*]; set title offset -33,-0.3 }
    plot '$work/'.name skip 1 using 2:xtic(1) lc '#b8b8b8' title 'DB', \
         '' skip 1 using 3 lc '#a8c8e8' title 'D+ICC', '' skip 1 using 4 lc '#2060a8' title 'DB+ICC', \
         '' skip 1 using 5 lc '#f0c890' title 'D+ICC+CC', '' skip 1 using 6 lc '#d07820' title 'DB+ICC+CC'
}
EOG
"$draw" 900,340 "$work" "$5/icc-sweeps.svg" <<EOG
set multiplot layout 1,3
$style
unset key
set yrange [0:*]
set xrange [-0.7:5.7]
set style histogram clustered gap 0.4
set title 'Reads merged, mean'
set xlabel 'entries of the merge table'
plot '$work/entries.mean' using 2:xtic(1) lc '#2060a8'
set style histogram clustered gap 1
set xrange [-0.7:3.7]
set key outside bottom center horizontal samplen 1
set title 'Speedup, mean'
set xlabel 'clusters, of 60 SMs'
plot '$work/clusters.pairs' using 2:xtic(1) lc '#2060a8' title 'DB+ICC', '' using 3 lc '#d07820' title 'DB+ICC+CC'
unset key
set style histogram clustered gap 0.4
set yrange [*:*]
set title 'Speedup, mean'
set xlabel 'clock of NoC and L2'
plot '$work/bandwidth.mean' using 2:xtic(1) lc '#6a6a6a'
EOG
