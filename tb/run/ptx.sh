#!/usr/bin/env bash
# ptx.sh GPUSCHED PTX - a kernel of a PTX file, with arguments from the command line: with timing
# and without it must write what is right. The commands of docs/workloads-cuda.md do what they say, and
# take a shuffle.
set -euo pipefail

gpusched=$(realpath "$1")
ptx=$(realpath "$2")
source=$(realpath "$(dirname "$0")/../..")
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

# With y written first nothing is found; without, every thread reads what nothing has written.
"$gpusched" "${kernel[@]}" --arg buf:./timed.bin --arg i32:1000 --functional --check
status=0
"$gpusched" "${kernel[@]}" --arg buf:4000 --arg i32:1000 --gpu m2090 --check 2> found || status=$?
test "$status" -eq 1
test "$(wc -l < found)" -eq 2
grep -q '^gpusched run: check: .*saxpy.*: CTA (0,0,0), thread (0,0,0): .*saxpy.ptx:[0-9]*: warp 0, lane 0 reads 4 bytes at global' found
grep -q '^gpusched run: check: 1000 found, at 1 places$' found

# Constants through a generic address that is a first value, and a table of branches: 0, 20, 2, 60...
cat > table.ptx <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.const .align 4 .u32 tens[4] = {0, 20, 40, 60};
.global .align 8 .u64 second = generic(tens)+4;
.visible .entry table(.param .u64 out)
{
    .reg .u32 %r<4>;
    .reg .u64 %d<5>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 3;
    mul.wide.u32 %d2, %r2, 4;
    ld.global.u64 %d3, [second];
    add.u64 %d3, %d3, %d2;
ways: .branchtargets EVEN, ODD, EVEN, ODD;
    brx.idx %r2, ways;
EVEN:
    mov.u32 %r3, %r2;
    bra STORE;
ODD:
    ld.u32 %r3, [%d3+-4];
STORE:
    mul.wide.u32 %d4, %r1, 4;
    add.u64 %d4, %d1, %d4;
    st.global.u32 [%d4], %r3;
    ret;
}
PTX
for how in --functional '--gpu m2090'; do
    # shellcheck disable=SC2086 # two words
    "$gpusched" run --ptx table.ptx --kernel table --grid 1 --block 64 --quiet --arg buf:256 \
        $how --save 0=table.bin
    diff <(numbers table.bin) <(for _ in {1..16}; do printf '%s\n' 0 20 2 60; done)
done

has() { grep -q -- "$1" "$2" || { echo "$2 has no $1"; exit 1; }; }
has '"registers":40' out/result.json

# The page's kernel and commands, where they stand; then its compiler on a shuffle.
mkdir page
cd page
ln -s "$source/sim" sim
mkdir build
ln -s "$gpusched" build/gpusched
page=$source/docs/workloads-cuda.md
# shellcheck disable=SC2016 # backticks as they are
sed -n '/^```cuda$/,/^```$/{/^```/d;p}' "$page" > saxpy.cu
sed -n '/^    clang -x cuda/,/^$/{s/^    //p}' "$page" > commands
[ "$(wc -l < commands)" -eq 4 ]
bash -euo pipefail commands > said.txt
diff <(numbers y.bin) <(seq 0 2 8190)
echo '#include "cuda.h"
extern "C" __global__ void saxpy(int *y) { y[threadIdx.x] = __shfl_xor_sync(0xffffffffu, y[threadIdx.x], 1); }' > saxpy.cu
bash -euo pipefail <(sed '/^build/,$d' commands)
has 'shfl.sync.bfly.b32' saxpy.ptx
cd ..
"$gpusched" list workloads > workloads.txt
has '^  hotspot ' workloads.txt
has '^  stream ' workloads.txt
"$gpusched" list gpus > gpus.txt
has '^  m2090 ' gpus.txt
echo 'saxpy: right without timing, with timing, and with more registers'
echo "checked: kernels=4"
