#!/usr/bin/env bash
# verify.sh WORK GPUSCHED WORKLOAD - a CUDA program at its small size: right without timing and
# with, and the same statistics with all fast paths switched off.
set -euo pipefail

work=$1
gpusched=$2
run=(run --workload "$3" --size small)
rm -rf "$work"
mkdir -p "$work"

"$gpusched" "${run[@]}" --functional
"$gpusched" "${run[@]}" --quiet --gpu m2090 -o "$work/first"
"$gpusched" "${run[@]}" --quiet --gpu m2090 -o "$work/naive" --naive
cmp "$work/first/result.json" "$work/naive/result.json"
grep -q '"verified": true' "$work/first/result.json" || { echo 'not verified'; exit 1; }
