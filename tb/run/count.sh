#!/usr/bin/env bash
# count.sh GPUSCHED - host instructions a warp instruction takes, counted by callgrind: a figure
# that does not depend on how busy the machine is. Says so if valgrind is not installed.
set -euo pipefail

command -v valgrind > /dev/null || { echo 'valgrind (package valgrind) counts host instructions'; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '\nkernel    host instructions a warp instruction (callgrind, 30 SMs)\n'
for kernel in stream compute tile scatter; do
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" \
        "$1" run --gpu fermi-30 --workload "$kernel" --quiet -o "$work" 2> "$work/log" > /dev/null
    host=$(sed -n 's/.*Collected : //p' "$work/log")
    warp=$(sed -n 's/.*"warp_instructions": \([0-9]*\).*/\1/p' "$work/result.json" | head -1)
    printf '%-8s  %8d\n' "$kernel" $((host / warp))
done
