#!/usr/bin/env bash
# named.sh WORK UNIT_TOOL RUNTIME - at a mismatch the bench names what differs, under Icarus and under Verilator: ports and
# their elements, registers, and how many more there are. RUNTIME: the folder with the compiled runtime of Verilator.
set -euo pipefail

work=$1
tool=$2
runtime=$3
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts rtl/units/claso.v
size=(N_CORE=18 N_KERNEL=2)
rm -rf "$work"
mkdir -p "$work"
"$tool" vectors claso "${size[@]}" --cycles=500 --output="$work/claso.vec"
mapfile -t all < <(sed -n 's/^param \([A-Z_]*\) \(.*\)/\1=\2/p' "$work/claso.vec")
"$tool" ports claso --format=bench | cat - tb/conformance/replay.v > "$work/claso_tb.v"
cases=0
failed=0

# SIMULATOR OPTION... - what it prints, with the module in mine/claso.v.
icarus() {
    iverilog -g2005 "${search[@]}" "$@" "${all[@]/#/-Pclaso_tb.}" -s claso_tb -o "$work/bench" "$work/claso_tb.v" "$work/mine/claso.v"
    vvp -N "$work/bench" "+vectors=$work/claso.vec"
}
verilated() {
    tb/conformance/verilator.sh "$work/verilator" "$runtime" "$work/claso.vec" "$work/claso_tb.v" "$work/mine/claso.v" "${all[@]}"
}

# finds NAME SCRIPT TEXT COMMAND... - with the module that a script of sed makes, the command fails and prints a line that
# is matched.
finds() {
    local name=$1 text=$3
    mkdir -p "$work/mine"
    sed "$2" rtl/units/claso.v > "$work/mine/claso.v"
    cases=$((cases + 1))
    if cmp -s rtl/units/claso.v "$work/mine/claso.v"; then
        echo "FAIL  $name: the script changes nothing"
    elif "${@:4}" > "$work/said" 2>&1; then
        echo "FAIL  $name: not found"
    elif ! grep -qE "^cycle [0-9]+: $text\$" "$work/said"; then
        echo "FAIL  $name: no line matches $text"
        sed 's/^/      /' "$work/said"
    elif ! grep -qE '^FAIL cycle [0-9]+: mismatch$' "$work/said" || ! grep -qx '  launch_valid_i  *[01]' "$work/said"; then
        echo "FAIL  $name: neither FAIL nor the inputs"
    else
        return 0
    fi
    failed=$((failed + 1))
}

error='s/consume_error_o *= *consume_error_q/consume_error_o = 1/'
element='s/assign allow_o *=/assign allow_o = 4 |/'
# 18 elements of a port, which are those of another.
many='s/assign allow_o *=/assign allow_o = {N_CORE{1'"'b1"'}} |/'
register='s/consume_error_q *<= .*/consume_error_q <= 1;/'
finds 'a port' "$error" 'consume_error_o: expected 0, got 1' icarus
finds 'an element' "$element" 'allow_o\[2\]: expected 0, got 1' icarus
finds 'the sixteenth' "$many" 'allow_o\[15\]: expected 0, got 1' icarus
finds 'how many more' "$many" 'and 20 more' icarus
finds 'a register' "$register" 'consume_error_q: expected 0, got 1' icarus -DREGISTERS
finds 'Verilator: how many more' "$many" 'and 20 more' verilated
finds 'Verilator: a register' "$register" 'consume_error_q: expected 0, got 1' verilated
echo "checked: cases=$cases"
[ "$failed" -eq 0 ]
