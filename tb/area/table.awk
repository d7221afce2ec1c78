# table.awk - awk -f records.awk -f table.awk FILE.json: the sizes and what was measured, in columns.
function column(i, text) { cell[rows, i] = text; if (length(text) > width[i]) width[i] = length(text) }
function row(a, b, c, d, e, f, g, h, i, j) {
    rows++
    column(1, a); column(2, b); column(3, c); column(4, d); column(5, e)
    column(6, f); column(7, g); column(8, h); column(9, i); column(10, j)
}
BEGIN { row("unit", "size", "um2", "kGE", "flip-flops", "memory bits", "FO4", "ns", "MHz", "slowest path") }
/"operation": / {
    least = value("least"); most = value("most")
    operations = operations sprintf("  %-16s  %-34s  %s\n", value("unit"), value("operation"), least == most ? most : least " to " most)
    next
}
/^{/ {
    unit = value("unit")
    limit = value("fo4_limit"); kge_limit = value("kge_limit")
    if (limit != "" || kge_limit != "") limited++
    late = limit != "" && value("fo4") + 0 > limit
    large = kge_limit != "" && value("kge") + value("memory_kge") > kge_limit
    if (late || large) exceeding = exceeding "\n  " unit " " value("parameters") ": " \
        (late ? value("fo4") " FO4 of " limit : "") (late && large ? ", " : "") \
        (large ? value("kge") + value("memory_kge") " kGE of " kge_limit : "")
    row(unit, value("parameters"), commas(value("um2")), value("kge") (kge_limit == "" ? "" : " <= " kge_limit), \
        value("flip_flops"), value("memory_bits"), value("fo4") (limit == "" ? "" : " <= " limit), value("ns"), \
        value("mhz"), value("start") " -> " value("end"))
    library = value("library"); fo4_ps = value("fo4_ps")
}
END {
    if (exceeding) print "exceeded:" exceeding
    else print "all " limited + 0 " sizes with a limit are within it"
    printf "\n%s, FO4 = %.1f ps\n\n", library, fo4_ps
    for (r = 1; r <= rows; r++) {
        line = ""
        for (i = 1; i <= 10; i++)
            line = line sprintf((i < 3 || i == 10 ? "%-" : "%") width[i] "s%s", cell[r, i], i < 10 ? "  " : "")
        sub(/ +$/, "", line)
        print line
    }
    if (operations) printf "\ncycles of each operation; 0: its answer comes in its own cycle\n\n%s", operations
    print ""
    exit exceeding != "" || rows < 2
}
