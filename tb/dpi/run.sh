#!/usr/bin/env bash
# run.sh WORK GPUSCHED-UNIT GOLDEN.a RUNTIME CPPFLAGS SEED UNIT.v PARAM=VALUE... - writes a unit's DPI bench
# from its port table, compiles it with RTL and golden model, and runs it. RUNTIME: the folder with the
# compiled runtime of Verilator.
set -euo pipefail

work=$1
tool=$2
golden=$3
runtime=$4
flags=$5
seed=$6
rtl=$7
shift 7
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
"$tool" ports "$unit" "$@" --format=dpi-bench > "$work/${unit}_dpi_tb.sv"
eval "cc -std=c11 -O2 -DUNIT=$unit $flags" \
    -I"$(verilator -getenv VERILATOR_ROOT)/include/vltstd" -c -o "$work/unit_dpi.o" tb/dpi/unit_dpi.c
env -u MAKEFLAGS verilator --cc --main --exe --timing -O1 --timescale 1ns/1ns -Wno-fatal -Wno-lint -Wno-style "${search[@]}" \
    -DREGISTERS --top-module "${unit}_dpi_tb" --Mdir "$work/obj" -CFLAGS -fPIC \
    -LDFLAGS "$object $golden -lz" -o run \
    "$work/${unit}_dpi.sv" "$work/${unit}_dpi_tb.sv" "$rtl" > "$work/log" || { cat "$work/log"; exit 1; }
# Newer than their sources, these are not compiled again. The bench is not optimised: it runs for less than a second.
cp "$runtime"/*.o "$work/obj"
env -u MAKEFLAGS make -s -C "$work/obj" -f "V${unit}_dpi_tb.mk" OPT_FAST=-O0 OPT_SLOW=-O0 > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/obj/run" "+seed=$seed" > "$work/log" || { cat "$work/log"; exit 1; }
grep '^PASS' "$work/log"
tested "$rtl"
