#!/usr/bin/env bash
# children.sh WORK BUILD LAUNCHES - kernels that a kernel launches, from a tenth of so many to so many: in one run at most
# 15 times the time of the processor and 12 times the memory, less what a run of next to nothing has, and 6,500 bytes for
# each. They come at once, or 2,000,000 cycles late: some 100,000 of one CTA wait then. The children of one CTA, and those of
# as many CTAs, which wait for them. Prints what was measured.
set -euo pipefail

work=$1 build=$(realpath "$2") launches=$3
export GPUSCHED_DATA=$PWD
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() { echo "children.sh: $*" >&2; exit 1; }

# The longest latencies.
late=(--set cdp.launch_latency=1000000 --set dispatch.launch_latency=1000000)
# measure KIND N OPTION... - hundredths of a second of the processor, and kilobytes.
measure() {
    local kind=$1 n=$2 kernel=many threads=32 argument words sum=0
    shift 2
    case $kind in
    one*) argument=$((n / 32)) words="$n 0" ;;
    *) kernel=wait_many threads=1 argument=$((n - 1)) words="$((n - 1)) $((n - 1))" ;; # and the kernel of them all
    esac
    "$build/many" time "$build/gpusched" run -q --gpu k20c --ptx "$build/nested.ptx" --kernel "$kernel" --grid 1 --block "$threads" \
        --arg buf:64 --arg "i32:$argument" --set cdp.pending=1000000 --save 0=sum "$@" > out 2> err || fail "$kind $n: $(cat err)"
    sum=$(od -An -t u4 -N 8 sum | xargs)
    [ "$sum" = "$words" ] || fail "$kind $n: children and refusals, or children and waits: $sum; allowed: $words"
    tail -n 1 err | awk '{ printf "%d %d\n", 100 * $2 + 1, 1000 * $3 }'
}
checked=0
# grows KIND OPTION...
grows() {
    local kind=$1 base time memory one kilobytes all most ratio few part whole
    shift
    few=$(measure "$kind" 32 "$@")
    part=$(measure "$kind" $((launches / 10)) "$@")
    whole=$(measure "$kind" "$launches" "$@")
    read -r _ base <<< "$few"
    read -r time memory <<< "$part"
    read -r all most <<< "$whole"
    one=$((memory - base)) kilobytes=$((most - base)) ratio=$((all * 10 / time))
    printf '%-28s %8d launches %6d.%02d s %6d MB; a tenth of them %4d.%02d s %5d MB; %d bytes each\n' "$kind" "$launches" \
        $((all / 100)) $((all % 100)) $((most / 1000)) $((time / 100)) $((time % 100)) $((memory / 1000)) $((kilobytes * 1000 / launches))
    [ "$ratio" -le 150 ] || fail "$kind: $all hundredths of a second; allowed: 15 times the $time of a tenth of the launches"
    [ "$kilobytes" -le $((one * 12)) ] || fail "$kind: $most kB; allowed: 12 times the $one of a tenth of the launches"
    [ $((kilobytes * 10 / launches)) -le 65 ] || fail "$kind: $most kB for $launches launches; allowed: 6500 bytes each"
    checked=$((checked + 1))
}
grows 'one CTA, running'
grows 'one CTA, late' "${late[@]}"
grows 'each one, running'
grows 'each one, late' "${late[@]}"
grows 'each one, LaPerm, late' --scheduler laperm "${late[@]}"
grows 'one CTA, LaPerm in turn' --scheduler laperm-rr
echo "checked: growths=$checked launches=$launches"
