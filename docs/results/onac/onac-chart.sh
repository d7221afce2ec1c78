#!/usr/bin/env bash
# onac-chart.sh FOLDER IMAGES KERNEL... - the pictures of docs/results/onac.md: IMAGES/onac.svg, how many SMs the oracle, ONAC and Seq-Det give
# each kernel (Fig. 4.14 of the thesis); IMAGES/onac-each.svg, the speed with each number of SMs, and the latency that arithmetic
# hides (Figs. 4.8 and 4.9); and IMAGES/onac-walk.svg, of each KERNEL the IPC over SMs, with what ONAC and Seq-Det
# sample, and the lines on which ONAC's estimates are (Figs. 4.8, 4.11 and 4.12).
set -euo pipefail

folder=$1 images=$2
shift 2
kernels=("$@")
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw SIZE NAME [bars] - gnuplot's commands are on stdin.
draw() {
    { echo "set key top right horizontal samplen 1"; cat; } | "$here/../draw.sh" "$1" "$work" "$images/$2.svg" "${@:3}"
}

"$here/onac.sh" chart "$folder" > "$work/rows"
test -s "$work/rows" || { echo "$folder: no kernels" >&2; exit 1; }
draw 900,380 onac bars <<EOG
set title 'SMs of 32: the fewest within 2 % of all, and what is found at run time'
set yrange [0:36]
set ytics 0,4,32
set ylabel 'SMs'
plot '$work/rows' using 3:xtic(1) lc '#2060a8' title 'oracle', '' using 4 lc '#c03028' title 'ONAC', '' using 5 lc '#e0a030' title 'Seq-Det'
EOG

"$here/onac.sh" each "$folder" | sed -n '1p; 3,$p' | tr -d '|%' > "$work/each"
"$here/onac.sh" latency "$folder" | sed '1,2d' | tr -d '|' > "$work/latency"
columns=$(awk 'NR == 1 { print NF }' "$work/each")
if [ "$columns" -le 1 ] || ! [ -s "$work/latency" ]; then
    echo "$folder: no kernel with each number of SMs" >&2
    exit 1
fi
draw 1060,400 onac-each <<EOG
set multiplot layout 1,2
set xrange [0:33]
set xtics 0,4,32
set xlabel 'SMs'
set title 'Speed with each number of SMs'
set ylabel 'of the speed of all, %'
set yrange [0:120]
set key outside right vertical maxrows 14 spacing 0.9 font ",10"
plot for [i=2:$columns] '$work/each' using 1:(100 + column(i)) with lines lw 1.5 dt 1 + (i > 9) title columnheader(i)
set title 'A read of BP-K2 that missed'
set ylabel 'cycles'
set yrange [0:*]
set key inside top left
set style fill solid noborder
plot '$work/latency' using 1:2 with filledcurves x1 lc '#e0a030' title 'nothing else in flight', \
    '' using 1:3 with filledcurves x1 lc '#2060a8' title 'arithmetic in flight'
EOG

"$here/onac.sh" ipc "$folder" > "$work/ipc"
cat "$folder"/walk-*.txt > "$work/walks"
for kernel in "${kernels[@]}"; do
    awk -v k="$kernel" '$1 == k' "$work/ipc" | sort -k2n > "$work/$kernel.ipc"
    for mode in onac seq-det; do
        awk -v k="$kernel" -v m=$mode '$1 == m && $2 == k && $4 + 0 > 0 { print $3, $4 }' "$work/walks" > "$work/$kernel.$mode"
    done
    awk -v k="$kernel" '$1 == "onac" && $2 == k && $5 > 0 { print 0.98 * $5; exit }' "$work/walks" > "$work/$kernel.least"
    for file in ipc least; do test -s "$work/$kernel.$file" || { echo "$folder: no runs of $kernel" >&2; exit 1; }; done
    # The first line goes through the origin, each later one through the last two samples, as far as 33 SMs.
    awk -v least="$(cat "$work/$kernel.least")" '
        $2 < least && $2 > y {
            to = x + (least - y) * ($1 - x) / ($2 - y)
            if (to > 33) to = 33
            printf "%g %g\n%.3f %.3f\n\n", x, y, to, y + (to - x) * ($2 - y) / ($1 - x)
        }
        { x = $1; y = $2 }' "$work/$kernel.onac" > "$work/$kernel.lines"
done
# A place more than there are kernels, for the key.
rows=$(((${#kernels[@]} + 4) / 4))
{
    echo "set multiplot layout $rows,4"
    echo "set xrange [0:33]; set xtics 0,8,32; set yrange [0:*]; set xlabel 'SMs'; set ylabel 'IPC'; unset key"
    for kernel in "${kernels[@]}"; do
        estimates=
        [ ! -s "$work/$kernel.lines" ] || estimates="'$work/$kernel.lines' with lines lc '#e8a8a0' title 'estimates',"
        # At most five marks above 0: the panels are low.
        step=$(awk '$3 > max { max = $3 } END { n = split("0.5 1 2 5 10 20", s, " "); for (i = 1; i < n && max / s[i] > 5; i++); print s[i] }' "$work/$kernel.ipc")
        echo "set title '${kernel//_/ }'; set ytics $step
plot '$work/$kernel.ipc' using 2:3 with linespoints pt 7 ps 0.3 lc '#2060a8' title 'whole run', \\
    $estimates $(cat "$work/$kernel.least") lc '#808080' dt 2 title '98 % of the first sample', \\
    '$work/$kernel.seq-det' with points pt 6 ps 0.7 lc '#e0a030' title 'Seq-Det', \\
    '$work/$kernel.onac' with points pt 2 ps 0.8 lw 2 lc '#c03028' title 'ONAC'"
    done
    echo "unset border; unset tics; unset title; unset xlabel; unset ylabel; unset grid; set yrange [0:1]; set key center center vertical
plot NaN with linespoints pt 7 ps 0.3 lc '#2060a8' title 'whole run', NaN lc '#e8a8a0' title 'estimates of ONAC', \\
    NaN lc '#808080' dt 2 title '98 % of the first sample', NaN with points pt 6 ps 0.7 lc '#e0a030' title 'Seq-Det', \\
    NaN with points pt 2 ps 0.8 lw 2 lc '#c03028' title 'ONAC'"
} | draw 1060,$((rows * 230)) onac-walk
