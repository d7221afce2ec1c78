#!/usr/bin/env bash
# check.sh LOG COMMAND... - runs one check. Its output is the log, which exists only if it
# passed; otherwise the output is shown, and kept as LOG.failed.
set -uo pipefail

log=$1
shift
name=${log##*/}
mkdir -p "${log%/*}"
rm -f "$log" "$log.failed"
start=$SECONDS
if "$@" > "$log.failed" 2> "$log.errors"; then
    cat "$log.errors" >> "$log.failed"
    rm -f "$log.errors"
    mv "$log.failed" "$log"
    printf 'pass  %-72s %4d s\n' "$name" $((SECONDS - start))
else
    cat "$log.errors" >> "$log.failed"
    rm -f "$log.errors"
    { printf 'FAIL  %s\n' "$name"; cat "$log.failed"; } >&2
    exit 1
fi
