#!/usr/bin/env bash
# header.sh write|check GPUSCHED-UNIT FILE.v FILE.h - the comment at the head of a module repeats what is stated
# elsewhere: its parameters, ports and paths come from the port table; the sections Contract, Reset, Source and Deviations
# come from the golden model's header. Purpose, Timing and Twin are the module's own.
set -euo pipefail

verb=$1
tool=$2
module=$3
header=$4
unit=$(basename "$module" .v)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$tool" ports "$unit" --format=markdown > "$work/table"
"$tool" ports "$unit" --format=paths > "$work/paths"
awk -f tb/drift/header.awk file=1 "$work/table" file=2 "$work/paths" file=3 "$header" file=4 "$module" > "$work/module" \
    || { echo "$module: its head has not all sections"; exit 1; }
if [ "$verb" = write ]; then
    cat "$work/module" > "$module"
else
    diff --label "$module" --label "$header and the port table (make docs writes it)" -U0 "$module" "$work/module"
    echo "$module: its header repeats the port table and $header"
    echo "checked: rows=$(grep -c '^[|] [^-]' "$work/table") paths=$(wc -l < "$work/paths")"
fi
