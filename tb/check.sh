#!/usr/bin/env bash
# check.sh LOG COMMAND... - runs one check. Its output is the log, which exists only if the check
# passed and says what it checked; otherwise the output is shown, and kept as LOG.failed. The
# log's last lines are how long it took, and what was checked in the form of the ledger.
set -uo pipefail

log=$1
shift
name=${log##*/}
here=$(dirname "$0")
mkdir -p "${log%/*}"
rm -f "$log" "$log.failed"
start=$EPOCHREALTIME
status=0
"$@" > "$log.failed" 2> "$log.errors" || status=$?
cat "$log.errors" >> "$log.failed"
rm -f "$log.errors"
took=$(((${EPOCHREALTIME/./} - ${start/./}) / 100000))
took=$((took / 10)).$((took % 10))
if [ "$status" -eq 0 ] && checked=$("$here/checked.sh" "$log.failed"); then
    printf 'took: %s s\nchecked: %s\n' "$took" "$checked" >> "$log.failed"
    mv "$log.failed" "$log"
    printf 'pass  %-64s %6.1f s  %s\n' "$name" "$took" "$checked"
else
    [ "$status" -ne 0 ] || printf '%s\n' "$checked" >> "$log.failed"
    { printf 'FAIL  %s\n' "$name"; cat "$log.failed"; } >&2
    exit 1
fi
