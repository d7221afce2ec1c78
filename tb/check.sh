#!/usr/bin/env bash
# check.sh LOG COMMAND... - runs one check. Its output is the log, which exists only if the check
# passed and says what it checked; otherwise the output is shown, and kept as LOG.failed. The
# log's last lines are the sources it needs (NEEDS, of make), how long it took, and what was
# checked in the form of the ledger.
set -uo pipefail

log=$1
shift
name=${log##*/}
here=$(dirname "$0")
mkdir -p "${log%/*}"
rm -f "$log" "$log.failed"
status=0
TIMEFORMAT='%1R %U %S'
times=$({ time "$@" > "$log.failed" 2> "$log.errors"; } 2>&1) || status=$?
read -r took user system <<< "$times"
processor=$(((10#${user/./} + 10#${system/./}) / 100)) # tenths of a second
processor=$((processor / 10)).$((processor % 10))
cat "$log.errors" >> "$log.failed"
rm -f "$log.errors"
if [ "$status" -eq 0 ] && checked=$("$here/checked.sh" "$log.failed"); then
    printf 'needs: %s\ntook: %s s, %s s of processors\nchecked: %s\n' "${NEEDS:-}" "$took" "$processor" "$checked" >> "$log.failed"
    mv "$log.failed" "$log"
    printf 'pass  %-64s %6.1f s  %s\n' "$name" "$took" "$checked"
else
    [ "$status" -ne 0 ] || printf '%s\n' "$checked" >> "$log.failed"
    { printf 'FAIL  %s\n' "$name"; cat "$log.failed"; } >&2
    exit 1
fi
