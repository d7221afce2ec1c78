# machine-tables.awk - a part of machine.md, as Markdown: latencies, kinds, rates, limits, power, published, agreement or headline; from published.tsv
# (gpu, figure, low, high, whether a key of the GPU is taken from it or chosen to meet it, source; the first line names them) and the lines of machine.sh measure (gpu, figure, measured, configured, and whether that hangs on a key that is not calibrated). The figure tdp_watts is
# what a board may take, and is not measured here: it stands in the table of power.

BEGIN {
    n_latency = split("integer multiply fp32 fp64 sfu divide integer_divide fp64_divide shared constant constant_second l1_hit l2_hit dram barrier", latency, " ")
    n_other = split("integer_simple integer_min_max integer_multiply_add fp32_simple fp32_min_max fp32_fused fp64_simple fp64_min_max fp64_fused", other, " ")
    n_rate = split("dram_pins_gbs dram_read_percent dram_copy_percent l2_read_bytes l1_read_bytes shared_read_bytes atomic_same_rate atomic_own_rate launch_us", rate, " ")
}

FNR == 1 { file++ }
file == 1 && FNR == 1 && $0 != "gpu\tfigure\tlow\thigh\tinput\tsource" { fail("its first line is not: gpu figure low high input source") }
file == 1 && FNR > 1 {
    if (NF != 6 || $6 == "") fail("line " FNR ": a figure needs its gpu, name, low, high, input and source")
    if ($5 != "yes" && $5 != "no") fail("line " FNR ": an input is yes or no, not " $5)
    if ($3 + 0 <= 0 || $4 + 0 < $3 + 0) fail("line " FNR ": " $3 " to " $4 " is no range")
    if ($2 == "tdp_watts") {
        board[$1] = $3
        boards[$1] = $6
        next
    }
    n++
    of[n] = $1
    figure[n] = $2
    low[n] = $3 + 0
    high[n] = $4 + 0
    input[n] = $5 == "yes"
    source[n] = $6
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

function kinds(titles) {
    split("integer: simple,min max,multiply-add,fp32: simple,min max,fused,fp64: simple,min max,fused", titles, ",")
    head(titles, n_other)
    rows(other, "_latency", n_other)
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
    print "| GPU | figure | configured | measured here | published | off by | input | source |"
    print "|---|---|---:|---:|---:|---:|---|---|"
    for (k = 1; k <= n; k++) {
        range = low[k] == high[k] ? low[k] : low[k] " to " high[k]
        by = off(k) == 0 ? "" : sprintf(off(k) > -1 && off(k) < 1 ? "%+.1f %%" : "%+.0f %%", off(k))
        print "| " of[k] " | `" figure[k] "` | " configured(k) " | " rounded(value[of[k], figure[k]]) " | " range " | " by " | " (input[k] ? "yes" : "") " | " source[k] " |"
    }
}

# What a published figure is to the configuration: an input, or a latency or a rate from which it took nothing.
function use(k) { return input[k] ? "input" : figure[k] ~ /_latency$/ ? "latency" : "rate" }

# Counts the figures of a use, those within 5 % and those within 20 %: of all GPUs, and of each.
function tally(k, by, kind) {
    for (k = 1; k <= n; k++) {
        kind = use(k)
        by = off(k) < 0 ? -off(k) : off(k)
        all[kind]++
        all[of[k], kind]++
        published_of[of[k]]
        if (by <= 5) near[kind]++
        if (by <= 5) near[of[k], kind]++
        if (by <= 20) fair[kind]++
        if (by <= 20) fair[of[k], kind]++
    }
}

function agree(kind) {
    return sprintf("%d are within 5 %%, %d more within 20 %%, and %d further off", near[kind], fair[kind] - near[kind], all[kind] - fair[kind])
}

# Figures that several have published, and of these those whose ranges are more than 5 % apart.
function disputes(k, name) {
    for (k = 1; k <= n; k++) {
        name = of[k] SUBSEP figure[k]
        if (!(name in by_many) || high[k] < least[name]) least[name] = high[k]
        if (!(name in by_many) || low[k] > most[name]) most[name] = low[k]
        by_many[name]++
    }
    for (name in by_many)
        if (by_many[name] > 1) {
            several++
            apart += most[name] > 1.05 * least[name]
        }
}

function headline() {
    tally()
    disputes()
    printf "Of %d published figures %d are inputs: a key is taken from them, or chosen so that they are met. Of these %s.\n", n, all["input"], agree("input")
    printf "From the other %d nothing was taken. Of %d latencies %s; of %d rates %s.\n", n - all["input"], all["latency"], agree("latency"), all["rate"], agree("rate")
    printf "Several have published the same figure in %d cases, and in %d of these their own figures are more than 5 %% apart.\n", several, apart
}

function agreement(titles, g, k, kind, line) {
    split("inputs,within 5 %,other latencies,within 5 %,within 20 %,rates,within 5 %,within 20 %", titles, ",")
    tally()
    head(titles, 8)
    for (g = 1; g <= n_gpu; g++)
        if (gpus[g] in published_of) {
            line = "| " gpus[g] " | " all[gpus[g], "input"] + 0 " | " near[gpus[g], "input"] + 0 " |"
            for (k = 1; k <= 2; k++) {
                kind = k == 1 ? "latency" : "rate"
                line = line " " all[gpus[g], kind] + 0 " | " near[gpus[g], kind] + 0 " | " fair[gpus[g], kind] + 0 " |"
            }
            print line
        }
}

END {
    if (failed) exit 1
    for (k = 1; k <= n; k++)
        if (!((of[k], figure[k]) in value)) {
            printf "published.tsv: %s, %s: no such GPU or figure\n", of[k], figure[k] > "/dev/stderr"
            exit 1
        }
    for (k = 1; k <= n; k++)
        if (input[k] && figure[k] ~ /_latency$/ && (off(k) > 5 || off(k) < -5)) {
            printf "published.tsv: %s, %s: an input that is not met\n", of[k], figure[k] > "/dev/stderr"
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
    else if (part == "kinds") kinds()
    else if (part == "rates") rates()
    else if (part == "limits") limits()
    else if (part == "published") published()
    else if (part == "power") power()
    else if (part == "headline") headline()
    else if (part == "agreement") agreement()
    else {
        print "machine-tables.awk: no part " part > "/dev/stderr"
        exit 1
    }
}
