#!/usr/bin/env bash
# product.sh turns|all GPUSCHED WORK - runs LaPerm's programs, those of configs/experiments/laperm.yaml, at size small with
# the RTL of all units that dispatch, in the shadow and driving. They have four modes, and what kernels launch comes as
# kernels (CDP) or as groups (DTBL). With `turns` each program meets one of these eight, and each of them is met, on a GPU
# so small that launches go to memory. With `all` each program meets each, there and on the GPU of the paper. A run with
# RTL must give the right result, and the bytes of the run without.
set -euo pipefail

extent=$1
gpusched=$2
work=$3
modes=(rr tb-pri smx-bind adaptive-bind)
units='kmu kdu sm_free laperm_set laperm'
declare -A gpu=(
    [small]='sm.count=2 cluster.count=2 sm.cta_slots=2 laperm.entries=1 laperm.levels=2 dispatch.kernels=3 cdp.launch_latency=50
        cdp.lane_latency=3 cdp.group_latency=5 cdp.group_lane_latency=1'
    [whole]=cdp.pending=65536)
mapfile -t programs < <(sed -n 's/^  - \([a-z0-9_]*\)$/\1/p' configs/experiments/laperm.yaml)
[ ${#programs[@]} -eq 16 ] || { echo "configs/experiments/laperm.yaml: ${#programs[@]} programs, not 16"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
runs=0 files=0 failed=0 children=0 spilled=0
declare -A met=()

# run FOLDER OPTION... - of the program, GPU, mode and way of this turn; the result must be right.
run() {
    local settings=() key
    for key in ${gpu[$on]} laperm.mode="$mode" cdp.groups="$groups"; do settings+=(--set="$key"); done
    runs=$((runs + 1))
    "$gpusched" run --gpu k20c --size small --workload "$program" "${settings[@]}" "${@:2}" -o "$work/$1" > "$work/said" 2>&1 &&
        grep -q '^ "verified": true' "$work/$1/result.json"
}

# same FOLDER - its files are those of the run without RTL.
same() {
    local file
    for file in "$work"/without/*; do
        file=${file##*/}
        [ "$file" != host.json ] || continue
        cmp "$work/without/$file" "$work/$1/$file" >> "$work/said" 2>&1 || return 1
        files=$((files + 1))
    done
}

# compared - the units whose RTL has run without a difference.
compared() {
    sed -n '/^RTL in lockstep/,$ s/^  \([a-z_]*\)  *1  *[0-9,]*  *0  rtl.*\1\.v [0-9a-f]\{12\}.*$/\1/p' "$work/said" | paste -sd ' '
}

# meet - the turn's run with RTL.
meet() {
    if run "$rtl" --rtl="$rtl" && same "$rtl" && [ "$(compared)" = "$units" ]; then
        met[$mode $groups $rtl]=1
        return
    fi
    sed '/inputs of the last/,$d' "$work/said" | tail -n 40
    printf 'FAIL: %s with laperm.mode=%s cdp.groups=%s on the %s GPU, RTL in %s\n' "$program" "$mode" "$groups" "$on" "$rtl"
    failed=$((failed + 1))
}

# both - the turn's run without RTL, and then with.
both() {
    run without || { tail -n 40 "$work/said"; printf 'FAIL: %s without RTL\n' "$program"; exit 1; }
    children=$((children + $(grep -c '"parent":' "$work/without/result.json" || true)))
    spilled=$((spilled + $(grep -c '"spilled":true' "$work/without/result.json" || true)))
    for rtl in shadow drive; do meet; done
}

# Programs with the same kernels meet different ones, and those whose children launch children, amr and bht, modes with levels.
for at in "${!programs[@]}"; do
    program=${programs[at]}
    if [ "$extent" = turns ]; then
        on=small mode=${modes[(at + 1) % 4]} groups=false
        if [ $((at / 4 % 2)) -eq 1 ]; then groups=true; fi
        both
    else
        for on in small whole; do
            for mode in "${modes[@]}"; do
                for groups in false true; do both; done
            done
        done
    fi
done
[ ${#met[@]} -eq 16 ] || { printf 'FAIL: %d of 16 are met\n' ${#met[@]} && failed=$((failed + 1)); }
[ "$failed" -eq 0 ] || { printf '%d of %d runs failed\n' "$failed" "$runs" && exit 1; }
printf 'checked: runs=%d files=%d programs=%d modes=%d children=%d spilled=%d\n' "$runs" "$files" ${#programs[@]} ${#met[@]} \
    "$children" "$spilled"
