#!/usr/bin/env bash
# sweep.sh write|check GPUSCHED WORK - the two sweeps of docs/sweep.md, their tables in it and their pictures.
set -euo pipefail

verb=$1
gpusched=$2
work=$3
shown=' 1 2 4 8 12 16 24 32 ' # rows over cores, beside the optimum
rm -rf "$work"
mkdir -p "$work"

# sweep NAME ARGUMENT... - the command and what it prints, as a block of the page; and its picture.
sweep() {
    local name=$1
    shift
    "$gpusched" sweep "$@" -o "$work/$name" -q > "$work/said"
    {
        echo "    \$ gpusched sweep $*"
        awk -v shown="$shown" -v all="$([ "$name" = cores ] || echo 1)" \
            '/^ *[0-9]+ / && !all && !/ optimum$/ && !index(shown, " " $1 " ") { next } { sub(/^/, $0 == "" ? "" : "    "); print }' "$work/said"
    } > "$work/$name.txt"
    tb/drift/document.sh "$verb" docs/sweep.md "$name" cat "$work/$name.txt"
    if [ "$verb" = write ]; then
        cp "$work/$name"/*.svg "docs/images/sweep-$name.svg"
    else
        cmp "$work/$name"/*.svg "docs/images/sweep-$name.svg"
    fi
}
sweep ctas kmeans -g m2090 --size=medium --over=ctas
sweep cores stream -g onac32 --over=cores
[ "$verb" = write ] || echo 'checked: tables=2 pictures=2'
