#!/usr/bin/env bash
# platform.sh WORK GPUSCHED PLATFORM WORK_DISTRIBUTOR.v - a CUDA kernel on the SystemC platform:
# with either work distributor it is right, and its statistics are the bytes of gpusched run; a
# defect planted in the RTL stops it, as docs/systemc.md shows.
set -euo pipefail

work=$1
gpusched=$2
platform=$3
rtl=$4
gpu=$(basename "$platform")
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
rm -rf "$work/run" "$work/spoiled.json"
mkdir -p "$work"

fail() {
    echo "$1"
    cat "$work/report"
    exit 1
}
# with STATUS PLATFORM ARGUMENT... - it must end with this status; stdout and stderr: report.
with() {
    local status=0
    "${@:2}" > "$work/report" 2>&1 || status=$?
    [ "$status" -eq "$1" ] || fail "exit status $status, not $1: ${*:2}"
}
has() {
    grep -qE -- "$1" "$work/report" || fail "the report lacks: $1"
}

# ---- The same bytes ------------------------------------------------------------------------
same() {
    local set=() peer
    for key in "$@"; do
        set+=(--set "$key")
    done
    "$gpusched" run --quiet --gpu "$gpu" --workload hotspot "${set[@]}" -o "$work/run"
    for peer in golden rtl; do
        with 0 "$platform" "$gpu" hotspot "$peer" "$@" -o "$work/result.json"
        has '^  result +verified: '
        cmp "$work/run/result.json" "$work/result.json"
        cat "$work/report"
    done
}
# Blocks, credits and stealing: all that the unit does.
everything=(claso.active_levels=1 dispatch.policy=distributed-block dispatch.steal=true)
same
same claso.active_levels=1
same "${everything[@]}"

# ---- What is refused -------------------------------------------------------------------------
with 2 "$platform" m2090 hotspot
has '^platform: m2090 needs a platform with N_SM=16 '
with 2 "$platform" "$gpu" hotspot model
has '^platform: model: '

# ---- A planted defect ------------------------------------------------------------------------
# It stops the run, and the page shows how.
tb/systemc/difference.sh "$work" "$rtl" > "$work/report"
has '^    DIFFERENCE work_distributor N_SM=14 '
has '^      cycle +[0-9]+ of the unit, [0-9]+ of the GPU, at [0-9]+ ps$'
has '^      [a-z_]+_o +[0-9]+ +[0-9]+$'
has '^      room_i +[0-9a-f]+$'
tb/drift/document.sh check docs/systemc.md difference cat "$work/report"
# ... and the golden model in the place of that RTL runs.
with 0 "$work/platform/$gpu" "$gpu" hotspot golden "${everything[@]}"
echo "checked: runs=9"
