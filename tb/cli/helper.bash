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
unset MAKEFLAGS MAKELEVEL MFLAGS

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

# exits STATUS COMMAND... - the command must end with this status. stdout and stderr: out, err.
exits() {
    local ended=0
    "${@:2}" > out 2> err || ended=$?
    check "${*:2}: exit status" [ "$ended" -eq "$1" ]
}
ends() { exits "$1" gpusched "${@:2}"; }

# has_ended STATUS PROCESS - of this shell.
has_ended() {
    local ended=0
    wait "$2" || ended=$?
    [ "$ended" -eq "$1" ]
}

fails() { ! "$@"; }

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
    local before ended=0 name="gpusched ${*:2}, $1"
    before=$(written)
    gpusched "${@:2}" > out 2> err || ended=$?
    check "$name: exit status" [ "$ended" -eq 2 ]
    check "$name: it says so" says "$1" err
    check "$name: one line" lines 1 err
    check "$name: nothing on stdout" [ ! -s out ]
    check "$name: nothing written" [ "$(written)" = "$before" ]
}

# content DATABASE - all that it has of the smoke experiment, but the seconds that runs took. No answer is another
# for each database.
content() {
    local what
    for what in 'id, gpu, workload, size, variant, ctas, status, error, result, key FROM runs ORDER BY id' \
        '* FROM figures ORDER BY run, name' '* FROM observed' '* FROM about ORDER BY name'; do
        gpusched query "$1" "SELECT $what" || echo "no answer: $1"
    done
}
