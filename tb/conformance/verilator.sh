#!/usr/bin/env bash
# verilator.sh WORK FILE.vec BENCH.v UNIT.v PARAM=VALUE... - replays vectors with the same
# bench compiled by Verilator.
set -euo pipefail

work=$1
vectors=$2
bench=$3
rtl=$4
shift 4
top=$(basename "$bench" .v)
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"

# The bench has delays and a clock of its own, so the time unit is left to us.
env -u MAKEFLAGS verilator --binary --timing -O1 --timescale 1ns/1ns -Wno-fatal -Wno-lint -Wno-style "${search[@]}" \
    -DREGISTERS "${@/#/-G}" --top-module "$top" --Mdir "$work.verilated" "$bench" "$rtl" \
    > "$work.verilator" || { cat "$work.verilator"; exit 1; }
"$work.verilated/V$top" "+vectors=$vectors" > "$work.verilator" || { cat "$work.verilator"; exit 1; }
grep '^PASS' "$work.verilator"
tested "$rtl"
rm -rf "$work.verilated"
