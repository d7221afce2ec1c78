#!/usr/bin/env bash
# ptx.sh GPUSCHED PTX - a kernel of a PTX file, with arguments from the command line: with timing
# and without it must write what is right.
set -euo pipefail

gpusched=$(realpath "$1")
ptx=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Of 1000 numbers, 3 i, and 3 i more.
kernel=(run --ptx "$ptx" --kernel saxpy --grid 8 --block 128 --dynamic-shared 512 --quiet
    --arg i32:3 --arg buf:4000:iota32)
"$gpusched" "${kernel[@]}" --arg buf:4000 --arg i32:1000 --functional --save 2=plain.bin
"$gpusched" "${kernel[@]}" --arg buf:4000 --arg i32:1000 --gpu m2090 --save 2=timed.bin
"$gpusched" "${kernel[@]}" --arg buf:./timed.bin --arg i32:1000 --gpu m2090 --save 2=twice.bin \
    --registers 40 -o out
numbers() { od -An -td4 -v -w4 "$1" | tr -d ' '; }
diff <(numbers plain.bin) <(seq 0 3 2997)
diff <(numbers timed.bin) <(seq 0 3 2997)
diff <(numbers twice.bin) <(seq 0 6 5994)

has() { grep -q -- "$1" "$2" || { echo "$2 has no $1"; exit 1; }; }
has '"registers":40' out/result.json
"$gpusched" list workloads > workloads.txt
has '^  hotspot ' workloads.txt
has '^  stream ' workloads.txt
"$gpusched" list gpus > gpus.txt
has '^  m2090 ' gpus.txt
echo 'saxpy: right without timing, with timing, and with more registers'
