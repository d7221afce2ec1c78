#!/usr/bin/env bash
# count.sh LEDGER KNOWN MADE LOG... - counts the checks that passed and failed; each test of a
# unit-test program, and each assertion of the command line's tests, counts as one. The last line is:
# N passed, N failed.
#
# Passed is what make has made or found up to date now, which is listed in the file MADE, and what
# has checked just what the LEDGER has. What is in the ledger and is none of the checks at all, whose
# names the file KNOWN lists, fails. Each of the three may be -: then this is not looked at.
set -uo pipefail

ledger=$1
known=$2
made=$3
shift 3
passed=0
failed=0

[ "$made" = - ] || [ -f "$made" ] || { echo "count.sh: there is no $made: make test writes it"; exit 2; }
[ $# -gt 0 ] || { echo 'count.sh: there is no such check'; exit 2; }
declare -A expected is_made
if [ "$ledger" != - ]; then
    [ -f "$ledger" ] || ledger=/dev/null # nothing is in it
    while read -r name checked; do expected[$name]=$checked; done < "$ledger"
fi
if [ "$made" != - ]; then
    while read -r name; do is_made[$name]=1; done < "$made"
fi

# fail NAME TEXT [NUMBER]
fail() {
    failed=$((failed + ${3:-1}))
    printf 'not passed: %s: %s\n' "$1" "$2"
}

# compare CHECKED EXPECTED - how the one differs from the other; nothing if it does not.
compare() {
    local pair
    [ "$1" != "$2" ] || return
    for pair in $2; do
        local now=" $1"
        now=${now##* "${pair%=*}"=}
        now=${now%% *}
        if ! [[ $now =~ ^[0-9]+$ ]] || [ "$now" -lt "${pair#*=}" ]; then
            echo "fewer than the ledger has: $1, not $2"
            return
        fi
    done
    echo "more than the ledger has, which is old: $1, not $2; make ledger writes it"
}

# one LOG NAME
one() {
    local log=$1 name=$2 needs='' took='' processor='' checked='' label='' tests difference need
    if [ -f "$log" ] && [ "$made" != - ] && [ -z "${is_made[$name]:-}" ]; then
        rm -f "$log" # of an earlier run
        fail "$name" 'what it needs cannot be built'
        return
    fi
    if [ ! -f "$log" ]; then
        tests=0
        if [ -f "$log.failed" ]; then
            passed=$((passed + $(grep -cE '^(\[       OK \]|# pass:) ' "$log.failed")))
            # cmocka names a test again at the end
            tests=$(grep -E '^(\[  FAILED  \] [a-z]|# FAIL: )' "$log.failed" | sort -u | wc -l)
        fi
        fail "$name" "see above, or $log.failed" $((tests > 0 ? tests : 1))
        return
    fi
    { read -r _ needs && read -r _ && read -r _ took _ processor _ && read -r label checked; } <<< "$(tail -n 4 "$log")"
    if [ "$label" != checked: ] || [ -z "$checked" ]; then
        rm -f "$log"
        fail "$name" 'its log is damaged, and removed'
        return
    fi
    # make knows no rule for what needs a file that is gone, and takes an old log for a source.
    for need in $needs; do
        if [ ! -e "$need" ]; then
            rm -f "$log"
            fail "$name" "it needs $need, which is gone"
            return
        fi
    done
    difference=''
    if [ "$ledger" != - ]; then
        difference='it is not in the ledger; make ledger writes it'
        [ -z "${expected[$name]:-}" ] || difference=$(compare "$checked" "${expected[$name]}")
    fi
    if [ -n "$difference" ]; then
        fail "$name" "$difference"
        return
    fi
    slowest+=("$processor s of processors, $took s  $name")
    total=$((total + 10#${processor/./}))
    tests=1
    [[ " $checked" =~ " tests="([0-9]+) ]] && tests=${BASH_REMATCH[1]}
    passed=$((passed + tests))
}

slowest=()
total=0 # tenths of a second
for log; do
    one "$log" "${log##*/}"
done
if [ "$known" != - ]; then
    while read -r name; do
        fail "$name" 'it is in the ledger, and no check any more'
    done < <(cut -d' ' -f1 "$ledger" | LC_ALL=C sort | LC_ALL=C comm -23 - <(tr ' ' '\n' < "$known" | LC_ALL=C sort))
fi
if [ ${#slowest[@]} -gt 10 ]; then
    printf 'all of them took %d s of processors, most of all:\n' $((total / 10))
    printf '%s\n' "${slowest[@]}" | sort -rn | head -n 10 | sed 's/^/  /'
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
