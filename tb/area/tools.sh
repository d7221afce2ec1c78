#!/usr/bin/env bash
# tools.sh LIBERTY - ends with 2 and one line if a tool that measuring needs, or the library of cells, is missing.
set -euo pipefail

missing=''
for tool in yosys yosys-abc sta iverilog; do
    type -P "$tool" > /dev/null || missing+=" $tool"
done
[ -f "$1" ] || missing+=" $1"
[ -z "$missing" ] || { echo "missing:$missing (make deps installs yosys, opensta, qflow-tech-osu018)" >&2; exit 2; }
