#!/usr/bin/env bash
# ports.sh GPUSCHED-UNIT FILE.v PARAM=VALUE... - the port table against the elaborated
# module: parameters, and every port and register with direction and width. Ports stand
# in the same order; registers in any. An assertion of the module names each derived register.
set -euo pipefail

tool=$1
file=$2
shift 2
unit=$(basename "$file" .v)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$file"

verilator --xml-only -Wno-fatal -Wno-lint --xml-output "$work/xml" "${search[@]}" "${@/#/-G}" "$file"
names=$("$tool" ports "$unit" --format=rtl | sed -n 's/^parameter \([A-Z_]*\) .*/\1/p' | tr '\n' ' ')
awk -v params="$names" -f tb/drift/xml_ports.awk "$work/xml" > "$work/all"
"$tool" ports "$unit" "$@" --format=rtl > "$work/table"

# Registers go last, sorted; the rest keeps its order.
for side in all table; do
    { grep -v '^register' "$work/$side"; sed -n '/^register/p' "$work/$side" | sort; } \
        > "$work/$side.sorted"
done
diff --label 'port table' --label "$file" -U0 "$work/table.sorted" "$work/all.sorted"

# The standard values of the parameters, from a module elaborated without any.
verilator --xml-only -Wno-fatal -Wno-lint --xml-output "$work/xml" "${search[@]}" "$file"
awk -v params="$names" -f tb/drift/xml_ports.awk "$work/xml" | grep '^parameter' > "$work/standard"
"$tool" ports "$unit" --format=rtl | grep '^parameter' \
    | diff --label 'standard parameters' --label "$file" -U0 - "$work/standard"

# What only the RTL has is proved to be a function of the rest: an assertion names it.
properties "$file" | awk '{ sub(/\/\/.*/, ""); printf "%s ", $0 }' \
    | tr ';' '\n' | grep -w assert > "$work/assertions" || true
derived=$("$tool" ports "$unit" --format=derived)
for name in $derived; do
    # With something else: what it is after a reset, say, does not count.
    grep -w -- "$name" "$work/assertions" | sed "s/.*\bassert\b//; s/\b$name\b//g; s/[0-9]*'[a-z]*[0-9a-f]*//g" |
        grep -q '[a-zA-Z_]' || { echo "-assertion $name: none in $file names it with what it follows from"; exit 1; }
done
tested "$file"
echo "$unit $*: the rows of the port table are as in $file"
echo "checked: rows=$(wc -l < "$work/table")"
