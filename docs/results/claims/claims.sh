#!/usr/bin/env bash
# claims.sh write|check GPUSCHED [CLAIMS.tsv] - the tables of claims.md from claims.tsv, the pages of results and the GPUs.
# claims.sh headline|table GPUSCHED [CLAIMS.tsv] - prints one.
set -euo pipefail

here=$(dirname "$0")
claims=${3:-$here/claims.tsv}

pages() {
    for page in bcs claso icc laperm onac perf-sat warp-policies workloads; do echo "of=$page"; echo "$here/../$page.md"; done
}

case $1 in
    check | write)
        for part in headline table; do tb/drift/document.sh "$1" "$here/../claims.md" "$part" "$0" "$part" "$2"; done
        ;;
    *)
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        gpus=()
        for gpu in c2050 m2090 k20c k20x onac32 icc icc-6 icc-10 icc-15; do
            "$2" config show --gpu "$gpu" > "$work/$gpu"
            gpus+=("of=$gpu" "$work/$gpu")
        done
        mapfile -t page < <(pages)
        awk -v want="$1" -f "$here/claims.awk" kind=page "${page[@]}" kind=gpu "${gpus[@]}" kind=claims "$claims"
        ;;
esac
