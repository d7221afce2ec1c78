# first.awk - the table of `make run`, as text or as a page (form=html), from claims.tsv, the CSVs of the experiments
# first-*.yaml, and what gpusched report printed of them; and one kernel over numbers of CTAs, with what Perf-Sat found. The
# files come as kind=KIND FILE: bands (sensitivity.md, for ../sensitivity/ensembles.awk), claims, page (claims.md), runs, said;
# counts, answer (of a sweep), throttled.

BEGIN {
    # A mechanism: its experiment; its variant, baseline and value of the axis `over`; the table of claims.tsv that has
    # the paper's numbers, and its column; the cell of the mean, if it is of another table; `energy`, if that is the figure.
    add("CLASO (1, 0)|loose round-robin warps|first-claso|claso|plain|lrr|claso lrr|3")
    add("CLASO (1, 0)|two-level warps|first-claso|claso|plain|two-level-warps|claso tl|3")
    add("BCS|round-robin CTAs|first-bcs|bcs|plain||bcs m2090|3")
    add("DB|distributed CTAs|first-icc|db|distributed||icc speedup|1")
    add("ICC|distributed CTAs|first-icc|d-icc|distributed||icc speedup|2")
    add("DB+ICC|distributed CTAs|first-icc|db-icc|distributed||icc speedup|3")
    add("DB+ICC+CC|distributed CTAs|first-icc|db-icc-cc|distributed||icc speedup|5")
    add("LCS|as many CTAs as fit|first-ctas|lcs|max||perf-sat speed|4")
    add("Perf-Sat|as many CTAs as fit|first-ctas|perf-sat|max||perf-sat speed|2|perf-sat headline speed 2")
    add("ONAC|all SMs|first-onac|onac|max||onac cost|3|onac type-a speed 2")
    add("Seq-Det|all SMs|first-onac|seq-det|max||onac cost|6|onac type-a speed 3")
    add("LaPerm, kernels|round-robin CTAs|first-laperm|cdp-adaptive|cdp-rr||laperm speed|4|laperm headline CDP_Adaptive-Bind 1")
    add("LaPerm, groups|round-robin CTAs|first-laperm|dtbl-adaptive|dtbl-rr||laperm speed|8|laperm headline DTBL_Adaptive-Bind 1")
    add("DB|distributed CTAs|first-icc|db|distributed||icc energy|1||energy")
    add("DB+ICC|distributed CTAs|first-icc|db-icc|distributed||icc energy|3||energy")
    add("DB+ICC+CC|distributed CTAs|first-icc|db-icc-cc|distributed||icc energy|5||energy")
    add("ONAC|all SMs|first-onac|onac|max||onac cost|5|onac type-a energy 2|energy")
    add("Seq-Det|all SMs|first-onac|seq-det|max||onac cost|8|onac type-a energy 3|energy")
    # The ensembles that repeat a baseline; NAME-energy has its energy. BCS and Perf-Sat have the same one on the M2090.
    ensembles["first-claso", "plain"] = "claso"
    ensembles["first-bcs", "plain"] = "bcs"
    ensembles["first-icc", "distributed"] = "icc"
    ensembles["first-ctas", "max"] = "perf-sat bcs"
    ensembles["first-onac", "max"] = "onac"
    ensembles["first-laperm", "cdp-rr"] = "laperm"
    ensembles["first-laperm", "dtbl-rr"] = "laperm-groups"
}

function fail(what) { print "first.awk: " what > "/dev/stderr"; failed = 1; exit 1 }

function add(row, w) {
    split(row, w, "|")
    mechanism[++n_row] = w[1]; over[n_row] = w[2]; from[n_row] = w[3]; variant[n_row] = w[4]
    base[n_row] = w[5]; axis[n_row] = w[6]; claims[n_row] = w[7] " "; place[n_row] = " " w[8]
    of_mean[n_row] = w[9] != "" ? w[9] : w[7] " mean " w[8]
    figure[n_row] = w[10] != "" ? w[10] : "speed"
}

FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.[a-z]*$/, "", name); FS = kind == "runs" || kind == "counts" ? "," : "\t"; $0 = $0 }

# "cell icc speedup lud 5" of ours has its number of the paper's at the same place, and ours in claims.md.
kind == "claims" {
    cells_of[$1] = $9
    n = split($9, ours, "; ")
    if (split($8, theirs, "; ") == n)
        for (i = 1; i <= n; i++)
            if (sub(/^cell /, "", ours[i])) paper[ours[i]] = theirs[i]
}
kind == "page" && /^\| [A-Z]+-[0-9]+ \|/ {
    split($0, column, / \| /)
    n = split(cells_of[substr(column[1], 3)], ours, "; ")
    if (split(column[5], values, "; ") == n)
        for (i = 1; i <= n; i++)
            if (sub(/^cell /, "", ours[i])) full[ours[i]] = values[i]
}

(kind == "runs" || kind == "counts") && FNR == 1 { split("", column); for (i = 1; i <= NF; i++) column[$i] = i; next }
kind == "runs" {
    if ($column["status"] != "done") fail(name ": run " $1 " is not done")
    w = $column["workload"]
    if (!((name, w) in size_of)) { size_of[name, w] = $column["size"]; bench[name, ++benches[name]] = w }
    at = name SUBSEP w SUBSEP $column["variant"] SUBSEP ("warps" in column ? $column["warps"] : "")
    cycles[at] = $column["cycles"]
    if ("energy.total" in column) energy[at] = $column["energy.total"]
    gpu[name] = $column["gpu"]
    if (!(name in size)) size[name] = $column["size"]
    if ($column["size"] != size[name] && !((name, w) in other)) { other[name, w]; others[name] = others[name] w " of " name " in " $column["size"] ", " }
}

# "lockstep  RTL and golden models compared in 2,015,625 clock cycles, differences: 0"
kind == "said" && /^lockstep / {
    split($0, word, " ")
    gsub(/,/, "", word[8])
    compared[name] += word[8]
    differences[name] += word[12]
}

# A sweep over CTAs per SM: cycles of each, and "the optimum is 4 CTAs per SM, of Nmax 6; ...".
kind == "counts" {
    if ($column["status"] != "done") fail(name ": run " $1 " is not done")
    at_count[$column["ctas"]] = $column["cycles"]
    if ($column["ctas"] > n_max) n_max = $column["ctas"]
    one = $column["workload"] " on " $column["gpu"]
}
kind == "answer" && match($0, /the optimum is [0-9]+/) { optimum = substr($0, RSTART + 15, RLENGTH - 15) + 0 }

# What gpusched run printed: cycles, "KERNEL perf_sat CTAS DECIDED PERIODS", and the table of the lockstep.
kind == "throttled" { split($0, word, " ") }
kind == "throttled" && word[1] == "cycles" { gsub(/,/, "", word[2]); stopped = word[2] }
kind == "throttled" && word[2] == "perf_sat" { found = word[3]; decided = word[4] }
kind == "throttled" && word[1] == "unit" && word[2] == "instances" { in_table = 1; next }
kind == "throttled" && in_table && word[4] ~ /^[0-9,]+$/ {
    gsub(/,/, "", word[3]); gsub(/,/, "", word[4])
    compared["throttle"] += word[3]
    differences["throttle"] += word[4]
}

function percent(x) { return sprintf("%+.1f %%", x) }
function of_paper(r, w, at) { at = claims[r] w place[r]; return at in paper ? paper[at] : "" }
# In percent: the speed over the baseline's, or the energy.
function change(r, w, plain, with) {
    plain = from[r] SUBSEP w SUBSEP base[r] SUBSEP axis[r]
    with = from[r] SUBSEP w SUBSEP variant[r] SUBSEP axis[r]
    return 100 * (figure[r] == "energy" ? energy[with] / energy[plain] - 1 : cycles[plain] / cycles[with] - 1)
}

# ---- Chance: what lies in the band that the baseline has by itself

function its_ensembles(r, list) { return split(ensembles[from[r], base[r]], list, " ") }
function of_figure(r, ensemble) { return ensemble (figure[r] == "energy" ? "-energy" : "") }

# The band of a program in a size, or of the mean, "geometric" in size "mean": its place. Nothing for other sizes and GPUs.
function band_of(r, program, its_size, n, i, list, at) {
    n = its_ensembles(r, list)
    for (i = 1; i <= n; i++) {
        at = of_figure(r, list[i]) SUBSEP program SUBSEP axis[r] SUBSEP its_size SUBSEP gpu[from[r]]
        if (at in band_low) return at
    }
    return ""
}
function band_of_program(r, w) { return band_of(r, w, size_of[from[r], w]) }

# That of the mean is of the same programs in the same sizes.
function band_of_mean(r, at, mine, its, i) {
    at = band_of(r, "geometric", "mean")
    split(at, mine, SUBSEP)
    if (at == "" || ensemble_programs[mine[1], axis[r]] != benches[from[r]]) return ""
    for (i = 1; i <= benches[from[r]]; i++) {
        split(band_of_program(r, bench[from[r], i]), its, SUBSEP)
        if (its[1] != mine[1]) return ""
    }
    return at
}

function marked(x, at) { return (in_band(at, percent(x)) ? "~" : "") percent(x) }
function marked_change(r, w) { return marked(change(r, w), band_of_program(r, w)) }

# Each ensemble that is named must be there.
function need_ensembles(r, n, i, list) {
    for (r = 1; r <= n_row; r++) {
        n = its_ensembles(r, list)
        for (i = 1; i <= n; i++)
            if (!((of_figure(r, list[i]) SUBSEP SUBSEP axis[r]) in band_low))
                fail("sensitivity.md has no ensemble " of_figure(r, list[i]) " with " (axis[r] == "" ? "no axis" : axis[r]))
    }
}

# How many programs have no band, of each mechanism.
function without_bands(r, i, n, text) {
    for (r = 1; r <= n_row; r++) {
        if (figure[r] != "speed") continue # energies have the same programs
        n = 0
        for (i = 1; i <= benches[from[r]]; i++) n += band_of_program(r, bench[from[r], i]) == ""
        if (n > 0) text = text (text != "" ? "; " : "") mechanism[r] " (" n " of " benches[from[r]] ")"
    }
    return text
}

function commas(n, text) {
    text = sprintf("%.0f", n)
    while (match(text, /[0-9][0-9][0-9][0-9]($|,)/)) text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}

# ---- Tables: cells are kept, then printed as wide as they are. The first columns are on the left.

function cell(text) { cells[n_line, ++n_cell[n_line]] = text }
function line() { n_line++; n_cell[n_line] = 0 }

function print_text(left, i, k, wide, text) {
    for (i = 1; i <= n_line; i++)
        for (k = 1; k <= n_cell[i]; k++) if (length(cells[i, k]) > wide[k]) wide[k] = length(cells[i, k])
    for (i = 1; i <= n_line; i++) {
        text = ""
        for (k = 1; k <= n_cell[i]; k++)
            text = text (k > 1 ? "  " : "") sprintf("%" (k <= left ? "-" : "") wide[k] "s", cells[i, k])
        sub(/ +$/, "", text)
        print text
    }
    n_line = 0
}

function print_html(left, i, k, tag) {
    print "<div class=\"scroll\"><table>"
    for (i = 1; i <= n_line; i++) {
        printf "<tr>"
        for (k = 1; k <= n_cell[i]; k++) {
            tag = i == 1 || k == 1 ? "th" : "td"
            printf "<%s%s>%s</%s>", tag, (k > left ? " class=\"number\"" : ""), cells[i, k], tag
        }
        print "</tr>"
    }
    print "</table></div>"
    n_line = 0
}

function print_table(left) { if (form == "html") print_html(left); else print_text(left) }

# A mechanism's row. What is worse by so little that it may be chance is counted apart.
function headline_row(r, sign, i, w, s, at, sum, least, most, worst, best, lose, may, banded) {
    for (i = 1; i <= benches[from[r]]; i++) {
        w = bench[from[r], i]
        at = band_of_program(r, w)
        banded += at != ""
        sum += change(r, w)
        s = sign * change(r, w)
        if (s < -0.05) { if (in_band(at, percent(sign * s))) may++; else lose++ }
        if (i == 1 || s < least) { least = s; worst = w }
        if (i == 1 || s > most) { most = s; best = w }
    }
    line(); cell(mechanism[r]); cell(over[r]); cell(gpu[from[r]])
    cell(marked(sum / benches[from[r]], band_of_mean(r)))
    cell(of_mean[r] in full ? full[of_mean[r]] : ""); cell(of_mean[r] in paper ? paper[of_mean[r]] : "")
    cell(lose + 0 " of " benches[from[r]])
    cell(banded > 0 ? may + 0 : "-")
    cell(worst " " marked_change(r, worst)); cell(best " " marked_change(r, best))
}

# The mechanisms whose figure it is; sign: of a change for the better.
function headline(of, sign, r) {
    line(); cell("mechanism"); cell("over"); cell("GPU"); cell("mean"); cell("full size"); cell("paper")
    if (of == "speed") { cell("slower"); cell("~slower") } else { cell("more"); cell("~more") }
    cell("worst"); cell("best")
    for (r = 1; r <= n_row; r++) if (figure[r] == of) headline_row(r, sign)
    print_table(3)
}

# The programs of an experiment, with the speed of its mechanisms across.
function shown(name, r) { return from[r] == name && figure[r] == "speed" }
function programs(name, r, i) {
    line(); cell("")
    for (r = 1; r <= n_row; r++)
        if (shown(name, r)) { cell(mechanism[r] (axis[r] != "" ? ", " axis[r] : "")); cell("paper") }
    for (i = 1; i <= benches[name]; i++) {
        line(); cell(bench[name, i])
        for (r = 1; r <= n_row; r++)
            if (shown(name, r)) { cell(marked_change(r, bench[name, i])); cell(of_paper(r, bench[name, i])) }
    }
    print_table(1)
}

# ---- One kernel over numbers of CTAs

function over_all(cycles) { return 100 * (at_count[n_max] / cycles - 1) }

function throttle(k) {
    line(); cell("CTAs per SM"); cell("cycles"); cell("speed over " n_max)
    for (k = 1; k <= n_max; k++) {
        line(); cell(k (k == optimum ? ", the optimum" : "")); cell(commas(at_count[k])); cell(percent(over_all(at_count[k])))
    }
    line(); cell(found " found by Perf-Sat"); cell(commas(stopped)); cell(percent(over_all(stopped)))
    print_table(1)
}

function x_of(count) { return sprintf("%.1f", 72 + 90 * (count - 1)) }
function y_of(cycles) { return sprintf("%.1f", 230 - 200 * at_count[n_max] / cycles) }
function mark(x, y, anchor, text) { printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text }

function curve(k, wide) {
    wide = x_of(n_max) + 40
    printf "<svg viewBox=\"0 0 %d 280\" width=\"%d\" style=\"max-width:100%%\" font-size=\"13\" fill=\"currentColor\" role=\"img\"", wide, wide
    print " aria-label=\"Speed over the CTAs per SM, and where Perf-Sat stopped\">"
    for (k = 0; k <= 4; k++) {
        printf "<line x1=\"57\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#8886\"/>\n", wide - 20, 230 - 50 * k, 230 - 50 * k
        mark(50, 234 - 50 * k, "end", 25 * k " %")
    }
    printf "<path fill=\"none\" stroke=\"#3b78b8\" stroke-width=\"2\" d=\""
    for (k = 1; k <= n_max; k++) printf "%s%s %s", k == 1 ? "M" : "L", x_of(k), y_of(at_count[k])
    print "\"/>"
    for (k = 1; k <= n_max; k++) {
        printf "<circle cx=\"%s\" cy=\"%s\" r=\"4\" fill=\"#3b78b8\"/>\n", x_of(k), y_of(at_count[k])
        mark(x_of(k), 250, "middle", k)
    }
    printf "<line x1=\"%s\" x2=\"%s\" y1=\"20\" y2=\"230\" stroke=\"#3b78b8\" stroke-dasharray=\"4 3\"/>\n", x_of(optimum), x_of(optimum)
    mark(x_of(optimum), 14, "middle", "optimum")
    printf "<path fill=\"none\" stroke=\"#d5702a\" stroke-width=\"3\" d=\"M%s %sm-7 -7l14 14m0 -14l-14 14\"/>\n", x_of(found), y_of(stopped)
    mark(x_of(found), y_of(stopped) + 26, "middle", "Perf-Sat")
    mark(wide / 2, 274, "middle", "CTAs per SM; speed relative to " n_max)
    print "</svg>"
}

function section() {
    if (n_max == 0 || stopped == 0) fail("no runs of one kernel over CTAs")
    if (form == "html") print "<h2><a href=\"first-perf-sat.html\">Perf-Sat beside each number of CTAs per SM: its run</a></h2>"
    else print "\nPerf-Sat beside each number of CTAs per SM, " one
    if (form == "html") { say(one); curve() }
    throttle()
    if (form != "html") print ""
    say("Perf-Sat's detection came to its end on " decided " % of the SMs, and " found " is the mean of all of them. The optimum is the" \
        (form == "html" ? " " : "\n") \
        "smallest number after which one more adds less than 2 %. This is one kernel; docs/results/perf-sat.md has 16.")
}

# Of experiments that have another size than the first, and of programs that have another than their experiment.
function other_sizes(k, text) {
    for (k = 1; k <= n; k++) {
        if (size[names[k]] != size[names[1]]) text = text names[k] " in " size[names[k]] ", "
        text = text others[names[k]]
    }
    return text
}

function legend(none) {
    none = without_bands()
    say("A ~ may be chance: the change lies in the 95 % band that the baseline has over several seeds (docs/results/sensitivity.md).")
    say("~slower counts the programs that are slower by so little, and slower the others. For a mean it is the band of the geometric mean.")
    if (none != "") say("Programs without a band of their size, GPU and baseline have no mark: " none ".")
}

function say(text) { print form == "html" ? "<p>" text "</p>" : text }

function head() {
    if (form != "html") return
    print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>Each mechanism over the baseline of its paper</title>"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><style>"
    print ":root{color-scheme:light dark}body{font:16px/1.5 sans-serif;max-width:74em;margin:2em auto;padding:0 1em}"
    print ".scroll{overflow-x:auto}table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .8em;text-align:left;white-space:nowrap;border-bottom:1px solid #8886}"
    print ".number{text-align:right;font-variant-numeric:tabular-nums}th{font-weight:600}"
    print "</style></head><body>"
    print "<h1>Each mechanism over the baseline of its paper</h1>"
}

END {
    if (failed) exit 1
    n = split("first-claso first-bcs first-icc first-ctas first-onac first-laperm", names, " ")
    need_ensembles()
    head()
    say("Speedup of each mechanism over the baseline of its paper, in size " size[names[1]] ", " other_sizes() "and in the papers' sizes:")
    if (form != "html") print ""
    headline("speed", 1)
    if (form != "html") print ""
    say("Energy, relative to the same baselines, where a paper gives one:")
    if (form != "html") print ""
    headline("energy", -1)
    if (form != "html") print ""
    say("Means are arithmetic. Those of the papers' sizes are not of these runs, but of the pages in docs/results.")
    say("The paper's and full-size means of ONAC and Seq-Det are of the kernels that do not need all SMs.")
    say("The slides on BCS name neither programs nor GPU.")
    legend()
    for (k = 1; k <= n; k++) {
        if (benches[names[k]] == 0) fail(names[k] ": no runs")
        if (form == "html") print "<h2><a href=\"" names[k] ".html\">" names[k] ": charts and every run</a></h2>"
        else print "\n" names[k] " on " gpu[names[k]]
        programs(names[k])
        all += compared[names[k]]; wrong += differences[names[k]]
    }
    section()
    all += compared["throttle"]; wrong += differences["throttle"]
    if (form != "html") print ""
    say(all == 0 ? "lockstep  no RTL was compared" \
                 : "lockstep  RTL and golden models compared in " commas(all) " clock cycles, differences: " wrong)
    if (form == "html") print "</body></html>"
}
