#!/usr/bin/env bash
# area.sh FILE.json PAGE.md FOLDER - the tables of area and delay in docs/results/area.md, and its charts area-size.svg and
# area-delay.svg, from what make area has written.
set -euo pipefail

json=$1
page=$2
folder=$3
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for table in limits claims sizes; do
    tb/drift/document.sh write "$page" $table awk -v table=$table -f tb/area/records.awk -f "$here/area-tables.awk" "$json"
done
# points UNIT PARAM VALUES - "VALUE kGE FO4" of the sizes of a unit that have these values, over a parameter.
points() {
    awk -f tb/area/records.awk -f <(cat << 'END'
/"kge": / && value("unit") == unit {
    n = split(values, want, " ")
    given = " " value("parameters") " "
    for (i = 1; i <= n; i++) if (!index(given, " " want[i] " ")) next
    if (match(given, " " over "=[0-9]+"))
        print substr(given, RSTART + length(over) + 2, RLENGTH - length(over) - 2), value("kge") + value("memory_kge"), value("fo4")
}
END
    ) -v unit="$1" -v over="$2" -v values="$3" "$json" | sort -n > "$work/$1-$2"
}
points claso N_CORE 'N_KERNEL=1 CTA_W=16'
points cta_scheduler N_SM 'N_KERNEL=1'
points work_distributor N_SM 'N_KERNEL=1'
points claso N_KERNEL 'N_CORE=16 CTA_W=16'
points cta_scheduler N_KERNEL 'N_SM=15'
points work_distributor N_KERNEL 'N_SM=15'
points icc N_ENTRY 'N_SM=5'
points coalesced_cache N_LINE 'LINE_W=41'

# chart COLUMN TITLE UNIT SVG
chart() {
    "$here/../draw.sh" 900,300 "$work" "$4" << END
set multiplot layout 1,3 title '$2'
set key top left reverse Left samplen 1.5
set logscale x 2
set offsets 0, 0, graph 0.35, 0
set yrange [0:*]
set ylabel '$3'
set xlabel 'cores, one kernel'
set xrange [3.5:70]
set xtics (4, 8, 15, 30, 60)
plot '$work/claso-N_CORE' using 1:$1 with linespoints pt 7 lc '#1f77b4' title 'claso', \
    '$work/cta_scheduler-N_SM' using 1:$1 with linespoints pt 5 lc '#d62728' title 'cta\\_scheduler', \
    '$work/work_distributor-N_SM' using 1:$1 with linespoints pt 9 lc '#2ca02c' title 'work\\_distributor'
set xlabel 'kernels, 15 or 16 cores'
set xrange [0.9:18]
unset key
set xtics (1, 2, 4, 8, 16)
plot '$work/claso-N_KERNEL' using 1:$1 with linespoints pt 7 lc '#1f77b4' title 'claso', \
    '$work/cta_scheduler-N_KERNEL' using 1:$1 with linespoints pt 5 lc '#d62728' title 'cta\\_scheduler', \
    '$work/work_distributor-N_KERNEL' using 1:$1 with linespoints pt 9 lc '#2ca02c' title 'work\\_distributor'
set xlabel 'entries, 41 bits of a line'
set xrange [5:110]
set key
set xtics (6, 12, 24, 48, 96)
plot '$work/icc-N_ENTRY' using 1:$1 with linespoints pt 7 lc '#9467bd' title 'icc', \
    '$work/coalesced_cache-N_LINE' using 1:$1 with linespoints pt 5 lc '#ff7f0e' title 'coalesced\\_cache'
END
}
chart 2 'Area' kGE "$folder/area-size.svg"
chart 3 'Slowest path' FO4 "$folder/area-delay.svg"
