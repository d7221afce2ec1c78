#!/usr/bin/env bash
# verify.sh WORK GPUSCHED WORKLOAD PLAIN - a CUDA program at its small size: right without timing, and on
# two GPUs under two warp policies; the same statistics with all fast paths switched off. Of each
# kernel the GPU executes as many warp instructions as the interpreter PLAIN counts.
set -euo pipefail

work=$1
gpusched=$2
run=(run --workload "$3" --size small)
rm -rf "$work"
mkdir -p "$work"

"$gpusched" "${run[@]}" --functional
runs=1
for gpu in m2090 icc; do
    for policy in lrr gto; do
        "$gpusched" "${run[@]}" --quiet --gpu "$gpu" --set warp.policy="$policy" -o "$work/$gpu-$policy"
        grep -q '"verified": true' "$work/$gpu-$policy/result.json" || {
            echo "not verified: $gpu, $policy"
            exit 1
        }
        runs=$((runs + 1))
    done
done
"$gpusched" "${run[@]}" --quiet --gpu m2090 -o "$work/first"
"$gpusched" "${run[@]}" --quiet --gpu m2090 -o "$work/naive" --naive
cmp "$work/first/result.json" "$work/naive/result.json"
"$4" "$3" > "$work/plain"
sed -n 's/.*{"name":"\([^"]*\)","stream".*"warp_instructions":\([0-9]*\).*/\1 \2/p' "$work/first/result.json" > "$work/counts"
diff "$work/plain" "$work/counts"
echo "checked: runs=$((runs + 2)) launches=$(wc -l < "$work/plain")"
