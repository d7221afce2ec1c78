#!/usr/bin/env bash
# workloads.sh measure GPUSCHED WORK [short] > MEASURED.tsv - runs the programs of papers.tsv without timing, each in its size,
# and prints what they launch, as workloads-tables.awk reads it; short: but those that take longest. workloads.sh
# check|write MEASURED.tsv - whether the tables of workloads.md are those of these launches, or makes them so. workloads.sh
# check MEASURED.tsv short - whether the rows of these launches are there, and all classes. workloads.sh PART MEASURED.tsv [short] - prints one.
set -euo pipefail

here=$(dirname "$0")
papers=$here/papers.tsv

# one GPUSCHED WORK "WORKLOAD SIZE GPU" - its launches: workload, size, GPU, and the columns of the run's table.
one() {
    read -r workload size gpu <<< "$3"
    "$1" run --functional --workload "$workload" --size "$size" --gpu "$gpu" > "$2/$workload.$size.$gpu"
    grep -q '^verified: ' "$2/$workload.$size.$gpu"
    awk -v OFS='\t' -v of="$workload $size $gpu" 'table && NF > 8 { split(of, f, " "); print "launch", f[1], f[2], f[3], $1, $2, $3, $4, $5, $6, $7, $8 }
        /^Kernel / { table = 1 }' "$2/$workload.$size.$gpu"
}

# Two thirds of the time.
longest='dxt_compression th44|dxt_compression th3|scalar_product claso|kmeans th44|fdtd3d small|monte_carlo claso|merge_sort th44'
longest+='|transpose th44|fast_walsh (claso|th3|th44)|lud th44|texture_convolution th44'
parts=(headline classes registers claso thesis-3.2 thesis-3.3 thesis-4.2 thesis-4.4 icc)

# limits GPUSCHED GPU - what an SM has.
limits() {
    "$1" config show --gpu "$2" | awk -v OFS='\t' -v gpu="$2" '
        /^[a-z]/ { group = $1 }
        group == "sm:" { of[$1] = $2 }
        END { print "gpu", gpu, of["registers:"], of["register_granule:"], of["subpartitions:"], of["warp_slots:"], of["threads:"], of["cta_slots:"] }'
}

case $1 in
    measure)
        export -f one
        awk -F '\t' 'NR > 1 { print $3, $5, $6 }' "$papers" | sort -u > "$3/runs"
        [ "${4:-}" != short ] || sed -i -E "/^($longest) /d" "$3/runs"
        # shellcheck disable=SC2016 # the inner shell expands them
        xargs -P "$(nproc)" -d '\n' -n 1 bash -euo pipefail -c 'one "$0" "$1" "$2" > "$1/${2// /.}.tsv"' "$2" "$3" < "$3/runs"
        cut -d ' ' -f 3 "$3/runs" | sort -u | while read -r gpu; do limits "$2" "$gpu"; done
        while read -r run; do
            [ -s "$3/${run// /.}.tsv" ] || { echo "$run: no launch" >&2; exit 1; }
            cat "$3/${run// /.}.tsv"
        done < "$3/runs"
        ;;
    check | write)
        if [ "$1 ${3:-}" = 'check short' ]; then
            # Classes are those of all rows, whether their programs have run or not.
            tb/drift/document.sh check "$here/../workloads.md" classes "$0" classes "$2" short
            "$0" class-cells "$2" short > "$2.class-cells"
            awk -F ' *[|] *' -v OFS='\t' '/^<!-- end of / { rows = 0 }
                rows && NF == 14 && $12 ~ / \/ / { sub(/.*, /, "", $4); print $2, $4, $12 }
                /^[|] row [|] here [|]/ { rows = 1 }' "$here/../workloads.md" | diff -U0 --label "workloads.md: classes" --label "as the pages have them" - "$2.class-cells"
            for part in "${parts[@]:2}"; do
                "$0" "$part" "$2" short > "$2.$part"
                if grep -vxF -f "$here/../workloads.md" "$2.$part"; then echo "workloads.md: $part has not these lines"; exit 1; fi
            done
            exit
        fi
        for part in "${parts[@]}"; do tb/drift/document.sh "$1" "$here/../workloads.md" "$part" "$0" "$part" "$2"; done
        ;;
    *) awk -F '\t' -v part="$1" -v some="$([ "${3:-}" != short ] || echo 1)" -f "$here/workloads-tables.awk" "$papers" "$2" \
        page=perf-sat "$here/../perf-sat.md" page=onac "$here/../onac.md" ;;
esac
