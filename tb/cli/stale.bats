#!/usr/bin/env bats
# A write that leaves what it should close or drop in the cluster's port is found by the versions of
# lines, in the golden model and in RTL that drives with the same defect: nothing else differs then.
# RTL alone with the defect differs from the golden model. CLI_CPPFLAGS and CLI_LIBS are those of the
# model's files.

load helper
params='N_ENTRY.8-N_LINE.4-N_SM.5-LINE_W.41'
run=(run -g icc -w exchange --set dispatch.policy=distributed --set icc.entries=8 --set icc.lines=4)
stale='illegal at cycle .* as it was before a write'
export GPUSCHED_DATA=$CLI_SOURCE

# said STATUS TEXT PROGRAM OPTION... - the run must end so, and say so.
said() {
    exits "$1" "$3" "${run[@]}" "${@:4}"
    cat err >> out
    check "it says $2" grep -q "$2" out
}

# spoil FILE SED - the spoiled copy in this folder.
spoil() {
    sed "$2" "$CLI_SOURCE/$1" > "${1##*/}"
    check "the defect changes $1" fails cmp -s "$CLI_SOURCE/$1" "${1##*/}"
}

# found UNIT SED-OF-C SED-OF-VERILOG
found() {
    local so=$PWD/so/cluster_port-$params.so cppflags libs objects
    read -ra cppflags <<< "$CLI_CPPFLAGS"
    read -ra libs <<< "$CLI_LIBS"
    spoil "cmodel/units/$1.c" "$2"
    spoil "rtl/units/$1.v" "$3"
    cp "$CLI_SOURCE/rtl/top/cluster_port.v" .
    objects=("$CLI_BUILD/c/sim/gpusched/command/main.o" "$PWD/$1.o" "$CLI_BUILD/libgolden.a")
    (cd "$CLI_SOURCE" && gcc -std=c11 -O1 "${cppflags[@]}" -fPIC -w -c -o "$OLDPWD/$1.o" "$OLDPWD/$1.c")
    gcc -o spoiled "${objects[@]}" "${libs[@]}"
    make -s -C "$CLI_SOURCE" UNIT=cluster_port RTL="$PWD" SO="$PWD/so" CXXFLAGS=-O1 "$so"
    said 0 ': done' ./spoiled
    said 1 "$stale" ./spoiled --naive=versions
    said 0 '^  cluster_port  *12 .* 0  ' ./spoiled --rtl=drive --units=cluster_port --rtl-file="$so"
    said 1 "$stale" ./spoiled --naive=versions --rtl=drive --units=cluster_port --rtl-file="$so"
    check 'no difference' fails grep -q '^DIFFERENCE' out
    said 1 '^DIFFERENCE cluster_port' gpusched --rtl=drive --units=cluster_port --rtl-file="$so"
}

# Each has a folder of its own.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    set +T
}

@test "a line that the cache does not drop is found" {
    found coalesced_cache '/if (in->lookup_write) {/,/}/{/bits_remove\|move(/d}' \
        "s/wire kill = lookup_valid_i && lookup_write_i;/wire kill = 1'b0;/"
}

@test "an entry that the merge table does not close is found" {
    found icc 's/bits_add(&next->q.closed, entry);/;/' \
        "s/wire write = acts && request_write_i;/wire write = 1'b0;/"
}

@test "the model as it is has none" {
    said 0 ': done' gpusched --naive=versions
}
