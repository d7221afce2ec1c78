#!/usr/bin/env bash
# transcript.sh WORK BUILD EXAMPLE - runs the commands that an example's README.md shows, and
# compares what they print with what it shows. EXAMPLE may be a page.md too.
#
# In an indented block a line "$ COMMAND" is a command, and "> MORE" goes on with it; what
# follows, up to the next command or text that is not indented, is its output, and "(exit
# status N)" its status if that is not 0. The commands run in a copy of the folder, at its
# place in a copy of the checkout that is made of links; those of a page, in the checkout's. A fenced block of
# "```ptx NAME" is a file of that name there.
set -uo pipefail

work=$(realpath -m "$1")
build=$(realpath "$2")
example=$3
page=$example/README.md
here=$work/docs/examples/$(basename "$example")
if [ -f "$example" ]; then
    page=$example
    here=$work
fi
rm -rf "$work"
mkdir -p "$here" || exit
for part in cmodel configs rtl sim tb; do
    ln -s "$PWD/$part" "$work/$part" || exit
done
ln -s "$build" "$work/build" || exit
if [ -f "$example" ]; then
    mkdir -p "$work/docs" && ln -s "$PWD/docs/examples" "$work/docs/examples" || exit
fi
if [ "$page" != "$example" ]; then
    find "$example" -maxdepth 1 -type f -exec cp -t "$here" {} + || exit
    grep -qF "($(basename "$example")/README.md)" docs/examples/README.md \
        || { echo "docs/examples/README.md does not list $example"; exit 1; }
fi

shown=$PWD/$page
now=$work/README.now
output=$work/output
command=''
n_command=0
output_shown=false
blank=''

# What the last command prints, in the README's form. The shell names itself when a program
# is aborted; a person's shell does not.
finish() {
    [ -n "$command" ] || return
    local status=0
    eval "$command" > "$output" 2>&1 < /dev/null || status=$?
    sed -E 's/^.*: line [0-9]+: +[0-9]+ (Aborted).*/\1/; s/^/    /; s/^ +$//' "$output"
    [ "$status" -eq 0 ] || printf '    (exit status %d)\n' "$status"
    command=''
    n_command=$((n_command + 1))
}
# A line of the README that is not output.
keep() {
    printf '%s%s\n' "$blank" "$1"
    blank=''
}
copy() {
    local line
    while IFS= read -r line; do
        case $line in
            '    $ '*) finish; keep "$line"; command=${line#*\$ }; output_shown=true ;;
            '    > '*) keep "$line"; command+=$'\n'${line#*> } ;;
            '') blank+=$'\n' ;;
            '    '*) if $output_shown; then blank=''; else keep "$line"; fi ;;
            *) finish; keep "$line"; output_shown=false ;;
        esac
    done
    finish
}

unset MAKEFLAGS MAKELEVEL MFLAGS
export LC_ALL=C
ulimit -c 0
cd "$here" || exit
awk '/^```ptx / { name = $2; next } /^```/ { name = "" } name { print > name }' "$shown"
copy < "$shown" > "$now"
diff -u --label "$page" --label 'what its commands print' "$shown" "$now" \
    || { echo "the page as it would be: $now"; exit 1; }
[ "$n_command" -gt 0 ] || { echo "$page has no commands"; exit 1; }
echo "checked: commands=$n_command"
