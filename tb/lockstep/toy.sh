#!/usr/bin/env bash
# toy.sh WORK RUNTIME SEED - the library of an array (cmodel/lockstep/rtl_array.awk): an element is evaluated again when its
# inputs come back to what they were before a clock edge. In the folder WORK, with the toy of tb/lockstep in the place of a unit.
# RUNTIME: the folder with the compiled runtime of Verilator.
set -euo pipefail

work=$1 runtime=$(realpath "$2") seed=$3
source=$PWD
rm -rf "$work"
mkdir -p "$work/cmodel/units"
work=$(realpath "$work")
cp tb/lockstep/toy_ports.def "$work/cmodel/units"
ln -s "$source"/cmodel/{lockstep,base} "$work/cmodel"
ln -s "$source"/{Makefile,mk} "$work"
(
    cd "$work"
    cmodel/lockstep/rtl_library.sh quietly "$work/toy.so" "$source/tb/lockstep/toy.v" '' '' "${CXX:-g++}" -O1 '-I. -Icmodel' \
        "$runtime/tools" "$runtime"/*.o
) > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"${CC:-cc}" -std=c11 -Icmodel -o "$work/toy" tb/lockstep/toy.c -ldl
"$work/toy" "$work/toy.so" "$seed"
