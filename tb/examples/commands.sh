#!/usr/bin/env bash
# commands.sh WORK BUILD PAGE... - runs the commands that pages print in indented blocks, each once: they must end with
# status 0. A line is a command if its first word is `make`, one of our programs, a tool that a page uses, or a variable
# that is set; a line that ends with \ goes on. Of `make` only a dry run is done (make -n): other checks do what it would
# do. A block with commands behind a "$ " is a transcript, for transcript.sh.
#
# The commands run in a copy of the checkout that is made of links, in the order of the pages. What a page calls the
# reader's own is made from what earlier commands have left.
set -o pipefail

work=$(realpath -m "$1")
build=$(realpath "$2")
shift 2
checkout=$PWD
rm -rf "$work"
mkdir -p "$work/out" || exit
for part in Makefile Bender.yml mk cmodel configs docs rtl sim tb; do
    ln -s "$checkout/$part" "$work/$part" || exit
done
ln -s "$build" "$work/build" || exit
unset MAKEFLAGS MAKELEVEL MFLAGS
export LC_ALL=C PATH="$build:$PATH" HOME=$work
cp -r rtl/units "$work/mine"

commands=0
failed=0
dry=0
declare -A ran

# own - the files that pages call the reader's own.
own() {
    if [ -f saxpy.ptx ]; then cp saxpy.ptx my.ptx; fi
    printf '0 1\n1 2\n2 3\n' > roads.mtx
    if [ -f results/smoke.sqlite ]; then cp results/smoke.sqlite out/my.sqlite; fi
}

# run PAGE COMMAND
run() {
    local page=$1 command=$2
    [ -z "${ran[$command]:-}" ] || return
    ran[$command]=1
    case $command in
        'make '*) dry=$((dry + 1)); command="make -n MAKE=: BUILD=dry ${command#make }"; command=${command// build\// dry/} ;;
    esac
    commands=$((commands + 1))
    own
    if ! eval "$command" > output 2>&1 < /dev/null; then
        failed=$((failed + 1))
        printf 'FAIL  %s: %s\n' "$page" "$command"
        tail -n 5 output | sed 's/^/      /'
    fi
}

# of PAGE - its commands, a line each.
of() {
    awk '
        /^    \$ / { transcript = 1 }
        /^[^ ]/ { transcript = 0 }
        transcript { next }
        more || /^    (build\/)?(gpusched|gpusched-unit|platform\/[a-z0-9]+|make|clang|jq|sqlite3) / || /^    [A-Z]+="/ {
            text = text substr($0, 5)
            more = sub(/\\$/, "", text)
            if (!more) { sub(/ +#[^"\047]*$/, "", text); print text; text = "" }
        }' "$1"
}

cd "$work" || exit
awk '/^```cuda/ { here = 1; next } /^```/ { here = 0 } here' docs/workloads-cuda.md > saxpy.cu
for page; do
    before=$commands
    while IFS= read -r command; do
        run "$page" "$command"
    done < <(of "$checkout/$page")
    printf '%-40s %d commands\n' "$page" $((commands - before))
done
echo "checked: commands=$commands dry=$dry"
[ "$failed" -eq 0 ]
