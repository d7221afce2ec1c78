#!/usr/bin/env bash
# claso-memory.sh GPUSCHED OUT - the table `memory` of docs/results/claso.md: how evenly memory serves the SMs (Fig. 4 of the
# paper), and how often the DRAM reads for the SM that it has just read for (Fig. 5). It runs each benchmark without CLASO,
# with its files in the folder OUT.
set -euo pipefail

gpusched=$1
out=$2
names=(aes bfs backprop black_scholes coulombic_potential fast_walsh kmeans libor monte_carlo neural_network scan scalar_product stencil)
short=(AES BFS BP BS CP FWT KMS LIB MC NN SLA SP ST)

# The mean of max / min over ten intervals, drawn with a seed of those in which every SM has a CTA all along and gets a line;
# of all of them if they are fewer. How many intervals that is.
balance() {
    awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    !($1 in least) { order[n++] = $1; least[$1] = most[$1] = $column["l1_fill"] + 0 }
    {
        fills = $column["l1_fill"] + 0
        if (fills < least[$1]) least[$1] = fills
        if (fills > most[$1]) most[$1] = fills
        if ($column["no_cta"] > 0) least[$1] = 0
    }
    END {
        for (i = 0; i < n; i++) if (least[order[i]] > 0) ratio[m++] = most[order[i]] / least[order[i]]
        seed = 1
        for (k = 0; k < 10 && k < m; k++) {
            seed = seed * 16807 % 2147483647
            i = k + seed % (m - k)
            drawn = ratio[i]; ratio[i] = ratio[k]; ratio[k] = drawn
            sum += drawn
        }
        if (k > 0) printf "%.2f %d\n", sum / k, k
        else print "none 0"
    }' "$1"
}

# Of the reads of the DRAM in a result, in percent, those for the SM of the read before.
share_of() {
    awk '
    /^ "dram": \{/ { inside = 1 }
    inside && $1 == "\"read\":" { reads = $2 + 0 }
    inside && $1 == "\"same_sm\":" { printf "%.1f\n", 100 * ($2 + 0) / reads; found = 1; exit }
    END { exit !found }' "$1"
}

mkdir -p "$out"
echo "| benchmark | max / min | intervals | reads for the SM of the read before |"
echo "|---|---:|---:|---:|"
uneven=0 shares=0
for i in "${!names[@]}"; do
    folder=$out/${names[i]}
    "$gpusched" run -q -g c2050 --scheduler=lrr -w "${names[i]}" --size=claso --series=1000 --series-per-sm -o "$folder"
    pair=$(balance "$folder/series_sm.csv")
    read -r ratio n <<< "$pair"
    share=$(share_of "$folder/result.json")
    echo "| ${names[i]} (${short[i]}) | $ratio | $n | $share % |"
    uneven=$(awk -v n="$uneven" -v r="$ratio" 'BEGIN { print n + (r != "none" && r > 1.2) }')
    shares=$(awk -v a="$shares" -v b="$share" 'BEGIN { print a + b }')
    rm -f "$folder"/series*.csv
done
awk -v n="$uneven" -v s="$shares" -v all="${#names[@]}" 'BEGIN { printf "| mean (arithmetic) | %d of %d above 1.2 | | %.1f %% |\n", n, all, s / all }'
