#!/usr/bin/env bash
# laperm-footprint.sh GPUSCHED WORK [SIZE] - the table of shared footprints of docs/results/laperm.md: each program of
# configs/experiments/laperm.yaml, with RR and launches as kernels (Fig. 2 of LaPerm).
set -euo pipefail

gpusched=$1
work=$2
size=${3:-laperm}
mapfile -t programs < <(sed -n 's/^  - \([a-z0-9_]*\)$/\1/p' configs/experiments/laperm.yaml)
[ ${#programs[@]} -eq 16 ] || { echo "configs/experiments/laperm.yaml: ${#programs[@]} programs, not 16" >&2; exit 1; }
rm -rf "$work"
mkdir -p "$work"
for program in "${programs[@]}"; do
    "$gpusched" run -q -g k20c --scheduler=laperm-rr --set cdp.pending=65536 --footprint -w "$program" --size="$size" \
        -o "$work/$program"
done
echo '| program | CTAs of children | parent-child | child-sibling | parent-parent |'
echo '|---|---:|---:|---:|---:|'
for program in "${programs[@]}"; do
    jq -r --arg program "$program" '.footprint.all | [$program, .children, .parent_child.ratio, .child_sibling.ratio, .parent_parent.ratio] | @tsv' \
        "$work/$program/result.json"
done | awk -F '\t' '
    function share(x, k) {
        if (x == "") return "-"
        sum[k] += x; n[k]++
        return sprintf("%.1f %%", 100 * x)
    }
    { printf "| %s | %d | %s | %s | %s |\n", $1, $2, share($3, 1), share($4, 2), share($5, 3) }
    END { printf "| mean (arithmetic) | | %.1f %% | %.1f %% | %.1f %% |\n", 100 * sum[1] / n[1], 100 * sum[2] / n[2], 100 * sum[3] / n[3] }'
echo '| paper | | 38.4 % | 30.5 % | 9.3 % |'
