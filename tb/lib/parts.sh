#!/usr/bin/env bash
# parts.sh RTL CFG PAGE - the parts of the library, which are the files of folder RTL, are whole: each has properties, a
# file of proofs in folder CFG, and a section in PAGE; its comment at the head and that section name every parameter and
# port that the module has. Nothing is proved or described that is no part.
set -euo pipefail

rtl=$1
cfg=$2
page=$3
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
parts=0
names=0
failed=0
fail() {
    failed=1
    echo "$1"
}

# section PART - of the page, up to the next one.
section() {
    awk -v head="## $1" '/^## /{ on = $0 == head } on' "$page"
}

for file in "$rtl"/*.v; do
    part=$(basename "$file" .v)
    parts=$((parts + 1))
    # Of three sizes at least two are proved by day, and the others at night.
    day=$(tb/cfg.sh "$cfg/$part.cfg" proofs | grep -vc '^#' || true)
    [ "$day" -ge 2 ] || fail "$cfg/$part.cfg: two sizes at least are to be proved by day; there are $day"
    night=0
    if grep -qxF '[night proofs]' "$cfg/$part.cfg"; then night=$(tb/cfg.sh "$cfg/$part.cfg" 'night proofs' | grep -vc '^#' || true); fi
    [ $((day + night)) -ge 3 ] || fail "$cfg/$part.cfg: three sizes at least are to be proved; there are $((day + night))"
    [ "$(properties "$file" | grep -c 'assert (')" -gt 0 ] || fail "$file: no properties"
    grep -q "^// $part - " "$file" || fail "$file: its first line does not say what it is"
    [ -n "$(section "$part")" ] || fail "$page: no section $part"
    while read -r name; do
        names=$((names + 1))
        # shellcheck disable=SC2016 # these are the page's backticks
        section "$part" | grep -F '`'"$name"'`' > /dev/null || fail "$page: section $part does not name $name"
        sed '/^`default_nettype none/q' "$file" | grep -E "^//   $name " > /dev/null || fail "$file: its head does not name $name"
    done < <(sed '/^);/q; s,//.*,,; s/[ ,]*$//' "$file" | sed -n 's/^ *parameter .* \([A-Z_][A-Z_]*\) *= .*/\1/p; s/^ *\(input\|output\) .* //p')
done
for file in "$cfg"/*.cfg; do
    [ -f "$rtl/$(basename "$file" .cfg).v" ] || fail "$file: $rtl has no such part"
done
while read -r part; do
    [ -f "$rtl/$part.v" ] || fail "$page: $rtl has no part $part"
done < <(sed -n 's/^## \([a-z_]*\)$/\1/p' "$page")
echo "checked: parts=$parts names=$names"
[ "$failed" -eq 0 ]
