#!/usr/bin/env bash
# onac-l2.sh record GPUSCHED FOLDER WORKLOAD KERNEL NUMBER - writes FOLDER/first-KERNEL.txt: with L2 slices of two sizes on onac32 the IPC
# of a whole run of the size th44 with all SMs, and ONAC's first sample, which is that of all SMs, with windows of 4 and of 16
# waves. The kernel's detection is the NUMBERth of the run.
# onac-l2.sh table FOLDER KERNEL... - the table `l2` of docs/results/onac.md.
set -euo pipefail

here=$(dirname "$0")

record() { # GPUSCHED FOLDER WORKLOAD KERNEL NUMBER
    local bytes waves whole first
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    for bytes in 65536 16384; do
        "$1" run -q -g onac32 -w "$3" --size=th44 --set=l2.bytes=$bytes -o "$work"
        whole=$(jq -r --arg k "$4" '.by_kernel[] | select(.name == $k) | .sm.warp_instructions / .cycles' "$work/result.json")
        [ -n "$whole" ] || { echo "$3: no kernel $4" >&2; exit 1; }
        for waves in 4 16; do
            # Whoever reads the vectors goes when he has the sample.
            first=$("$1" record -q -g onac32 -w "$3" --size=th44 --scheduler=onac --set=l2.bytes=$bytes --set=onac.waves=$waves --unit=onac \
                --vectors=/dev/stdout 2> "$work/said" | awk -v last="$5" -f "$here/../vectors.awk" -f "$here/onac-walk.awk" |
                awk -v last="$5" '$1 == last && NF == 4 { first = $4 } END { print first }') || true
            [ -n "$first" ] || { cat "$work/said" >&2; echo "$3: no sample of $4" >&2; exit 1; }
            echo "$4 $bytes $waves $first $whole" >> "$work/all"
        done
    done
    mv "$work/all" "$2/first-$4.txt"
}

table() { # FOLDER KERNEL...
    echo "| kernel | KB of a slice | waves | first sample | whole run | first over whole |"
    echo "|---|---:|---:|---:|---:|---:|"
    for kernel in "${@:2}"; do
        test -s "$1/first-$kernel.txt" || { echo "$1: no samples of $kernel" >&2; exit 1; }
        awk '{ printf "| `%s` | %d | %d | %.2f | %.2f | %+.1f %% |\n", $1, $2 / 1024, $3, $4, $5, 100 * ($4 / $5 - 1) }' "$1/first-$kernel.txt"
    done
}

"$@"
