#!/usr/bin/env bash
# measure.sh UNIT.v PARAM=VALUE... - area and timing of a unit of one size, a line. LIBERTY: another library than
# that of OSU 0.18 um; WORK: where the files are, build/area.
set -euo pipefail

liberty=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
work=${WORK:-build/area}/$(basename "$liberty" .lib)
rtl=$1
unit=$(basename "$rtl" .v)
here=$(dirname "$0")
shift
case=$work/$unit$(printf -- '-%s' "${@/=/.}")
mkdir -p "$work"
[ -f "$work/facts" ] || "$here/library.sh" "$work" "$liberty"
"$here/netlist.sh" "$case" "$work" "$rtl" "$@"
"$here/timing.sh" "$case" "$work" "$unit"
awk -f "$here/measured.awk" -v case="$unit $*" "$work/facts" "$case.stat" "$case.paths"
