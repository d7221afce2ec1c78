# claims.awk - a part of claims.md, as Markdown: headline or table, from claims.tsv, the tables of the other pages, and
# the parameters of the GPUs. The files come as kind=KIND FILE: page, gpu, claims; the page's or GPU's name is in `of`.

BEGIN { FS = "\t" }

function fail(what) {
    print "claims.tsv: " what > "/dev/stderr"
    failed = 1
    exit 1
}

kind == "page" && /^<!-- end of / { part = "" ; next }
kind == "page" && /^<!-- .* -->$/ { part = substr($0, 6, length($0) - 9); next }
kind == "page" && part != "" && /^\| / {
    n_cell = split($0, cell_of, / *\| */)
    row = cell_of[2]
    sub(/ \(.*/, "", row)
    gsub(/ /, "_", row)
    if (row ~ /^(benchmark|row|program|kernel|part_of_the_run|SMs|launches.*)$/) next
    if ((of, part, row) in known) row = row "/2" # the second of its name in a table
    rows[of, part] = rows[of, part] SUBSEP row
    for (k = 3; k < n_cell; k++) {
        if (sub(/^~/, "", cell_of[k])) noise[of, part, row, k - 2]
        table[of, part, row, k - 2] = cell_of[k]
    }
    last[of, part, row] = cell_of[n_cell - 1]
    known[of, part, row]
    next
}
kind == "gpu" && /^[a-z0-9]+: *#/ { group = $1; sub(/:.*/, "", group); next }
kind == "gpu" && /^  [A-Za-z]/ { split($0, word, / +/); sub(/:/, "", word[2]); setting[of, group "." word[2]] = word[3]; next }
kind == "claims" && FNR == 1 {
    if ($0 != "id\tsource\tplace\tclaim\tmetric\tbaseline\tprinted\tpaper\tours\tnote") fail("its first line does not name its columns")
    next
}
kind == "claims" { claim() }

# The number that a cell begins with.
function value(page, part, row, k) {
    if (!((page, part, row, k) in table)) fail($1 ": no row " row " with column " k " in the table " part " of " page ".md")
    if (table[page, part, row, k] !~ /^[-+]?[0-9]/) fail($1 ": no number in row " row ", column " k ", table " part " of " page ".md")
    return table[page, part, row, k] + 0
}

# The same of a claim about this one cell, which may be noise.
function single(page, part, row, k) {
    if ((page, part, row, k) in noise) chance = 1
    return value(page, part, row, k)
}

# How many rows have a number above another in a column, or within a distance of 0. It may be noise if all that it leaves out may be.
function count(page, part, k, above, near, each, n, i, c, x, left, noisy) {
    n = split(rows[page, part], each, SUBSEP)
    if (n == 0) fail($1 ": no table " part " in " page ".md")
    for (i = 2; i <= n; i++) {
        if (each[i] ~ /^(mean|all_idle)/) continue
        x = value(page, part, each[i], k)
        if (near ? x <= above && -x <= above : x > above) c++
        else { left++; noisy += (page, part, each[i], k) in noise }
    }
    if (left && left == noisy) chance = 1
    return c + 0
}

# How many rows have a lower number in one column than in another.
function fewer(page, part, k, than, each, n, i, c) {
    n = split(rows[page, part], each, SUBSEP)
    if (n == 0) fail($1 ": no table " part " in " page ".md")
    for (i = 2; i <= n; i++) if (each[i] !~ /^mean/) c += value(page, part, each[i], k) < value(page, part, each[i], than)
    return c + 0
}

# The row with the highest number in a column, or with the lowest.
function extreme(page, part, k, up, each, n, i, best) {
    n = split(rows[page, part], each, SUBSEP)
    if (n == 0) fail($1 ": no table " part " in " page ".md")
    for (i = 2; i <= n; i++) {
        if (each[i] ~ /^(mean|all_idle|paper)/) continue
        if (best == "" || (up ? 1 : -1) * (value(page, part, each[i], k) - value(page, part, best, k)) > 0) best = each[i]
    }
    return best
}

# The names of the n rows with the lowest numbers in a column.
function least(page, part, k, n, each, m, i, best, names, taken) {
    m = split(rows[page, part], each, SUBSEP)
    for (; n > 0; n--) {
        best = ""
        for (i = 2; i <= m; i++) {
            if (each[i] ~ /^(mean|paper)/ || each[i] in taken) continue
            if (best == "" || value(page, part, each[i], k) < value(page, part, best, k)) best = each[i]
        }
        taken[best]
        names = names (names == "" ? "" : ", ") best
    }
    return names
}

# Those of the n rows in which two columns together are highest, by name: a rate, and its difference to another.
function highest(page, part, k, more, n, each, m, i, best, x, top, names, taken) {
    m = split(rows[page, part], each, SUBSEP)
    for (; n > 0; n--) {
        best = ""
        for (i = 2; i <= m; i++) {
            if (each[i] ~ /^(mean|paper)/ || each[i] in taken) continue
            x = value(page, part, each[i], k) + value(page, part, each[i], more)
            if (best == "" || x > top) { best = each[i]; top = x }
        }
        taken[best]
    }
    for (;;) {
        best = ""
        for (i in taken) if (best == "" || i < best) best = i
        if (best == "") return names
        names = names (names == "" ? "" : ", ") best
        delete taken[best]
    }
}

# Adds the classes of the slides on LCS that the curves of a table are of, whose columns 1 to `most` have the speed with 1 CTA, 2,
# ...: I rises, II rises and then stays within 2 %, III is fastest with one, IV rises and then falls. One that stays within 2 %
# everywhere is of none.
function add_shapes(seen, page, part, most, each, n, i, k, v, best) {
    n = split(rows[page, part], each, SUBSEP)
    if (n == 0) fail($1 ": no table " part " in " page ".md")
    for (i = 2; i <= n; i++) {
        best = 1
        for (k = 1; k <= most && table[page, part, each[i], k] != ""; k++) {
            v[k] = value(page, part, each[i], k)
            if (v[k] > v[best]) best = k
        }
        if (--k < 2) fail($1 ": no curve of " each[i] " in the table " part " of " page ".md")
        if (v[best] > 1.02 * v[k]) seen[best == 1 ? "III" : "IV"]
        else if (v[best] > 1.02 * v[1]) seen[v[k] > 1.02 * v[k - 1] ? "I" : "II"]
    }
}
# The same of several tables: PAGE PART COLUMNS PART COLUMNS ...
function shapes(w, n, i, seen, class, names) {
    for (i = 3; i < n; i += 2) add_shapes(seen, w[2], w[i], w[i + 1])
    n = split("I II III IV", class, " ")
    for (i = 1; i <= n; i++) if (class[i] in seen) names = names (names == "" ? "" : ", ") class[i]
    return names
}

function percent(x) { return sprintf("%+.1f %%", x) }

# What is here, of one word of `ours`.
function here(spec, w, n, text, i, sum) {
    n = split(spec, w, " ")
    if (w[1] == "maximum" || w[1] == "minimum") { w[5] = w[4]; w[4] = extreme(w[2], w[3], w[4], w[1] == "maximum") }
    if (w[1] ~ /^(cell|maximum|minimum)$/) {
        single(w[2], w[3], w[4], w[5])
        text = table[w[2], w[3], w[4], w[5]]
        return substr(text, 1, index(text, "%"))
    }
    if (w[1] == "stated") {
        sub(/^stated [^ ]+ /, "", spec)
        return stated(w[2], spec)
    }
    if (w[1] == "fewer") return fewer(w[2], w[3], w[4], w[5])
    if (w[1] == "number") return single(w[2], w[3], w[4], w[5])
    if (w[1] == "word") {
        if (!((w[2], w[3], w[4], w[5]) in table)) fail($1 ": no row " w[4] " with column " w[5] " in the table " w[3] " of " w[2] ".md")
        text = table[w[2], w[3], w[4], w[5]]
        sub(/ .*/, "", text)
        return text
    }
    if (w[1] == "count") return count(w[2], w[3], w[4], 0, 0)
    if (w[1] == "above") return count(w[2], w[3], w[4], w[5], 0)
    if (w[1] == "near") return count(w[2], w[3], w[4], w[5], 1)
    if (w[1] == "over") return percent(100 * ((100 + single(w[2], w[3], w[4], w[5])) / (100 + single(w[2], w[3], w[4], w[6])) - 1))
    if (w[1] == "points") return percent(single(w[2], w[3], w[4], w[5]))
    if (w[1] == "higher") return percent(value(w[2], w[3], w[5], w[4])) " and " percent(value(w[2], w[3], w[6], w[4]))
    if (w[1] == "highest") return highest(w[2], w[3], w[4], w[5], w[6])
    if (w[1] == "least") return least(w[2], w[3], w[4], w[5])
    if (w[1] == "less") return percent(single(w[2], w[3], w[4], w[5]) - single(w[2], w[3], w[4], w[6]))
    if (w[1] == "average") {
        for (i = 5; i <= n; i++) sum += value(w[2], w[i], w[3], w[4])
        return percent(sum / (n - 4))
    }
    if (w[1] == "more") return percent(value(w[2], w[3], w[4], w[5])) " and " percent(value(w[2], w[3], w[4], w[6]))
    if (w[1] == "row") return as_table(w[2], w[3]) ? "the same" : "another"
    if (w[1] == "set") return of_gpu(w[2], w[3])
    if (w[1] == "shapes") return shapes(w, n)
    if (w[1] == "lanes") return lanes(w[2], w[3])
    if (w[1] == "width") return width(w[2], w[3])
    if (w[1] == "peak") return sprintf("%.1f", of_gpu(w[2], "sm.count") * lanes(w[2], w[3]) * 2 * of_gpu(w[2], "clock.core") / 1000)
    if (w[1] == "bandwidth") return sprintf("%.1f", bandwidth(w[2], w[3]))
    fail($1 ": cannot read " spec)
}

function of_gpu(gpu, key) {
    if (!((gpu, key) in setting)) fail($1 ": " gpu " has no " key)
    return setting[gpu, key]
}
# Lanes of a unit: a warp of 32 threads takes it for the interval.
function width(gpu, pipe) { return 32 / of_gpu(gpu, pipe ".interval") }
# How many lanes of a pipe an SM has; 2 operations each and cycle are a GPU's peak.
function lanes(gpu, pipe, owners) {
    owners = of_gpu(gpu, pipe ".owner") == "scheduler" ? of_gpu(gpu, "warp.schedulers") : 1
    return width(gpu, pipe) * of_gpu(gpu, pipe ".units") * owners
}
# In GB/s, from clocks in MHz.
function bandwidth(gpu, of) {
    if (of == "noc") return of_gpu(gpu, "l2.slices") * of_gpu(gpu, "noc.channel_bytes") * of_gpu(gpu, "clock.noc") / 1000
    return of_gpu(gpu, "l2.slices") * of_gpu(gpu, "dram.channels") * of_gpu(gpu, "dram.bus_bytes") * of_gpu(gpu, "dram.data_rate") * of_gpu(gpu, "clock.dram") / 1000
}

function distance(d, step) {
    if (d < 0) d = -d
    for (step = 5; step <= 20; step *= 2) if (d <= step) return step
    return 0
}

# How near ours is to the paper's; docs/results/claims.md defines the words.
function verdict(theirs, ours, a, b, step, two) {
    if (theirs == "fall") return ours + 0 < 0 ? "direction" : "contradicts"
    if (theirs == "slight") return distance(ours + 0) == 5 ? "within 5 points" : "contradicts"
    if (theirs == "rise") return ours + 0 > 0 ? "direction" : "contradicts"
    if (theirs ~ /^>=/) return ours + 0 >= substr(theirs, 3) + 0 ? "direction" : "contradicts"
    if (theirs ~ /^</) return ours + 0 < substr(theirs, 2) + 0 ? "direction" : "contradicts"
    if (theirs ~ /^>/) return ours + 0 > substr(theirs, 2) + 0 ? "direction" : "contradicts"
    if (theirs == "kept") { split(ours, two, " and "); return two[1] + 0 > 0 && two[1] + 0 >= two[2] + 0 ? "direction" : "contradicts" }
    if (theirs == "more") { split(ours, two, " and "); return two[1] + 0 > two[2] + 0 ? "direction" : "contradicts" }
    if (theirs !~ /^[-+]?[0-9]/) return theirs == ours ? "equal" : "contradicts"
    a = theirs + 0
    b = ours + 0
    if (a == b) return "equal"
    if (theirs !~ /%/) {
        step = distance(100 * (b / a - 1))
        return step ? "within " step " %" : "contradicts"
    }
    if (a * b <= 0) return "contradicts"
    step = distance(b - a)
    return step && b / a <= 2 && b / a >= 0.5 ? "within " step " points" : "direction"
}

# The first line of a file that has a text.
function holds(file, text, line, found) {
    while (found == "" && (getline line < file) > 0) if (index(line, text)) found = line
    close(file)
    if (found == "") fail($1 ": " file " does not have: " text)
    return found
}

# The number that follows a text in a file, and its %.
function stated(file, text, line) {
    line = holds(file, text)
    line = substr(line, index(line, text) + length(text))
    if (!match(line, /^ *[-+]?[0-9]+(\.[0-9]+)?( %)?/)) fail($1 ": no number in " file " behind: " text)
    line = substr(line, 1, RLENGTH)
    sub(/^ */, "", line)
    return line
}

# Values of one sign whose sizes are farther apart than any line but that of the direction allows; the farthest are kept, but
# for what may be noise.
function far(theirs, mine, noisy, ratio) {
    if (theirs !~ /^[-+]?[0-9]/) return 0
    ratio = mine / theirs
    if (ratio < 1) ratio = 1 / ratio
    if (!noisy && ratio > farthest) { farthest = ratio; farthest_id = $1; farthest_ours = mine; farthest_theirs = theirs }
    return 1
}

# Whether a row of workloads.md has the numbers of the paper's table.
function as_table(part, row) {
    if (!(("workloads", part, row) in known)) fail($1 ": no row " row " in workloads.md")
    return last["workloads", part, row] !~ /^(launches|CTAs|threads|register bytes)/
}

function claim(w, n, theirs, i, ours, mine, noisy, each, verdicts, alike, v, text, wide, by_chance) {
    if (NF != 10) fail("line " FNR ": a row has 10 columns")
    for (i = 1; i <= 10; i++) if ($i == "") fail("line " FNR ": nothing in column " i)
    if ($1 in ids) fail($1 " is there twice")
    ids[$1]
    rows_n++
    if ($7 ~ /^[<>]/ && $8 ~ /^[-+]?[0-9]/) fail($1 ": the paper has a bound, " $7 ", and " $8 " is none")
    split($9, w, " ")
    if (w[1] == "none") { text = $9; sub(/^none /, "", text); say("", "not run: " text, "not run"); return }
    if (w[1] == "test" || w[1] == "file") {
        text = $9
        sub(/^[a-z]+ [^ ]+ /, "", text)
        holds(w[2], w[1] == "test" ? "static void " text "(" : text)
        say("", w[1] == "test" ? "a property of the mechanism: shown by `" text "`" : "in [" w[2] "](../../" w[2] ")", "shown")
        return
    }
    if (w[1] == "names") {
        ours = split(rows["workloads", w[2]], each, SUBSEP) - 1
        v = ours == w[3] ? "equal" : "contradicts"
        say(ours " names", v, v)
        return
    }
    if (w[1] == "row") {
        v = as_table(w[2], w[3]) ? "equal" : "contradicts"
        say(v == "equal" ? "the same" : "another", v == "equal" ? v : v ": in " last["workloads", w[2], w[3]], v)
        return
    }
    n = split($9, w, "; ")
    if (split($8, theirs, "; ") != n) fail($1 ": " n " values of ours, and another number of the paper's")
    for (i = 1; i <= n; i++) {
        chance = 0
        mine[i] = here(w[i])
        noisy[i] = chance
        v = verdict(theirs[i], mine[i])
        ours = ours (i > 1 ? "; " : "") (chance ? "~" : "") mine[i]
        if (v == "contradicts" && by_chance != "no") by_chance = chance ? "yes" : "no"
        verdicts = verdicts (i > 1 ? "; " : "") v
        alike = i == 1 || (alike && v == text)
        if (worse(v, text)) text = v
    }
    if (text == "direction") {
        for (i = 1; i <= n; i++) if (verdict(theirs[i], mine[i]) == "direction" && far(theirs[i], mine[i], noisy[i])) wide = 1
        sized += wide
    }
    noise_alone += by_chance == "yes"
    say(ours, alike ? text : verdicts, text)
}

function rank(v) { return index("equal        within 5     within 10    within 20    direction    contradicts  ", substr(v, 1, 9)) }
function worse(v, than) { return than == "" || rank(v) > rank(than) }

function say(ours, text, class, note) {
    note = $10 == "-" ? "" : $10
    sub(/ points$| %$/, "", class)
    total[class]++
    lines = lines sprintf("| %s | %s, %s | %s%s | %s | %s | %s | %s |\n", $1, $2, $3, $4,
        $6 == "-" ? "" : " (over: " $6 ")", $7, ours, text, note)
}

END {
    if (failed) exit 1
    if (rows_n == 0) { print "claims.awk: no claims" > "/dev/stderr"; exit 1 }
    if (want == "table") {
        print "| claim | source | what it says | paper | ours | verdict | how ours is computed |"
        print "|---|---|---|---|---|---|---|"
        printf "%s", lines
        exit
    }
    print "| verdict | claims |"
    print "|---|---:|"
    n = split("equal,within 5,within 10,within 20,direction,contradicts,shown,not run", order, ",")
    for (i = 1; i <= n; i++) printf "| %s | %d |\n", order[i], total[order[i]]
    printf "| all | %d |\n", rows_n
    if (sized) {
        printf "\nOf the %d claims with `direction`, %d have a number in the paper of which ours shares the sign alone. ", total["direction"], sized
        printf "The farthest by ratio, but for what may be noise, is %s: %s here, %s there.\n", farthest_id, farthest_ours, farthest_theirs
    }
    printf "\nOf the %d claims with `contradicts`, %d do so only by values that may be noise.\n", total["contradicts"], noise_alone
}
