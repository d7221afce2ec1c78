#!/usr/bin/env bash
# ledger.sh LEDGER LOG... [-- LOG...] - writes the ledger from the logs of checks: a line each, its
# name and what it checked. All logs must be there, but those behind --, of the long checks, whose
# lines stay if theirs are not; one that never ran gets no line, and fails until it has one.
set -euo pipefail

ledger=$1
shift
work=$(mktemp)
trap 'rm -f "$work"' EXIT
long=false
missing=0

exec 3> "$work"
for log; do
    name=${log##*/}
    if [ "$log" = -- ]; then
        long=true
    elif [ -f "$log" ]; then
        checked=$(tail -n 1 "$log")
        echo "$name ${checked#checked: }" >&3
    elif ! $long || ! grep "^$name " "$ledger" >&3; then
        echo "ledger: $name has no log" >&2
        $long || missing=$((missing + 1))
    fi
done
[ "$missing" -eq 0 ]
LC_ALL=C sort "$work" > "$ledger"
