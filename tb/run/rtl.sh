#!/usr/bin/env bash
# rtl.sh WORK GPUSCHED GPU WORKLOAD [KEY=VALUE...] [meets:CASE...] - a run without RTL, with the RTL of
# all its units in the shadow, and with RTL that drives: the same bytes in every way. The run must meet
# each CASE, a pattern of the program's list of what was met beside RTL.
set -euo pipefail

work=$1
gpusched=$2
gpu=$3
workload=$4
shift 4
settings=()
cases=()
for argument; do
    case $argument in
        meets:*) cases+=("${argument#meets:}") ;;
        *) settings+=("$argument") ;;
    esac
done
set -- "${settings[@]}"
run=(run --gpu "$gpu" --workload "$workload" "${@/#/--set=}")
rm -rf "$work"
mkdir -p "$work"

"$gpusched" "${run[@]}" -o "$work/off" --quiet
for way in shadow drive; do
    for units in all cta_scheduler,claso; do
        "$gpusched" "${run[@]}" -o "$work/$way-$units" --rtl=$way --units=$units > "$work/said"
        if [ $units = all ]; then cp "$work/said" "$work/said-all"; fi
        cmp "$work/off/result.json" "$work/$way-$units/result.json"
        compared=$(sed -n '/^RTL in lockstep/,$ s/^  \([a-z_]*\) * [0-9]* * [0-9,]* * 0  rtl.*\1\.v [0-9a-f]\{12\}.*$/\1/p' "$work/said")
        expected=${units//,/$'\n'}
        # Those that the configuration uses.
        if [ $units = all ]; then
            expected=$(
                echo cta_scheduler
                if [[ $* = *claso.active_levels* ]]; then echo claso; fi
                echo work_distributor
                if [[ $* = *icc.* ]]; then echo cluster_port; fi
            )
        fi
        test "$compared" = "$expected"
    done
done
for wanted in "${cases[@]}"; do
    grep -qE "^  .*$wanted.* [1-9][0-9,]*$" <(sed -n '/^Met beside RTL/,/^RTL/p' "$work/said-all") \
        || { echo "the run does not meet: $wanted"; sed -n '/^Met beside RTL/,/^RTL/p' "$work/said-all"; exit 1; }
done
# The cycles in which nothing changes are not left out either.
"$gpusched" "${run[@]}" -o "$work/every" --rtl=shadow --naive=step,skip --quiet
cmp "$work/off/result.json" "$work/every/result.json"
cycles=$(sed -n 's/^  cta_scheduler * 1 * \([0-9,]*\) * 0 .*$/\1/p' "$work/said")
echo "$gpu, $workload $*: the same bytes in 6 ways, $cycles cycles of the unit"
echo "checked: ways=6 cases=${#cases[@]}"
