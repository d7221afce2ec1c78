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
    awk '/^totals: / { print $2 }' "$work"/out-* | paste -sd ' ' | grep '^[0-9]'
}

# threads TEXT FEWEST MOST - so many threads have been counted.
threads() {
    local n
    n=$(wc -w <<< "$1")
    if [ "$n" -lt "$2" ] || [ "$n" -gt "$3" ]; then echo "$workload: $n threads, not $2 to $3" >&2; exit 1; fi
}

printf '%-10s %-8s %10s %16s %16s\n' workload throttle 'no RTL' "RTL: the GPU's" "the RTL's"
for workload; do
    "$build/gpusched" run -q -g icc -w "$workload" --size=medium "${set[@]}"
    without=$(count "$workload")
    threads "$without" 1 1
    for throttle in perf_sat lcs dyncta onac seq-det; do
        on=$throttle.on=true unit=$throttle
        case $throttle in onac | seq-det) on=onac.mode=$throttle unit=onac ;; esac
        # The libraries are built before anything is counted.
        "$build/gpusched" run -q -g icc -w "$workload" --size=small "${set[@]}" --set "$on" --rtl=shadow --units="$unit" > "$work/said"
        alone=$(count "$workload" --set "$on")
        threads "$alone" 1 1
        beside=$(count "$workload" --set "$on" --rtl=shadow --units="$unit")
        threads "$beside" 2 99
        echo "$workload $throttle $without $alone $beside" | awk '{
            for (i = 6; i <= NF; i++) rtl += $i
            printf "%-10s %-8s %10.3f %16.3f %16.3f\n", $1, $2, $4 / $3, $5 / $3, rtl / $3 }'
    done
done
