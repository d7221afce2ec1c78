#!/usr/bin/env bats
# Manual pages: man, groff and lexgrog have nothing to say, every option and example of --help is there,
# and they are the same bytes when made again on another day.

load helper

# of PAGE - the words that print its --help.
of() {
    case $1 in
        gpusched | gpusched-unit) echo "$1" ;;
        *) echo "gpusched ${1#gpusched-}" ;;
    esac
}

# options_and_examples - of the help on stdin, a line each.
options_and_examples() {
    sed -nE -e 's/^ +(-., )?(--[a-z-]+).*/\2/p' -e '/^Examples:/,/^$/s/^ +([^ ].*[^ ])  +.*/\1/p' | sed -E 's/ +/ /g; s/ \\$//'
}

# has LINE - the text of the page.
has() { [[ $text == *"$1"* ]]; }

@test "every page can be printed, and has all that the help has" {
    local page name text line said
    for page in "$CLI_BUILD"/man/man1/*.1; do
        name=$(basename "$page" .1)
        said=$({ LC_ALL=C.UTF-8 man --warnings --local-file "$page" > /dev/null
            groff -ww -man -z "$page"; } 2>&1)
        check "$name: man and groff have nothing to say" [ -z "$said" ]
        check "$name: lexgrog finds a name" lexgrog "$page"
        text=$(MANWIDTH=400 man --local-file "$page" | tr -s '[:space:]' ' ')
        while IFS= read -r line; do
            check "$name: has $line" has "$line"
        done < <($(of "$name") --help | options_and_examples)
    done
}

@test "there is a page for each command, and all are the same bytes on another day" {
    local commands pages=("$CLI_BUILD"/man/man1/*)
    commands=$(gpusched --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on' | wc -l)
    check 'their number' [ ${#pages[@]} -eq $((commands + 2)) ]
    (cd "$CLI_SOURCE" && SOURCE_DATE_EPOCH=86400 tb/man.sh "$BATS_FILE_TMPDIR/again" "$CLI_BUILD"/gpusched{,-unit})
    check 'the same bytes' diff -r again "$CLI_BUILD/man/man1"
}
