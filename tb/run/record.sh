#!/usr/bin/env bash
# record.sh WORK GPUSCHED GPUSCHED-UNIT UNIT - the unit's vectors from a real run replay on its golden
# model, and under Icarus on its RTL.
set -euo pipefail

work=$1
gpusched=$2
tool=$3
unit=$4
rm -rf "$work"
mkdir -p "$work"

run=(-g c2050 -w hotspot --set claso.active_levels=1)
if [ "$unit" = cluster_port ]; then
    run=(-g icc -w hotspot --set dispatch.policy=distributed-block --set icc.entries=48 --set icc.lines=24)
fi
"$gpusched" record "${run[@]}" --unit="$unit" \
    --vectors="$work/run.vec" --quiet
"$tool" replay --model "$work/run.vec"
mapfile -t params < <(sed -n 's/^param \([A-Z_]*\) \([0-9]*\)$/\1=\2/p;/^cycles$/q' "$work/run.vec")
"$tool" ports "$unit" --format=bench | cat - tb/conformance/replay.v > "$work/${unit}_tb.v"
tb/conformance/icarus.sh "$work/run" "$work/run.vec" "$work/${unit}_tb.v" \
    "$(find rtl -name "$unit.v")" "${params[@]}"
echo "checked: replays=3"
