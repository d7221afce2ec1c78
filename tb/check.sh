#!/usr/bin/env bash
# check.sh LOG COMMAND... - runs one check. Its output is the log, which exists only if the check
# passed and says what it checked; otherwise the output is shown, and kept as LOG.failed. The log's last
# lines are the sources it needs, when it ran, how long it took, and what was checked in the form of the ledger.
#
# A result is kept by content. INPUTS are the files that the check depends on, as make knows them; their
# content, the command and the scripts that judge it make a key. If a check with this key has passed before,
# its log is taken from the folder CACHE, and nothing is run. Without CACHE, or with an input that is no file,
# the check always runs. NEEDS: those of INPUTS that are sources.
set -uo pipefail

log=$1
shift
name=${log##*/}
here=${0%/*}
start=$EPOCHREALTIME
[ -d "${log%/*}" ] || mkdir -p "${log%/*}"
rm -f "$log" "$log.failed"
IFS=' ' read -ra inputs <<< "${INPUTS:-}"

digest() { sha256sum | cut -d ' ' -f 1; }
# The key of what is in the files now; nothing if there is none.
key_of() {
    local input files
    [ -n "${CACHE:-}" ] || return 0
    for input in "${inputs[@]}"; do [ -f "$input" ] || return 0; done
    files=$(sha256sum "$here/check.sh" "$here/checked.sh" "${inputs[@]}") || return 0
    printf '%s\n' "$@" "${GPUSCHED_DATA:-}" "$files" | digest
}
# What shows that a file was written or replaced since, without reading it again: nobody can set the second time.
stamp() { stat -L -c '%n %s %i %.9Y %.9Z' "${inputs[@]}" 2>&1; }
# The digest of a log with its key, so that one that was edited is not believed.
seal() { { printf '%s\n' "$key"; cat; } | digest; }
# Four results of each check are kept: of some branches.
keep() {
    local old
    mkdir -p "${kept%/*}"
    { seal < "$log" && cat "$log"; } > "$kept.$$" && mv "$kept.$$" "$kept"
    old=("${kept%/*}"/*)
    [ ${#old[@]} -gt 4 ] || return 0
    # shellcheck disable=SC2012 # the names are digests
    ls -t "${kept%/*}" | tail -n +5 | while read -r file; do rm -f "${kept%/*}/$file"; done
}
# What changes while the check runs is newer than its log.
finish() {
    touch -d "@$start" "$log.failed"
    mv "$log.failed" "$log"
}

before=$(stamp)
key=$(key_of "$@")
kept=${CACHE:-}/$name/$key
if [ -n "$key" ] && [ -f "$kept" ] && { read -r sealed && [ "$sealed" = "$(seal)" ]; } < "$kept"; then
    touch "$kept"
    tail -n +2 "$kept" > "$log.failed"
    finish
    { read -r _ took _ && read -r _ checked; } <<< "$(tail -n 2 "$log")"
    printf 'pass (as before)  %-52s %6.1f s  %s\n' "$name" "$took" "$checked"
    exit 0
fi

status=0
TIMEFORMAT='%1R %U %S'
times=$({ time "$@" > "$log.failed" 2> "$log.errors"; } 2>&1) || status=$?
read -r took user system <<< "$times"
processor=$(((10#${user/./} + 10#${system/./}) / 100)) # tenths of a second
processor=$((processor / 10)).$((processor % 10))
cat "$log.errors" >> "$log.failed"
rm -f "$log.errors"
if [ "$status" -eq 0 ] && checked=$("$here/checked.sh" "$log.failed"); then
    printf 'needs: %s\nran: %s\ntook: %s s, %s s of processors\nchecked: %s\n' \
        "${NEEDS:-}" "$(date -u +%Y-%m-%d)" "$took" "$processor" "$checked" >> "$log.failed"
    finish
    # Not if what it depends on has changed meanwhile.
    if [ -n "$key" ] && [ "$(stamp)" = "$before" ]; then keep; fi
    printf 'pass  %-64s %6.1f s  %s\n' "$name" "$took" "$checked"
else
    [ "$status" -ne 0 ] || printf '%s\n' "$checked" >> "$log.failed"
    { printf 'FAIL  %s\n' "$name"; cat "$log.failed"; } >&2
    exit 1
fi
