# workloads-tables.awk - a part of workloads.md, as Markdown: headline, classes, registers, or a table of a paper; from papers.tsv (its
# first line names the columns; - is what a table does not give), the lines of workloads.sh measure, and the pages that have
# our class of a kernel, as page=NAME FILE. The part class-cells is a line of each class: row, GPU, and what its table has.

BEGIN {
    split("table row workload kernels size gpu launches ctas threads bytes ctas_per_sm class source", column, " ")
    name["claso"] = "CLASO Table 2"
    name["thesis-3.2"] = "thesis Table 3.2"
    name["thesis-3.3"] = "thesis Table 3.3"
    name["thesis-4.2"] = "thesis Table 4.2"
    name["thesis-4.4"] = "thesis Table 4.4"
    name["icc"] = "ICC Table 3"
    gpu_of["perf-sat counts"] = "m2090"
    gpu_of["perf-sat k20x-counts"] = "k20x"
    gpu_of["onac found"] = "onac32"
    WARP = 32
    MOST_REGISTERS = 255
}

FNR == 1 { file++ }

# ---- What the papers have --------------------------------------------------------------------
file == 1 && FNR == 1 { for (k = 1; k <= 13; k++) if ($k != column[k]) fail("its first line does not name " column[k]) }
file == 1 && FNR > 1 {
    if (NF != 13 || $13 == "") fail("line " FNR ": a row has 13 columns, and the last is its source")
    n++
    for (k = 1; k <= 13; k++) {
        if ($k == "") fail("line " FNR ": nothing as " column[k])
        of[n, column[k]] = $k
    }
}

# ---- What is here ----------------------------------------------------------------------------
file == 2 && $1 == "gpu" { for (k = 3; k <= 8; k++) limit[$2, k] = $k }
file == 2 && $1 == "launch" {
    run = $2 " " $3 " " $4
    m = ++rows[run]
    kernel[run, m] = $5
    ctas[run, m] = product($6)
    threads[run, m] = product($7)
    launches[run, m] = $8
    registers[run, m] = $9
    alive[run, m] = $10
    shared[run, m] = $11
    room[run, m] = $12
    check_room(run, m, $4)
}

# ---- What a page says of a kernel's class: ours, and in brackets the paper's where it is another -----------------------------
page != "" && /^<!-- end of / { marker = ""; next }
page != "" && /^<!-- .* -->$/ { marker = page " " substr($0, 6, length($0) - 9); type_at = 0; next }
page != "" && marker in gpu_of && /^\| kernel \|/ {
    for (k = split($0, cells, / *\| */); k > 0; k--) if (cells[k] == "type") type_at = k
    next
}
page != "" && marker in gpu_of && type_at && match($0, /^\| [^ ]+ \(`[a-z_0-9]+`\) \|/) {
    split($0, cells, / *\| */)
    split(cells[2], words, /[ (`)]+/)
    at = gpu_of[marker] SUBSEP words[1]
    class_kernel[at] = words[2]
    class_here[at] = cells[type_at]
    class_there[at] = ""
    if (match(cells[type_at], / \([^)]*\)$/)) {
        class_here[at] = substr(cells[type_at], 1, RSTART - 1)
        class_there[at] = substr(cells[type_at], RSTART + 2, RLENGTH - 3)
    }
}

function fail(what) {
    print FILENAME ": " what > "/dev/stderr"
    failed = 1
    exit 1
}

function product(shape, side, i, p) {
    p = 1
    for (i = split(shape, side, "x"); i > 0; i--) p *= side[i]
    return p
}

function up(value, granule) { return int((value + granule - 1) / granule) * granule }

function least(a, b) { return a < b ? a : b }

# CTAs of a size that an SM takes, by its registers, warps, threads and slots; a second writing of the GPU model's rule,
# without shared memory.
function occupancy(gpu, size, count, warps) {
    warps = up(size, WARP) / WARP
    return least(least(int(int(limit[gpu, 3] / limit[gpu, 5] / up(count * WARP, limit[gpu, 4])) * limit[gpu, 5] / warps),
                       int(limit[gpu, 6] / warps)),
                 least(int(limit[gpu, 7] / (warps * WARP)), limit[gpu, 8]))
}

# What the run says is not more than registers and slots allow; and that, if no shared memory is in use.
function check_room(run, m, gpu, most) {
    most = occupancy(gpu, threads[run, m], registers[run, m])
    if (room[run, m] > most || (shared[run, m] == 0 && room[run, m] != most))
        fail("line " FNR ": " kernel[run, m] " has " room[run, m] " CTAs per SM on " gpu ", and " most " fit")
}

# ---- A row: ours, in the table's terms -------------------------------------------------------
function number(x, text) {
    if (x != int(x)) return sprintf("%.2f", x)
    text = sprintf("%d", x)
    while (text ~ /[0-9][0-9][0-9][0-9](,|$)/) text = with_comma(text)
    return text
}

function with_comma(text, at) {
    at = match(text, /[0-9][0-9][0-9](,|$)/)
    return substr(text, 1, at - 1) "," substr(text, at)
}

# Puts what a row's kernels do into here[]. Rows that count launches are sums and means over all; the others are a kernel's
# first launch.
function measure(r, run, m, sums, cta_sum, thread_sum, room_sum, seen, count) {
    run = of[r, "workload"] " " of[r, "size"] " " of[r, "gpu"]
    delete here
    delete seen
    sums = of[r, "launches"] != "-"
    for (m = 1; m <= rows[run]; m++) {
        if (of[r, "kernels"] != "*" && of[r, "kernels"] != kernel[run, m]) continue
        count += launches[run, m]
        cta_sum += launches[run, m] * ctas[run, m]
        thread_sum += launches[run, m] * threads[run, m]
        room_sum += launches[run, m] * room[run, m]
        if (kernel[run, m] in seen) continue
        seen[kernel[run, m]]
        here["kernel"] = here["kernel"] (here["kernel"] == "" ? "" : ", ") kernel[run, m]
        here["registers"] = here["registers"] (here["registers"] == "" ? "" : ", ") registers[run, m] \
            (alive[run, m] == registers[run, m] ? "" : " (" alive[run, m] ")")
        here["shared"] = here["shared"] (here["shared"] == "" ? "" : ", ") number(shared[run, m])
        here["rooms"] = here["rooms"] (here["rooms"] == "" ? "" : ", ") room[run, m]
        if (length(seen) > 1) continue
        here["at"] = m
        here["ctas"] = ctas[run, m]
        here["threads"] = threads[run, m]
        here["bytes"] = registers[run, m] * 4 * threads[run, m]
    }
    if (count == 0) refuse(r, "no such kernel is launched")
    if (sums) {
        here["launches"] = count
        here["ctas"] = cta_sum
        here["threads"] = thread_sum / count
    }
    here["ctas_per_sm"] = rooms_as(of[r, "ctas_per_sm"], here["rooms"], room_sum / count)
}

# CTAs per SM as the table counts them: a mean over launches, or the kernels' own, of which equal ones are named once.
function rooms_as(theirs, rooms, mean, each, k, k_n) {
    if (theirs ~ /^mean /) return sprintf("mean %.2f", mean)
    k_n = split(rooms, each, ", ")
    for (k = 2; k <= k_n; k++)
        if (each[k] != each[1]) return rooms
    return each[1]
}

# What differs of a row, by name; "" if nothing does.
function differs(r, said, field, text, k) {
    measure(r)
    split("launches,CTAs,threads,register bytes,CTAs per SM", said, ",")
    split("launches ctas threads bytes ctas_per_sm", field, " ")
    for (k = 1; k <= 5; k++)
        if (of[r, field[k]] != "-" && !same(here[field[k]], of[r, field[k]])) text = text (text == "" ? "" : ", ") said[k]
    return text
}

# A mean is printed with two digits at most.
function same(ours, theirs, a, b) {
    a = ours
    b = theirs
    if (sub(/^mean /, "", a) + sub(/^mean /, "", b) == 1) return 0
    return a == b || (theirs ~ /\./ && a - b < 0.005 && b - a < 0.005) || (a ~ /^[0-9.]+$/ && b ~ /^[0-9.]+$/ && a + 0 == b + 0)
}

# Our class of a row that has one in its table; the page must mean the same kernel and the same class of the paper.
function class_of(r, at, theirs) {
    at = of[r, "gpu"] SUBSEP of[r, "row"]
    if (!(at in class_here) || class_here[at] == "") refuse(r, "no page has its class on " of[r, "gpu"])
    if (class_kernel[at] != of[r, "kernels"]) refuse(r, "its class on " of[r, "gpu"] " is that of " class_kernel[at])
    theirs = class_there[at] == "" ? class_here[at] : class_there[at]
    if (theirs != of[r, "class"]) refuse(r, "of class " of[r, "class"] " on " of[r, "gpu"] ", where the page says that the paper has " theirs)
    return class_here[at]
}

# ---- Parts -----------------------------------------------------------------------------------
function class_cell(r) { return of[r, "class"] == "-" ? "" : class_of(r) " / " of[r, "class"] }

# A line for each class of a table's kernels on a GPU, one GPU after the other: how many have it here too, and what the others have.
function classes_table(r, k, g, at, ours, line_n, line, of_line, group_n, group, of_group, group_of, all, good_n, text, kinds, kind, seen) {
    for (r = 1; r <= n; r++) {
        if (of[r, "class"] == "-") continue
        at = of[r, "table"] " | " of[r, "gpu"]
        if (!(at in of_group)) { of_group[at] = ++group_n; group[group_n] = at }
        g = of_group[at]
        at = at " | " of[r, "class"]
        if (!(at in of_line)) { of_line[at] = ++line_n; line[line_n] = at; group_of[line_n] = g }
        k = of_line[at]
        all[k]++
        ours = class_of(r)
        if (ours == of[r, "class"]) good_n[k]++
        else if (!seen[k, ours]++) kind[k, ++kinds[k]] = ours
    }
    print "| table | GPU | class in the table | kernels | the same here | here another |"
    print "|---|---|---|---:|---:|---|"
    for (g = 1; g <= group_n; g++)
        for (k = 1; k <= line_n; k++) {
            if (group_of[k] != g) continue
            text = ""
            for (r = 1; r <= kinds[k]; r++) text = text (r > 1 ? ", " : "") kind[k, r] ": " seen[k, kind[k, r]]
            printf "| %s | %d | %d | %s |\n", line[k], all[k], good_n[k], text
        }
    printf "\n%s\n", classes_said()
}

function classes_said(r, all, same_n) {
    for (r = 1; r <= n; r++)
        if (of[r, "class"] != "-") {
            all++
            same_n += class_of(r) == of[r, "class"]
        }
    return all ? sprintf("Of %d classes of kernels %d are the paper's.", all, same_n) : "No row has a class."
}

function class_cells(r) {
    for (r = 1; r <= n; r++) if (of[r, "class"] != "-") print of[r, "row"] "\t" of[r, "gpu"] "\t" class_cell(r)
}

# Ours / the paper's.
function cell(r, field, ours, theirs) {
    ours = field == "ctas_per_sm" || !(field in here) ? here[field] : number(here[field])
    theirs = of[r, field] ~ /^[0-9.]+$/ ? number(of[r, field]) : of[r, field]
    return theirs == "-" ? ours : ours " / " theirs
}

# What is said of a row: what differs, and what its source adds.
function remark(r, what, note) {
    what = differs(r)
    note = index(of[r, "source"], ": ") ? substr(of[r, "source"], index(of[r, "source"], ": ") + 2) : ""
    return what (what != "" && note != "" ? ": " : "") note
}

# With some=1, rows whose programs have not run are left out.
function skipped(r) { return some && !((of[r, "workload"] " " of[r, "size"] " " of[r, "gpu"]) in rows) }

function table(r, said) {
    print "| row | here | size, GPU | launches | CTAs | threads | registers (alive) | register bytes | shared bytes | CTAs per SM | class | differs in |"
    print "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|---|"
    for (r = 1; r <= n; r++) {
        if (of[r, "table"] != name[part] || skipped(r)) continue
        said = remark(r)
        printf "| %s | %s: `%s` | `%s`, %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", of[r, "row"], of[r, "workload"],
            ticked(here["kernel"]), of[r, "size"], of[r, "gpu"], cell(r, "launches"),
            of[r, "ctas"] == "-" ? "" : cell(r, "ctas"), cell(r, "threads"), here["registers"],
            of[r, "bytes"] == "-" ? "" : cell(r, "bytes"), here["shared"], cell(r, "ctas_per_sm"),
            class_cell(r), said
    }
}

# The counts with which a derived row's GPU takes as many CTAs as the row says are from..to, and ours is the one of them that is
# nearest to what is alive; shared memory is left out, of which our kernels have their own.
function registers_table(r, run, m, count, from, to) {
    print "| kernel | alive | CTAs per SM of the paper | GPU | counts that give them | taken | source |"
    print "|---|---:|---:|---|---|---:|---|"
    for (r = 1; r <= n; r++) {
        if (of[r, "table"] != "derived" || skipped(r)) continue
        measure(r)
        m = here["at"]
        run = of[r, "workload"] " " of[r, "size"] " " of[r, "gpu"]
        from = to = 0
        for (count = MOST_REGISTERS; count > 0; count--)
            if (occupancy(of[r, "gpu"], threads[run, m], count) == of[r, "ctas_per_sm"]) {
                from = count
                if (!to) to = count
            }
        count = alive[run, m] < from ? from : least(alive[run, m], to)
        if (from == 0 || registers[run, m] != count)
            refuse(r, registers[run, m] " registers are not the nearest of " from " to " to " to " alive[run, m])
        printf "| `%s` | %d | %s | %s | %d to %d | %d | %s |\n", kernel[run, m], alive[run, m], of[r, "ctas_per_sm"], of[r, "gpu"],
            from, to, count, of[r, "source"]
    }
}

# A kernel has another count than its PTX only if a row gives it, or it is derived.
function check_sources(r, run, m) {
    for (r = 1; r <= n; r++)
        if (of[r, "bytes"] != "-" || of[r, "table"] == "derived") sourced[of[r, "kernels"]]
    for (run in rows)
        for (m = 1; m <= rows[run]; m++)
            if (registers[run, m] != alive[run, m] && !(kernel[run, m] in sourced)) {
                printf "papers.tsv: %s: no row gives its registers\n", kernel[run, m] > "/dev/stderr"
                failed = 1
                exit 1
            }
}

function refuse(r, what) {
    printf "papers.tsv: %s, %s: %s\n", of[r, "table"], of[r, "row"], what > "/dev/stderr"
    failed = 1
    exit 1
}

function ticked(text) {
    gsub(/, /, "`, `", text)
    return text
}

function headline(r, given, equal, named, p, line) {
    for (r = 1; r <= n; r++) {
        if (of[r, "table"] == "derived" || skipped(r)) continue
        if (of[r, "table"] == name["icc"]) {
            measure(r)
            named++
            continue
        }
        given++
        total[of[r, "table"]]++
        if (differs(r) == "") {
            equal++
            good[of[r, "table"]]++
        }
    }
    printf "%d of %d rows that give numbers are equal in all of them:", equal, given
    split("claso thesis-3.2 thesis-3.3 thesis-4.2 thesis-4.4", order, " ")
    for (p = 1; p <= 5; p++) printf "%s %d of %d in %s", p == 1 ? "" : ",", good[name[order[p]]], total[name[order[p]]], name[order[p]]
    printf ".\n%s\nICC Table 3 gives %d names, which are all here.\n", classes_said(), named
}

END {
    if (failed) exit 1
    if (n == 0 || file < 2) {
        print "workloads-tables.awk: no rows of papers, or nothing is measured" > "/dev/stderr"
        exit 1
    }
    check_sources()
    if (part == "headline") headline()
    else if (part == "classes") classes_table()
    else if (part == "class-cells") class_cells()
    else if (part == "registers") registers_table()
    else if (part in name) table()
    else {
        print "workloads-tables.awk: no part " part > "/dev/stderr"
        exit 1
    }
}
