#!/usr/bin/env bash
# count.sh LOG... - counts the checks that passed and failed; each test of a unit-test
# program counts as one. The last line is: N passed, N failed.
set -uo pipefail

passed=0
failed=0
names=()
for log in "$@"; do
    if [ -f "$log" ]; then
        tests=$(grep -c '^\[       OK \]' "$log")
        passed=$((passed + (tests > 0 ? tests : 1)))
    else
        tests=0
        if [ -f "$log.failed" ]; then
            passed=$((passed + $(grep -c '^\[       OK \]' "$log.failed")))
            tests=$(grep -c '^\[  FAILED  \] [a-z]' "$log.failed")
        fi
        failed=$((failed + (tests > 0 ? tests : 1)))
        names+=("${log##*/}")
    fi
done
if [ ${#names[@]} -gt 0 ]; then
    printf 'not passed: %s\n' "${names[@]}"
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
