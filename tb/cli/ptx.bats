#!/usr/bin/env bats
# A kernel of a PTX file, with arguments from the command line: with timing and without it must write
# what is right. The commands of docs/workloads-cuda.md do what they say, and take a shuffle.

load helper

# Of 1000 numbers, 3 i, and 3 i more.
kernel=(run --ptx "$CLI_BUILD/saxpy.ptx" --kernel saxpy --grid 8 --block 128 --dynamic-shared 512 --quiet
    --arg i32:3 --arg buf:4000:iota32)

# are FILE NUMBER... - the words of the file are these numbers.
are() { cmp <(od -An -td4 -v -w4 "$1" | tr -d ' ') <(printf '%s\n' "${@:2}"); }

@test "a kernel writes the same without timing, with timing, and with more registers" {
    ends 0 "${kernel[@]}" --arg buf:4000 --arg i32:1000 --functional --save 2=plain.bin
    ends 0 "${kernel[@]}" --arg buf:4000 --arg i32:1000 --gpu m2090 --save 2=timed.bin
    ends 0 "${kernel[@]}" --arg buf:./timed.bin --arg i32:1000 --gpu m2090 --save 2=twice.bin \
        --registers 40 -o result
    # shellcheck disable=SC2046 # words
    check 'without timing' are plain.bin $(seq 0 3 2997)
    # shellcheck disable=SC2046 # words
    check 'with timing' are timed.bin $(seq 0 3 2997)
    # shellcheck disable=SC2046 # words
    check 'once more' are twice.bin $(seq 0 6 5994)
    check 'the registers' says '"registers":40' result/result.json
}

@test "what nothing has written is found where it is read" {
    ends 0 "${kernel[@]}" --arg buf:./timed.bin --arg i32:1000 --functional --check
    # With y not written first every thread reads it.
    ends 1 "${kernel[@]}" --arg buf:4000 --arg i32:1000 --gpu m2090 --check
    check 'two lines' lines 2 err
    check 'the place' grep -q '^gpusched run: check: .*saxpy.*: CTA (0,0,0), thread (0,0,0): .*saxpy.ptx:[0-9]*: warp 0, lane 0 reads 4 bytes at global' err
    check 'how often' grep -q '^gpusched run: check: 1000 found, at 1 places$' err
}

# Constants through a generic address that is a first value, and a table of branches: 0, 20, 2, 60...
@test "constants have generic addresses, and branches a table" {
    cat > table.ptx << 'PTX'
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
        ends 0 run --ptx table.ptx --kernel table --grid 1 --block 64 --quiet --arg buf:256 $how --save 0=table.bin
        # shellcheck disable=SC2046 # words
        check "the table, $how" are table.bin $(for _ in {1..16}; do echo 0 20 2 60; done)
    done
}

@test "the page's kernel is compiled and run by the page's commands" {
    local page=$CLI_SOURCE/docs/workloads-cuda.md
    mkdir -p page/build
    cd page
    ln -s "$CLI_SOURCE/sim" sim
    ln -s "$CLI_BUILD/gpusched" build/gpusched
    # shellcheck disable=SC2016 # backticks as they are
    sed -n '/^```cuda$/,/^```$/{/^```/d;p}' "$page" > saxpy.cu
    sed -n '/^    clang -x cuda/,/^$/{s/^    //p}' "$page" > commands
    check 'four commands' lines 4 commands
    exits 0 bash -euo pipefail commands
    # shellcheck disable=SC2046 # words
    check 'the numbers' are y.bin $(seq 0 2 8190)
    # Its compiler takes a shuffle.
    echo '#include "cuda.h"
extern "C" __global__ void saxpy(int *y) { y[threadIdx.x] = __shfl_xor_sync(0xffffffffu, y[threadIdx.x], 1); }' > saxpy.cu
    sed '/^build/,$d' commands > compile
    exits 0 bash -euo pipefail compile
    check 'a shuffle' says 'shfl.sync.bfly.b32' saxpy.ptx
}

@test "workloads and GPUs are listed" {
    ends 0 list workloads
    check 'a CUDA program' grep -q '^  hotspot ' out
    check 'a synthetic kernel' grep -q '^  stream ' out
    ends 0 list gpus
    check 'a GPU' grep -q '^  m2090 ' out
}
