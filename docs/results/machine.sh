#!/usr/bin/env bash
# machine.sh measure GPUSCHED WORK > MEASURED.tsv - runs configs/fidelity/machine.yaml on every GPU, and prints gpu, figure
# and value. machine.sh check|write MEASURED.tsv - whether the tables of machine.md are those of these figures, or makes
# them so. machine.sh PART MEASURED.tsv - prints one. The published figures and their sources are published.tsv.
set -euo pipefail

here=$(dirname "$0")
published=$here/published.tsv

# one GPUSCHED WORK GPU - its figures. Every fetch hits: the chains are loops on real hardware, and written out here.
one() {
    "$1" run --gpu "$3" --workload configs/fidelity/machine.yaml --set icache.bytes=0 --quiet -o "$2/$3"
    "$1" config show --gpu "$3" > "$2/$3/config"
    awk -v gpu="$3" -f "$here/machine.awk" "$2/$3/config" "$2/$3/result.json"
}

case $1 in
    measure)
        export -f one
        export here
        # shellcheck disable=SC2016 # the inner shell expands them
        for gpu in configs/gpu/*.yaml; do basename "$gpu" .yaml; done |
            xargs -P "$(nproc)" -n 1 bash -euc 'one "$0" "$1" "$2" > "$1/$2.tsv"' "$2" "$3"
        for gpu in configs/gpu/*.yaml; do cat "$3/$(basename "$gpu" .yaml).tsv"; done
        ;;
    check | write)
        for part in headline published latencies rates power; do
            tb/drift/document.sh "$1" "$here/machine.md" "$part" "$0" "$part" "$2"
        done
        ;;
    *) awk -F '\t' -v part="$1" -f "$here/machine-tables.awk" "$published" "$2" ;;
esac
