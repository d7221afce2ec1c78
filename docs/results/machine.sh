#!/usr/bin/env bash
# machine.sh measure GPUSCHED WORK > MEASURED.tsv - runs configs/fidelity/machine.yaml on every GPU, and prints gpu, figure
# and value. machine.sh latencies|rates|published|headline MEASURED.tsv - prints a part of machine.md from them; the
# published figures and their sources are published.tsv.
set -euo pipefail

here=$(dirname "$0")
published=$here/published.tsv

# one GPUSCHED WORK GPU - its figures.
one() {
    "$1" run --gpu "$3" --workload configs/fidelity/machine.yaml --quiet -o "$2/$3"
    "$1" config show --gpu "$3" > "$2/$3/config"
    awk -v gpu="$3" -f "$here/machine.awk" "$2/$3/config" "$2/$3/result.json"
}

case $1 in
    measure)
        export -f one
        export here
        for gpu in configs/gpu/*.yaml; do basename "$gpu" .yaml; done |
            xargs -P "$(nproc)" -I GPU bash -euc "one '$2' '$3' GPU > '$3/GPU.tsv'"
        for gpu in configs/gpu/*.yaml; do cat "$3/$(basename "$gpu" .yaml).tsv"; done
        ;;
    *) awk -F '\t' -v part="$1" -f "$here/machine-tables.awk" "$published" "$2" ;;
esac
