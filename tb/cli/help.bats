#!/usr/bin/env bats
# The help of both programs and of every command: it fits a terminal of 80 columns, and each of its
# examples, three to six with a remark each, is run as a user would type it, in order, and ends with 0.

load helper

# What the examples need of a user's own.
prepare() {
    mkdir -p "$folder"
    cp "$CLI_BUILD/saxpy.ptx" "$folder/saxpy.ptx"
    cp "$CLI_SOURCE/configs/workloads/tile.yaml" "$folder/my-workload.yaml"
    "$CLI_SOURCE/tb/cfg.sh" "$CLI_SOURCE/tb/units/icc/icc.cfg" sizes | sed 4q > "$folder/sizes.txt"
    # Of an experiment that an example before has run nothing is left to do.
    if [ -d gpusched/results ]; then cp -r gpusched/results "$folder"; fi
    mkdir -p "$folder/mine"
    cp "$CLI_SOURCE"/rtl/units/{claso,icc}.v "$folder/mine"
    if [ "$command" = 'gpusched experiment' ]; then
        cp "$CLI_SOURCE/configs/experiments/smoke.yaml" "$folder/my.yaml"
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

# has_text COMMAND...
has_text() {
    check "$command: ends with 0" "$@" --help > "$folder/help" 2> "$folder/errors"
    check "$command: at most 79 columns, and no blanks at the end" fails grep -nE '.{80}|[[:blank:]]$' "$folder/help"
    check "$command: nothing on stderr" [ ! -s "$folder/errors" ]
    check "$command: a usage" grep -q '^Usage: ' "$folder/help"
    check "$command: an exit status" grep -q '^Exit status: ' "$folder/help"
}

# as_typed LINE - in the command's folder.
as_typed() { (cd "$folder" && bash -o pipefail -c "$1" < /dev/null > example.out) 2> err; }

has_examples() {
    local line remark n=0
    check "$command: examples that are understood" examples "$folder/help" > "$folder/examples"
    while IFS=$'\t' read -r line remark; do
        n=$((n + 1))
        check "$command: a remark: $line" [ -n "$remark" ]
        check "$command: runs: $line" as_typed "$line"
    done < "$folder/examples"
    check "$command: 3 to 6 examples" [ $((n >= 3 && n <= 6)) -eq 1 ]
    check "$command: all examples stand below Examples:" fails grep '^  gpusched' <(sed '/^Examples:$/,/^$/d' "$folder/help")
}

# is_told COMMAND... - by its help.
is_told() {
    command=$*
    folder=$PWD/${command// /-}
    mkdir -p "$folder"
    has_text "$@"
    prepare
    has_examples
}

@test "gpusched and gpusched-unit are told by their help" {
    is_told gpusched
    is_told gpusched-unit
}

@test "every command is told by its help" {
    mapfile -t commands < <(gpusched --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
    check 'there are commands' [ "${#commands[@]}" -ge 7 ]
    for name in "${commands[@]}"; do
        is_told gpusched "$name"
    done
}
