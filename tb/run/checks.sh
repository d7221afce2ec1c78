# shellcheck shell=bash
# checks.sh - sourced by scripts that make many checks: how many, which failed, and runs of
# $gpusched.
# shellcheck disable=SC2034,SC2154 # variables of and for those who source it

checks=0
failed=0

# say TEXT - a check has failed; with what its command said on stderr.
say() {
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$1"
    if [ -s err ]; then sed 's/^/      /' err; fi
}

# check NAME COMMAND... - the command must succeed.
check() {
    local name=$1
    shift
    checks=$((checks + 1))
    "$@" || say "$name"
}

# ends STATUS NAME ARGUMENT... - gpusched NAME must end with this status. stdout and stderr:
# out, err.
ends() {
    local wanted=$1 status
    shift
    "$gpusched" "$@" > out 2> err
    status=$?
    checks=$((checks + 1))
    [ "$status" -eq "$wanted" ] || say "$*: exit status $status, not $wanted"
}
