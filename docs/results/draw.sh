#!/usr/bin/env bash
# draw.sh SIZE FOLDER SVG [bars] < COMMANDS - gnuplot's picture of COMMANDS, of SIZE "WIDTH,HEIGHT", in the style of the pages' pictures;
# with `bars`, data are clusters of bars with slanted names below. FOLDER has the data, and is not named in the picture: the same
# bytes wherever it ran.
set -euo pipefail

style="set terminal svg size $1 font 'DejaVu Sans,13' background '#ffffff' dynamic
set border 3 lc '#808080'
set tics nomirror out textcolor '#404040'
set grid ytics lc '#e0e0e0' lt 1"
[ "${4:-}" != bars ] || style+="
set xtics rotate by -40 scale 0
set style data histograms
set style histogram clustered gap 1.5
set style fill solid noborder"
{ echo "$style"; cat; } | gnuplot > "$2/svg"
sed "s|$2/||g" "$2/svg" > "$3"
