#!/usr/bin/env bash
# icc.sh TABLE CSV - a table of docs/results/icc.md from the runs of one of the experiments
# configs/experiments/icc*.yaml. Means are arithmetic, as is usual for such figures; beside a value
# in brackets is what the text of the paper prints for it.
set -euo pipefail

# TABLE: columns of `variant: title`, and which figure of the runs they show.
base=distributed
case $1 in
    windows)    figure=windows;   columns='500:500,1000:1000,1500:1500,2000:2000,line:of these line,data:data,own:own SM' ;;
    locality)   figure=locality;  columns='two-level:two-level,global:global,greedy:greedy,distributed:distributed,db:DB' ;;
    schedulers) figure=speedup;   columns='global:global,greedy:greedy,distributed:distributed,db:DB'; base=two-level ;;
    speedup)    figure=speedup;   columns='db:DB,d-icc:D+ICC,db-icc:DB+ICC,d-icc-cc:D+ICC+CC,db-icc-cc:DB+ICC+CC' ;;
    energy)     figure=energy;    columns='db:DB,d-icc:D+ICC,db-icc:DB+ICC,d-icc-cc:D+ICC+CC,db-icc-cc:DB+ICC+CC' ;;
    edp)        figure=edp;       columns='db:DB,d-icc:D+ICC,db-icc:DB+ICC,d-icc-cc:D+ICC+CC,db-icc-cc:DB+ICC+CC' ;;
    parts)      figure=parts;     columns='noc-energy:NoC energy,l2-energy:L2 energy,share:NoC share of the baseline,miss:misses of its L1s,own-energy:of ICC and CC' ;;
    traffic)    figure=traffic;   columns='db:DB,d-icc:D+ICC,db-icc:DB+ICC,d-icc-cc:D+ICC+CC,db-icc-cc:DB+ICC+CC' ;;
    entries)    figure=merged;    columns='e8:8,e16:16,e32:32,e48:48,e96:96,e160:160'; base=off ;;
    lines)      figure=speedup;   columns='e48:none,l8:8,l24:24,l64:64,fifo:24 FIFO,serial:24 serial'; base=off ;;
    clusters)   figure=clusters;  columns='icc-6/db-icc:6 + ICC,icc-6/db-icc-cc:+ CC,icc-10/db-icc:10 + ICC,icc-10/db-icc-cc:+ CC,icc/db-icc:12 + ICC,icc/db-icc-cc:+ CC,icc-15/db-icc:15 + ICC,icc-15/db-icc-cc:+ CC' ;;
    bandwidth)  figure=speedup;   columns='x0.25:0.25x,x0.5:0.5x,x1.5:1.5x,x2:2x'; base=x1 ;;
    *) echo "$1: one of the tables of docs/results/icc.md is allowed" >&2; exit 2 ;;
esac

awk -F, -v table="$1" -v figure="$figure" -v columns="$columns" -v base="$base" '
# ---- What the text of the paper has, in percent: table, column, benchmark ------------------------
function paper(what, column, values,  word, i, pair) {
    split(values, word, " ")
    for (i = 1; i in word; i++) { split(word[i], pair, "="); said[what, column, pair[1]] = pair[2] }
}
BEGIN {
    n_row = split("hotspot btree backprop bfs srad lud convolution_2d matrix_multiply fdtd3d dct8x8 neural_network", row, " ")
    split("HS BT BP BFS SRAD LUD 2DCONV MM FDTD DCT NN", short, " ")
    n_column = split(columns, list, ",")
    for (c = 1; c <= n_column; c++) { split(list[c], part, ":"); name[c] = part[1]; head[c] = part[2] }

    paper("windows", "2000", "mean=19.4 HS=48 DCT=45.4"); paper("windows", "line", "mean=11.2")
    paper("windows", "data", "mean=8.2"); paper("locality", "distributed", "mean=19.5 HS=48 DCT=46")
    paper("schedulers", "distributed", "mean=+6 FDTD=+35 BT=+12 2DCONV=+10 NN=+9 LUD=+6 SRAD=-11 BP=-4")
    paper("speedup", "db", "mean=+4 FDTD=+15 MM=+10 2DCONV=+7 HS=0 DCT=0")
    paper("speedup", "d-icc", "mean=+10"); paper("speedup", "d-icc-cc", "mean=+15")
    paper("speedup", "db-icc", "mean=+10 LUD=+28 HS=+19 DCT=+17 2DCONV=+19")
    paper("speedup", "db-icc-cc", "mean=+15 LUD=+67 2DCONV=+46")
    paper("energy", "db", "mean=-1.2"); paper("energy", "db-icc", "mean=-4")
    paper("energy", "db-icc-cc", "mean=-6 2DCONV=-19 LUD=-11 FDTD=-8 HS=-6 BT=-5")
    paper("edp", "db", "mean=-5"); paper("edp", "db-icc", "mean=-13"); paper("edp", "db-icc-cc", "mean=-19")
    paper("parts", "noc-energy", "mean=-16"); paper("parts", "l2-energy", "mean=-10")
    paper("parts", "share", "mean=25 2DCONV=44 BFS=44"); paper("parts", "miss", "HS=90")
    paper("traffic", "db", "mean=-7 FDTD=-24 DCT=-15 MM=-10 2DCONV=-7")
    paper("traffic", "db-icc", "mean=-15 DCT=-46 FDTD=-27 HS=-18 LUD=-17 2DCONV=-16")
    paper("traffic", "db-icc-cc", "mean=-20 DCT=-47 2DCONV=-33 LUD=-32 HS=-29 FDTD=-27")
    paper("entries", "e48", "mean=12"); paper("entries", "e160", "mean=14.5")
    paper("clusters", "icc-10/db-icc", "mean=+14"); paper("clusters", "icc-10/db-icc-cc", "mean=+18")
    paper("clusters", "icc/db-icc", "mean=+10"); paper("clusters", "icc/db-icc-cc", "mean=+15")
    paper("clusters", "icc-15/db-icc-cc", "mean=+16"); paper("bandwidth", "x2", "mean=+45")
}

# ---- The runs ---------------------------------------------------------------------------------
NR == 1 { for (i = 1; i <= NF; i++) field[i] = $i; next }
{
    for (i = 1; i <= NF; i++) now[field[i]] = $i
    if (now["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    for (i = 1; i <= NF; i++) run[now["workload"], now["gpu"] "/" now["variant"], field[i]] = $i
}
function of(w, variant, key) { return run[w, (variant ~ /\// ? variant : "icc/" variant), key] }
function less(w, variant, key) { return of(w, variant, key) / of(w, base, key) - 1 }
function sent(w, variant) {
    return of(w, variant, "cluster.reads") - of(w, variant, "cluster.merged") - of(w, variant, "cluster.hits")
}
function share(w, variant, window) {
    return (of(w, variant, "cluster.line_" window) + of(w, variant, "cluster.data_" window)) / of(w, variant, "cluster.reads")
}
# Of the reads of global space, through the L1 or, if nothing writes there, the texture cache.
function hits(w, v,  hit, other) {
    hit = of(w, v, "sm.l1_hit") + of(w, v, "sm.texture_hit")
    other = of(w, v, "sm.l1_miss") + of(w, v, "sm.l1_merge") + of(w, v, "sm.texture_miss") + of(w, v, "sm.texture_merge")
    return hit / (hit + other)
}
function value(w, v,  gpu) {
    if (figure == "speedup") return of(w, base, "cycles") / of(w, v, "cycles") - 1
    if (figure == "energy")  return less(w, v, "energy.total")
    if (figure == "edp")     return less(w, v, "energy.edp")
    if (figure == "traffic") return sent(w, v) / sent(w, base) - 1
    if (figure == "merged")  return of(w, v, "cluster.merged") / of(w, v, "cluster.reads")
    if (figure == "locality") return share(w, v, 2000)
    if (figure == "clusters") {
        gpu = substr(v, 1, index(v, "/") - 1)
        return of(w, gpu "/" base, "cycles") / of(w, v, "cycles") - 1
    }
    if (v == "noc-energy") return less(w, "db-icc-cc", "energy.noc")
    if (v == "l2-energy")  return less(w, "db-icc-cc", "energy.l2")
    if (v == "own-energy") return of(w, "db-icc-cc", "energy.icc") / of(w, "db-icc-cc", "energy.total")
    if (v == "share")      return of(w, base, "energy.noc") / of(w, base, "energy.total")
    if (v == "miss")       return 1 - hits(w, base)
    if (v == "own")  return of(w, base, "cluster.own_2000") / of(w, base, "cluster.reads")
    if (v == "line" || v == "data") return of(w, base, "cluster." v "_2000") / of(w, base, "cluster.reads")
    return share(w, base, v)
}
function cell(x, key, c,  text) {
    text = sprintf(signed[c] ? "%+.1f %%" : name[c] == "own-energy" ? "%.2f %%" : "%.1f %%", 100 * x)
    return ((table, name[c], key) in said) ? text " (" said[table, name[c], key] ")" : text
}
END {
    if (bad) exit 1
    printf "| benchmark |"; for (c = 1; c <= n_column; c++) printf " %s |", head[c]
    printf "\n|---|"; for (c = 1; c <= n_column; c++) printf "---:|"; print ""
    for (c = 1; c <= n_column; c++)
        signed[c] = figure ~ /^(speedup|energy|edp|traffic|clusters)$/ || name[c] ~ /^(noc|l2)-energy$/
    for (r = 1; r <= n_row; r++) {
        printf "| %s (%s) |", row[r], short[r]
        for (c = 1; c <= n_column; c++) {
            x = value(row[r], name[c]); sum[c] += x
            printf " %s |", cell(x, short[r], c)
        }
        print ""
    }
    printf "| mean (arithmetic) |"; for (c = 1; c <= n_column; c++) printf " %s |", cell(sum[c] / n_row, "mean", c); print ""
}' "$2"
