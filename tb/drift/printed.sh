#!/usr/bin/env bash
# printed.sh GPUSCHED WORK PART - what gpusched prints of an example in the pages, as they show it. PART: smoke, the first
# table of the smoke experiment; seeds, one of its tables as an ensemble; compare, the answer of gpusched compare. What the
# folder WORK has of the runs is not run again: it must be of this GPUSCHED.
set -euo pipefail

gpusched=$1
work=$2
mkdir -p "$work"

case $3 in
    smoke)
        "$gpusched" experiment configs/experiments/smoke.yaml -o "$work" --table -q | awk '!ended; /^  geometric mean/ { ended = 1 }'
        echo ...
        ;;
    seeds)
        sed 's/^gpus: .*/gpus: [icc-6]/; s/values: \[2, 8\]/values: [2]/' configs/experiments/smoke.yaml > "$work/smoke.yaml"
        echo 'seeds: 8' >> "$work/smoke.yaml"
        "$gpusched" experiment "$work/smoke.yaml" -o "$work" --table -q
        ;;
    compare)
        "$gpusched" run -g m2090 -w tile -q -o "$work/a"
        "$gpusched" run -g m2090 -w tile --scheduler lrr -q -o "$work/b"
        "$gpusched" compare "$work/a" "$work/b" | sed -n 1p
        ;;
    *)
        echo "printed.sh: $3: smoke, seeds or compare" >&2
        exit 2
        ;;
esac | sed 's/^\(.\)/    \1/'
