#!/usr/bin/env bats
# Bad command lines: each exits with 2, says one line on stderr that names the problem, and writes
# nothing.

load helper
run=(run --gpu m2090 --workload stream)
kernel=(run --gpu m2090 --ptx none.ptx --kernel k --block 1 --grid 1)

# argument TEXT ARGUMENT - of a kernel.
argument() { refused "$1" "${kernel[@]}" --arg "$2"; }

# other WHAT BYTES - a file that is given for PTX.
other() {
    printf '%b' "$2" > "$BATS_TEST_TMPDIR/other"
    refused "this is $1" run --gpu m2090 --ptx "$BATS_TEST_TMPDIR/other" --kernel k --block 1 --grid 1
}

@test "a bench that is wrong is refused" {
    refused 'none: no such kernel; allowed: stream, compute, tile, scatter' bench none
    refused '--set: x.y: no such key' bench --set x.y=1
    refused '--set: l2.sector: 3 is no whole, half or quarter of l2.line' bench --set l2.sector=3
    refused 'l2.slices' bench --set l2.slices=0
}

@test "a command line that is wrong is refused" {
    refused 'command'
    refused 'rum' rum
    refused '--gpu' run --workload stream
    refused '--workload' run --gpu m2090
    refused '--sries' "${run[@]}" --sries=5
    refused '--gpu' run --workload stream --gpu
    refused '--quiet' "${run[@]}" --quiet=5
    refused 'more' "${run[@]}" more
    refused 'fast' "${run[@]}" --naive=fast
    refused '--series' "${run[@]}" --series=0 -o folder
    refused '--series' "${run[@]}" --series=ten -o folder
    refused '--timeline' "${run[@]}" --timeline
    refused '/nowhere/out' "${run[@]}" -o /nowhere/out
    refused '/dev/null' "${run[@]}" -o /dev/null
    refused '--size=huge: allowed: small, medium, paper, claso, th3, th42, th44, icc, laperm' \
        run --gpu m2090 --workload hotspot --size=huge
    refused 'aes: there is no --size=th3 of it; allowed: small, medium, paper, claso' \
        run --gpu m2090 --workload aes --size=th3
    refused 'hotspot: there is no --size=claso of it; allowed: small, medium, paper, th42, th44, icc' \
        run --functional --workload bfs+hotspot --size=claso
    refused '--size' "${run[@]}" --size=small
    refused '--functional' run --functional --workload stream
    refused '--check' run --functional --check --workload stream
    refused '--check' "${run[@]}" --check
    refused '-o' run --functional --workload hotspot -o folder
}

@test "a name that nothing has is refused" {
    refused 'no-such-gpu' run --gpu no-such-gpu --workload stream -o folder
    refused 'no-such-workload' run --gpu m2090 --workload no-such-workload -o folder
    refused 'hotspot' run --gpu m2090 --workload hotspots
    refused 'colon' run --gpu m2090 --workload stream:0
    refused 'described' run --gpu m2090 --workload hotspot:4
}

@test "a setting that does not fit is refused" {
    refused 'sm.count' "${run[@]}" --set sm.count -o folder
    refused 'sm.coun' "${run[@]}" --set sm.coun=4 -o folder
    refused 'sm.count' "${run[@]}" --set sm.count=0 -o folder
    refused 'sm.count' "${run[@]}" --set sm.count=many -o folder
    refused 'warp.policy' "${run[@]}" --set warp.policy=best -o folder
    refused 'shared' run --gpu m2090 --workload hotspot --set sm.shared_bytes=512 -o folder --timeline
    refused 'powers of two' "${run[@]}" --set dispatch.block=3
}

@test "a configuration that is wrong is refused by file and line" {
    printf 'base: ./here.yaml\n' > "$BATS_TEST_TMPDIR/base.yaml"
    printf 'base: %s\nsm: {count: 4}\n' "$BATS_TEST_TMPDIR/circle.yaml" > "$BATS_TEST_TMPDIR/circle.yaml"
    printf 'sm:\n  count: 4\n' > "$BATS_TEST_TMPDIR/machine.yaml"
    refused 'base.yaml:1: base: ./here.yaml' run --gpu "$BATS_TEST_TMPDIR/base.yaml" --workload stream -o folder
    refused 'circle.yaml:1: base' run --gpu "$BATS_TEST_TMPDIR/circle.yaml" --workload stream -o folder
    refused 'circle.yaml:1: base' config show "$BATS_TEST_TMPDIR/circle.yaml"
    refused 'machine.yaml:1: sm: ' "${run[@]}" --scheduler "$BATS_TEST_TMPDIR/machine.yaml" -o folder
}

@test "a scheduler that does not fit is refused" {
    refused 'no such scheduler' "${run[@]}" --scheduler best -o folder
    refused 'claso20' "${run[@]}" --scheduler=gto,clasp -o folder
    refused 'empty name' "${run[@]}" --scheduler= -o folder
    refused 'given twice' "${run[@]}" --scheduler=gto --scheduler=lrr -o folder
    refused 'icc.entries' run --gpu fermi-30 --workload stream --scheduler=icc --set cluster.count=1 -o folder
    refused '--scheduler' run --workload hotspot --functional --scheduler=gto
    refused '--scheduler' record --gpu m2090 --workload stream --unit=claso --vectors=file --scheduler=gto --scheduler=lrr
    refused '--scheduler: best: no such scheduler' config show m2090 --scheduler best
    refused 'given twice' config show m2090 --scheduler gto --scheduler lrr
    refused '--scheduler' config list --scheduler gto
    refused 'one unit' "${run[@]}" --rtl=shadow --units=claso,cta_scheduler --rtl-file=none.so
}

@test "what a kernel of a file needs is asked for" {
    refused '--kernel' run --gpu m2090 --ptx none.ptx --grid 1 --block 1
    refused '--grid' run --gpu m2090 --ptx none.ptx --kernel k --block 1
    refused '--grid' run --gpu m2090 --ptx none.ptx --kernel k --block 1 --grid 1,2,3,4
    refused 'none.ptx' "${kernel[@]}" -o folder
    refused 'i32:x' "${kernel[@]}" --arg i32:x
    refused 'none.bin' "${kernel[@]}" --arg buf:none.bin
    refused '--save' "${kernel[@]}" --save 0=file
    refused '--ptx' run --gpu m2090 --workload stream --arg i32:1
}

@test "an argument of a kernel is refused with what is allowed" {
    : > "$BATS_TEST_TMPDIR/empty"
    argument 'a folder; allowed' buf:/tmp
    argument 'no regular file; allowed' buf:/dev/null
    argument 'the file is empty' "buf:$BATS_TEST_TMPDIR/empty"
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
}

@test "what is no PTX is named" {
    other 'an ELF file' '\0177ELF\02\01\01\063\07'
    other 'a fatbin' '\0120\0355\0125\0272\01\0\020'
    other 'LLVM bitcode' 'BC\0300\0336'
    other 'SASS, as cuobjdump' '\nFatbin elf code:\n================\narch = sm_75\n'
    other 'SASS, as nvdisasm' '\t.headerflags\t@"EF_CUDA_SM75"\n'
    other 'a binary file' '.version\0'
}

@test "RTL and vectors are refused where they cannot be" {
    refused '--rtl' "${run[@]}" --rtl=on
    refused 'shadow' "${run[@]}" --units=claso
    refused 'warp' "${run[@]}" --rtl=shadow --units=claso,warp
    refused '--unit' record --gpu m2090 --workload stream --vectors=file
    refused '--unit' record --gpu m2090 --workload stream --unit=warp --vectors=file
    refused '--functional' record --workload stream --unit=claso --vectors=file --functional
    refused 'claso.active_levels' record --gpu m2090 --workload stream --unit=claso --vectors=file
    refused 'icc.entries' record --gpu m2090 --workload stream --unit=cluster_port --vectors=file
    refused '--unit' record --gpu m2090 --workload stream --unit=all --vectors=file
    refused '--rtl' record --gpu m2090 --workload stream --unit=claso --vectors=file --rtl=shadow
}

@test "other commands refuse what they do not know" {
    refused 'xml' stats --format=xml
    refused 'workloads' list
    refused 'things' list things
    refused 'shell' completion
    refused 'tcsh' completion tcsh
    refused 'bash' completion bash bash
    refused '--shell' completion --shell
    refused 'completion' complete
}
