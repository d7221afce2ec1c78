# measured.awk - from a library's facts, a netlist's memories and cells, and its paths, in this order: a line for
# people, and a line of JSON with the same behind "record: ". Ends with 1 if a limit is exceeded.
#
#   awk -f measured.awk -v unit= -v parameters='N=1 W=2' -v library= -v fo4_limit= -v kge_limit= FACTS CELLS PATHS
#
# A limit of - is none.
BEGIN { GATES_A_BIT = 0.4 } # of memory; docs/area.md says why
function round(x, digits) { return sprintf("%." digits "f", x) }
function pair(name, value) { return "\"" name "\": " value }
function text(value) { gsub(/\\/, "", value); return "\"" value "\"" }
function exceeds(value, limit, what) {
    if (limit == "-" || value + 0 <= limit + 0) return
    printf "%s %s: %s %s, and the limit is %s\n", unit, parameters, value, what, limit
    failed = 1
}
FILENAME ~ /facts$/ && $1 == "area" { area[$2] = $3 }
FILENAME ~ /facts$/ && $1 == "ff" { ff[$2] = 1 }
FILENAME ~ /facts$/ && $1 == "latch" { latch[$2] = 1 }
FILENAME ~ /facts$/ && $1 == "nand2" { nand = $3 }
FILENAME ~ /facts$/ && $1 == "time" { time = $2 }
FILENAME ~ /facts$/ && $1 == "fo4" { fo4 = $2 }
FILENAME ~ /cells$/ && $1 == "memory" { bits += $3 * $4 }
FILENAME ~ /cells$/ && NF == 2 && ($1 in area) { if ($1 in ff) n_ff += $2; if ($1 in latch) n_latch += $2; n_cell += $2 }
FILENAME ~ /cells$/ && $1 == "logic" { total = $2 }
FILENAME ~ /paths$/ {
    kinds++
    delay = round($2 * time / fo4, 1)
    listed = listed (kinds > 1 ? ", " : "") pair($1, delay)
    if ($2 > worst) { worst = $2; kind = $1; from = $3; to = $4 }
}
END {
    kge = round(total / nand / 1000, 2)
    slow = round(worst * time / fo4, 1)
    ns = round(worst * time / 1000, 3)
    n = split(parameters, part, " ")
    for (i = 1; i <= n; i++) {
        split(part[i], side, "=")
        given = given (i > 1 ? ", " : "") pair(side[1], side[2])
    }
    if (!total || !worst || !fo4 || !nand) { print unit " " parameters ": nothing was measured"; exit 1 }
    printf "%s %s: %s kGE, %d flip-flops, %d bits of memory, %s FO4 = %s ns (%s -> %s); %s\n", unit, parameters, kge, n_ff, \
        bits, slow, ns, from, to, listed
    printf "record: {%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s}\n", pair("unit", text(unit)), \
        pair("parameters", "{" given "}"), pair("library", text(library)), pair("um2", round(total, 0)), pair("kge", kge), \
        pair("kge_limit", kge_limit == "-" ? "null" : kge_limit), pair("cells", n_cell + 0), pair("flip_flops", n_ff + 0), \
        pair("latches", n_latch + 0), pair("memory_bits", bits + 0), \
        pair("memory_kge", round(bits * GATES_A_BIT / 1000, 2)), pair("fo4", slow), \
        pair("fo4_limit", fo4_limit == "-" ? "null" : fo4_limit), pair("ns", ns), pair("mhz", round(1000 / ns, 0)), \
        pair("fo4_ps", fo4), pair("path", text(kind)), pair("start", text(from)), pair("end", text(to)), \
        pair("paths", "{" listed "}")
    exceeds(slow, fo4_limit, "FO4")
    exceeds(kge + bits * GATES_A_BIT / 1000, kge_limit, "kGE")
    exit failed
}
