#!/usr/bin/env bash
# paths.sh GPUSCHED-UNIT FILE.v - the PATH rows of the port table against the netlist: an
# input is in the combinational cone of an output exactly if the table says so.
set -euo pipefail

tool=$1
file=$2
unit=$(basename "$file" .v)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

outputs=$("$tool" ports "$unit" --format=rtl | awk '$1 == "output" { print $2 }')
{
    echo "read_verilog $file; hierarchy -top $unit -libdir rtl/units -libdir rtl/lib"
    echo 'proc; flatten; opt; memory -nordff; opt_clean'
    for output in $outputs; do
        # Back from the output, not through registers, which memories have become.
        echo "select -set cone o:$output %ci*:-\$dff,\$sdff,\$dffe,\$sdffe,\$sdffce"
        echo "tee -o $work/$output select -list i:* @cone %i"
    done
} > "$work/script.ys"
yosys -q -s "$work/script.ys" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for output in $outputs; do
    [ -f "$work/$output" ] || { echo "yosys wrote no cone of $output"; exit 1; }
done
for output in $outputs; do
    sed -n "s|^$unit/\(.*_i\)$|\1 $output|p" "$work/$output"
done | sort > "$work/netlist"
"$tool" ports "$unit" --format=paths | sort \
    | diff --label 'PATH rows of the port table' --label "$file" -U0 - "$work/netlist"
echo "$unit: the combinational paths are those of the port table"
echo "checked: outputs=$(wc -w <<< "$outputs") paths=$(wc -l < "$work/netlist")"
