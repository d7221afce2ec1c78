#!/usr/bin/env bash
# onac-oracle.sh GPUSCHED FOLDER [WORKLOAD KERNEL...] - the fewest SMs of onac32 on which each kernel comes within 2 % of all, by
# bisection: 31 SMs are tried first, then the middle of what is left. Without a workload it does so for the kernels below. It
# writes and runs the experiment FOLDER/oracle-WORKLOAD.yaml, one run at a time, with the counts that it has come to; its database
# keeps the runs. The run on all SMs is the one of FOLDER/onac.sqlite.
# Each test is that of docs/sweep.md: 49 * cycles(N) <= 50 * cycles(32).
set -euo pipefail

gpusched=$1 folder=$2
shift 2
if (($# == 0)); then
    # What takes longest comes first: the others run beside it.
    xargs -L 1 -P "$(nproc)" "$0" "$gpusched" "$folder" <<END
kmeans kmeans_assign
fast_walsh fast_walsh_global
merge_sort merge_intervals
texture_convolution texture_rows texture_columns
dxt_compression dxt_compress
END
    exit
fi
workload=$1
shift
yaml=$folder/oracle-$workload.yaml
all=32

# run COUNT... - the runs with these counts.
run() {
    cat > "$yaml" <<END
title: $workload of Table 4.4 on some numbers of SMs
gpus: [onac32]
size: th44
workloads: [$workload]
axes:
  sms: {key: sm.active, values: [$(echo "$@" | tr ' ' ,)]}
END
    "$gpusched" experiment "$yaml" -o "$folder" --jobs=1 -q
}

# cycles KERNEL DATABASE CONDITION
cycles() {
    "$gpusched" query "$2" "SELECT json_extract(k.value, '\$.cycles') FROM runs, json_each(result, '\$.by_kernel') AS k
        WHERE $3 AND json_extract(k.value, '\$.name') = '$1'" | grep . || { echo "$2: no run of $1 with $3" >&2; return 1; }
}

counts=()
for kernel; do
    misses=0 reaches=$all next=$((all - 1))
    with_all=$(cycles "$kernel" "$folder/onac.sqlite" "workload = '$workload' AND variant = 'max'")
    while ((reaches - misses > 1)); do
        [[ " ${counts[*]} " = *" $next "* ]] || { counts+=("$next"); run "${counts[@]}"; }
        with_next=$(cycles "$kernel" "${yaml%.yaml}.sqlite" "sms = $next")
        if ((49 * with_next <= 50 * with_all)); then reaches=$next; else misses=$next; fi
        next=$(((misses + reaches) / 2))
    done
    echo "$kernel $reaches"
done
