# onac.awk - a part of docs/results/onac.md, for onac.sh: the lines have kernel, variant, status, cycles, energy, launches, and
# the sums over launches of SMs found, cycles of the detection, detections without a result, and warp instructions; then the mean
# cycles of a read that missed, and of these with arithmetic in flight.

BEGIN {
    n = split("lud_internal nearest_neighbour_distance kmeans_assign btree_find_range backprop_adjust srad_diffuse dct8x8_forward " \
        "dct8x8_quantise transpose_tiled transpose_coarse fast_walsh_global convolve_rows merge_intervals pathfinder_rows " \
        "btree_find_key hotspot backprop_forward texture_rows texture_columns dxt_compress", kernel, " ")
    split("LUD NN KM BT-K2 BP-K2 SRAD DCT-K1 DCT-K2 TP-K1 TP-K2 FWT CVSEP MS PATH BT-K1 HS BP-K1 CVT-K1 CVT-K2 DXTC", row, " ")
    type_a = 13 # of Table 4.4: the first rows are of type A, the others of type B
    all = 32
    head["found"] = "| kernel | type | oracle | ONAC | | Seq-Det | | detection, ONAC | Seq-Det |\n|---|---|---:|---:|---|---:|---|---:|---:|"
    head["cost"] = "| kernel | oracle: speed | energy | ONAC: speed | power | energy | Seq-Det: speed | power | energy |\n" \
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    head["waves"] = "| kernel | 4 waves: SMs | speed | 8 waves: SMs | speed | 16 waves: SMs | speed |\n|---|---:|---:|---:|---:|---:|---:|"
    head["latency"] = "| SMs | BP-K2: AMAT | overlapped | exposed | BP-K1: AMAT | overlapped | exposed |\n|---|---:|---:|---:|---:|---:|---:|"
    head["tries"] = "| kernel | SMs: speed over all |\n|---|---|"
}
{
    if ($3 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    at = $1 "/" $2
    cycles[at] = $4; energy[at] = $5; launches[at] = $6; found[at] = $7 / $6; detection[at] = $8; aborted[at] = $9; work[$1] = $10
    latency[at] = $11; exposed[at] = $11 - $12
    if ($2 ~ /^c[0-9]+$/) counts[$1, ++n_counts[$1]] = substr($2, 2) + 0
}
# Whether a kernel was run with each number of SMs, and not only with those that a search asked for.
function with_each(name) { return n_counts[name] == all - 1 }
# Speed, power and energy relative to all SMs, in percent.
function speed(name, way) { return 100 * cycles[name "/max"] / cycles[name "/" way] }
function energy_of(name, way) { return 100 * energy[name "/" way] / energy[name "/max"] }
function power(name, way) { return energy_of(name, way) * speed(name, way) / 100 }
function share(name, way) { return 100 * detection[name "/" way] / cycles[name "/" way] }
function near(name, count) { return 49 * cycles[name "/c" count] <= 50 * cycles[name "/max"] }

# The oracle: `highest` is the smallest count that was run and comes within 2 % of all, and `lowest` follows the next smaller one
# that was run.
function oracle(name, i, j, x) {
    for (i = 2; i <= n_counts[name]; i++)
        for (j = i; j > 1 && counts[name, j] < counts[name, j - 1]; j--) {
            x = counts[name, j]; counts[name, j] = counts[name, j - 1]; counts[name, j - 1] = x
        }
    lowest[name] = 1
    for (i = 1; i <= n_counts[name] && !near(name, counts[name, i]); i++) lowest[name] = counts[name, i] + 1
    highest[name] = i <= n_counts[name] ? counts[name, i] : all
}
function interval(name) { return lowest[name] == highest[name] ? highest[name] : lowest[name] " to " highest[name] }
function type(name) { return highest[name] < all ? "A" : lowest[name] == all ? "B" : "A or B" }
function beside(ours, theirs) { return ours == theirs ? ours : ours " (" theirs ")" }
function result(name, way) {
    if (aborted[name "/" way] == launches[name "/" way]) return "aborted"
    return sprintf(launches[name "/" way] == 1 ? "%d" : "%.1f", found[name "/" way])
}
function percent(x) { return sprintf("%+.1f %%", x) }

# How what is found lies to the oracle's interval.
function verdict(name, way, x) {
    x = found[name "/" way]
    return x < lowest[name] ? "below" : x > highest[name] ? "above" : "right"
}
function add(class, name, way, v) {
    v = verdict(name, way)
    sum[class, way, "cores"] += found[name "/" way]
    sum[class, way, v]++
    sum[class, way, "speed"] += speed(name, way) - 100
    sum[class, way, "energy"] += energy_of(name, way) - 100
    sum[class, way, "detection"] += share(name, way)
    sum[class, way, "aborted"] += result(name, way) == "aborted"
}
function means(class, m) {
    m = members[class]
    printf "| %d kernels, arithmetic means | oracle | ONAC | Seq-Det | paper: ONAC | paper: Seq-Det |\n|---|---:|---:|---:|---:|---:|\n", m
    line(class, "cores", "SMs", "%.1f", m, 1, "", "")
    line(class, "right", "kernels that get what the oracle has", "%.0f %%", m / 100, 0, class == "B" ? "100 %" : "", class == "B" ? "100 %" : "")
    line(class, "below", "kernels that get fewer", "%d", 1, 0, "", "")
    line(class, "above", "kernels that get more", "%d", 1, 0, "", "")
    line(class, "aborted", "kernels whose detection has no result: all SMs", "%d", 1, 0, "", "")
    line(class, "speed", "relative to all SMs", "%+.1f %%", m, 1, class == "A" ? "-2 %" : "less than -2 %", class == "A" ? "-1 %" : "")
    line(class, "energy", "relative to all SMs", "%+.1f %%", m, 1, class == "A" ? "-20 %" : "+2 %", class == "A" ? "-10 %" : "")
    line(class, "detection", "share of the kernel\047s cycles", "%.1f %%", m, 0, class == "B" ? "less than 4 %" : "", class == "B" ? "less than 4 %" : "")
    if (class == "A") printf "| shorter (ONAC\047s detection, relative to Seq-Det\047s) | | %s | | -45 %% | |\n", percent(shorter["A"] / m)
}
function line(class, key, what, form, by, oracle_too, onac, seq) {
    printf "| %s (%s) | %s | " form " | " form " | %s | %s |\n", key, what, oracle_too ? sprintf(form, sum[class, "oracle", key] / by) : "",
        sum[class, "onac", key] / by, sum[class, "seq-det", key] / by, onac, seq
}
# A row for each number of SMs, and a column for each kernel that was run with all of them: its speed over all SMs.
function each(i, j, text, rule) {
    text = "| SMs |"
    rule = "|---|"
    for (i = 1; i <= n; i++) if (with_each(kernel[i])) { text = text " " row[i] " |"; rule = rule "---:|" }
    print text "\n" rule
    for (j = 1; j < all; j++) {
        printf "| %d |", j
        for (i = 1; i <= n; i++) if (with_each(kernel[i])) printf " %s |", percent(speed(kernel[i], "c" j) - 100)
        print ""
    }
}
# The latency of a read that missed, with each number of SMs.
function latencies(j, at) {
    for (j = 1; j <= all; j++) {
        at = j < all ? "/c" j : "/max"
        if ((("backprop_adjust" at) in cycles) && (("backprop_forward" at) in cycles))
            printf "| %d |%s%s\n", j, parts("backprop_adjust" at), parts("backprop_forward" at)
    }
}
function parts(at) { return sprintf(" %.0f | %.0f | %.0f |", latency[at], latency[at] - exposed[at], exposed[at]) }
END {
    if (bad) exit 1
    for (i = 1; i <= n; i++) {
        k = kernel[i]
        if (!((k "/max") in cycles)) continue
        class = i <= type_a ? "A" : "B"
        members[class]++
        oracle(k)
        best[k] = highest[k] < all ? "c" highest[k] : "max"
        sum[class, "oracle", "cores"] += highest[k]
        sum[class, "oracle", "speed"] += speed(k, best[k]) - 100
        sum[class, "oracle", "energy"] += energy_of(k, best[k]) - 100
        add(class, k, "onac"); add(class, k, "seq-det")
        shorter[class] += 100 * (detection[k "/onac"] / detection[k "/seq-det"] - 1)
    }
    if (members["A"] + members["B"] == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    if (part == "type-a") means("A")
    if (part == "type-b") means("B")
    if (part == "each") each()
    if (part in head) print head[part]
    if (part == "latency") latencies()
    for (i = 1; i <= n; i++) {
        k = kernel[i]
        if (!((k "/max") in cycles)) continue
        if (part == "found")
            printf "| %s (`%s`) | %s | %s | %s | %s | %s | %s | %.1f %% | %.1f %% |\n", row[i], k, beside(type(k), i <= type_a ? "A" : "B"),
                interval(k), result(k, "onac"), verdict(k, "onac"), result(k, "seq-det"), verdict(k, "seq-det"), share(k, "onac"), share(k, "seq-det")
        if (part == "cost")
            printf "| %s (`%s`) | %s | %s | %s | %s | %s | %s | %s | %s |\n", row[i], k, percent(speed(k, best[k]) - 100), percent(energy_of(k, best[k]) - 100),
                percent(speed(k, "onac") - 100), percent(power(k, "onac") - 100), percent(energy_of(k, "onac") - 100),
                percent(speed(k, "seq-det") - 100), percent(power(k, "seq-det") - 100), percent(energy_of(k, "seq-det") - 100)
        if (part == "tries" && !with_each(k)) {
            printf "| %s (`%s`) |", row[i], k
            for (j = 1; j <= n_counts[k]; j++) printf "%s %d: %s", (j > 1 ? "," : ""), counts[k, j], percent(speed(k, "c" counts[k, j]) - 100)
            print " |"
        }
        if (part == "ipc") {
            for (j = 1; j <= n_counts[k]; j++) printf "%s %d %.4f\n", k, counts[k, j], work[k] / cycles[k "/c" counts[k, j]]
            printf "%s %d %.4f\n", k, all, work[k] / cycles[k "/max"]
        }
        if (part == "waves" && (k "/waves-16") in cycles)
            printf "| %s (`%s`) | %s | %s | %s | %s | %s | %s |\n", row[i], k, result(k, "onac"), percent(speed(k, "onac") - 100),
                result(k, "waves-8"), percent(speed(k, "waves-8") - 100), result(k, "waves-16"), percent(speed(k, "waves-16") - 100)
        if (part == "chart") printf "%s %d %d %.3f %.3f\n", row[i], lowest[k], highest[k], found[k "/onac"], found[k "/seq-det"]
    }
}
