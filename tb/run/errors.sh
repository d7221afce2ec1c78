#!/usr/bin/env bash
# errors.sh GPUSCHED [GPU WORKLOAD] - bad command lines: each must exit with 2, say one line on
# stderr that names the problem, and write nothing.
set -uo pipefail

gpusched=$(realpath "$1")
gpu=${2:-m2090}
workload=${3:-stream}
folder=$(mktemp -d)
logs=$(mktemp -d)
trap 'rm -rf "$folder" "$logs"' EXIT
cd "$folder" || exit 1
tried=0
failed=0

# bad WORD ARGUMENT... - WORD must be in the message.
bad() {
    local word=$1 status left problem=''
    shift
    "$gpusched" "$@" > "$logs/out" 2> "$logs/err"
    status=$?
    [ "$status" -eq 2 ] || problem="exit status $status"
    [ "$(wc -l < "$logs/err")" -eq 1 ] || problem="$problem; not one line on stderr"
    grep -qF -e "$word" "$logs/err" || problem="$problem; stderr does not name $word"
    [ -s "$logs/out" ] && problem="$problem; something on stdout"
    left=$(find . -mindepth 1)
    [ -z "$left" ] || problem="$problem; wrote $left"
    find . -mindepth 1 -delete
    tried=$((tried + 1))
    if [ -n "$problem" ]; then
        failed=$((failed + 1))
        printf 'FAIL  gpusched %s: %s\n' "$*" "$problem"
        sed 's/^/      /' "$logs/err"
    fi
}

run=(run --gpu "$gpu" --workload "$workload")
bad 'command'
bad 'rum' rum
bad '--gpu' run --workload "$workload"
bad '--workload' run --gpu "$gpu"
bad 'no-such-gpu' run --gpu no-such-gpu --workload "$workload" -o out
bad 'no-such-workload' run --gpu "$gpu" --workload no-such-workload -o out
bad '--sries' "${run[@]}" --sries=5
bad '--gpu' run --workload "$workload" --gpu
bad '--quiet' "${run[@]}" --quiet=5
bad 'more' "${run[@]}" more
bad 'sm.count' "${run[@]}" --set sm.count -o out
bad 'sm.coun' "${run[@]}" --set sm.coun=4 -o out
bad 'sm.count' "${run[@]}" --set sm.count=0 -o out
bad 'sm.count' "${run[@]}" --set sm.count=many -o out
bad 'warp.policy' "${run[@]}" --set warp.policy=best -o out
printf 'base: ./here.yaml\n' > "$logs/base.yaml"
printf 'base: %s\nsm: {count: 4}\n' "$logs/circle.yaml" > "$logs/circle.yaml"
printf 'sm:\n  count: 4\n' > "$logs/machine.yaml"
bad 'base.yaml:1: base: ./here.yaml' run --gpu "$logs/base.yaml" --workload "$workload" -o out
bad 'circle.yaml:1: base' run --gpu "$logs/circle.yaml" --workload "$workload" -o out
bad 'circle.yaml:1: base' config show "$logs/circle.yaml"
bad 'no such scheduler' "${run[@]}" --scheduler best -o out
bad 'claso20' "${run[@]}" --scheduler=gto,clasp -o out
bad 'machine.yaml:1: sm: ' "${run[@]}" --scheduler "$logs/machine.yaml" -o out
bad 'empty name' "${run[@]}" --scheduler= -o out
bad 'given twice' "${run[@]}" --scheduler=gto --scheduler=lrr -o out
bad 'icc.entries' run --gpu fermi-30 --workload "$workload" --scheduler=icc --set cluster.count=1 -o out
bad '--scheduler' run --workload hotspot --functional --scheduler=gto
bad '--scheduler' record --gpu "$gpu" --workload "$workload" --unit=claso --vectors=file --scheduler=gto --scheduler=lrr
bad '--scheduler: best: no such scheduler' config show "$gpu" --scheduler best
bad 'given twice' config show "$gpu" --scheduler gto --scheduler lrr
bad '--scheduler' config list --scheduler gto
bad 'fast' "${run[@]}" --naive=fast
bad '--series' "${run[@]}" --series=0 -o out
bad '--series' "${run[@]}" --series=ten -o out
bad '--timeline' "${run[@]}" --timeline
bad '/nowhere/out' "${run[@]}" -o /nowhere/out
bad '/dev/null' "${run[@]}" -o /dev/null
bad 'xml' stats --format=xml
bad 'hotspot' run --gpu "$gpu" --workload hotspots
bad '--size' run --gpu "$gpu" --workload hotspot --size=huge
bad '--size' "${run[@]}" --size=small
bad '--functional' run --functional --workload "$workload"
bad '--check' run --functional --check --workload stream
bad '--check' "${run[@]}" --check
bad '-o' run --functional --workload hotspot -o out
bad '--kernel' run --gpu "$gpu" --ptx none.ptx --grid 1 --block 1
bad '--grid' run --gpu "$gpu" --ptx none.ptx --kernel k --block 1
bad '--grid' run --gpu "$gpu" --ptx none.ptx --kernel k --block 1 --grid 1,2,3,4
bad 'none.ptx' run --gpu "$gpu" --ptx none.ptx --kernel k --block 1 --grid 1 -o out
bad 'i32:x' run --gpu "$gpu" --ptx none.ptx --kernel k --block 1 --grid 1 --arg i32:x
bad 'none.bin' run --gpu "$gpu" --ptx none.ptx --kernel k --block 1 --grid 1 --arg buf:none.bin
argument() { bad "$1" run --gpu "$gpu" --ptx none.ptx --kernel k --block 1 --grid 1 --arg "$2"; }
argument 'a folder; allowed' buf:/tmp
argument 'no regular file; allowed' buf:/dev/null
argument 'the file is empty' "buf:$logs/out"
argument 'allowed: -128 to 127' i8:128
argument 'allowed: 0 to 255' u8:-1
argument 'allowed: -32768 to 32767' i16:-32769
argument 'allowed: 0 to 65535' u16:65536
argument 'allowed: -2147483648 to 2147483647' i32:2147483648
argument 'allowed: 0 to 4294967295' u32:0x100000000
argument 'allowed: -9223372036854775808 to 9223372036854775807' i64:9223372036854775808
argument 'allowed: 0 to 18446744073709551615' u64:18446744073709551616
argument 'allowed: up to 3.4028235e38' f32:1e39
argument 'allowed: up to 1.7976931348623157e308' f64:-1e309
argument 'allowed: 1 to 17179869184 bytes' buf:0
argument 'allowed: 1 to 17179869184 bytes' buf:17179869185
argument 'allowed: 1 to 17179869184 bytes' buf:99999999999999999999:iota32
argument 'f32 f64:REAL' f32:1.5x
argument 'f32 f64:REAL' i32:-
argument 'f32 f64:REAL' buf:64:ones
# other WHAT BYTES... - files that are given for PTX.
other() {
    printf '%b' "$2" > "$logs/other"
    bad "this is $1" run --gpu "$gpu" --ptx "$logs/other" --kernel k --block 1 --grid 1
}
other 'an ELF file' '\0177ELF\02\01\01\063\07'
other 'a fatbin' '\0120\0355\0125\0272\01\0\020'
other 'LLVM bitcode' 'BC\0300\0336'
other 'SASS, as cuobjdump' '\nFatbin elf code:\n================\narch = sm_75\n'
other 'SASS, as nvdisasm' '\t.headerflags\t@"EF_CUDA_SM75"\n'
other 'a binary file' '.version\0'
bad '--save' run --gpu "$gpu" --ptx none.ptx --kernel k --block 1 --grid 1 --save 0=file
bad '--ptx' run --gpu "$gpu" --workload "$workload" --arg i32:1
bad 'shared' run --gpu "$gpu" --workload hotspot --set sm.shared_bytes=512 -o out --timeline
bad '--rtl' "${run[@]}" --rtl=on
bad 'shadow' "${run[@]}" --units=claso
bad 'warp' "${run[@]}" --rtl=shadow --units=claso,warp
bad 'one unit' "${run[@]}" --rtl=shadow --units=claso,cta_scheduler --rtl-file=none.so
bad 'powers of two' "${run[@]}" --set dispatch.block=3
bad '--unit' record --gpu "$gpu" --workload "$workload" --vectors=file
bad '--unit' record --gpu "$gpu" --workload "$workload" --unit=warp --vectors=file
bad '--functional' record --workload "$workload" --unit=claso --vectors=file --functional
bad 'claso.active_levels' record --gpu "$gpu" --workload "$workload" --unit=claso --vectors=file
bad 'icc.entries' record --gpu "$gpu" --workload "$workload" --unit=cluster_port --vectors=file
bad '--unit' record --gpu "$gpu" --workload "$workload" --unit=all --vectors=file
bad '--rtl' record --gpu "$gpu" --workload "$workload" --unit=claso --vectors=file --rtl=shadow
bad 'colon' run --gpu "$gpu" --workload stream:0
bad 'described' run --gpu "$gpu" --workload hotspot:4
bad 'workloads' list
bad 'things' list things
bad 'shell' completion
bad 'tcsh' completion tcsh
bad 'bash' completion bash bash
bad '--shell' completion --shell
bad 'completion' complete
printf '%d command lines tried, %d failed\n' "$tried" "$failed"
echo "checked: lines=$tried"
[ "$failed" -eq 0 ]
