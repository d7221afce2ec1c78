#!/usr/bin/env bash
# prove.sh WORK UNIT.v INDUCTION COVER PARAM=VALUE... - proves the properties of a module: none fails in the
# first cycles after power-up, none fails after INDUCTION cycles in which all held, and every cover is
# reached within COVER cycles. The first cycles are those with which an
# induction begins, and one more: later ones are proved, and trying them as well took most of the time.
# Properties stand at the module's foot, or in a module of rtl/formal, where that is too what several proofs
# need. It is read as SystemVerilog, for .*: a module of properties looks at nets of the same names.
# The covers are searched for on gates, where it takes a hundredth of the time that it does on words.
set -euo pipefail

work=$1
rtl=$2
unit=$(basename "$rtl" .v)
induction=$3
cover=$4
shift 4
name=$unit$(printf -- '-%s' "${@/=/.}")
smt2=$work/$name.smt2
start=$SECONDS
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"

set_params "$@"
# Units that are parts of it are read with what they let it see, f_view_o, and without their properties: what is proved of
# a part is proved of it alone, and nothing of it is assumed here.
views=()
proved=''
while IFS= read -r part; do
    for folder in "$(dirname "$rtl")" rtl/units; do
        [ -f "$folder/$part.v" ] || continue
        if grep -q f_view_o "$folder/$part.v"; then
            views+=("$folder/$part.v")
            proved+="delete */t:*${part}_properties*; "
        fi
        break
    done
done < <(sed -nE 's/^ *([a-z_]+) #\($/\1/p' "$rtl")
rm -f "$work/$name".*
yosys -q -e 'implicitly declared' -p "read_verilog -sv -formal -DFORMAL $rtl; read_verilog -defer -sv -formal -DFORMAL ${views[*]} rtl/formal/*.v
    hierarchy -check $libdirs -top $unit ${chparam[*]}; $proved
    prep -flatten -top $unit; async2sync; dffunmap; memory_map; opt_clean
    tee -q -o $work/$name.asserts select -list t:\$assert
    tee -q -o $work/$name.covers select -list t:\$cover
    write_smt2 -wires $smt2
    chformal -assert -remove; techmap -map tb/formal/cover.v; setundef -undriven -anyseq
    delete -output o:*; opt_clean; techmap; opt_clean; dffunmap; setundef -zero; aigmap; opt_clean
    write_aiger -B -zinit $work/$name.aig"

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
step base -t $((induction + 1))
step induction -i -t "$induction"
goals=
for ((i = 0; i < covers; i++)); do
    goals+="read_aiger $work/$name.aig; fold; cone -s -O $i; bmc2 -F $cover; "
done
read -r _ _ _ registers _ < "$work/$name.aig"
if [ "$registers" -eq 0 ]; then
    # Nothing to unroll, so that ABC would not begin.
    [ "$covers" -eq 0 ] || step cover -c -t 1
    reached=$covers
else
    yosys-abc -c "$goals" > "$work/$name.cover" 2>&1 || true
    reached=$(grep -c '^Output .* was asserted in frame' "$work/$name.cover" || true)
fi
if [ "$reached" -ne "$covers" ]; then
    echo "$unit $*: $reached of $covers covers are reached"
    step unreached -c -t "$cover"
    exit 1
fi
printf 'proved %s %s: %d assertions by induction (k = %d), %d covers reached, %d s\n' "$unit" \
    "$*" "$asserts" "$induction" "$covers" \
    $((SECONDS - start))
tested "$rtl"
