#!/usr/bin/env bash
# man.sh FOLDER GPUSCHED UNIT_TOOL - manual pages of section 1 from --help: gpusched.1, a page for
# each of its commands, and gpusched-unit.1. They say the version and no date, so that they are
# the same bytes every time.
set -euo pipefail

folder=$1
gpusched=$(realpath "$2")
tool=$(realpath "$3")
version=$("$gpusched" --version)
version=${version#* }
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The commands that --help lists, a line each: name, blanks, title.
list() { "$gpusched" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on'; }

# Of a --help, what stands below Examples: as a section of the page. help2man makes paragraphs of
# it, which a shell would not understand.
examples() {
    awk '/^Examples:$/ { on = 1; print "[examples]"; next }
        on && /^$/ { exit }
        !on { next }
        { if (!more) print ".PP\n.nf"
          more = /\\$/
          blanks = more || !match($0, /[^ ]  +/) ? 0 : RSTART
          text = blanks ? substr($0, 3, blanks - 2) : substr($0, 3)
          gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text)
          print "\\fB" text "\\fR" }
        !more { print ".fi\n.RS\n" substr($0, blanks + 1) "\n.RE" }' "$1" \
        | sed 's/^  *\([^ ]\)/\1/'
}

# PAGE TITLE COMMAND... - help2man runs a program, so it is given one that prints the help without
# the examples; it takes the command's first word for the program's name.
page() {
    local name=$1 title=$2
    shift 2
    "$@" --help > "$work/help"
    sed '/^Examples:$/,/^$/d' "$work/help" > "$work/text"
    printf '#!/bin/sh\ncat %q\n' "$work/text" > "$work/$name"
    chmod +x "$work/$name"
    {
        examples "$work/help"
        printf '[see also]\n'
        for other in "${pages[@]}"; do
            [ "$other" = "$name" ] || printf '.BR %s (1),\n' "$other"
        done | sed '$s/,$//'
    } > "$work/include"
    help2man --no-info --section=1 --name="$title" --version-string="$version" \
        --include="$work/include" "$work/$name" | sed \
        -e '/^\.\\" DO NOT MODIFY/d' \
        -e "s/^\.TH .*/.TH ${name^^} 1 \"\" \"gpusched $version\" \"User Commands\"/" \
        -e '/^\.B gpusched$/{n;s/^\\fI\\,\([a-z]*\) \\\/\\fR/.B \1\n/}' > "$folder/$name.1"
}

pages=(gpusched)
while read -r name _; do
    pages+=("gpusched-$name")
done < <(list)
pages+=(gpusched-unit)
page gpusched 'models a GPU cycle by cycle, and its schedulers as RTL' "$gpusched"
while read -r name title; do
    page "gpusched-$name" "$title" "$gpusched" "$name"
done < <(list)
page gpusched-unit 'runs one scheduling unit by itself' "$tool"
