#!/usr/bin/env bash
# man.sh FOLDER GPUSCHED UNIT_TOOL PAGE... - manual pages: man, groff and lexgrog have nothing to
# say, every option and example of --help is there, and they are the same bytes when made again
# on another day.
set -uo pipefail

folder=$1
gpusched=$2
tool=$3
shift 3
failed=0

fail() {
    failed=$((failed + 1))
    printf 'FAIL  %s: %s\n' "$page" "$1"
}

# Options and examples, as words with blanks between.
words() { tr -s '[:space:]' ' '; }

check() {
    local said text help line
    said=$({ LC_ALL=C.UTF-8 man --warnings --local-file "$page" > /dev/null
        groff -ww -man -z "$page"; } 2>&1)
    [ -z "$said" ] || fail "$said"
    lexgrog "$page" > /dev/null || fail 'lexgrog finds no name'
    text=$(MANWIDTH=400 man --local-file "$page" | words)
    help=$("$@" --help)
    while IFS= read -r line; do
        [[ $text == *"$line"* ]] || fail "not in it: $line"
    done < <(sed -nE -e 's/^ +(-., )?(--[a-z-]+).*/\2/p' \
        -e '/^Examples:/,/^$/s/^ +([^ ].*[^ ])  +.*/\1/p' <<< "$help" | words_of_lines)
}
words_of_lines() { sed -E 's/ +/ /g; s/ \\$//'; }

for page; do
    name=$(basename "$page" .1)
    case $name in
    gpusched) check "$gpusched" ;;
    gpusched-unit) check "$tool" ;;
    *) check "$gpusched" "${name#gpusched-}" ;;
    esac
done
page=$folder
[ $# -eq $(($("$gpusched" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on' | wc -l) + 2)) ] \
    || fail "$# pages"
SOURCE_DATE_EPOCH=86400 tb/man.sh "$folder" "$gpusched" "$tool"
diff -r "$folder" "$(dirname "$1")" || fail 'other bytes'
printf '%d pages, %d failures\n' $# "$failed"
echo "checked: pages=$#"
[ "$failed" -eq 0 ]
