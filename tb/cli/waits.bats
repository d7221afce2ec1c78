#!/usr/bin/env bats
# Kernels whose CTAs, warps and lanes wait for each other (tb/run/waits.cu): they end, and write what is
# right, on GPUs of all sizes and without timing; what can never end is found, and the report says why.

load helper

# are FILE NUMBER... - the words of the file are these numbers.
are() { cmp <(od -An -tu4 -v -w4 "$1" | tr -d ' ') <(printf '%s\n' "${@:2}"); }

# waits STATUS KERNEL GRID BLOCK OPTION... - runs it.
waits() {
    ends "$1" run --quiet --ptx "$CLI_BUILD/${ptx:-waits}.ptx" --kernel "$2" --grid "$3" --block "$4" "${@:5}"
}

# everywhere KERNEL GRID BLOCK RESULT OPTION... - it must write the numbers of the array `right`.
everywhere() {
    local on
    for on in --functional --gpu=m2090 --gpu=icc --gpu=h100 '--gpu=m2090 --set=sm.count=1 --set=cluster.count=1'; do
        rm -f got
        # shellcheck disable=SC2086 # words
        waits 0 "$1" "$2" "$3" $on --save "$4=got" "${@:5}"
        check "$1, $on" are got "${right[@]}"
    done
}

# core FOLDER - cycles of the run.
core() { sed -n 's/^  "core": \([0-9]*\),$/\1/p' "$1/result.json"; }

# cycles KERNEL GPU - of a run of it.
cycles() {
    waits 0 "$1" 240 256 --gpu "$2" --arg buf:4 --arg buf:1048576 --arg buf:1048576:iota32 --arg u32:1024 \
        --save "1=$1.bin" -o "$1"
    core "$1"
}

@test "tiles taken by tickets need at most 5 % more cycles than tiles that are dealt" {
    local gpu tickets dealt
    for gpu in m2090 c2050 gtx480 icc k20c; do
        tickets=$(cycles tickets $gpu)
        dealt=$(cycles dealt $gpu)
        check "the same words on $gpu" cmp tickets.bin dealt.bin
        check "both have ended on $gpu" [ "${tickets:-0}" -gt 1000 ]
        check "$tickets and $dealt cycles on $gpu" [ $((tickets * 100)) -le $((dealt * 105)) ]
        # Fewer are right: of tiles that are dealt, the last run on few SMs.
        check "not far fewer on $gpu" [ $((tickets * 100)) -ge $((dealt * 85)) ]
    done
}

@test "all CTAs meet, round after round" {
    mapfile -t right < <(awk 'BEGIN {
        for (i = 0; i < 8; i++) a[i] = i
        for (k = 0; k < 3; k++) {
            for (i = 0; i < 8; i++) b[i] = a[i] + a[(i + 1) % 8]
            for (i = 0; i < 8; i++) a[i] = b[i]
        }
        for (i = 0; i < 8; i++) print a[i] }')
    everywhere rounds 8 64 1 --arg buf:4 --arg buf:32 --arg u32:3
}

@test "CTAs wait for earlier and for later ones" {
    mapfile -t right < <(seq 2 8; echo 1)
    everywhere circle 8 1 0 --arg buf:32
}

@test "a scan in one pass looks back" {
    mapfile -t right < <(awk 'BEGIN { for (i = 0; i < 1280; i++) { s += i; if (i % 32 == 31) print s } }')
    everywhere look_back 40 1 1 --arg buf:320 --arg buf:160 --arg buf:5120:iota32
}

@test "a matrix multiplication is dealt in parts of sums" {
    mapfile -t right < <(awk 'BEGIN { for (i = 0; i < 16; i++) for (j = 0; j < 16; j++) {
        s = 0
        for (k = 0; k < 16; k++) s += (16 * i + k) * (16 * k + j)
        print s } }')
    everywhere stream_k 7 1 0 --arg buf:1024 --arg buf:1024:iota32 --arg buf:1024:iota32 --arg buf:28 --arg buf:28
    everywhere stream_k 37 1 0 --arg buf:1024 --arg buf:1024:iota32 --arg buf:1024:iota32 --arg buf:148 --arg buf:148
}

@test "warps of a CTA wait for each other, in shared memory and at barriers of some of them" {
    mapfile -t right < <(seq 8 -1 1)
    everywhere relay 1 256 0 --arg buf:32
    mapfile -t right < <(for k in 0 1 2 3; do seq $((100 * k + 31)) -1 $((100 * k)); done)
    everywhere hand_over 1 64 0 --arg buf:512 --arg u32:4
}

@test "lanes of a warp wait for each other, from sm_70 on" {
    right=(192)
    everywhere lock 3 64 1 --arg buf:4 --arg buf:4
    mapfile -t right < <(for i in $(seq 0 2 30); do printf '1\n%d\n' $((i + 7)); done)
    everywhere lanes 1 32 1 --arg buf:128 --arg buf:128
    for on in --functional --gpu=m2090; do
        ptx=waits_sm35 waits 1 lock 1 32 $on --arg buf:4 --arg buf:4
        check "the truth, $on" says 'before sm_70 the lanes of a warp cannot wait for each other' err
    done
}

@test "a clock counts the cycles of the GPU" {
    local clock cycles
    waits 0 clocks 1 32 --gpu m2090 --arg buf:128 --arg u32:100 --save 0=got -o clocks
    clock=$(od -An -tu4 -N4 got | tr -d ' ')
    cycles=$(core clocks)
    check "$clock of $cycles cycles" [ "$clock" -lt "$cycles" ]
    check "$clock of $cycles cycles, but for start and end" [ "$clock" -gt $((cycles - 2000)) ]
}

@test "who waits for what nobody will write is told" {
    for on in --functional --gpu=m2090 --gpu=h100; do
        waits 1 nobody 5 64 $on --arg buf:4
        check "the place, $on" grep -q '^  _Z6nobodyPj: CTA (0,0,0), thread (0,0,0): .*/waits.ptx:[0-9]*: warp 0 polls global address 0x10000000, where 0x4 is; last written by _Z6nobodyPj: CTA [1-4], thread 0: line [0-9]*$' err
        check "one line a warp, $on" [ "$(grep -c ' polls ' err)" -eq 2 ]
    done
    # The last CTA of a grid barrier gets no room.
    waits 0 rounds 14 64 --gpu=c2050 --set sm.cta_slots=1 --arg buf:4 --arg buf:60 --arg u32:1
    waits 1 rounds 15 64 --gpu=c2050 --set sm.cta_slots=1 --arg buf:4 --arg buf:60 --arg u32:1
    check 'a CTA has not been issued' says '14 of 15 CTAs issued, 0 ended; waits: no SM has room' err
    waits 1 nobody 5 64 --gpu=m2090 --arg buf:4 --set limit.watchdog=2000
    local hung since
    read -r hung since < <(sed -n '1s/.*hung at cycle \([0-9]*\): no progress since cycle \([0-9]*\) .*/\1 \2/p' err)
    check "in cycle $hung, $since and the watchdog" [ $((hung - since)) -lt 2500 ]
}

@test "what takes long is not endless, and has a limit if one is given" {
    waits 0 forever 1 32 --functional --arg buf:128 --arg u32:1000000 --save 0=got
    # shellcheck disable=SC2046 # words
    check 'the sums' are got $(seq 3000000 3000031)
    waits 1 forever 2 32 --gpu m2090 --arg buf:128 --arg u32:1000000 --set limit.instructions=5000
    check 'the limit' says 'the kernel has executed 5000 warp instructions, its limit' err
}
