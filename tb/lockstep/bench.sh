#!/usr/bin/env bash
# bench.sh BUILD REPEATS - how much longer a run takes with RTL in the shadow: whole runs with their start,
# in seconds of the clock and of the processors, each the least of so many repeats. The repeats of all
# kinds of runs take turns, so that what else the machine does meets all of them.
set -euo pipefail

build=$1
repeats=$2
set=(--set icc.entries=48 --set icc.lines=24 --set claso.active_levels=1)
TIMEFORMAT='%R %U %S'

# run KIND WORKLOAD OPTION...
run() {
    local options=()
    case $1 in
        ports) options=(--rtl=shadow --units=cluster_port) ;;
        all) options=(--rtl=shadow) ;;
        counters) options=(--set sm.monitor=true) ;;
        monitor) options=(--rtl=shadow --units=sm_monitor --set sm.monitor=true) ;;
        perf_sat | lcs | dyncta) options=(--set "$1.on=true") ;;
        onac | seq-det) options=(--set "onac.mode=$1") ;;
        seq-det-rtl)
            run seq-det "$2" --rtl=shadow --units=onac
            return
            ;;
        *-rtl)
            run "${1%-rtl}" "$2" --rtl=shadow --units="${1%-rtl}"
            return
            ;;
    esac
    options+=("${@:3}")
    "$build/gpusched" run -q -g icc -w "$2" --size=medium "${set[@]}" "${options[@]}"
}

# The libraries are built before anything is measured.
run all hotspot
run monitor hotspot
for unit in perf_sat lcs dyncta onac; do run $unit-rtl hotspot; done
kinds='model ports all counters monitor perf_sat perf_sat-rtl lcs lcs-rtl dyncta dyncta-rtl onac onac-rtl seq-det seq-det-rtl'

for workload in lud hotspot bfs; do
    for ((i = 0; i < repeats; i++)); do
        for kind in $kinds; do
            took=$( { time run "$kind" "$workload"; } 2>&1)
            echo "$workload $kind $took"
        done
    done
done | awk -v kinds="$kinds" '
    { key = $1 " " $2; processor = $4 + $5 }
    !(key in wall) { if (!($1 in seen)) { seen[$1]; list[n++] = $1 }; wall[key] = $3; all[key] = processor }
    $3 < wall[key] { wall[key] = $3 }
    processor < all[key] { all[key] = processor }
    END {
        n_kind = split(kinds, kind, " ")
        for (k = 1; k <= n_kind; k++) {
            text[kind[k]] = kind[k]
            if (!sub(/-rtl$/, " and its RTL", text[kind[k]])) text[kind[k]] = text[kind[k]] ", no RTL"
        }
        text["model"] = "the model alone"; text["ports"] = "12 cluster ports"; text["all"] = "all of them"; text["counters"] = "counters, no RTL"; text["monitor"] = "a counter an SM"
        printf "%-10s %-20s %8s %9s %11s %9s\n", "workload", "beside it", "clock s", "ratio", "processor s", "ratio"
        for (i = 0; i < n; i++) for (k = 1; k <= n_kind; k++) {
            at = list[i] " " kind[k]; model = list[i] " model"
            printf "%-10s %-20s %8.2f %9.2f %11.2f %9.2f\n", list[i], text[kind[k]], wall[at], wall[at] / wall[model], \
                all[at], all[at] / all[model]
        }
    }'
