#!/usr/bin/env bash
# cfg.sh FILE SECTION - prints a section of a unit's file, UNIT.cfg: the lines between [SECTION] and the
# next section, with comments, without blank lines. A section that is missing or holds nothing but
# comments ends with 1 and a sentence.
set -euo pipefail

file=$1
section=$2
[ -f "$file" ] || { echo "cfg.sh: $file: no such file" >&2; exit 1; }
awk -v section="[$section]" -v file="$file" '
/^\[.*\]$/ { on = $0 == section; found = found || on; next }
on && NF { print; full = full || !/^ *#/ }
END {
    if (full) exit
    printf "cfg.sh: %s: %s %s\n", file, found ? "nothing is in" : "there is no", section > "/dev/stderr"
    exit 1
}' "$file"
