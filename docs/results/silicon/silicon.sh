#!/usr/bin/env bash
# silicon.sh measure GPUSCHED DATABASE... > KERNELS.tsv - each kernel of the runs of configs/experiments/silicon-*.yaml: program,
# size, kernel, launches, cycles from the launch or the end of the kernel before it to its own end, warp instructions, registers,
# CTAs per SM, reads of L1 and hits, bytes of DRAM. silicon.sh PART KERNELS.tsv - a table of docs/results/silicon.md, beside
# silicon-h100.csv: `headline-SIZE`, `medium` or `paper`; or `chart`, the numbers of its picture. silicon.sh machine|nested -
# that of silicon-h100.tsv, or of silicon-h100-nested.csv.
set -euo pipefail

here=$(dirname "$0")
case $1 in
    measure)
        program=$2
        shift 2
        for database; do
            "$program" query -s $'\t' "$database" "
                WITH launched AS (
                    SELECT runs.id AS run, runs.workload AS workload, json_extract(runs.result, '\$.size') AS size, k.key AS at,
                        json_extract(k.value, '\$.name') AS kernel, json_extract(k.value, '\$.launched') AS launched,
                        json_extract(k.value, '\$.ended') AS ended, json_extract(k.value, '\$.warp_instructions') AS instructions,
                        json_extract(k.value, '\$.registers') AS registers, json_extract(k.value, '\$.ctas_per_sm') AS ctas
                    FROM runs, json_each(runs.result, '\$.kernels') AS k WHERE runs.status = 'done'),
                timed AS (
                    SELECT *, coalesce(max(ended) OVER (PARTITION BY run ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
                        0) AS before
                    FROM launched),
                counts AS (
                    SELECT runs.id AS run, json_extract(k.value, '\$.name') AS kernel,
                        json_extract(k.value, '\$.sm.l1_hit') - json_extract(k.value, '\$.sm.l1_local_hit') AS hits,
                        json_extract(k.value, '\$.sm.l1_hit') + json_extract(k.value, '\$.sm.l1_miss')
                            + json_extract(k.value, '\$.sm.l1_merge') - json_extract(k.value, '\$.sm.l1_local') AS reads,
                        json_extract(k.value, '\$.dram.bytes') AS bytes
                    FROM runs, json_each(runs.result, '\$.by_kernel') AS k WHERE runs.status = 'done')
                SELECT workload, size, timed.kernel, count(*), sum(ended - max(launched, before)), sum(instructions), max(registers),
                    max(ctas), reads, hits, bytes
                FROM timed JOIN counts ON counts.run = timed.run AND counts.kernel = timed.kernel
                GROUP BY timed.run, timed.kernel ORDER BY workload, min(at)"
        done
        ;;
    machine)
        echo '| figure | measured | |'
        echo '|---|---:|---|'
        awk -F '\t' '{ printf "| `%s` | %s | %s |\n", $1, $2 < 10 ? sprintf("%.2f", $2) : $2 < 1000 ? sprintf("%.1f", $2) : sprintf("%.0f", $2), $3 }' \
            "$here/silicon-h100.tsv"
        ;;
    nested)
        echo '| program | kernels launch kernels, us | they do not, us | ratio |'
        echo '|---|---:|---:|---:|'
        awk -F, 'NR > 1 { us[$1] = $4 } NR > 1 && $1 !~ /_flat$/ { name[++n] = $1 }
            END { for (i = 1; i <= n; i++) printf "| %s | %.0f | %.0f | %.2f |\n", name[i], us[name[i]], us[name[i] "_flat"], us[name[i]] / us[name[i] "_flat"] }' \
            "$here/silicon-h100-nested.csv"
        ;;
    *) awk -F '[,\t]' -v part="$1" -f "$here/silicon.awk" "$here/silicon-h100.csv" "$2" ;;
esac
