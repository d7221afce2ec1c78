#!/usr/bin/env bash
# throttles.sh BUILD WORKLOAD... - the instructions of the host that runs with a throttle on 60 SMs take, over those of the
# run without: of the model alone, and with its RTL in the shadow, those of the GPU's thread and of the RTL's. Callgrind
# counts them, so the other load of the machine does not matter.
set -euo pipefail

command -v valgrind > /dev/null || { echo 'valgrind (package valgrind) counts instructions' >&2; exit 1; }
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set=(--set icc.entries=48 --set icc.lines=24 --set claso.active_levels=1)

# count WORKLOAD OPTION... - the instructions of each thread, the GPU's first.
count() {
    rm -f "$work"/out*
    valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$work/out" "$build/gpusched" run -q -g icc -w "$1" --size=medium \
        "${set[@]}" "${@:2}" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
    cat "$work"/out-* | awk '/^totals: / { print $2 }' | paste -sd ' '
}

printf '%-10s %-8s %10s %16s %16s\n' workload throttle 'no RTL' "RTL: the GPU's" "the RTL's"
for workload; do
    "$build/gpusched" run -q -g icc -w "$workload" --size=medium "${set[@]}"
    read -r without rest <<< "$(count "$workload")"
    [ -z "$rest" ] || { echo "$workload: a thread that is not the GPU's" >&2; exit 1; }
    for throttle in perf_sat lcs dyncta onac seq-det; do
        on=$throttle.on=true unit=$throttle
        case $throttle in onac | seq-det) on=onac.mode=$throttle unit=onac ;; esac
        # The libraries are built before anything is counted.
        "$build/gpusched" run -q -g icc -w "$workload" --size=small "${set[@]}" --set "$on" --rtl=shadow --units="$unit" > "$work/said"
        alone=$(count "$workload" --set "$on")
        beside=$(count "$workload" --set "$on" --rtl=shadow --units="$unit")
        echo "$workload $throttle $without $alone $beside" | awk '{
            for (i = 6; i <= NF; i++) rtl += $i
            printf "%-10s %-8s %10.3f %16.3f %16.3f\n", $1, $2, $4 / $3, $5 / $3, rtl / $3 }'
    done
done
