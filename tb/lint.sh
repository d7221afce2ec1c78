#!/usr/bin/env bash
# lint.sh FILE.v PARAM=VALUE... - Verilator, Icarus and Yosys on one module; no tool may say anything. That they say
# something of a mistake is seen before (lint_tools.sh).
set -euo pipefail

file=$1
shift
top=$(basename "$file" .v)
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$file"
icarus=()
yosys=()
size=1
for param in "$@"; do
    icarus+=("-P$top.$param")
    yosys+=("-set" "${param%=*}" "${param#*=}")
    case $param in N_CORE=* | N_SM=* | N_KERNEL=* | N_ENTRY=* | N_LINE=*) size=$((size * ${param#*=})) ;; esac
done
# Down to gates takes Yosys minutes for a large size, and shows no more than for a small one.
depth='synth -noabc'
[ "$size" -le 24 ] || depth=proc

verilator --lint-only -Wall "${search[@]}" "${@/#/-G}" "$file"
said=$(iverilog -g2005 -Wall "${search[@]}" -s "$top" "${icarus[@]}" -t null "$file" 2>&1)
# Icarus has no opinion on these: @* is sensitive to whole arrays, as it should be.
said=$(grep -v 'sensitive to all .* words in array' <<< "$said" || true)
[ -z "$said" ] || { printf '%s\n' "$said"; exit 1; }
yosys -q -e . -p "read_verilog $file; chparam ${yosys[*]} $top;
    hierarchy -top $top $libdirs; $depth; check -assert"
tested "$file"
echo "checked: tools=3"
