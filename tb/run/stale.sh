#!/usr/bin/env bash
# stale.sh WORK GPUSCHED BUILD CPPFLAGS LIBS - a write that leaves what it should close or drop in the
# cluster's port is found by the versions of lines, in the golden model and in RTL that drives with
# the same defect: nothing else differs then. RTL alone with the defect differs from the golden model.
set -euo pipefail

work=$1
gpusched=$2
build=$3
read -ra cppflags <<< "$4"
read -ra libs <<< "$5"
params='N_ENTRY.8-N_LINE.4-N_SM.5-LINE_W.41'
run=(run -g icc -w exchange --set dispatch.policy=distributed --set icc.entries=8 --set icc.lines=4)
checks=0
rm -rf "$work"
export GPUSCHED_DATA=$PWD

fail() {
    echo "$1"
    cat "$work/said"
    exit 1
}

# ends STATUS TEXT PROGRAM ARGUMENT... - it must end so, and say so.
ends() {
    local status=0 wanted=$1 text=$2
    shift 2
    "$@" > "$work/said" 2>&1 || status=$?
    test "$status" -eq "$wanted" || fail "exit status $status, not $wanted: $*"
    grep -q "$text" "$work/said" || fail "it does not say '$text': $*"
    checks=$((checks + 1))
}

# spoil FILE SED - the spoiled copy in the folder of this defect.
spoil() {
    sed "$2" "$1" > "$work/${1##*/}"
    if cmp -s "$1" "$work/${1##*/}"; then
        echo "the defect changes nothing in $1"
        exit 1
    fi
}

# found UNIT SED-OF-C SED-OF-VERILOG
found() {
    local so=$work/so/cluster_port-$params.so stale='illegal at cycle .* as it was before a write'
    rm -rf "$work"
    mkdir -p "$work"
    spoil "cmodel/units/$1.c" "$2"
    spoil "rtl/units/$1.v" "$3"
    gcc -std=c11 -O1 "${cppflags[@]}" -fPIC -w -c -o "$work/$1.o" "$work/$1.c"
    gcc -o "$work/gpusched" "$build/c/sim/gpusched/command/main.o" "$work/$1.o" "$build/libgolden.a" "${libs[@]}"
    cp rtl/top/cluster_port.v "$work"
    env -u MAKEFLAGS make -s UNIT=cluster_port RTL="$work" SO="$work/so" CXXFLAGS=-O1 "$so"
    ends 0 ': done' "$work/gpusched" "${run[@]}"
    ends 1 "$stale" "$work/gpusched" "${run[@]}" --naive=versions
    ends 0 '^  cluster_port  *12 .* 0  ' "$work/gpusched" "${run[@]}" --rtl=drive --units=cluster_port --rtl-file="$so"
    ends 1 "$stale" "$work/gpusched" "${run[@]}" --naive=versions --rtl=drive --units=cluster_port \
        --rtl-file="$so"
    if grep -q '^DIFFERENCE' "$work/said"; then fail 'a difference'; fi
    ends 1 '^DIFFERENCE cluster_port' "$gpusched" "${run[@]}" --rtl=drive --units=cluster_port \
        --rtl-file="$so"
}

found coalesced_cache '/if (in->lookup_write) {/,/}/{/bits_remove\|move_to_end/d}' \
    "s/wire kill = here && lookup_write_i;/wire kill = 1'b0;/"
found icc 's/bits_add(&next->q.closed, entry);/;/' \
    "s/closing = request_entry & {N_ENTRY{write}};/closing = {N_ENTRY{1'b0}};/"
ends 0 ': done' "$gpusched" "${run[@]}" --naive=versions
echo "checked: runs=$checks"
