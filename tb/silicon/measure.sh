#!/usr/bin/env bash
# measure.sh BUILD OUT SIZE... - on a machine with an NVIDIA GPU and Nsight Compute (ncu): the programs of
# configs/experiments/silicon-SIZE.yaml. OUT/kernels.csv gets a row of counts for each kernel, OUT/machine.tsv latencies and rates,
# OUT/gpu.txt what the GPU says of itself. DEVICE_RUNTIME=FILE is the toolkit's libcudadevrt.a, which some modules need.
set -euo pipefail

build=$1
out=$2
shift 2
here=$(dirname "$0")
runtime=${DEVICE_RUNTIME:-/usr/local/cuda/lib64/libcudadevrt.a}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count NAME SIZE METRICS - a line "launch, kernel, metric, value" for each; clocks and caches are left as they are, and so
# few counts are asked for at once that a kernel runs once or twice for them.
count() {
    local programs
    mapfile -t programs < <(awk '/^[a-z]/ { of = $1 } of == "workloads:" && $1 == "-" { print $2 }' \
        "$here/../../configs/experiments/silicon-$2.yaml")
    if ! ncu --csv --log-file "$work/$1.raw" --clock-control none --cache-control none --metrics "$3" \
        "$build/silicon" --size="$2" --repeats=1 --device-runtime="$runtime" "${programs[@]}" > "$work/$1.launches" 2>> "$out/gpu.txt" \
        || grep -q '^==ERROR==' "$work/$1.raw"; then
        grep -h -e '^==' -e '^silicon: ' "$work/$1.raw" "$out/gpu.txt" >&2 || true # what is wrong
        exit 1
    fi
    awk -F '","' 'NF > 10 && $1 != "\"ID" { gsub(/[",]/, "", $NF); sub(/^"/, "", $1); print $1 "," $5 "," $13 "," $NF }' \
        "$work/$1.raw" > "$work/$1.counts"
}

"$build/silicon" --machine="$build/machine.ptx" > "$out/machine.tsv" 2> "$out/gpu.txt"
for size; do
    count time "$size" gpc__cycles_elapsed.max,smsp__inst_executed.sum
    count memory "$size" l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_read_lookup_hit.sum,dram__bytes_read.sum,dram__bytes_write.sum
    awk -F, -f "$here/kernels.awk" "$work/time.launches" "$work/time.counts" "$work/memory.counts" > "$work/$size.csv"
done
for size; do tail -n +"$([ "$size" = "$1" ] && echo 1 || echo 2)" "$work/$size.csv"; done > "$out/kernels.csv"
