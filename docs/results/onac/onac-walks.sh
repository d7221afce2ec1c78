#!/usr/bin/env bash
# onac-walks.sh record GPUSCHED FOLDER WORKLOAD [NUMBER] - writes FOLDER/walk-WORKLOAD.txt: what onac samples in a run of the size th44
# on onac32, with ONAC and with Seq-Det: mode, kernel, SMs, their IPC, and the IPC of all; or the result in place of the IPCs. With
# NUMBER the run is left after so many detections, of which the last may be the first of its kernel; names are then those of
# the whole run in FOLDER/onac.sqlite.
# onac-walks.sh table FOLDER KERNEL... - the walks of these kernels, as a table of docs/results/onac.md.
set -euo pipefail

# names GPUSCHED FOLDER WORKLOAD MODE - of the kernels that have a detection, launch by launch.
names() {
    "$1" query "$2/onac.sqlite" "SELECT json_extract(k.value, '\$.name') FROM runs, json_each(runs.result, '\$.kernels') AS k
        WHERE runs.workload = '$3' AND runs.variant = '$4' AND json_extract(k.value, '\$.detection') IS NOT NULL"
}

record() { # GPUSCHED FOLDER WORKLOAD [NUMBER]
    local work mode last=${4:-0}
    work=$(mktemp -d)
    for mode in onac seq-det; do
        "$1" record -q -g onac32 -w "$3" --size=th44 --scheduler="$mode" --unit=onac --vectors=/dev/stdout -o "$work/$mode" 2> "$work/said" |
            awk -v last="$last" -f "$(dirname "$0")/../vectors.awk" -f "$(dirname "$0")/onac-walk.awk" > "$work/walk" ||
            [ "$last" -gt 0 ] || { cat "$work/said" >&2; exit 1; }
        if [ "$last" -eq 0 ]; then
            jq -r '.kernels[] | select(.detection) | .name' "$work/$mode/result.json" > "$work/names"
        elif [ "$(grep -cE ' (found|aborted)$' "$work/walk")" -eq "$last" ]; then
            names "$1" "$2" "$3" "$mode" > "$work/names"
        else
            cat "$work/said" >&2
            echo "$3: fewer than $last detections with $mode" >&2
            exit 1
        fi
        awk -v mode="$mode" 'NR == FNR { name[NR] = $1; next } { $1 = mode " " name[$1]; print }' "$work/names" "$work/walk" >> "$work/all"
    done
    cp "$work/all" "$2/walk-$3.txt"
    rm -r "$work"
}

table() { # FOLDER KERNEL...
    local folder=$1
    shift
    echo "| kernel | IPC of all: whole run | first sample | way | SMs and their IPC, sample by sample | result |"
    echo "|---|---:|---:|---|---|---:|"
    { "$(dirname "$0")/onac.sh" ipc "$folder"; cat "$folder"/walk-*.txt; } | awk -v kernels="$*" '
        NF == 3 { whole[$1] = $3; next } # of more and more SMs: the last line is that of all
        $4 == "aborted" { next }
        $4 == "found" { found[$2, $1] = $3; next }
        { walk[$2, $1] = (($2, $1) in all ? walk[$2, $1] ", " : "") sprintf("%d: %.2f", $3, $4); all[$2, $1] = $5 }
        END {
            n = split(kernels, kernel, " ")
            for (i = 1; i <= n; i++)
                for (w = 1; w <= 2; w++) {
                    way = w == 1 ? "onac" : "seq-det"
                    if (!((kernel[i], way) in found)) { print "no walk of " kernel[i] > "/dev/stderr"; exit 1 }
                    printf "| `%s` | %.2f | %.2f | %s | %s | %d |\n", kernel[i], whole[kernel[i]], all[kernel[i], way],
                        w == 1 ? "ONAC" : "Seq-Det", walk[kernel[i], way], found[kernel[i], way]
                }
        }'
}

"$@"
