#!/usr/bin/env bash
# measured.sh PAGE.md LOG... - whether the tables limits and sizes of docs/results/area.md have what tb/area/measure.sh has said
# in these logs: a row for each size. A page has more sizes than are measured each time.
set -euo pipefail

page=$1
shift
[ $# -gt 0 ] || { echo "measured.sh: no logs"; exit 1; }
here=$(dirname "$0")
work=$(mktemp)
trap 'rm -f "$work"' EXIT
status=0
for table in limits sizes; do
    sed -n 's/^record: //p' "$@" | awk -v table=$table -f tb/area/records.awk -f "$here/area-tables.awk" | sed 1,2d > "$work"
    [ "$(wc -l < "$work")" -eq $# ] || { echo "$page: $table: not a row for each of $# logs"; exit 1; }
    if grep -vxF -f <(sed -n "/^<!-- $table -->\$/,/^<!-- end of $table -->\$/p" "$page") "$work"; then
        echo "$page: $table: not the rows above (make results-area writes it)"
        status=1
    fi
done
[ $status -eq 0 ] && echo "$page: sizes as measured" && echo "checked: sizes=$#"
