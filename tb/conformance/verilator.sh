#!/usr/bin/env bash
# verilator.sh WORK RUNTIME FILE.vec BENCH.v UNIT.v PARAM=VALUE... - replays vectors with the same
# bench compiled by Verilator. RUNTIME: the folder with the compiled runtime of Verilator.
set -euo pipefail

work=$1
runtime=$2
vectors=$3
bench=$4
rtl=$5
shift 5
top=$(basename "$bench" .v)
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"

# The bench has delays and a clock of its own, so the time unit is left to us.
rm -rf "$work.verilated"
env -u MAKEFLAGS verilator --cc --main --exe --timing -O1 --timescale 1ns/1ns -Wno-fatal -Wno-lint -Wno-style "${search[@]}" \
    -DREGISTERS "${@/#/-G}" --top-module "$top" --Mdir "$work.verilated" -CFLAGS -fPIC -o run "$bench" "$rtl" \
    > "$work.verilator" || { cat "$work.verilator"; exit 1; }
# Newer than their sources, these are not compiled again. The bench is not optimised: it runs for a second.
cp "$runtime"/*.o "$work.verilated"
env -u MAKEFLAGS make -s -C "$work.verilated" -f "V$top.mk" OPT_FAST=-O0 OPT_SLOW=-O0 \
    > "$work.verilator" 2>&1 || { cat "$work.verilator"; exit 1; }
"$work.verilated/run" "+vectors=$vectors" > "$work.verilator" || { cat "$work.verilator"; exit 1; }
grep '^PASS' "$work.verilator"
tested "$rtl"
rm -rf "$work.verilated"
