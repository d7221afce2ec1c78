#!/usr/bin/env bash
# document.sh check|write FILE.md MARKER COMMAND... - what COMMAND prints, in FILE between the
# lines <!-- MARKER --> and <!-- end of MARKER -->.
set -euo pipefail

verb=$1
file=$2
marker=$3
shift 3
work=$(mktemp)
trap 'rm -f "$work"' EXIT

for line in "<!-- $marker -->" "<!-- end of $marker -->"; do
    grep -qxF -e "$line" "$file" || { echo "$file: no line $line"; exit 1; }
done
sed "/^<!-- $marker -->\$/q" "$file" > "$work"
{
    echo
    "$@"
    echo
} >> "$work"
sed -n "/^<!-- end of $marker -->\$/,\$p" "$file" >> "$work"
if [ "$verb" = write ]; then
    cat "$work" > "$file"
else
    diff --label "$file" --label "$marker (make docs writes it)" -U0 "$file" "$work"
    echo "$file: $marker as the program prints it"
    echo "checked: lines=$("$@" | wc -l)"
fi
