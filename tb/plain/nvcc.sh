#!/usr/bin/env bash
# nvcc.sh MODEL PLAIN FOLDER - kernels that nvcc made: right results, and as many warp instructions in the
# model, with timing and without, as a plain interpreter counts.
set -euo pipefail

model=$1
plain=$2
folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$plain" "$folder" untimed > "$work/plain"
"$model" "$folder" untimed > "$work/untimed"
"$model" "$folder" timed > "$work/timed"
diff "$work/plain" "$work/untimed"
diff "$work/plain" "$work/timed"
diff <(cut -d ' ' -f 1 "$work/plain" | sort) \
    <(find "$folder" -name '*.cu' -printf '%f\n' | sed 's/\.cu$//' | sort)
echo "checked: kernels=$(wc -l < "$work/plain")"
