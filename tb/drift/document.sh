#!/usr/bin/env bash
# document.sh check|write GPUSCHED-UNIT FILE.md - the port table in a unit's page, between
# the lines <!-- ports --> and <!-- end of ports -->.
set -euo pipefail

verb=$1
tool=$2
file=$3
unit=$(basename "$file" .md)
work=$(mktemp)
trap 'rm -f "$work"' EXIT

sed '/^<!-- ports -->$/q' "$file" > "$work"
{
    echo
    "$tool" ports "$unit" --format=markdown
    echo
} >> "$work"
sed -n '/^<!-- end of ports -->$/,$p' "$file" >> "$work"
if [ "$verb" = write ]; then
    cat "$work" > "$file"
else
    diff --label "$file" --label 'port table (make docs writes it)' -U0 "$file" "$work"
    echo "$file: the port table is the unit's"
fi
