#!/usr/bin/env bash
# onac.sh PART FOLDER - a table of docs/results/onac.md from the databases onac.sqlite and onac-waves.sqlite, the runs of the
# experiments of these names, and oracle-*.sqlite, runs on fewer SMs: `type-a` and `type-b`, the means; `found`, how many SMs the
# oracle, ONAC and Seq-Det give each kernel; `cost`, speed, power and energy; `each` and `tries`, the runs from which the oracle is
# known, with each number of SMs and by a search; `latency`, of reads; `waves`, what ONAC finds with longer windows; or `chart` and
# `ipc`, the numbers of the pictures. A kernel's cycles and energy are those of all its launches.
# Type of the paper: thesis, Table 4.4.
set -euo pipefail

# Kernels run one after the other, so all the static power of what is no SM belongs to the one that runs. The result of a run
# leaves out of by_kernel the part for SMs that are gated.
energy="json_extract(k.value, '\$.energy.total') - json_extract(k.value, '\$.energy.other_static')
    - json_extract(k.value, '\$.energy.dram_static') + (json_extract(runs.result, '\$.energy.other_static')
    + json_extract(runs.result, '\$.energy.dram_static')) * json_extract(k.value, '\$.cycles') / json_extract(runs.result, '\$.cycles.core')"

misses="nullif(1.0 * json_extract(k.value, '\$.sm.l1_miss') + json_extract(k.value, '\$.sm.constant_miss')
    + json_extract(k.value, '\$.sm.texture_miss'), 0)"

# rows DATABASE VARIANT - a line per kernel and run: its name, VARIANT (SQL), status, cycles, energy, launches; over launches
# the sums of SMs found, of cycles of the detection, of detections without a result, and of warp instructions; and the mean cycles
# of a read that missed, and of these with arithmetic in flight.
rows() {
    "${GPUSCHED:-build/gpusched}" query -s $'\t' "$1" "
        SELECT json_extract(k.value, '\$.name'), $2, runs.status,
            json_extract(k.value, '\$.cycles'), $energy, json_extract(k.value, '\$.launches'),
            coalesce(sum(json_extract(launch.value, '\$.detection.sms')), 0),
            coalesce(sum(json_extract(launch.value, '\$.detection.cycles')), 0),
            coalesce(sum(json_extract(launch.value, '\$.detection.aborted')), 0),
            sum(json_extract(launch.value, '\$.warp_instructions')),
            json_extract(k.value, '\$.sm.miss_latency') / $misses, json_extract(k.value, '\$.sm.miss_overlapped') / $misses
        FROM runs, json_each(runs.result, '\$.by_kernel') AS k, json_each(runs.result, '\$.kernels') AS launch
        WHERE json_extract(launch.value, '\$.name') = json_extract(k.value, '\$.name')
        GROUP BY runs.id, k.key
        UNION ALL SELECT workload, $2, status, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM runs WHERE status <> 'done'"
}

part=$1 folder=$2
{
    rows "$folder/onac.sqlite" variant
    rows "$folder/onac-waves.sqlite" variant
    for database in "$folder"/oracle-*.sqlite; do rows "$database" "'c' || sms"; done
} | awk -F '\t' -v part="$part" -f "$(dirname "$0")/onac.awk"
