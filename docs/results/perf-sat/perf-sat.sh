#!/usr/bin/env bash
# perf-sat.sh PART GPU DATABASE... - a table of docs/results/perf-sat.md from runs on the m2090 or the k20x, those of the experiments
# perf-sat*.yaml: `headline`, `counts` (optimum and type of each kernel, and what throttles find), `curves` (each number of CTAs),
# `speed`, `saved` (per kernel) or `types` (means); or the numbers of a picture, `chart`, `chart-speed` or `chart-saved`. A kernel's
# cycles are those of all its launches. Loose round robin is only on the m2090.
# Max, optimum and type of the paper: thesis, Table 4.2.
set -euo pipefail

part=$1 gpu=$2
shift 2
for database; do "${GPUSCHED:-build/gpusched}" query -s $'\t' "$database" "
    SELECT json_extract(k.value, '\$.name'), runs.variant, json_extract(k.value, '\$.cycles'),
        json_extract(k.value, '\$.sm.pipeline_alu') + json_extract(k.value, '\$.sm.pipeline_memory')
            + json_extract(k.value, '\$.sm.scoreboard_alu') + json_extract(k.value, '\$.sm.scoreboard_memory'),
        coalesce(json_extract(k.value, '\$.throttles.perf_sat.sms'), json_extract(k.value, '\$.throttles.lcs.sms'), 0),
        coalesce(json_extract(k.value, '\$.throttles.perf_sat.decided'), json_extract(k.value, '\$.throttles.lcs.decided'), 0),
        coalesce(json_extract(k.value, '\$.throttles.perf_sat.ctas'), json_extract(k.value, '\$.throttles.lcs.ctas'), 0),
        (SELECT max(json_extract(launch.value, '\$.ctas_per_sm')) FROM json_each(runs.result, '\$.kernels') AS launch
            WHERE json_extract(launch.value, '\$.name') = json_extract(k.value, '\$.name')),
        runs.status, json_extract(k.value, '\$.sm.issued'), json_extract(k.value, '\$.sm.l1_hit') + json_extract(k.value, '\$.sm.l1_merge'),
        json_extract(k.value, '\$.sm.l1_hit') + json_extract(k.value, '\$.sm.l1_merge') + json_extract(k.value, '\$.sm.l1_miss'),
        (SELECT json_extract(launch.value, '\$.block[0]') * json_extract(launch.value, '\$.block[1]') * json_extract(launch.value, '\$.block[2]')
            FROM json_each(runs.result, '\$.kernels') AS launch WHERE json_extract(launch.value, '\$.name') = json_extract(k.value, '\$.name')),
        (SELECT json_extract(launch.value, '\$.registers') FROM json_each(runs.result, '\$.kernels') AS launch
            WHERE json_extract(launch.value, '\$.name') = json_extract(k.value, '\$.name'))
    FROM runs, json_each(runs.result, '\$.by_kernel') AS k
    WHERE json_extract(k.value, '\$.name') IS NOT NULL"
done | awk -F '\t' -v part="$part" -v gpu="$gpu" '
BEGIN {
    n = split("backprop_forward backprop_adjust btree_find_key btree_find_range cfd_flux gaussian_eliminate lud_internal hotspot " \
        "pathfinder_rows nearest_neighbour_distance srad_extract srad_prepare srad_reduce srad_diffuse srad_update srad_compress", kernel, " ")
    split("BP-1 BP-2 B+-1 B+-2 CFD Gaus LUD Hot Path NN SRAD-1 SRAD-2 SRAD-3 SRAD-4 SRAD-5 SRAD-6", row, " ")
    if (gpu == "m2090") {
        split("6 5 5 6 3 8 6 3 6 6 6 6 6 6 6 6", max_there, " ")
        split("6 5 5 6 3 6 5 3 5 5 6 5 6 6 5 6", opt_there, " ")
        split("C-strong C-weak C-strong C-strong MEM MEM MEM C-strong C-weak C-weak C-strong C-weak C-strong C-strong C-weak C-strong", type_there, " ")
        schedulers = 2 * 16; sm_registers = 32768; sm_threads = 1536; accuracy_there = "94.25 %"; saved_there = "10.45 %"
        costs_there = "-0.51 %"; saved_by_there["C-weak"] = "14.32 %"; saved_by_there["MEM"] = "25.31 %"
    } else {
        split("8 8 8 8 6 16 8 6 8 8 8 8 8 8 8 8", max_there, " ")
        split("8 5 8 8 5 6 5 6 5 7 6 5 3 7 4 7", opt_there, " ")
        split("C-strong MEM C-strong C-strong MEM MEM MEM C-strong C-weak C-weak MEM MEM MEM C-weak MEM MEM", type_there, " ")
        schedulers = 4 * 14; sm_registers = 65536; sm_threads = 2048; accuracy_there = "85.12 %"; saved_there = "25.51 %"
        costs_there = "-0.88 %"; saved_by_there["C-weak"] = "35.35 %"; saved_by_there["MEM"] = "31.48 %"
    }
    saved_by_there["C-strong"] = "0.97 %" # over both GPUs, as the next
    faster_there = "+4.95 %"
    lrr = gpu == "m2090"
}
{
    if ($9 != "done") { print "a run of " $1 " is not done" > "/dev/stderr"; bad = 1; exit 1 }
    at = $1 "/" $2
    cycles[at] = $3; stalls[at] = $4; sms[at] = $5; decided[at] = $6; ctas[at] = $7
    issued[at] = $10; hits[at] = $11; reads[at] = $12
    if ($2 == "max") { max[$1] = $8; threads[$1] = $13; registers[$1] = $14 }
}
# The cycles with so many CTAs; stalls too.
function with(table, name, count) { return table[name "/" (count == max[name] ? "max" : "n" count)] }

# The smallest count after which one more adds less than 2 % of speed.
function optimum(name, count) {
    for (count = 1; count < max[name]; count++)
        if (100 * with(cycles, name, count) < 102 * with(cycles, name, count + 1)) return count
    return count
}
# The smallest count from which on all runs are the same: no SM has more CTAs.
function reached(name, count) {
    count = max[name]
    while (count > 1 && with(cycles, name, count - 1) == with(cycles, name, max[name]) && with(stalls, name, count - 1) == with(stalls, name, max[name]))
        count--
    return count
}
# One count is faster than another by 2 % or more.
function adds(name, few, more) { return 100 * with(cycles, name, few) >= 102 * with(cycles, name, more) }
# By the rules of docs/sweep.md, of stalls in all cycles of all schedulers.
function type(name, opt, count, more, last) {
    last = reached(name)
    if (max[name] == 1) return "none"
    if (opt == max[name]) return with(stalls, name, opt) < with(stalls, name, 1) ? "C-strong" : "none"
    if (opt >= last) return "none"
    for (count = opt + 1; count <= last; count++) more += with(stalls, name, count) / (last - opt)
    if (more - with(stalls, name, opt) > 0.02 * schedulers * with(cycles, name, opt)) return "MEM"
    for (count = opt + 2; count <= max[name]; count++) if (adds(name, count - 1, count) && adds(name, opt, count)) return "none"
    return "C-weak"
}
function found(name, way) { return sms[name "/" way] ? ctas[name "/" way] / sms[name "/" way] : 0 }
function ended(name, way) { return sms[name "/" way] ? 100 * decided[name "/" way] / sms[name "/" way] : 0 }
function faster(name, way, base) { return 100 * (cycles[name "/" base] / cycles[name "/" way] - 1) }
function percent(x) { return sprintf("%+.1f %%", x) }
function beside(ours, theirs) { return ours == theirs ? ours : ours " (" theirs ")" }
function hit_rate(name, count) { return with(reads, name, count) ? sprintf("%.0f %%", 100 * with(hits, name, count) / with(reads, name, count)) : "-" }
# The speed with each number of CTAs, of that with all; what all of them leave of the schedulers, and of the L1.
function curve(name, label, count, text) {
    for (count = 1; count <= widest; count++)
        text = text (count <= max[name] ? sprintf(" %.1f |", 100 * with(cycles, name, max[name]) / with(cycles, name, count)) : " |")
    printf "| %s (`%s`) |%s %.0f %% | %s | %s |\n", label, name, text, 100 * issued[name "/max"] / schedulers / cycles[name "/max"],
        hit_rate(name, 1), hit_rate(name, max[name])
}
# Of an SM, what the CTAs would have that Perf-Sat leaves out; in percent of all that an SM has.
function threads_left(name) { return 100 * (max[name] - found(name, "perf-sat")) * threads[name] / sm_threads }
function registers_left(name) { return threads_left(name) * registers[name] * sm_threads / sm_registers }
function left_out(name, label, less, share_r, share_t) {
    less = max[name] - found(name, "perf-sat")
    registers_less += share_r = registers_left(name)
    threads_less += share_t = threads_left(name)
    printf "| %s (`%s`) | %.1f | %.1f %% | %.1f | %.1f %% | %.0f | %.1f %% |\n", label, name, less, 100 * less / max[name],
        less * threads[name] * registers[name] * 4 / 1024, share_r, less * threads[name], share_t
}
# The bars of a kernel, or of the means of some; of the thesis there are only means.
function bars(label, m, best, limited, lazy, share_r, share_t, speed_there, saved_there) {
    if (part == "chart-speed") printf "\"%s\" %.4f %.4f %.4f %s\n", label, best / m, limited / m, lazy / m, number(speed_there)
    if (part == "chart-saved") printf "\"%s\" %.4f %.4f %s\n", label, share_r / m, share_t / m, number(saved_there)
}
function number(text) { return text == "" ? "NaN" : text + 0 }
# Of the kernels of a type in the thesis, of two types, or of all.
function bars_of(one, other, speed_there, saved_there, m, i, best, limited, lazy, share_r, share_t) {
    for (i = 1; i <= n; i++) if (one == "" || type_there[i] == one || type_there[i] == other) {
        m++; best += at_best[i]; limited += faster(kernel[i], "perf-sat", "max"); lazy += faster(kernel[i], "lcs", "max")
        share_r += registers_left(kernel[i]); share_t += threads_left(kernel[i])
    }
    bars(one == "" ? "all" : other == "" ? one : one ", " other, m, best, limited, lazy, share_r, share_t, speed_there, saved_there)
}
function mean_of(name, m, speed, saved, speed_there) {
    printf "| %s | %d | %s | %.1f %% | %s | %s |\n", name, m, percent(speed / m), saved / m, speed_there, saved_by_there[name]
}
END {
    if (bad) exit 1
    if (NR == 0) { print "no runs" > "/dev/stderr"; exit 1 }
    for (i = 1; i <= n; i++) {
        opt[kernel[i]] = optimum(kernel[i])
        if (max[kernel[i]] > widest) widest = max[kernel[i]]
    }
    if (part == "curves") {
        text = "| kernel |"; line = "|---|"
        for (i = 1; i <= widest; i++) { text = text " " i " |"; line = line "---:|" }
        print text " issues | L1 hits, 1 CTA | all CTAs |"
        print line "---:|---:|---:|"
    }
    if (part == "counts") {
        print "| kernel | Nmax | optimum | type | Perf-Sat | decided |" (lrr ? " with LRR | decided |" : "") " LCS |"
        print "|---|---:|---:|---|---:|---:|" (lrr ? "---:|---:|" : "") "---:|"
    }
    if (part == "speed") {
        print "| kernel | at the optimum | Perf-Sat |" (lrr ? " with LRR |" : "") " LCS |"
        print "|---|---:|---:|" (lrr ? "---:|" : "") "---:|"
    }
    if (part == "saved") {
        print "| kernel | CTAs | of Nmax | KB of registers | of an SM | threads | of an SM |"
        print "|---|---:|---:|---:|---:|---:|---:|"
    }
    for (i = 1; i <= n; i++) {
        k = kernel[i]
        kind = type(k, opt[k])
        if (part == "counts")
            printf "| %s (`%s`) | %s | %s | %s | %.1f | %.0f %% |%s %.1f |\n", row[i], k, beside(max[k], max_there[i]),
                beside(opt[k], opt_there[i]), beside(kind, type_there[i]), found(k, "perf-sat"), ended(k, "perf-sat"),
                lrr ? sprintf(" %.1f | %.0f %% |", found(k, "lrr-perf-sat"), ended(k, "lrr-perf-sat")) : "", found(k, "lcs")
        at = opt[k] == max[k] ? "max" : "n" opt[k]
        if (part == "speed")
            printf "| %s (`%s`) | %s | %s |%s %s |\n", row[i], k, percent(faster(k, at, "max")), percent(faster(k, "perf-sat", "max")),
                lrr ? " " percent(faster(k, "lrr-perf-sat", "lrr")) " |" : "", percent(faster(k, "lcs", "max"))
        if (part == "curves") curve(k, row[i])
        if (part == "saved") left_out(k, row[i])
        if (part == "chart") printf "%s %d %d %.3f %.3f\n", row[i], max[k], opt[k], found(k, "perf-sat"), found(k, "lcs")
        at_best[i] = faster(k, at, "max")
        bars(row[i], 1, at_best[i], faster(k, "perf-sat", "max"), faster(k, "lcs", "max"), registers_left(k), threads_left(k))
        if (lrr) gain["lrr"] += faster(k, "lrr-perf-sat", "lrr")
        members[type_there[i]]++
        faster_by[type_there[i]] += faster(k, "perf-sat", "max")
        saved_by[type_there[i]] += 100 * (1 - found(k, "perf-sat") / max[k])
        same_opt += opt[k] == opt_there[i]; same_type += kind == type_there[i]
        for (w = 1; w <= 2; w++) {
            way = w == 1 ? "perf-sat" : "lcs"
            off = found(k, way) - opt[k]
            accurate[way] += 1 - (off < 0 ? -off : off) / opt[k]
            saved[way] += 1 - found(k, way) / max[k]
            gain[way] += faster(k, way, "max")
            done[way] += ended(k, way)
        }
        best += faster(k, at, "max"); spare += 1 - opt[k] / max[k]
    }
    if (part == "chart-speed") { bars_of("C-strong", "C-weak", costs_there); bars_of("MEM", "", faster_there); bars_of("") }
    if (part == "chart-saved") {
        m = split("C-strong C-weak MEM", types, " ")
        for (i = 1; i <= m; i++) bars_of(types[i], "", "", saved_by_there[types[i]])
        bars_of("", "", "", saved_there)
    }
    if (part == "speed")
        printf "| mean (arithmetic) | %s | %s |%s %s |\n", percent(best / n), percent(gain["perf-sat"] / n), lrr ? " " percent(gain["lrr"] / n) " |" : "",
            percent(gain["lcs"] / n)
    if (part == "saved") printf "| mean (arithmetic) | | %.1f %% | | %.1f %% | | %.1f %% |\n", 100 * saved["perf-sat"] / n, registers_less / n, threads_less / n
    if (part == "types") {
        print "| type in the thesis | kernels | speed | saved | paper: speed | paper: saved |"
        print "|---|---:|---:|---:|---:|---:|"
        split("C-strong C-weak MEM", types, " ")
        for (i = 1; i <= 3; i++) mean_of(types[i], members[types[i]], faster_by[types[i]], saved_by[types[i]], types[i] == "MEM" ? faster_there : "")
        mean_of("C-strong and C-weak", members["C-strong"] + members["C-weak"], faster_by["C-strong"] + faster_by["C-weak"],
            saved_by["C-strong"] + saved_by["C-weak"], costs_there)
    }
    if (part == "headline") {
        print "| arithmetic mean of 16 kernels | optimum | Perf-Sat | LCS | paper: Perf-Sat |"
        print "|---|---:|---:|---:|---:|"
        printf "| accuracy (of what is found) | | %.2f %% | %.2f %% | %s |\n", 100 * accurate["perf-sat"] / n, 100 * accurate["lcs"] / n, accuracy_there
        printf "| decided (SMs on which detection ends) | | %.0f %% | %.0f %% | |\n", done["perf-sat"] / n, done["lcs"] / n
        printf "| speed (over Nmax CTAs) | %s | %s | %s | |\n", percent(best / n), percent(gain["perf-sat"] / n), percent(gain["lcs"] / n)
        printf "| saved (CTAs) | %.1f %% | %.1f %% | %.1f %% | %s |\n", 100 * spare / n, 100 * saved["perf-sat"] / n, 100 * saved["lcs"] / n, saved_there
        printf "| optima (that are the paper\047s) | %d of %d | | | |\n", same_opt, n
        printf "| types (that are the paper\047s) | %d of %d | | | |\n", same_type, n
    }
}'
