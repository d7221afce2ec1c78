#!/usr/bin/env bash
# lint.sh FILE.v PARAM=VALUE... - Verilator, Icarus and Yosys on one module; no tool may
# say anything, but of the canaries, in which a mistake is planted.
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

canary() {
    if said=$("${@:2}" 2>&1) && [ -z "$said" ]; then
        echo "$2 finds nothing in $1"
        exit 1
    fi
}
canary tb/canary/lint.v verilator --lint-only -Wall tb/canary/lint.v
canary tb/canary/lint.v iverilog -g2005 -Wall -t null tb/canary/lint.v
canary tb/canary/drive.v yosys -q -e . -p 'read_verilog tb/canary/drive.v; hierarchy -top drive; proc; check -assert'

verilator --lint-only -Wall "${search[@]}" "${@/#/-G}" "$file"
said=$(iverilog -g2005 -Wall "${search[@]}" -s "$top" "${icarus[@]}" -t null "$file" 2>&1)
# Icarus has no opinion on these: @* is sensitive to whole arrays, as it should be.
said=$(grep -v 'sensitive to all .* words in array' <<< "$said" || true)
[ -z "$said" ] || { printf '%s\n' "$said"; exit 1; }
yosys -q -e . -p "read_verilog $file; chparam ${yosys[*]} $top;
    hierarchy -top $top $libdirs; $depth; check -assert"
tested "$file"
echo "checked: tools=3"
