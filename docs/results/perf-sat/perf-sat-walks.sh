#!/usr/bin/env bash
# perf-sat-walks.sh record GPUSCHED FOLDER WORKLOAD [SIZE] - writes FOLDER/perf-sat-walk-WORKLOAD.txt: what Perf-Sat of the first SM
# judges in a run on the m2090: kernel, number of the period, CTAs in it, its cycles, the schedulers that stalled in them, added
# up, the CTAs from then on, and `ends` with the last one. SIZE is paper, if not given.
# perf-sat-walks.sh chart SVG FOLDER KERNEL... - a picture of the walks of these kernels: CTAs and stalls, period by period.
set -euo pipefail

here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

record() { # GPUSCHED FOLDER WORKLOAD [SIZE]
    "$1" record -q -g m2090 -w "$3" --size="${4:-paper}" --scheduler=perf-sat --unit=perf_sat --vectors=/dev/stdout -o "$work/run" |
        awk -f "$here/../vectors.awk" -f "$here/perf-sat-walk.awk" > "$work/walk"
    jq -r '.kernels[].name' "$work/run/result.json" > "$work/names"
    awk 'NR == FNR { name[NR] = $1; next } { $1 = name[$1]; print }' "$work/names" "$work/walk" > "$2/perf-sat-walk-$3.txt"
}

chart() { # SVG FOLDER KERNEL...
    local svg=$1 folder=$2 kernel plots=()
    shift 2
    for kernel; do
        # The first launch alone; the stalls as a share of what two schedulers could issue.
        cat "$folder"/perf-sat-walk-*.txt | awk -v kernel="$kernel" '$1 == kernel && $2 > last { print $2, $3, 50 * $5 / $4; last = $2; then = $6; next }
            $1 == kernel { exit }
            END { if (last) print last + 1, then, "?" }' > "$work/$kernel"
        test -s "$work/$kernel" || { echo "$folder: no walk of $kernel" >&2; exit 1; }
        plots+=("set title '$kernel' noenhanced; plot '$work/$kernel' using 1:2 with steps lw 2 lc '#2060a8' title 'CTAs'," \
            "'' using 1:2 with points pt 7 ps 0.5 lc '#2060a8' notitle," \
            "'' using 1:3 axes x1y2 with linespoints pt 5 ps 0.5 lc '#c03028' title 'stalls, %';")
    done
    gnuplot > "$work/svg" <<EOG
set terminal svg size 1060,$((40 + 260 * (($# + 2) / 3))) font 'DejaVu Sans,12' background '#ffffff' dynamic
set border 11 lc '#808080'
set tics nomirror out textcolor '#404040'
set grid ytics lc '#e0e0e0' lt 1
set key top left horizontal samplen 1
set xlabel 'period'
set xtics 1
set ytics 1
set yrange [0:8]
set datafile missing "?"
set y2range [0:100]
set y2tics 25
set multiplot layout $((($# + 2) / 3)),3
${plots[*]}
unset multiplot
EOG
    sed "s|$work/||g" "$work/svg" > "$svg" # gnuplot names its files: the same bytes wherever it ran
}

"$@"
