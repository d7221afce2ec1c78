#!/usr/bin/env bash
# same.sh WORK MODULE.v OLD PARAM=VALUE... - proves that a module does in every cycle what it did before: equal outputs
# for any inputs, for ever. OLD is a file with the module as it was, or a revision of git. Parts are looked for beside the
# file, and then among ours; those of a revision are its own.
#
# Ports and parameters must be the same. Registers may have other names and other places: only outputs are compared.
# In a circuit with both, ABC finds what is equal within (scorr) and proves the rest (pdr). Registers and memories begin
# with 0, and the first cycle is one of reset.
set -euo pipefail

work=$1
new=$2
old=$3
shift 3
module=$(basename "$new" .v)
name=$module$(printf -- '-%s' "${@/=/.}")
out=$work/same-$name
start=$SECONDS
fail() {
    echo "make same: $1" >&2
    exit 2
}
mkdir -p "$work"
rm -rf "${out:?}"*

# read_as NAME FILE FOLDER... - the commands by which Yosys reads a module, with its parts from the folders.
read_as() {
    local as=$1 file=$2 libdirs='' params='' folder param
    for folder in "$(dirname "$file")" "${@:3}"; do libdirs+=" -libdir $folder"; done
    for param in "${chosen[@]}"; do params+=" -chparam ${param%%=*} ${param#*=}"; done
    echo "read_verilog $file; hierarchy -check $libdirs -top $module $params; prep -flatten -top $module
        memory_map; async2sync; dffunmap; opt_clean; rename -top $as; tee -q -o $out.$as dump i:* o:*"
}
chosen=("$@")
ours=(rtl/units rtl/lib)
if [ -f "$old" ]; then
    before=$(read_as old "$old" "${ours[@]}")
else
    commit=$(git rev-parse --verify --quiet "$old^{commit}") || fail "OLD=$old: neither a file nor a revision of git"
    path=$(git ls-tree -r --name-only "$commit" rtl/ | grep "/$module\.v$") || fail "OLD=$old: has no $module.v"
    mkdir -p "$out.rtl"
    git archive "$commit" rtl | tar -x -C "$out.rtl"
    before=$(read_as old "$out.rtl/$path" "$out.rtl/rtl/units" "$out.rtl/rtl/lib")
fi
yosys -q -p "$before; write_rtlil $out.old.il" || fail "OLD=$old cannot be read with ${*:-its standard parameters}"
yosys -q -p "$(read_as new "$new" "${ours[@]}"); write_rtlil $out.new.il" || fail "$new cannot be read with ${*:-its standard parameters}"

# Both with the same inputs. An output of this is high in a cycle in which theirs differ.
ports() {
    awk '$1 == "wire" { width = 1; for (i = 2; i < NF; i++) { if ($i == "width") width = $(i + 1)
        if ($i == "input" || $i == "output") print $i, width, substr($NF, 2) } }' "$1" | LC_ALL=C sort -k 3
}
ports "$out.old" > "$out.ports"
ports "$out.new" | diff --label old --label new -U0 "$out.ports" - || fail "$new: its ports are not those of OLD=$old"
awk '
{ range = "[" $2 - 1 ":0] " }
$1 == "input" { inputs = inputs ", input " range $3; taken = taken ", ." $3 "(" ($3 == "rst_i" ? "rst_i || !started" : $3) ")"
                if ($3 == "clk") clocked = 1 }
$1 == "output" { differs = differs ", output differs_" $3; wires = wires "wire " range "old_" $3 ", new_" $3 ";\n"
                 was = was ", ." $3 "(old_" $3 ")"; is = is ", ." $3 "(new_" $3 ")"
                 compare = compare "assign differs_" $3 " = started && old_" $3 " != new_" $3 ";\n" }
END {
    if (!clocked) inputs = inputs ", input clk"
    print "module same (" substr(inputs differs, 3) ");\n" wires compare
    print "reg started = 0; always @(posedge clk) started <= 1;"
    print "old u_old (" substr(taken was, 3) ");\nnew u_new (" substr(taken is, 3) ");\nendmodule"
}' "$out.ports" > "$out.v"
outputs=$(grep -c '^output' "$out.ports")
yosys -q -p "read_rtlil $out.old.il; read_rtlil $out.new.il; read_verilog $out.v; hierarchy -check -top same
    proc; flatten; opt -full; setundef -undriven -zero; setundef -init -zero; techmap; opt -full; dffunmap; setundef -zero
    aigmap; opt_clean; write_aiger -zinit -symbols $out.aig"

read -r _ _ _ registers _ < "$out.aig"
# abc FILE COMMANDS - its answer is in FILE.
abc() { yosys-abc -c "$2" > "$out.$1" 2>&1 || true; }
frame() { sed -n 's/^Output .* was asserted in frame *\([0-9]*\).*/\1/p' "$out.$1"; }
proved() {
    local log=$1
    shift
    ! grep -q '^Property proved' "$out.$log" || {
        printf 'same %s %s: %d outputs in every cycle, %d registers in both together, %d s\n' "$module" "$*" "$outputs" \
            "$registers" $((SECONDS - start))
        echo "checked: outputs=$outputs"
        exit 0
    }
}
abc equal "read_aiger $out.aig; strash; orpos; scorr; scleanup; write_aiger $out.rest.aig; pdr -T 2"
proved equal "$@"
abc first "read_aiger $out.rest.aig; bmc2 -F 100 -T 120"
cycle=$(frame first)
if [ -z "$cycle" ]; then
    abc rest "read_aiger $out.rest.aig; pdr -T 600"
    proved rest "$@"
    cycle=$(frame rest)
fi
[ -n "$cycle" ] || { echo "$module $*: not proved to be the same, and no difference is found"; exit 1; }
# Cycle 0 is that of the reset.
i=0
while read -r _ output; do
    abc output "read_aiger $out.aig; fold; cone -s -O $i; bmc2 -F $((cycle + 1))"
    [ -z "$(frame output)" ] || echo "$module $*: ${output#differs_} differs in cycle $cycle"
    i=$((i + 1))
done < <(LC_ALL=C grep -ao '^o[0-9]* differs_[a-z_]*' "$out.aig")
exit 1
