# machine-tables.awk - a part of machine.md, as Markdown: latencies, rates, limits, power, published or headline; from published.tsv
# (gpu, figure, low, high, source; the first line names them) and the lines of machine.sh measure (gpu, figure, measured, configured, and whether that hangs on a key that is not calibrated). The figure tdp_watts is
# what a board may take, and is not measured here: it stands in the table of power.

BEGIN {
    n_latency = split("integer multiply fp32 fp64 sfu divide integer_divide fp64_divide shared constant constant_second l1_hit l2_hit dram barrier", latency, " ")
    n_rate = split("dram_pins_gbs dram_read_percent dram_copy_percent l2_read_bytes l1_read_bytes shared_read_bytes atomic_same_rate atomic_own_rate launch_us", rate, " ")
}

FNR == 1 { file++ }
file == 1 && FNR == 1 && $0 != "gpu\tfigure\tlow\thigh\tsource" { fail("its first line is not: gpu figure low high source") }
file == 1 && FNR > 1 {
    if (NF != 5 || $5 == "") fail("line " FNR ": a figure needs its gpu, name, low, high and source")
    if ($3 + 0 <= 0 || $4 + 0 < $3 + 0) fail("line " FNR ": " $3 " to " $4 " is no range")
    if ($2 == "tdp_watts") {
        board[$1] = $3
        boards[$1] = $5
        next
    }
    n++
    of[n] = $1
    figure[n] = $2
    low[n] = $3 + 0
    high[n] = $4 + 0
    source[n] = $5
}
file == 2 {
    if (!($1 in seen)) {
        if ($1 ~ / /) changed[++n_changed] = $1
        else gpus[++n_gpu] = $1
    }
    seen[$1]
    value[$1, $2] = $3
    keys[$1, $2] = $4
    star[$1, $2] = $5 != "" && $2 ~ /_latency$/ ? "*" : ""
    compare($3, $4)
}

# A latency is what the keys sum up to, and a rate is no more than that.
function compare(measured, configured, what) {
    if (configured == "") return
    what = $1 ", " $2 ": measured " measured ", configured " configured
    if ($2 ~ /_latency$/ && (measured > 1.05 * configured || measured < 0.95 * configured)) fail(what ", more than 5 % apart")
    if ($2 !~ /_latency$/ && measured > 1.02 * configured) fail(what ", which is less")
}

function fail(what) {
    print FILENAME ": " what > "/dev/stderr"
    failed = 1
    exit 1
}

function rounded(x) { return sprintf(x < 10 ? "%.1f" : "%.0f", x) }

# What is measured, and in brackets what is configured, if it is not the same; a latency that hangs on a key without a source has a star.
function both(gpu, name, here, there) {
    here = rounded(value[gpu, name])
    there = keys[gpu, name] == "" || name ~ /_percent$/ ? here : rounded(keys[gpu, name])
    return (here == there ? here : here " (" there ")") star[gpu, name]
}

# How far a figure is from what is published, in percent of the nearer end; 0 within.
function off(k, here) {
    here = value[of[k], figure[k]]
    return here < low[k] ? 100 * (here / low[k] - 1) : here > high[k] ? 100 * (here / high[k] - 1) : 0
}

function head(names, n, k, line) {
    line = "| GPU |"
    for (k = 1; k <= n; k++) line = line " " names[k] " |"
    print line
    line = "|---|"
    for (k = 1; k <= n; k++) line = line "---:|"
    print line
}

function rows(names, suffix, n, g, k, line) {
    for (g = 1; g <= n_gpu; g++) {
        line = "| " gpus[g] " |"
        for (k = 1; k <= n; k++) line = line " " both(gpus[g], names[k] suffix) " |"
        print line
    }
}

function latencies(titles) {
    split("integer,multiply,fp32,fp64,special function,divide,of integers,of fp64,shared memory,constant,32 KiB of them,L1 hit,L2 hit,DRAM,barrier", titles, ",")
    head(titles, n_latency)
    rows(latency, "_latency", n_latency)
}

function rates(titles) {
    split("DRAM pins GB/s,read % of them,copy % of them,L2 read bytes a cycle,L1 read bytes a cycle of an SM,shared memory,additions a cycle on one address,on 256 KiB,launch us", titles, ",")
    head(titles, n_rate)
    rows(rate, "", n_rate)
}

# What reads do on a GPU as its file has it, and with one value changed.
function limits(k, part, what) {
    print "| GPU | changed | DRAM read % of its pins | L2 read bytes a cycle |"
    print "|---|---|---:|---:|"
    for (k = 1; k <= n_changed; k++) {
        split(changed[k], part, " ")
        if (!(part[1] in begun)) limit(part[1], "", part[1])
        begun[part[1]]
        what = changed[k]
        sub(/^[^ ]* /, "", what)
        gsub(/ /, "`, `", what)
        limit(part[1], "`" what "`", changed[k])
    }
}

function limit(gpu, what, run) {
    print "| " gpu " | " what " | " rounded(value[run, "dram_read_percent"]) " | " rounded(value[run, "l2_read_bytes"]) " |"
}

function power(titles, g, name) {
    split("node nm,static W,FMA in all lanes W,reads of DRAM W,reads of L2 W,NoC % of these,board W,source of the board's", titles, ",")
    head(titles, 8)
    for (g = 1; g <= n_gpu; g++) {
        name = gpus[g]
        printf "| %s | %d | %s | %s | %s | %s | %s | %s | %s |\n", name, value[name, "node"], rounded(value[name, "static_watts"]),
            rounded(value[name, "fp32_watts"]), rounded(value[name, "dram_watts"]), rounded(value[name, "l2_watts"]),
            rounded(value[name, "noc_percent"]), board[name], boards[name]
    }
}

function configured(k) { return keys[of[k], figure[k]] == "" ? "" : rounded(keys[of[k], figure[k]]) }

function published(k, range, by) {
    print "| GPU | figure | configured | measured here | published | off by | source |"
    print "|---|---|---:|---:|---:|---:|---|"
    for (k = 1; k <= n; k++) {
        range = low[k] == high[k] ? low[k] : low[k] " to " high[k]
        by = off(k) == 0 ? "" : sprintf(off(k) > -1 && off(k) < 1 ? "%+.1f %%" : "%+.0f %%", off(k))
        print "| " of[k] " | `" figure[k] "` | " configured(k) " | " rounded(value[of[k], figure[k]]) " | " range " | " by " | " source[k] " |"
    }
}

function headline(k, near, fair, by) {
    for (k = 1; k <= n; k++) {
        by = off(k) < 0 ? -off(k) : off(k)
        near += by <= 5
        fair += by > 5 && by <= 20
    }
    printf "Of %d published figures %d are met within 5 %%, %d more within 20 %%, and %d are further off.\n", n, near, fair, n - near - fair
}

END {
    if (failed) exit 1
    for (k = 1; k <= n; k++)
        if (!((of[k], figure[k]) in value)) {
            printf "published.tsv: %s, %s: no such GPU or figure\n", of[k], figure[k] > "/dev/stderr"
            exit 1
        }
    for (name in board)
        if (!(name in seen)) {
            printf "published.tsv: %s, tdp_watts: no such GPU\n", name > "/dev/stderr"
            exit 1
        }
    if (n_gpu == 0 || n == 0) {
        print "machine-tables.awk: nothing is measured, or nothing published" > "/dev/stderr"
        exit 1
    }
    if (part == "latencies") latencies()
    else if (part == "rates") rates()
    else if (part == "limits") limits()
    else if (part == "published") published()
    else if (part == "power") power()
    else if (part == "headline") headline()
    else {
        print "machine-tables.awk: no part " part > "/dev/stderr"
        exit 1
    }
}
