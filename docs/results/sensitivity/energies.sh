#!/usr/bin/env bash
# energies.sh GPUSCHED FOLDER - a table of sensitivity.md: the changes of energy that icc.md and onac.md give as means, and what they
# would be if an energy of their GPUs that is not calibrated were half, or twice. An energy is a sum of products, so the runs of
# FOLDER/icc.sqlite and FOLDER/onac.sqlite say it. energies.sh keys GPUSCHED - these energies: GPU, key, value.
set -euo pipefail

here=$(dirname "$0")

keys() {
    local gpu
    for gpu in icc onac32; do
        "$1" config show --gpu $gpu --sources | awk -v gpu=$gpu '
            /^[a-z0-9_]+:/ { group = $1 }
            group == "energy:" && /^  [a-z0-9_]+: .*# not calibrated/ { sub(/:$/, "", $1); print gpu, "energy." $1, $2 }'
    done
}

# parts OBJECT COUNTS - the parts of an energy, and the lanes of special functions and of tensors, as SQL; energies.awk names them.
parts() {
    local part
    for part in instruction registers arithmetic shared l1 constant texture icc noc l2 dram sm_static; do
        echo "json_extract($1, '\$.energy.$part'),"
    done
    echo "json_extract($1, '\$.$2.sfu_lanes'), json_extract($1, '\$.$2.tensor_lanes')"
}

case $1 in
    keys) keys "$2" ;;
    *)
        {
            "$1" query -s $'\t' "$2/icc.sqlite" "SELECT 'icc', workload, variant, status, $(parts result sm.total),
                json_extract(result, '\$.energy.other_static'), json_extract(result, '\$.energy.dram_static') FROM runs"
            # Kernels run one after the other: what is no SM is of the one that runs, as in onac.sh.
            "$1" query -s $'\t' "$2/onac.sqlite" "SELECT 'onac32', json_extract(k.value, '\$.name'), variant, status, $(parts k.value sm),
                json_extract(result, '\$.energy.other_static') * json_extract(k.value, '\$.cycles') / json_extract(result, '\$.cycles.core'),
                json_extract(result, '\$.energy.dram_static') * json_extract(k.value, '\$.cycles') / json_extract(result, '\$.cycles.core')
                FROM runs, json_each(result, '\$.by_kernel') AS k
                UNION ALL SELECT 'onac32', workload, variant, status, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM runs WHERE status <> 'done'"
        } | awk -F '\t' -f "$here/energies.awk" kind=keys FS=' ' <(keys "$1") kind=papers FS='\t' "$here/../workloads/papers.tsv" kind=runs -
        ;;
esac
