#!/usr/bin/env bash
# measure.sh [-l LIBERTY] [-w WORK] [-f FO4] [-g KGE] UNIT.v PARAM=VALUE... - area and timing of a unit of one size,
# a line for people and a line of JSON. Ends with 1 if a limit is exceeded, in FO4 or in thousands of gates; with 2 and a
# line if a tool or the library is missing.
#
#   -l  the library of cells; if not given, that of OSU for 0.18 um, of the package qflow-tech-osu018
#   -w  where the files are made, in a folder of the library; build/area if not given
set -euo pipefail

liberty=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
work=build/area
fo4=-
kge=-
while getopts l:w:f:g: option; do
    case $option in
        l) liberty=$OPTARG ;;
        w) work=$OPTARG ;;
        f) fo4=$OPTARG ;;
        g) kge=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
here=$(dirname "$0")
"$here/tools.sh" "$liberty"
name=$(basename "$liberty" .lib)
work=$work/$name
rtl=$1
unit=$(basename "$rtl" .v)
shift
case=$work/$unit$(printf -- '-%s' "${@/=/.}")
mkdir -p "$work"
[ -f "$work/facts" ] || "$here/library.sh" "$work" "$liberty"
rm -f "$case".*
"$here/netlist.sh" "$case" "$work" "$rtl" "$@"
"$here/timing.sh" "$case" "$work" "$unit"
awk -f "$here/measured.awk" -v unit="$unit" -v parameters="$*" -v library="$name" -v fo4_limit="$fo4" -v kge_limit="$kge" \
    "$work/facts" "$case.cells" "$case.paths"
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"
tested "$rtl"
echo "checked: paths=$(wc -l < "$case.paths")"
