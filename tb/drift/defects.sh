#!/usr/bin/env bash
# defects.sh GPUSCHED-UNIT UNIT.v WORK - the checks of drift, and the conformance bench, must
# fail on a module that differs from its table in a port, a register, a width, a direction
# or a path.
set -euo pipefail

tool=$1
rtl=$2
work=$3
unit=$(basename "$rtl" .v)
mkdir -p "$work"
cp "$(dirname "$rtl")"/*.v "$work" # the parts that are there
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$work/$unit.v"
n=0

# must_fail WHAT CHECK SED: the check, on a copy changed by sed.
must_fail() {
    sed -E "$3" "$rtl" > "$work/$unit.v"
    if cmp -s "$rtl" "$work/$unit.v"; then
        echo "$1: the sed script changes nothing"
        exit 1
    fi
    verilator --lint-only "${search[@]}" -Wno-fatal "$work/$unit.v" > /dev/null 2>&1 \
        || { echo "$1: the changed module is no Verilog"; exit 1; }
    if "tb/drift/$2.sh" "$tool" "$work/$unit.v" > "$work/log" 2>&1; then
        echo "$1: not noticed"
        exit 1
    fi
    grep -q '^[-+][a-z]' "$work/log" || { echo "$1: no difference shown"; cat "$work/log"; exit 1; }
    n=$((n + 1))
    echo "$1: noticed as $(grep -m 1 '^[-+][a-z]' "$work/log")"
}

# Whole, since a reader that has seen enough would end a writer that is not through.
table=$("$tool" ports "$unit" --format=rtl)
page=$("$tool" ports "$unit" --format=markdown)
name=$(awk '$1 == "register" { print $2; exit }' <<< "$table")
# The lowest value of the first parameter, or if that is its standard one, the highest.
other=$(sed -n '/^| `/{s/[^0-9]*\([0-9]*\) | \([0-9]*\) to \([0-9]*\) |.*/\1 \2 \3/p;q}' <<< "$page" |
    awk '{ print $2 == $1 ? $3 : $2 }')
output=$(awk '$1 == "output" { print $2; exit }' <<< "$table")
must_fail 'a port too many' ports '0,/wire +rst_i,/s//& input wire extra_i,/'
[ -z "$name" ] || # a composition may have none of its own
    must_fail 'a register of another name' ports "s/\\b$name\\b/other_q/g"
must_fail 'a register too many' ports \
    's/^endmodule/reg extra_q; always @(posedge clk) extra_q <= rst_i; &/'
must_fail 'an output of another width' ports "0,/output wire *(\\[[^]]*\\])? *$output/s//output wire [77:0] $output/"
must_fail 'another standard parameter' ports '0,/parameter integer ([A-Z_]+) *= *[0-9]+/s//parameter integer \1 = '"$other/"
# Of an output that the module itself assigns: a part may drive others.
while read -r assigned; do
    ! grep -Eq "assign $assigned *=" "$rtl" || break
done < <(awk '$1 == "output" { print $2 }' <<< "$table")
must_fail 'a path that is not in the table' paths "s/assign $assigned *=/& rst_i ^/"
look_for_parts "$rtl"
tested "$rtl"
echo "checked: defects=$n"
