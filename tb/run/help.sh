#!/usr/bin/env bash
# help.sh FOLDER GPUSCHED UNIT_TOOL SAXPY_PTX - the help of both programs and of every command:
# it fits a terminal of 80 columns, and each of its examples, three to six with a remark each, is
# run as a user would type it, in order, and ends with 0.
set -uo pipefail

work=$1
gpusched=$(realpath "$2")
tool=$(realpath "$3")
ptx=$(realpath "$4")
source=$PWD
failed=0
tried=0
PATH=$(dirname "$gpusched"):$(dirname "$tool"):$PATH
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

fail() {
    failed=$((failed + 1))
    printf 'FAIL  %s --help: %s\n' "$command" "$1"
}

# What the examples need of a user's own.
prepare() {
    mkdir -p "$folder"
    cp "$ptx" "$folder/saxpy.ptx"
    cp "$source/configs/workloads/tile.yaml" "$folder/my-workload.yaml"
    "$source/tb/cfg.sh" "$source/tb/units/icc/icc.cfg" sizes | sed 4q > "$folder/sizes.txt"
    if [ "$command" = 'gpusched experiment' ]; then
        cp "$source/configs/experiments/smoke.yaml" "$folder/my.yaml"
    else
        gpusched config show m2090 > "$folder/my.yaml"
    fi
}

# The section's examples, a line each: command, tab, remark. A command goes on behind a \.
examples() {
    awk '/^Examples:$/ { on = 1; next }
        on && /^$/ { exit }
        !on { next }
        more ? !/^      [^ ]/ : !/^  [^ ]/ { print "not understood: " $0 > "/dev/stderr"; bad = 1; exit }
        { sub(/^ +/, ""); more = "" }
        /\\$/ { sub(/ *\\$/, " "); more = " "; text = text $0; next }
        { at = match($0, /  +[^ ]/)
          print text (at ? substr($0, 1, at - 1) "\t" substr($0, at + RLENGTH - 1) : $0); text = "" }
        END { exit bad || text != "" || !on }' \
        "$1"
}

check_text() {
    local long
    long=$(grep -nE '.{80}|[[:blank:]]$' "$folder/help" | head -1)
    [ -z "$long" ] || fail "more than 79 columns, or blanks at the end: line $long"
    [ ! -s "$folder/errors" ] || fail 'something on stderr'
    grep -q '^Usage: ' "$folder/help" || fail 'no usage'
    grep -q '^Exit status: ' "$folder/help" || fail 'no exit status'
}

run_examples() {
    local line remark n=0 status start
    examples "$folder/help" > "$folder/examples" || fail 'examples that are not understood'
    while IFS=$'\t' read -r line remark; do
        n=$((n + 1))
        tried=$((tried + 1))
        [ -n "$remark" ] || fail "no remark: $line"
        start=$SECONDS
        (cd "$folder" && bash -o pipefail -c "$line" < /dev/null > example.out 2> example.err)
        status=$?
        printf '%4d s  %s\n' $((SECONDS - start)) "$line"
        if [ "$status" -ne 0 ]; then
            fail "exit status $status: $line"
            sed 's/^/      /' "$folder/example.err"
        fi
    done < "$folder/examples"
    { [ "$n" -ge 3 ] && [ "$n" -le 6 ]; } || fail "$n examples; 3 to 6 are wanted"
    ! sed '/^Examples:$/,/^$/d' "$folder/help" | grep '^  gpusched' \
        || fail 'an example that is not among those below Examples:'
}

check() {
    command=$*
    folder=$work/${command// /-}
    mkdir -p "$folder"
    if ! "$@" --help > "$folder/help" 2> "$folder/errors"; then
        fail 'does not end with 0'
        return
    fi
    check_text
    prepare
    run_examples
}

mapfile -t commands < <(gpusched --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
[ "${#commands[@]}" -ge 7 ] || { printf 'FAIL  gpusched --help lists too few commands\n'; exit 1; }
check gpusched
for name in "${commands[@]}"; do
    check gpusched "$name"
done
check gpusched-unit
printf '%d examples run, %d failures\n' "$tried" "$failed"
echo "checked: examples=$tried"
[ "$failed" -eq 0 ]
