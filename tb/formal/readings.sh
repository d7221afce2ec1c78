#!/usr/bin/env bash
# readings.sh WORK UNIT.v UNIT.cfg SECTION PROOF.sh DEPTH COVER PARAM=VALUE... - each line s/.../.../ of the section,
# such as [proof readings], is a wrong reading of a unit's page, planted in its RTL; what is above it says which.
# An assertion must fail for each.
set -euo pipefail

work=$1
rtl=$2
cfg=$3
section=$4
proof=$5
readings=$work/readings
shift 5
unit=$(basename "$rtl" .v)
n=0
missed=0
rm -rf "$work"
mkdir -p "$work"
tb/cfg.sh "$cfg" "$section" > "$readings"

title=
while IFS= read -r line; do
    if [[ $line == '#'* ]]; then
        title=${line#'# '}
        continue
    fi
    n=$((n + 1))
    sed -e "$line" "$rtl" > "$work/$unit.v"
    if cmp -s "$rtl" "$work/$unit.v"; then
        echo "$cfg: changes nothing: $title"
        missed=$((missed + 1))
    elif "$proof" "$work" "$work/$unit.v" "$@" > "$work/log" 2>&1; then
        echo "proved all the same: $title"
        missed=$((missed + 1))
    elif ! grep -q 'Assert failed' "$work/log"; then
        echo "no assertion fails: $title"
        cat "$work/log"
        missed=$((missed + 1))
    else
        printf '%s\n  %s\n' "$title" "$(head -n 1 "$work/log")"
    fi
done < "$readings"
echo "$unit: $((n - missed)) of $n wrong readings fail its proof"
echo "checked: readings=$n"
[ "$missed" -eq 0 ]
