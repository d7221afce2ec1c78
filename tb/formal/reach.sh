#!/usr/bin/env bash
# reach.sh WORK UNIT.v BOUND COVER PARAM=VALUE... - proves properties of all states that a module can reach, as a rule
# of compositions whose invariants nobody has written down: ABC finds them (scorr, pdr). The properties are those that
# the module has under FORMAL_REACH. With a BOUND that is not 0 there are more: what is to happen within BOUND cycles.
# Each cover is reached within COVER cycles, so that nothing holds because no run is left. Registers and memories
# begin with 0, and the first cycle is one of reset. A BOUND such as 24w1 has the properties' F_WAY as 1.
set -euo pipefail

work=$1
rtl=$2
unit=$(basename "$rtl" .v)
bound=${3%w*}
way=${3#"$bound"}
cover=$4
shift 4
name=reach-$unit-$bound$way$(printf -- '-%s' "${@/=/.}")
out=$work/$name
start=$SECONDS
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"

set_params "$@"
defines='-DFORMAL_REACH'
[ "$bound" -eq 0 ] || defines+=" -DF_BOUND=$bound${way:+ -DF_WAY=${way#w}}"
rm -f "$out".*
yosys -q -e 'implicitly declared' -p "read_verilog -sv -formal $defines $rtl; read_verilog -defer -sv -formal $defines rtl/formal/*.v
    hierarchy -check $libdirs -top $unit ${chparam[*]}
    prep -flatten -top $unit; async2sync; dffunmap; memory_map; opt_clean
    tee -q -o $out.asserts select -list t:\$assert
    tee -q -o $out.covers select -list t:\$cover
    setundef -undriven -anyseq; delete -output o:*; design -save both
    chformal -cover -remove; opt_clean; techmap; opt_clean; dffunmap; setundef -zero; setundef -init -zero; aigmap; opt_clean
    write_aiger -zinit $out.aig
    design -load both
    chformal -assert -remove; techmap -map tb/formal/cover.v; opt_clean; techmap; opt_clean; dffunmap; setundef -zero
    setundef -init -zero; aigmap; opt_clean; write_aiger -B -zinit $out.cover.aig"

asserts=$(wc -l < "$out.asserts")
covers=$(wc -l < "$out.covers")
[ "$asserts" -gt 0 ] || { echo "$unit $*: no assertions"; exit 1; }
[ "$covers" -gt 0 ] || { echo "$unit $*: no covers"; exit 1; }
# A short run that fails is found faster without a proof, and the assertion is named. With one way the bound is high: it
# would take its 20 seconds.
short=20
[ -z "$way" ] || short=5
yosys-abc -c "read_aiger $out.aig; fold; bmc3 -F $((bound + 12)) -T $short" > "$out.first" 2>&1 || true
failed=$(sed -n 's/^Output \([0-9]*\) .* was asserted in frame \([0-9]*\).*/\1 \2/p' "$out.first")
if [ -n "$failed" ]; then
    printf '%s %s: Assert failed in cycle %s: %s\n' "$unit" "$*" "${failed#* }" "$(sed -n "$((${failed% *} + 1))p" "$out.asserts")"
    exit 1
fi
# Some proofs come in seconds with less effort for each clause, and others with more.
for effort in '-T 60' '-r -T 500'; do
    yosys-abc -c "read_aiger $out.aig; fold; orpos; scorr; dc2; scorr; pdr $effort" > "$out.log" 2>&1 || true
    ! grep -q '^Property proved\|^Networks are equivalent\|was asserted in frame' "$out.log" || break
done
grep -q '^Property proved\|^Networks are equivalent' "$out.log" || {
    tr '\r' '\n' < "$out.log" | sed -n 's/^Output .* was asserted in frame \([0-9]*\).*/Assert failed in cycle \1/p'
    echo "$unit $*: not proved; log $out.log"
    exit 1
}
goals=
for ((i = 0; i < covers; i++)); do
    goals+="read_aiger $out.cover.aig; fold; cone -s -O $i; bmc2 -F $cover; "
done
yosys-abc -c "$goals" > "$out.covered" 2>&1 || true
reached=$(grep -c '^Output .* was asserted in frame' "$out.covered" || true)
[ "$reached" -eq "$covers" ] || { echo "$unit $*: $reached of $covers covers are reached"; exit 1; }
printf 'proved %s %s: %d assertions of all states that are reached, %d covers reached, %d s\n' "$unit" "$*" "$asserts" \
    "$covers" $((SECONDS - start))
tested "$rtl"
