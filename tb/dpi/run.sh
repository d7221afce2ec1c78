#!/usr/bin/env bash
# run.sh WORK GPUSCHED-UNIT GOLDEN.a CPPFLAGS UNIT.v PARAM=VALUE... - compiles a unit's DPI
# bench with its RTL and its golden model, and runs it.
set -euo pipefail

work=$1
tool=$2
golden=$3
flags=$4
rtl=$5
shift 5
unit=$(basename "$rtl" .v)
rm -rf "$work"
mkdir -p "$work/obj"
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"
# The linker runs in obj; relative, since make there knows no blanks in names.
object=$(realpath -m --relative-to="$work/obj" "$work/unit_dpi.o")
golden=$(realpath --relative-to="$work/obj" "$golden")

"$tool" ports "$unit" "$@" --format=systemverilog > "$work/${unit}_dpi.sv"
eval "cc -std=c11 -O2 -DUNIT=$unit $flags" \
    -I"$(verilator -getenv VERILATOR_ROOT)/include/vltstd" -c -o "$work/unit_dpi.o" tb/dpi/unit_dpi.c
env -u MAKEFLAGS verilator --binary --timing -O1 --timescale 1ns/1ns -Wno-fatal -Wno-lint -Wno-style "${search[@]}" \
    "${@/#/-G}" --top-module "${unit}_dpi_tb" --Mdir "$work/obj" -CFLAGS -fPIC \
    -LDFLAGS "$object $golden -lz" -o run \
    "$work/${unit}_dpi.sv" "tb/units/$unit/${unit}_dpi_tb.sv" "$rtl" > "$work/log" || { cat "$work/log"; exit 1; }
"$work/obj/run" > "$work/log" || { cat "$work/log"; exit 1; }
grep '^PASS' "$work/log"
tested "$rtl"
