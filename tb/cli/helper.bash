# shellcheck shell=bash
# helper.bash - loaded by every file of tests of the command line. The tests of a file run one after the
# other in one folder, which is empty at first. Each assertion has a name, by which tb/checked.sh
# counts it in the log:
#
#   # pass: NAME
#   # FAIL: NAME: COMMAND
#
# CLI_BUILD is the whole path of the folder of the programs, and CLI_SOURCE of the checkout.

bats_require_minimum_version 1.8.0
CLI_SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
export CLI_SOURCE PATH="$CLI_BUILD:$PATH"
# Of the make that runs this.
unset MAKEFLAGS MAKELEVEL MFLAGS GPUSCHED_DATA

# Without the trap of bats for each command of each function, which takes twice the time.
setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    set +T
}

# check NAME COMMAND... - the command must succeed. What fails fails its test at its end: so a test
# shows all of it, with what the last command has said on stderr.
check() {
    local name=${1//$'\n'/ } command="${*:2}"
    if "${@:2}"; then
        printf '# pass: %s\n' "$name" >&3
    else
        printf '# FAIL: %s: %s\n' "$name" "${command//$'\n'/ }" >&3
        [ ! -s err ] || awk '{ print "#       " $0 }' err >&3
        : > "$BATS_TEST_TMPDIR/failed" # a subshell may have found it
    fi
}

teardown() {
    [ ! -e "$BATS_TEST_TMPDIR/failed" ] || {
        echo 'its assertions that FAIL are above'
        return 1
    }
}

# ends STATUS ARGUMENT... - gpusched must end with this status. stdout and stderr: out, err.
ends() {
    local ended=0
    gpusched "${@:2}" > out 2> err || ended=$?
    check "gpusched ${*:2}: exit status" [ "$ended" -eq "$1" ]
}

# says TEXT FILE - the file has this text.
says() { [[ $(< "$2") == *"$1"* ]]; }

# lines NUMBER FILE - the file has so many lines.
lines() {
    local all
    mapfile all < "$2"
    [[ ${#all[@]} -eq $1 && ${all[*]} != *[!$'\n'] ]]
}

# written - the files of this folder, and what would change if one were written.
written() { find . -mindepth 1 ! -path ./out ! -path ./err -printf '%p %y %s %T@\n'; }

# refused TEXT ARGUMENT... - gpusched ends with 2 and one line on stderr that has the text, and writes nothing.
refused() {
    local before
    before=$(written)
    ends 2 "${@:2}"
    check "gpusched ${*:2}: it says $1" says "$1" err
    check "gpusched ${*:2}: one line" lines 1 err
    check "gpusched ${*:2}: nothing on stdout" [ ! -s out ]
    check "gpusched ${*:2}: nothing written" [ "$(written)" = "$before" ]
}
