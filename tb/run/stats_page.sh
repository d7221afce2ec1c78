#!/usr/bin/env bash
# stats_page.sh check|write GPUSCHED FILE - the table of counts in FILE, between the lines
# <!-- stats --> and <!-- end of stats -->, is what `gpusched stats` prints.
set -euo pipefail

mode=$1
gpusched=$2
file=$3
new=$(mktemp)
trap 'rm -f "$new"' EXIT

{
    sed '/^<!-- stats -->$/q' "$file"
    "$gpusched" stats --format=markdown
    echo
    sed -n '/^<!-- end of stats -->$/,$p' "$file"
} > "$new"
case $mode in
write) cmp -s "$new" "$file" || cat "$new" > "$file" ;;
check)
    if ! diff "$file" "$new"; then
        echo "$file: not what gpusched stats says; tb/run/stats_page.sh write refreshes it"
        exit 1
    fi
    ;;
*)
    echo "stats_page.sh: $mode: check or write is allowed" >&2
    exit 2
    ;;
esac
