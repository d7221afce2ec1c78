#!/usr/bin/env bash
# prove.sh WORK UNIT.v BASE INDUCTION COVER PARAM=VALUE... - proves the properties at the foot
# of a module: none fails in the first BASE cycles after power-up, none fails after
# INDUCTION cycles in which all held, and every cover is reached within COVER cycles.
set -euo pipefail

work=$1
rtl=$2
unit=$(basename "$rtl" .v)
depth=("$3" "$4" "$5")
shift 5
name=$unit$(printf -- '-%s' "${@/=/.}")
smt2=$work/$name.smt2
start=$SECONDS

chparam=()
for param in "$@"; do
    chparam+=(-chparam "${param%=*}" "${param#*=}")
done
rm -f "$work/$name".*
yosys -q -p "read_verilog -formal -DFORMAL $rtl
    hierarchy -check -libdir rtl/units -libdir rtl/lib -top $unit ${chparam[*]}
    prep -flatten -top $unit; async2sync; dffunmap; memory_map; opt_clean
    tee -q -o $work/$name.asserts select -list t:\$assert
    tee -q -o $work/$name.covers select -list t:\$cover
    write_smt2 -wires $smt2"

# step WHAT OPTION...: one run of the solver; its output is shown when it fails.
step() {
    local log=$work/$name.$1
    if ! yosys-smtbmc -s z3 --unroll --presat --noprogress --dump-vcd "$log.vcd" "${@:2}" \
        "$smt2" > "$log" 2>&1 || ! grep -q 'Status: PASSED' "$log"; then
        printf '%s %s: %s\n' "$unit" "$*" "$(grep -m 1 -E 'Assert failed|Unreached cover|rror' "$log")"
        printf 'log %s, waveform %s\n' "$log" "$log.vcd"
        exit 1
    fi
}
asserts=$(wc -l < "$work/$name.asserts")
covers=$(wc -l < "$work/$name.covers")
[ "$asserts" -gt 0 ] || { echo "$unit $*: no assertions"; exit 1; }
step base -t "${depth[0]}"
step induction -i -t "${depth[1]}"
step cover -c -t "${depth[2]}"
reached=$(grep -c 'Reached cover statement' "$work/$name.cover" || true)
[ "$reached" -eq "$covers" ] || { echo "$unit $*: $reached of $covers covers are reached"; exit 1; }
printf 'proved %s %s: %d assertions by induction (k = %d), %d covers reached, %d s\n' "$unit" \
    "$*" "$asserts" "${depth[1]}" "$covers" \
    $((SECONDS - start))
