#!/usr/bin/env bash
# rtl_interface.sh INTERFACE UNIT "FILE..." "SEARCH..." "PARAM=VALUE..." - what Verilator finds in another's module of a
# unit, for rtl_theirs.c, which reads INTERFACE line by line:
#
#   VL_IN8(&kernel_i,3,0);      a port: its direction is IN, OUT or INOUT; its highest bit and its lowest
#   %Error: ...                 why it cannot be read
#   VlQueue<IData> waiting_q;   what has no fixed size
#   task $finish                a system task that ends the program, writes, reads, or has a state of its own
set -euo pipefail

interface=$1
unit=$2
read -ra files <<< "$3"
read -ra search <<< "$4"
read -ra params <<< "$5"

work=$interface.work
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
verilator --cc --prefix Vdut -Wno-fatal -Wno-lint -Wno-style "${search[@]}" "${params[@]/#/-G}" --top-module "$unit" \
    --Mdir "$work" "${files[@]}" > "$work/log" 2>&1 || true
{
    grep -h '^ *VL_\(IN\|OUT\|INOUT\)' "$work/Vdut.h" 2> /dev/null || true
    grep '^%Error' "$work/log" || true
    grep -hE '^ *(VlQueue|VlAssocArray|VlClassRef|std::string)\b' "$work"/Vdut_*.h 2> /dev/null || true
    grep -hoE '\bVL_(FINISH|STOP|F?WRITE|FOPEN|FCLOSE|FGETS|FREAD|FSCANF|READMEM|WRITEMEM|SYSTEM|U?RANDOM)' "$work"/Vdut*.cpp 2> /dev/null |
        sort -u | sed 's/^VL_/task $/; s/F*WRITE$/display/; s/.*/\L&/' || true
} > "$interface"
